// One client, from its handshake to its end: frames in, answers out, one owner of its subscriptions. What goes
// wrong with a frame is answered to that frame's sender alone; the connection goes on. No policy lives here.
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { type Disposable, once } from '../base/dispose.ts';
import { messageOf, ProtocolError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Host } from '../host/host.ts';
import type { Clock } from '../host/ports.ts';
import type { Subscriber } from '../host/subscriptions.ts';
import type { Action } from '../protocol/actions.ts';
import type {
  CommandMap,
  InitializeParams,
  InitializeResult,
  ReconnectParams,
  ReconnectResult,
} from '../protocol/commands.ts';
import { readsBareEdits } from '../protocol/editions/bare-edits.ts';
import type { Edition } from '../protocol/editions/edition.ts';
import { negotiate } from '../protocol/editions/negotiate.ts';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  NOT_FOUND,
  UNSUPPORTED_PROTOCOL_VERSION,
} from '../protocol/errors.ts';
import { failure, notification, parseFrame, success } from '../protocol/rpc.ts';
import { parseAction } from '../protocol/schema-actions.ts';
import { parseParams } from '../protocol/schema-commands.ts';
import type { Clients } from './clients.ts';
import { type EncodeEnvelope, encode } from './frames.ts';
import { Outbox } from './outbox.ts';
import { type Caller, route } from './router.ts';

const PING_MS = 30_000;
/** Pings in a row that may stay unanswered; with the next one due the socket is cut. */
const PINGS_MISSED = 2;

/** Close codes of our own range, and RFC 6455's for a normal end. */
const NORMAL = 1000;
const REPLACED = 4000;

/** What all connections of one server share. */
export interface ConnectionContext {
  host: Host;
  clients: Clients;
  clock: Clock;
  log: Log;
  encodeEnvelope: EncodeEnvelope;
  /** What `initialize` says of us. */
  about: Pick<InitializeResult, 'serverInfo' | 'defaultDirectory'>;
}

/**
 * Commands whose answer opens channels. What the host says meanwhile waits for the answer: a client can do
 * nothing with an envelope of a channel whose snapshot it does not have yet (S-2, L-22).
 */
const OPENING: ReadonlySet<string> = new Set(['initialize', 'reconnect', 'subscribe']);

type SubscribeResult = CommandMap['subscribe']['result'];

interface Held {
  frame: Buffer;
  serverSeq: number;
}

interface Shaken extends Caller {
  edition: Edition;
}

export class Connection {
  readonly #context: ConnectionContext;
  readonly #client: WebSocket;
  readonly #outbox: Outbox;
  #shaken: Shaken | undefined;
  #leave: Disposable = () => {};
  #pinging: Disposable = () => {};
  #unanswered = 0;
  /** What waits for the answer that is being made. */
  #held: Held[] | undefined;
  #stopping = false;

