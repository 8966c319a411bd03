// One agent process: started without a shell in a process group of its own, its stderr always drained, and ended
// with everything it started, in its group or outside it (F-021, F-022). Knows no ACP; says nothing about why a process is ended.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { AgentError, messageOf } from '../../base/errors.ts';
import { killMarked, MARK } from '../marked.ts';
import type { Redact } from '../redact.ts';
import { lookUp } from './lookup.ts';
import { StderrTail } from './stderr-tail.ts';

export interface Command {
  command: string;
  args: readonly string[];
  /** Added to the service's own environment. */
  env: Readonly<Record<string, string>>;
  /** Absolute path. */
  cwd: string;
}

/** Milliseconds from the closing of stdin to each signal. */
export interface Ladder {
  term: number;
  kill: number;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long a group that was killed is waited for, and its pipes are read, in milliseconds. */
const GONE_LIMIT = 1000;
const POLL = 20;

/** Looks, a millisecond or more apart, for what is still being written to stdin, and how many in a row find nothing. */
const FLUSH_LOOKS = 60;
const QUIET_LOOKS = 5;

/** A start that failed; `again` when one later attempt may succeed. */
export type Started = { process: AgentProcess } | { error: AgentError; again: boolean };

/**
 * Hears of a started process by the number it leads its group with and the mark in the environment of all it starts;
 * what it returns is called when all of it is gone.
 */
export type Watch = (pid: number, mark: string) => () => void;

/**
 * Starts `command`; `redact` goes over its stderr. Missing folder, missing program and a program that may not run each
 * have their own message.
 */
export async function startProcess(command: Command, watch: Watch, redact: Redact): Promise<Started> {
  const mark = randomUUID();
  const env = { ...process.env, ...command.env, [MARK]: mark };
  const found = lookUp(command.command, command.cwd, env);
  if (!('file' in found)) return { error: new AgentError('spawn', found.reason), again: found.again };
  const { file } = found;
  try {
    const child = spawn(file, command.args, { cwd: command.cwd, env, detached: true, stdio: 'pipe' });
    if (child.pid === undefined) throw (await once(child, 'error'))[0];
    const forget = watch(child.pid, mark);
    const started = new AgentProcess(child, { pid: child.pid, mark, redact });
    void started.gone.finally(forget);
    return { process: started };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const reason = code === 'ENOENT' ? missingInterpreter(file) : messageOf(error);
    return {
      error: new AgentError('spawn', `Cannot run ${file}: ${reason}`, { cause: error }),
      again: code === 'ENOENT' || code === 'ETXTBSY',
    };
  }
}

/** The system says "not found" for a script whose first line names a program that is not there. */
function missingInterpreter(file: string): string {
  try {
    const [, interpreter] = /^#!\s*(\S+)/.exec(readFileSync(file, 'utf8').slice(0, 256)) ?? [];
    return `the interpreter ${interpreter ?? 'it needs'} was not found`;
  } catch {
    return 'the file is gone';
  }
}

export class AgentProcess {
  readonly stdin: Socket;
  readonly stdout: ChildProcessWithoutNullStreams['stdout'];
  readonly stderr: StderrTail;
  /** Settles when the process has left; its group and what it wrote may still be there. */
  readonly left: Promise<Exit>;
  /** Settles when the process and all that it started are gone. */
  readonly gone: Promise<Exit>;
  readonly #pid: number;
  readonly #mark: string;
  #ending: Ladder | undefined;
  #heard: () => void = () => {};
  #timers: NodeJS.Timeout[] = [];

  constructor(child: ChildProcessWithoutNullStreams, about: { pid: number; mark: string; redact: Redact }) {
    this.#pid = about.pid;
    this.#mark = about.mark;
    this.stderr = new StderrTail(about.redact);
    // The typings leave open what a pipe to a child is.
    this.stdin = child.stdin as Socket;
    this.stdout = child.stdout;
    // A broken pipe shows itself as the end of the process; unheard it would end the service.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => {});
    child.on('error', () => {});
    child.stderr.on('data', (chunk: Buffer) => {
      this.stderr.push(chunk);
      this.#heard();
    });
    this.left = new Promise<Exit>((done) => child.once('exit', (code, signal) => done({ code, signal })));
    const closed = new Promise<void>((done) => child.once('close', () => done()));
    this.gone = this.left.then((exit) => this.#sweep(exit, closed));
  }

  /** Calls `heard` after every new output on stderr, in place of the one named before. */
  onStderr(heard: () => void): void {
    this.#heard = heard;
  }

  /**
   * Closes stdin once what is being said is written, and signals the group along `ladder`; a later call may only be
   * sooner.
   */
  end(ladder: Ladder): void {
    if (this.#ending !== undefined && this.#ending.kill <= ladder.kill) return;
    this.#ending = ladder;
    void this.#closeStdin();
    this.#timers.push(
      setTimeout(() => this.#signal('SIGTERM'), ladder.term),
      setTimeout(() => this.#signal('SIGKILL'), ladder.kill),
    );
  }

  /** Answers given in the same turn have promises and a queue before them: they are waited for (F-048, F-074). */
  async #closeStdin(): Promise<void> {
    let written = this.stdin.bytesWritten;
    for (let looks = 0, quiet = 0; looks < FLUSH_LOOKS && quiet < QUIET_LOOKS; looks += 1) {
      await pause(1);
      quiet = this.stdin.bytesWritten === written && this.stdin.writableLength === 0 ? quiet + 1 : 0;
      written = this.stdin.bytesWritten;
    }
    this.stdin.end();
  }

  /** The leader has left: whatever remains of what it started does not outlive it. */
  async #sweep(exit: Exit, closed: Promise<void>): Promise<Exit> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#signal('SIGKILL');
    await killMarked(this.#mark);
    // A member that left the group may still hold the pipes, and a dead one stays listed until it is reaped.
    const given = new AbortController();
    const limit = pause(GONE_LIMIT, undefined, { signal: given.signal }).catch(() => {});
    await Promise.race([closed, limit]);
    given.abort();
    for (let waited = 0; waited < GONE_LIMIT && this.#signal(0); waited += POLL) await pause(POLL);
    this.stdout.destroy();
    return exit;
  }

  /** False when nobody is left in the group. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.#pid, signal);
      return true;
    } catch {
      return false;
    }
  }
}
