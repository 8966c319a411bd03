// A small AHP client: shakes hands, keeps the state of what it subscribed to with the host's own reducers, and
// comes back by `reconnect` after a lost connection. It predicts nothing: state moves when the service says so.
import { ProtocolError, UserError } from '../base/errors.ts';
import type { Action, ActionEnvelope } from '../protocol/actions.ts';
import type {
  CommandMap,
  InitializeParams,
  InitializeResult,
  Method,
  NotificationMap,
  ReconnectResult,
  Snapshot,
} from '../protocol/commands.ts';
import { NOT_FOUND } from '../protocol/errors.ts';
import { REDUCERS } from '../protocol/reduce/channel.ts';
import type { ChatState } from '../protocol/state-chat.ts';
import type { Implementation, Uri } from '../protocol/state-common.ts';
import { ROOT_URI, type RootState } from '../protocol/state-root.ts';
import type { SessionState } from '../protocol/state-session.ts';
import { type Address, addressText } from './address.ts';
import { openSocket } from './connect.ts';
import { Link } from './link.ts';

const VERSIONS = ['1.0.0', '0.9.0'];
/** Milliseconds before each attempt to come back; after the last one the client gives up. */
const PAUSES = [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000];

interface StateOf {
  root: RootState;
  session: SessionState;
  chat: ChatState;
}

/** `snapshot` replaces what was known before; `gone` is the last event of a channel that no longer exists. */
export type ChannelEvent<S> =
  | { type: 'snapshot'; state: S }
  | { type: 'action'; state: S; envelope: ActionEnvelope }
  | { type: 'gone' };

/** `unknown`: the connection broke before the echo came, so it may have been applied or lost (AHP L-27). */
export type DispatchOutcome = { kind: 'accepted' | 'unknown' } | { kind: 'rejected'; reason: string };

export interface ClientOptions {
  address: Address;
  /** Unique among live clients: the service keeps only the newest connection of an id. */
  clientId: string;
  clientInfo: Implementation;
  pauses?: readonly number[];
  /** The connection was lost, or is there again with all its channels. */
  onLink?: (link: 'lost' | 'back') => void;
}

interface Channel {
  kind: keyof StateOf;
  state: StateOf[keyof StateOf];
  /** The newest `serverSeq` that `state` includes. */
  seq: number;
  listener: (event: ChannelEvent<never>) => void;
}

export class Client {
  readonly #options: ClientOptions;
  readonly #channels = new Map<Uri, Channel>();
  readonly #dispatched = new Map<number, (outcome: DispatchOutcome) => void>();
  #link: Link | undefined;
  #lastSeen = 0;
  #clientSeq = 0;
  #closed = false;
  #fail: (error: Error) => void = () => {};
  /** Rejects when the connection is lost for good; never resolves. */
  readonly ended: Promise<never>;

  private constructor(options: ClientOptions) {
    this.#options = options;
    this.ended = new Promise((_, reject) => {
      this.#fail = reject;
    });
    // Whoever follows something races against `ended`; whoever does not must not crash over it.
    this.ended.catch(() => {});
  }

  /** A client that has shaken hands; a UserError says why there is none. */
  static async connect(options: ClientOptions): Promise<Client> {
    const client = new Client(options);
    await client.#open((link) => client.#initialize(link));
    return client;
  }