  constructor(client: WebSocket, socket: Duplex, context: ConnectionContext) {
    this.#context = context;
    this.#client = client;
    this.#outbox = new Outbox(client, socket, context.clock, context.log);
    client.on('message', (data, isBinary) => this.#receive(data, isBinary));
    client.on('pong', () => {
      this.#unanswered = 0;
    });
    client.on('error', (error) => context.log.debug(`a client failed: ${error.message}`));
    client.once('close', () => {
      this.#pinging();
      this.#leave();
    });
    this.#pingLater();
  }

  /** Answers no more commands; what the host still has to say goes out. */
  refuse(): void {
    this.#stopping = true;
  }

  /** Ends the connection behind what is queued. */
  close(code: number, reason: string): void {
    this.#leave();
    this.#outbox.close(code, reason);
  }

  #pingLater(): void {
    this.#pinging = this.#context.clock.after(PING_MS, () => {
      if (this.#unanswered === PINGS_MISSED) {
        this.#context.log.info('cutting a client that no longer answers pings');
        this.#client.terminate();
        return;
      }
      this.#unanswered++;
      this.#client.ping();
      this.#pingLater();
    });
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#outbox.closing) return;
    if (isBinary) {
      const message = 'binary frames are not understood: send JSON as text';
      this.#outbox.send(encode(failure(null, INVALID_REQUEST, message)));
      return;
    }
    const frame = parseFrame(String(data));
    if (frame.kind === 'fault') this.#outbox.send(encode(failure(frame.id, frame.code, frame.message)));
    else if (frame.kind === 'request') this.#serve(frame.id, frame.method, frame.params);
    else if (frame.kind === 'notification') this.#hear(frame.method, frame.params);
    // We ask clients nothing, so a response has no request; it must not be answered either.
  }

  #serve(id: unknown, method: string, params: unknown): void {
    const held: Held[] | undefined = OPENING.has(method) ? [] : undefined;
    this.#held = held;
    const answer = this.#answerTo(id, method, params);
    this.#held = undefined;
    const isNewer = ({ serverSeq }: Held) => serverSeq > answer.includedSeq;
    for (const { frame } of held?.filter((one) => !isNewer(one)) ?? []) this.#outbox.send(frame);
    this.#outbox.send(answer.frame);
    for (const { frame } of held?.filter(isNewer) ?? []) this.#outbox.send(frame);
    if (answer.code === UNSUPPORTED_PROTOCOL_VERSION) this.close(NORMAL, 'no common AHP version');
  }

  /** `includedSeq` is the newest envelope that a snapshot in the answer already holds. */
  #answerTo(
    id: unknown,
    method: string,
    params: unknown,
  ): { frame: Buffer; includedSeq: number; code?: number } {
    try {
      const result = this.#result(method, params);
      const includedSeq = method === 'subscribe' ? ((result as SubscribeResult).snapshot?.fromSeq ?? 0) : 0;
      return { frame: encode(success(id, result)), includedSeq };
    } catch (error) {
      if (error instanceof ProtocolError) {
        const { code, message, data } = error;
        return { frame: encode(failure(id, code, message, data)), includedSeq: 0, code };
      }
      this.#logBug(method, error);
      const message = 'internal error; the log of otto-agents says more';
      return { frame: encode(failure(id, INTERNAL_ERROR, message)), includedSeq: 0 };
    }
  }

  #result(method: string, params: unknown): unknown {
    if (method === 'ping') return null;
    if (this.#stopping) throw new ProtocolError(INTERNAL_ERROR, 'otto-agents is stopping');
    if (method === 'initialize' || method === 'reconnect') {
      if (this.#shaken !== undefined) {
        throw new ProtocolError(
          INVALID_REQUEST,
          `${method} after the handshake: it comes once per connection`,
        );
      }
      return method === 'initialize'
        ? this.#initialize(parseParams(method, params))
        : this.#reconnect(parseParams(method, params));
    }
    if (this.#shaken === undefined) {
      throw new ProtocolError(INVALID_REQUEST, `${method.slice(0, 80)} before initialize or reconnect`);
    }
    const result = route(this.#shaken, method, params);
    return method === 'subscribe' ? lowerSubscribed(this.#shaken.edition, result as SubscribeResult) : result;
  }

  #initialize(params: InitializeParams): InitializeResult {
    const { clientId, clientInfo, protocolVersions } = params;
    const bareEdits = readsBareEdits(clientId, clientInfo?.name);
    const { version, edition } = negotiate(protocolVersions, bareEdits);
    const { host, log, about } = this.#context;
    const name = clientInfo?.name ?? 'a client';
    return this.#shakeHands(clientId, edition, (subscriber) => {
      const shown = host.subscribeInitially(subscriber, params.initialSubscriptions ?? []);
      const snapshots = shown.map((snapshot) => edition.lowerSnapshot(snapshot));
      log.debug(`${name} (${clientId}) speaks ${version}`);
      return { protocolVersion: version, serverSeq: host.serverSeq, snapshots, ...about };
    });
  }

  #reconnect(params: ReconnectParams): ReconnectResult {
    const edition = this.#context.clients.edition(params.clientId);
    if (edition === undefined) {
      throw new ProtocolError(NOT_FOUND, 'this clientId is not known here, or no longer: use initialize');
    }
    return this.#shakeHands(params.clientId, edition, (subscriber) => {
      const { lastSeenServerSeq, subscriptions } = params;
      const result = this.#context.host.reconnect(subscriber, lastSeenServerSeq, subscriptions);
      if (result.type === 'snapshot') {
        const snapshots = result.snapshots.map((snapshot) => edition.lowerSnapshot(snapshot));
        return { ...result, snapshots };
      }
      const actions = result.actions.flatMap((envelope) => edition.lowerEnvelope(envelope) ?? []);
      return { ...result, actions };
    });
  }

  /** Takes the clientId, ending an older connection that has it, and becomes a subscriber of the host. */
  #shakeHands<T>(clientId: string, edition: Edition, enter: (subscriber: Subscriber) => T): T {
    const { host, clients } = this.#context;
    const subscriber: Subscriber = {
      clientId,
      deliver: (envelope) => {
        const frame = this.#context.encodeEnvelope(envelope, edition);
        if (frame !== undefined) this.#post({ frame, serverSeq: envelope.serverSeq });
      },
      notify: (method, params) =>
        this.#post({ frame: encode(notification(method, params)), serverSeq: Number.POSITIVE_INFINITY }),
    };
    const release = clients.take(clientId, edition, () =>
      this.close(REPLACED, 'the same clientId has connected again'),
    );
    host.attach(subscriber);
    this.#shaken = { host, subscriber, edition };
    this.#leave = once(() => {
      this.#shaken = undefined;
      release();
      host.detach(subscriber);
    });
    try {
      return enter(subscriber);
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  #post(one: Held): void {
    if (this.#held === undefined) this.#outbox.send(one.frame);
    else this.#held.push(one);
  }

  #hear(method: string, params: unknown): void {
    const shaken = this.#shaken;
    if (shaken === undefined || this.#stopping) return;
    try {
      if (method === 'unsubscribe') {
        shaken.host.unsubscribe(shaken.subscriber, parseParams(method, params).channel);
      } else if (method === 'dispatchAction') this.#dispatch(shaken, params);
    } catch (error) {
      // A notification is never answered (J-3).
      if (!(error instanceof ProtocolError)) this.#logBug(method, error);
      else this.#context.log.debug(`ignored ${method}: ${error.message}`);
    }
  }

  /** Throws when the params do not even say which action of whom it is: there is nothing to echo then. */
  #dispatch({ host, subscriber, edition }: Shaken, params: unknown): void {
    const { channel, clientSeq, action } = parseParams('dispatchAction', params);
    const origin = { clientId: subscriber.clientId, clientSeq };
    const lifted = edition.liftAction(action);
    const parsed = typeof lifted === 'string' ? { problem: lifted } : parseAction(lifted);
    if ('action' in parsed) host.dispatch(subscriber, channel, parsed.action, origin);
    else host.refuse(subscriber, channel, action as Action, origin, parsed.problem);
  }

  #logBug(method: string, error: unknown): void {
    const trace = error instanceof Error ? error.stack : undefined;
    this.#context.log.error(`${method.slice(0, 80)}: ${trace ?? messageOf(error)}`);
  }
}

function lowerSubscribed(edition: Edition, result: SubscribeResult): SubscribeResult {
  return result.snapshot ? { ...result, snapshot: edition.lowerSnapshot(result.snapshot) } : result;
}
