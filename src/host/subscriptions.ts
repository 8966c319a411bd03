// Who listens to what: the subscribers of each channel, how much delay they accept, how far back each one's
// window on a chat reaches. A chat is watched while anybody is subscribed to it (facts 2.6).
import type { ActionEnvelope } from '../protocol/actions.ts';
import type { NotificationMap } from '../protocol/commands.ts';
import type { Uri } from '../protocol/state-common.ts';
import { ROOT_URI } from '../protocol/state-root.ts';

/** One connection, as the host sees it. Both calls only queue; neither may call back into the host. */
export interface Subscriber {
  readonly clientId: string;
  deliver(envelope: ActionEnvelope): void;
  notify<M extends keyof NotificationMap>(method: M, params: NotificationMap[M]): void;
}

/** Text is merged for at most this long before it is numbered, unless a subscriber wants less. */
const DEFAULT_LATENCY_MS = 16;

export class Subscriptions {
  readonly #channels = new Map<Uri, Map<Subscriber, number>>();
  // By client rather than by connection: a replay after a lost connection continues the same window.
  readonly #windows = new Map<string, Map<Uri, string>>();

  add(subscriber: Subscriber, channel: Uri, maxLatencyMs = DEFAULT_LATENCY_MS): void {
    const listeners = this.#channels.get(channel) ?? new Map<Subscriber, number>();
    this.#channels.set(channel, listeners.set(subscriber, maxLatencyMs));
  }

  /** Whether there was such a subscription. */
  remove(subscriber: Subscriber, channel: Uri): boolean {
    const listeners = this.#channels.get(channel);
    if (!listeners?.delete(subscriber)) return false;
    if (listeners.size === 0) this.#channels.delete(channel);
    return true;
  }

  has(subscriber: Subscriber, channel: Uri): boolean {
    return this.#channels.get(channel)?.has(subscriber) ?? false;
  }

  channelsOf(subscriber: Subscriber): Uri[] {
    return [...this.#channels]
      .filter(([, listeners]) => listeners.has(subscriber))
      .map(([channel]) => channel);
  }

  /** The channel is gone: its subscribers hear nothing more of it. */
  drop(channel: Uri): void {
    this.#channels.delete(channel);
    for (const windows of this.#windows.values()) windows.delete(channel);
  }

  watched(channel: Uri): boolean {
    return this.#channels.has(channel);
  }

  /** The shortest delay that any subscriber of `channel` asked for, in milliseconds. */
  latencyMs(channel: Uri): number {
    return Math.min(DEFAULT_LATENCY_MS, ...(this.#channels.get(channel)?.values() ?? []));
  }

  publish(envelope: ActionEnvelope): void {
    for (const subscriber of this.listeners(envelope.channel)) subscriber.deliver(envelope);
  }

  /** Sends one of the catalogue's notifications to everybody on the root channel (AHP S-12). */
  announce<M extends keyof NotificationMap>(method: M, params: NotificationMap[M]): void {
    for (const subscriber of this.listeners(ROOT_URI)) subscriber.notify(method, params);
  }

  listeners(channel: Uri): Subscriber[] {
    return [...(this.#channels.get(channel)?.keys() ?? [])];
  }

  /** The oldest turn this client has of a chat; undefined when it has them all. */
  windowStart(clientId: string, chat: Uri): string | undefined {
    return this.#windows.get(clientId)?.get(chat);
  }

  setWindowStart(clientId: string, chat: Uri, turnId: string | undefined): void {
    const windows = this.#windows.get(clientId) ?? new Map<Uri, string>();
    if (turnId === undefined) windows.delete(chat);
    else windows.set(chat, turnId);
    if (windows.size === 0) this.#windows.delete(clientId);
    else this.#windows.set(clientId, windows);
  }

  forget(clientId: string): void {
    this.#windows.delete(clientId);
  }
}