  /** Rejects with the service's ProtocolError, or a UserError when there is no connection or no answer. */
  request<M extends Method>(method: M, params: CommandMap[M]['params']): Promise<CommandMap[M]['result']> {
    if (this.#link === undefined) return Promise.reject(notConnected());
    return this.#link.request(method, params);
  }

  /**
   * Subscribes once to `channel`. `listener` hears of the snapshot before this resolves, and of every change
   * until `unsubscribe` or `gone`. A second subscription of the same channel is refused.
   */
  async subscribe<K extends keyof StateOf>(
    kind: K,
    channel: Uri,
    listener: (event: ChannelEvent<StateOf[K]>) => void = () => {},
  ): Promise<StateOf[K]> {
    if (this.#link === undefined) throw notConnected();
    if (this.#channels.has(channel)) throw new Error(`already subscribed to ${channel}`);
    const { snapshot } = await this.#link.request('subscribe', { channel }, (result) => {
      if (result.snapshot === undefined) return;
      const { state, fromSeq } = result.snapshot as Snapshot & { state: StateOf[K] };
      this.#channels.set(channel, { kind, state, seq: fromSeq, listener });
      this.#saw(fromSeq);
      listener({ type: 'snapshot', state });
    });
    if (snapshot === undefined) throw new Error(`${channel} has no state`);
    return snapshot.state as StateOf[K];
  }

  unsubscribe(channel: Uri): void {
    if (this.#channels.delete(channel)) this.#link?.notify('unsubscribe', { channel });
  }

  /** The newest state of a channel that is subscribed to. */
  state<K extends keyof StateOf>(kind: K, channel: Uri): StateOf[K] | undefined {
    const found = this.#channels.get(channel);
    return found?.kind === kind ? (found.state as StateOf[K]) : undefined;
  }

  /** Sends one action to a channel that is subscribed to and waits for its echo; never rejects. */
  dispatch(channel: Uri, action: Action): Promise<DispatchOutcome> {
    const link = this.#link;
    if (link === undefined) return Promise.resolve({ kind: 'rejected', reason: notConnected().message });
    this.#clientSeq += 1;
    const clientSeq = this.#clientSeq;
    return new Promise((resolve) => {
      this.#dispatched.set(clientSeq, resolve);
      link.notify('dispatchAction', { channel, clientSeq, action });
    });
  }

  /** Lets go of the connection; nothing is reported afterwards. */
  close(): void {
    this.#closed = true;
    this.#channels.clear();
    this.#forgetDispatched();
    const link = this.#link;
    this.#link = undefined;
    link?.close();
  }

  /** Opens a connection and shakes hands on it; `shake` puts the link in place when the service has agreed. */
  async #open(shake: (link: Link) => Promise<unknown>): Promise<void> {
    const socket = await openSocket(this.#options.address);
    const link = new Link(socket, {
      notified: (method, params) => this.#notified(method, params),
      lost: (code, reason) => this.#lost(link, code, reason),
    });
    try {
      await shake(link);
    } catch (error) {
      link.close();
      throw error;
    }
    if (this.#closed) link.close();
  }

  #initialize(link: Link): Promise<InitializeResult> {
    const { clientId, clientInfo } = this.#options;
    const initialSubscriptions = [...this.#channels.keys()];
    const params: InitializeParams = { channel: ROOT_URI, protocolVersions: VERSIONS, clientId, clientInfo };
    if (initialSubscriptions.length > 0) params.initialSubscriptions = initialSubscriptions;
    return link.request('initialize', params, (result) => {
      this.#link = link;
      this.#lastSeen = result.serverSeq;
      this.#forgetDispatched();
      this.#restore(result.snapshots);
    });
  }

  async #reconnect(link: Link): Promise<void> {
    const { clientId } = this.#options;
    const subscriptions = [...this.#channels.keys()];
    const params = { channel: ROOT_URI, clientId, lastSeenServerSeq: this.#lastSeen, subscriptions };
    try {
      await link.request('reconnect', params, (result) => {
        this.#link = link;
        this.#resumed(result);
      });
    } catch (error) {
      // The service was started anew or has forgotten us: begin again, with the same channels.
      if (!(error instanceof ProtocolError && error.code === NOT_FOUND)) throw error;
      await this.#initialize(link);
    }
  }

  #resumed(result: ReconnectResult): void {
    if (result.type === 'snapshot') {
      this.#restore(result.snapshots);
    } else {
      for (const envelope of result.actions) this.#apply(envelope);
      for (const channel of result.missing) this.#gone(channel);
    }
    this.#forgetDispatched();
  }

  /** Every channel takes its new snapshot; one that has none no longer exists. */
  #restore(snapshots: readonly Snapshot[]): void {
    const found = new Map(snapshots.map((snapshot) => [snapshot.resource, snapshot]));
    for (const [uri, channel] of [...this.#channels]) {
      const snapshot = found.get(uri);
      if (snapshot === undefined) {
        this.#gone(uri);
        continue;
      }
      channel.state = snapshot.state as Channel['state'];
      channel.seq = snapshot.fromSeq;
      this.#saw(snapshot.fromSeq);
      channel.listener({ type: 'snapshot', state: channel.state as never });
    }
  }

  #notified(method: string, params: unknown): void {
    if (method === 'action') this.#apply(params as ActionEnvelope);
    if (method === 'root/sessionRemoved') {
      const { session } = params as NotificationMap['root/sessionRemoved'];
      const chats = this.state('session', session)?.chats ?? [];
      for (const uri of [session, ...chats.map((chat) => chat.resource)]) this.#gone(uri);
    }
  }

  #apply(envelope: ActionEnvelope): void {
    this.#saw(envelope.serverSeq);
    const { origin, rejectionReason, action } = envelope;
    const channel = this.#channels.get(envelope.channel);
    if (rejectionReason === undefined && channel !== undefined && envelope.serverSeq > channel.seq) {
      const reduce = REDUCERS[channel.kind];
      channel.state = reduce(channel.state as never, action as never) as Channel['state'];
      channel.seq = envelope.serverSeq;
      channel.listener({ type: 'action', state: channel.state as never, envelope });
    }
    if (origin?.clientId !== this.#options.clientId) return;
    const settle = this.#dispatched.get(origin.clientSeq);
    this.#dispatched.delete(origin.clientSeq);
    settle?.(
      rejectionReason === undefined ? { kind: 'accepted' } : { kind: 'rejected', reason: rejectionReason },
    );
  }

  #saw(serverSeq: number): void {
    this.#lastSeen = Math.max(this.#lastSeen, serverSeq);
  }

  #gone(uri: Uri): void {
    const channel = this.#channels.get(uri);
    this.#channels.delete(uri);
    channel?.listener({ type: 'gone' });
  }

  #forgetDispatched(): void {
    const settles = [...this.#dispatched.values()];
    this.#dispatched.clear();
    for (const settle of settles) settle({ kind: 'unknown' });
  }

  #lost(link: Link, code: number, reason: string): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    // Codes from 4000 on are the service's own: it does not want this client back.
    if (code >= 4000) this.#fail(new UserError(`the service closed the connection: ${reason || code}`));
    else void this.#comeBack();
  }

  async #comeBack(): Promise<void> {
    this.#options.onLink?.('lost');
    let cause: unknown;
    for (const pause of this.#options.pauses ?? PAUSES) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (this.#closed) return;
      try {
        await this.#open((link) => this.#reconnect(link));
        this.#options.onLink?.('back');
        return;
      } catch (error) {
        cause = error;
      }
    }
    const place = addressText(this.#options.address);
    this.#fail(new UserError(`the connection to the service at ${place} was lost`, 1, { cause }));
    this.#forgetDispatched();
  }
}

function notConnected(): UserError {
  return new UserError('there is no connection to the service at the moment; try again');
}
