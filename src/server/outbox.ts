// What leaves for one client: one write to the socket per turn of the loop, a bounded backlog, and the end of a
// client that stops reading. Everything for a client goes through here, so its order is the order of the calls.
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Disposable } from '../base/dispose.ts';
import type { Log } from '../base/log.ts';
import type { Clock } from '../host/ports.ts';

/** A backlog, in bytes, that has to be left behind within `SLOW_MS` (R-019, F-096). */
export const SLOW_BYTES = 1024 * 1024;
const SLOW_MS = 10_000;
/** A backlog, in bytes, on which nothing more is put. One message of any size fits on an empty one. */
export const FULL_BYTES = 64 * 1024 * 1024;
/** How long the closing handshake may take before the socket is cut. */
const CLOSE_MS = 2_000;

/** Close codes of RFC 6455 that we use. */
export const GOING_AWAY = 1001;
const TRY_AGAIN_LATER = 1013;

export class Outbox {
  readonly #client: WebSocket;
  readonly #socket: Duplex;
  readonly #clock: Clock;
  readonly #log: Log;
  #closing = false;
  #corked = false;
  #slow: Disposable | undefined;
  #cut: Disposable | undefined;

  constructor(client: WebSocket, socket: Duplex, clock: Clock, log: Log) {
    this.#client = client;
    this.#socket = socket;
    this.#clock = clock;
    this.#log = log;
    client.once('close', () => {
      this.#closing = true;
      this.#slow?.();
      this.#cut?.();
    });
  }

  /** Whether the end has begun: nothing is sent any more. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Queues one text frame. Does nothing once the connection is being closed. */
  send(frame: Buffer | string): void {
    if (this.#closing) return;
    if (this.#client.bufferedAmount > FULL_BYTES) {
      this.#giveUp('too much is waiting to be read');
      return;
    }
    if (!this.#corked) {
      this.#corked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#corked = false;
        this.#socket.uncork();
      });
    }
    if (this.#slow === undefined && this.#client.bufferedAmount + frame.length > SLOW_BYTES) {
      this.#slow = this.#clock.after(SLOW_MS, () => this.#giveUp('reading has stalled'));
    }
    // Without a backlog nobody asks when a frame has left, which spares a callback for each.
    if (this.#slow === undefined) this.#client.send(frame, { binary: false });
    else this.#client.send(frame, { binary: false }, () => this.#left());
  }

  /** Says goodbye behind what is queued; a client that does not answer is cut after two seconds. */
  close(code: number, reason: string): void {
    if (this.#closing) return;
    this.#closing = true;
    this.#slow?.();
    this.#cut = this.#clock.after(CLOSE_MS, () => this.#client.terminate());
    this.#client.close(code, reason);
  }

  #left(): void {
    if (this.#slow === undefined || this.#client.bufferedAmount > SLOW_BYTES) return;
    this.#slow();
    this.#slow = undefined;
  }

  #giveUp(why: string): void {
    this.#log.warn(`closing a client: ${why} (${this.#client.bufferedAmount} bytes)`);
    this.close(TRY_AGAIN_LATER, `${why}; reconnect to catch up`);
  }
}
