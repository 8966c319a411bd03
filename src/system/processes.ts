// What the kernel tells of processes, from /proc: who is in a group, and by what a process is known again although
// numbers are given out anew. Answers `undefined` or nothing where a process is gone or hidden; signals nobody.
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A process for as long as the machine runs: a number alone may be another process later. */
export interface Identity {
  pid: number;
  /** Clock ticks from the boot of the machine to its start, in decimal. */
  started: string;
}

/** Differs after every boot; empty where the kernel does not say. */
export function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

export function identityOf(pid: number): Identity | undefined {
  const stat = statOf(pid);
  return stat === undefined ? undefined : { pid, started: stat.started };
}

/** Every process of `group` that runs; one that only waits to be reaped does not. */
export function groupMembers(group: number): number[] {
  return listed().filter((pid) => statOf(pid)?.group === group);
}

function ownerOf(pid: number): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return undefined;
  }
}

function listed(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Every other process of this user that runs and was started with `name=value`; none where there is no /proc. */
export function processesWith(name: string, value: string): number[] {
  const user = process.getuid?.();
  return listed()
    .filter((pid) => pid !== process.pid)
    .filter((pid) => ownerOf(pid) === user)
    .filter((pid) => variableOf(pid, name) === value);
}

/** A variable of the environment that `pid` was started with. */
export function variableOf(pid: number, name: string): string | undefined {
  const entries = readText(`/proc/${pid}/environ`)?.split('\u0000') ?? [];
  return entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** proc(5); the name in parentheses may itself hold parentheses and spaces. */
function statOf(pid: number): { group: number; started: string } | undefined {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state, , group] = fields;
  const started = fields[19];
  if (group === undefined || started === undefined || state === 'Z' || state === 'X') return undefined;
  return { group: Number(group), started };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
