// Every bound on an agent, in milliseconds and bytes: each step but the prompt itself ends by one of them.
// Only constants and the choice between them; what happens at a bound is said where it is met.
import { basename } from 'node:path';
import { MAX_LINE_BYTES } from './lines.ts';
import type { Command, Ladder } from './process.ts';

export interface Limits {
  /** From the start of the process to its answer to `initialize`. Absent: by the kind of command. */
  start?: number;
  /** For the answer to any other request that is not a prompt. */
  request: number;
  /** For a sign-in, which a person may have to finish somewhere else. */
  signIn: number;
  /** Before the one new attempt when a program is missing or busy. */
  retry: number;
  /** Least time between two lines about the start. */
  activity: number;
  /** For an agent that closed its output to leave by itself. */
  leave: number;
  /** How an agent is asked to go, and how one is ended that did wrong. */
  polite: Ladder;
  firm: Ladder;
  line: number;
}

export const LIMITS: Limits = {
  request: 30_000,
  signIn: 15 * 60_000,
  retry: 1500,
  activity: 500,
  leave: 1000,
  polite: { term: 2000, kill: 5000 },
  firm: { term: 0, kill: 2000 },
  line: MAX_LINE_BYTES,
};

const START = 30_000;
/** A package runner may have to download the agent first (F-029). */
const START_DOWNLOADING = 15 * 60_000;

/** Programs that run a package, each with the first words that make it do so; none when it always does. */
const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npx', []],
  ['pnpx', []],
  ['bunx', []],
  ['uvx', []],
  ['npm', ['exec', 'x']],
  ['pnpm', ['dlx']],
  ['yarn', ['dlx']],
  ['bun', ['x']],
  ['uv', ['tool']],
  ['pipx', ['run']],
]);

/** How long `command` may take to answer `initialize`. */
export function startLimit({ command, args }: Pick<Command, 'command' | 'args'>): number {
  return runsPackage(command, args) ? START_DOWNLOADING : START;
}

function runsPackage(command: string, args: readonly string[]): boolean {
  const program = basename(command);
  if (program === 'env') {
    const skipped = (at: number) => isOption(args, at) || args[at]?.includes('=') === true;
    return args.some((arg, at) => upTo(at).every(skipped) && runsPackage(arg, args.slice(at + 1)));
  }
  if (program === 'deno') return args.some((arg) => /^(npm|jsr):/.test(arg));
  const verbs = RUNNERS.get(program);
  if (verbs === undefined || verbs.length === 0) return verbs !== undefined;
  return args.some((arg, at) => verbs.includes(arg) && upTo(at).every((index) => isOption(args, index)));
}

const upTo = (end: number): number[] => [...Array(end).keys()];

/** Whether it is an option, or may be the value of the one before it. */
function isOption(args: readonly string[], at: number): boolean {
  const [arg = '', before = ''] = [args[at], args[at - 1]];
  return arg.startsWith('-') || (before.startsWith('-') && !before.includes('='));
}
