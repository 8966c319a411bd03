// The spine: one method per command and per incoming event. Everything here is synchronous.
import type { Log } from '../base/log.ts';
import type { Action, ActionOrigin } from '../protocol/actions.ts';
import type {
  CreateSessionParams,
  FetchTurnsParams,
  ListSessionsParams,
  ReconnectResult,
  SetModeParams,
  Snapshot,
  SubscribeParams,
} from '../protocol/commands.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { SessionSummary } from '../protocol/state-session.ts';
import type { AgentBackend, Clock, Renderer } from './ports.ts';
import type { Subscriber } from './subscriptions.ts';

export interface HostOptions {
  clock: Clock;
  backend: AgentBackend;
  renderer: Renderer;
  log: Log;
  /** A new unique id; UUIDs in production. */
  newId: () => string;
  /** Why `path` cannot be a session's folder, or undefined when it can. */
  folderProblem: (path: string) => string | undefined;
}

export class Host {
  /** The number of the newest envelope. */
  get serverSeq(): number {
    throw new Error('unwritten');
  }
  /** A connection has shaken hands. */
  attach(_subscriber: Subscriber): void {}
  /** A connection is gone; what it subscribed to ends. */
  detach(_subscriber: Subscriber): void {}
  /** The server no longer remembers this client; a later `reconnect` of it cannot be served. */
  forget(_clientId: string): void {}
  /** Subscribes to what exists of `uris`; the rest is left out (L-5). */
  subscribeInitially(_subscriber: Subscriber, _uris: readonly Uri[]): Snapshot[] {
    return [];
  }
  reconnect(
    _subscriber: Subscriber,
    _lastSeenServerSeq: number,
    _subscriptions: readonly Uri[],
  ): ReconnectResult {
    throw new Error('unwritten');
  }
  subscribe(_subscriber: Subscriber, _params: SubscribeParams): { snapshot?: Snapshot } {
    return {};
  }
  unsubscribe(_subscriber: Subscriber, _channel: Uri): void {}
  listSessions(_params: ListSessionsParams): { items: SessionSummary[]; nextCursor?: string } {
    return { items: [] };
  }
  createSession(_subscriber: Subscriber, _params: CreateSessionParams): void {}
  disposeSession(_session: Uri): void {}
  releaseSession(_session: Uri): void {}
  setMode(_params: SetModeParams): void {}
  retry(_session: Uri): void {}
  /** Loads older turns towards this subscriber, before the answer (C-40). */
  fetchTurns(_subscriber: Subscriber, _params: FetchTurnsParams): void {}
  /** One client action that fits its schema; answered by exactly one echo where the channel exists. */
  dispatch(_subscriber: Subscriber, _channel: Uri, _action: Action, _origin: ActionOrigin): void {}
  /** One client action that does not fit its schema: echoed to its sender with the reason. */
  refuse(
    _subscriber: Subscriber,
    _channel: Uri,
    _action: Action,
    _origin: ActionOrigin,
    _reason: string,
  ): void {}
  /** Settles every question as cancelled, cancels turns, stops agents. */
  stop(): void {}
}
