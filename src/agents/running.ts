// Which agents run, on disk, so that a service that was killed leaves none behind: the next one finds
// and ends them (F-021). Ends nothing of which it is not certain that it belongs to an agent of a dead service.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { bootId, groupMembers, type Identity, identityOf, variableOf } from '../system/processes.ts';
import { isMarkThere, killMarked, MARK } from './marked.ts';

/** One started agent: the leader of its group, the mark of all it starts, and the service that started it. */
interface RunningRecord {
  version: 1;
  agent: string;
  group: Identity;
  service: Identity;
  boot: string;
  mark: string;
}

/** Keeps account of the agents of this service. */
export interface Running {
  /** Notes the process group that `pid` leads and the start's mark; the returned call forgets both. Neither throws. */
  started(agent: string, pid: number, mark: string): () => void;
}

/** Milliseconds between SIGTERM and SIGKILL for what was left behind, and then until it is given up. */
const TERM_MS = 2000;
const KILL_MS = 1000;
const POLL_MS = 50;

const recordFolder = (stateFolder: string): string => join(stateFolder, 'running');

/** Records are kept in `<stateFolder>/running`; where that cannot be written, a warning says so and agents run all the same. */
export function recordRunning(stateFolder: string, log: Log): Running {
  const folder = recordFolder(stateFolder);
  let warned = false;
  const attempt = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (warned) return;
      warned = true;
      log.warn(
        `cannot note which agents run, so a killed service may leave some behind: ${messageOf(error)}`,
      );
    }
  };
  return {
    started(agent, pid, mark) {
      const file = join(folder, `${pid}.json`);
      attempt(() => {
        const [group, service, boot] = [identityOf(pid), identityOf(process.pid), bootId()];
        if (group === undefined || service === undefined) return;
        const record: RunningRecord = { version: 1, agent, group, service, boot, mark };
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        chmodSync(folder, 0o700);
        rmSync(file, { force: true });
        writeFileSync(file, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      });
      return () => attempt(() => rmSync(file, { force: true }));
    },
  };
}

/** Ends what earlier services left running, all of it at once, and says so; resolves when it is gone. Never rejects. */
export async function endLeftBehind(stateFolder: string, log: Log): Promise<void> {
  const folder = recordFolder(stateFolder);
  const files = recordFiles(folder, log);
  await Promise.all(
    files.map(async (file) => {
      try {
        await endRecorded(join(folder, file), log);
      } catch (error) {
        log.warn(
          `cannot tell from ${join(folder, file)} whether an agent was left behind: ${messageOf(error)}`,
        );
      }
    }),
  );
}

function recordFiles(folder: string, log: Log): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    if (!isAbsent(error)) log.warn(`cannot look for agents left behind: ${messageOf(error)}`);
    return [];
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function endRecorded(file: string, log: Log): Promise<void> {
  const text = readText(file);
  // Its agent ended in this moment.
  if (text === undefined) return;
  const record = parseRecord(text);
  if (record === undefined) {
    log.warn(`${file} is no record of a running agent and is passed over; it can be deleted`);
    return;
  }
  const { service, boot } = record;
  const sameBoot = boot === bootId();
  if (sameBoot && identityOf(service.pid)?.started === service.started) return;
  if (!sameBoot || (await endAgent(record, log))) rmSync(file, { force: true });
}

/** Ends the group, then what left it; false when something cannot be ended. */
async function endAgent(record: RunningRecord, log: Log): Promise<boolean> {
  const { agent, group, mark } = record;
  const left = `agent ${agent} was left running by a service that was killed`;
  if (isOurs(record)) {
    log.warn(`${left}; ending process group ${group.pid}`);
    signal(group.pid, 'SIGTERM');
    if (!(await isGone(group.pid, TERM_MS))) signal(group.pid, 'SIGKILL');
    if (!(await isGone(group.pid, KILL_MS))) {
      log.warn(`process group ${group.pid} of agent ${agent} cannot be ended`);
      return false;
    }
  } else if (isMarkThere(mark)) log.warn(`${left}; ending what it started`);
  if (await killMarked(mark)) return true;
  log.warn(`what agent ${agent} started cannot be ended`);
  return false;
}

/** The number of a group may have gone to another one: its leader is the recorded process, or a member has our mark. */
function isOurs({ group, mark }: RunningRecord): boolean {
  if (identityOf(group.pid)?.started === group.started) return true;
  return groupMembers(group.pid).some((pid) => variableOf(pid, MARK) === mark);
}

async function isGone(group: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; groupMembers(group).length > 0; waited += POLL_MS) {
    if (waited >= withinMs) return false;
    // A service that is stopped meanwhile does not wait for this; the record stays for the next one.
    await pause(POLL_MS, undefined, { ref: false });
  }
  return true;
}

function signal(group: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(-group, name);
  } catch {
    // Gone in this moment, or not ours to signal; whether it is there is looked at next.
  }
}

function parseRecord(text: string): RunningRecord | undefined {
  let value: Partial<RunningRecord> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isRecord =
    value?.version === 1 &&
    isIdentity(value.service) &&
    isIdentity(value.group) &&
    value.mark !== '' &&
    // The group 1 would be everybody's processes.
    value.group.pid > 1 &&
    [value.agent, value.boot, value.mark].every((word) => typeof word === 'string');
  return isRecord ? (value as RunningRecord) : undefined;
}

function isIdentity(value: Partial<Identity> | undefined): value is Identity {
  return Number.isSafeInteger(value?.pid) && typeof value?.started === 'string';
}
