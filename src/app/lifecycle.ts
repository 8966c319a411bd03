// Stopping: what was started is stopped in reverse, each part within its time, all of it within eight seconds.
// A part that fails or is late is logged and passed by. Starts nothing itself.
import { messageOf } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Clock } from '../host/ports.ts';

/** Below the unit's `TimeoutStopSec=10`. */
const TOTAL_MS = 8_000;

interface Part {
  name: string;
  /** Takes no more work; finishes or cancels what is open. The synchronous beginning of it runs at once. */
  quiesce?: () => void | Promise<void>;
  /** Lets go. */
  close?: () => void | Promise<void>;
  /** How long each of the two may take, in milliseconds. */
  limitMs: number;
}

export class Lifecycle {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #parts: Part[] = [];
  #stopped: Promise<void> | undefined;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Parts are stopped in the reverse order of this. */
  push(part: Part): void {
    this.#parts.push(part);
  }

  /** Quiesces every part, then closes every part. Never rejects; asking again waits for the same stop. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop(this.#clock.now() + TOTAL_MS);
    return this.#stopped;
  }

  async #stop(end: number): Promise<void> {
    const order = this.#parts.toReversed();
    for (const verb of ['quiesce', 'close'] as const) {
      for (const part of order) {
        const run = part[verb];
        if (run !== undefined)
          await this.#within(`${part.name} (${verb})`, run, Math.min(part.limitMs, end - this.#clock.now()));
      }
    }
  }

  /** Settles when `run` has, or when its time is over. */
  async #within(name: string, run: () => void | Promise<void>, ms: number): Promise<void> {
    let done = () => {};
    const late = new Promise<void>((resolve) => {
      done = this.#clock.after(ms, () => {
        this.#log.warn(`stopping: ${name} took too long`);
        resolve();
      });
    });
    try {
      await Promise.race([run(), late]);
    } catch (error) {
      this.#log.error(`stopping: ${name} failed: ${messageOf(error)}`);
    } finally {
      done();
    }
  }
}

/** Signals that ask for a clean stop. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Ties `stop` to this process: a signal stops it cleanly (exit 0), a second one exits at once (128 + its number
 * is the shell's habit; here 1). A fault that nobody caught is logged with its stack, then the same stop, exit 1.
 */
export function stopWithProcess(stop: () => Promise<void>, log: Log): void {
  let stopping = false;
  const end = (code: number) => {
    if (stopping) process.exit(1);
    stopping = true;
    void stop().finally(() => process.exit(code));
  };
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      log.info(`${signal}: stopping`);
      end(0);
    });
  }
  const fault = (kind: string) => (error: unknown) => {
    log.error(`${kind}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    end(1);
  };
  process.on('uncaughtException', fault('uncaught exception'));
  process.on('unhandledRejection', fault('unhandled rejection'));
}
