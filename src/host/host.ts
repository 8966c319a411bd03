// The spine: one method per command and per incoming event. Everything is synchronous: whatever a method commits
// is published before it returns, and nothing can happen in between.
import { ProtocolError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { Action, ActionOrigin } from '../protocol/actions.ts';
import type {
  CompletionItem,
  CompletionsParams,
  ConfigCompletionsParams,
  ConfigItem,
  CreateSessionParams,
  FetchTurnsParams,
  ListSessionsParams,
  ReconnectResult,
  ResolveConfigParams,
  SetModeParams,
  SetOptionParams,
  SignInParams,
  Snapshot,
  SubscribeParams,
} from '../protocol/commands.ts';
import { INVALID_PARAMS, NOT_FOUND, SESSION_NOT_FOUND } from '../protocol/errors.ts';
import type { Uri } from '../protocol/state-common.ts';
import { ROOT_URI } from '../protocol/state-root.ts';
import type { SessionSummary } from '../protocol/state-session.ts';
import { isKnownScheme, isSessionUri } from '../protocol/uri.ts';
import { ActiveClients } from './active-clients.ts';
import { handleAgentEvent } from './agent-events.ts';
import { completions, setMode, setOption } from './agent-options.ts';
import { Amendments } from './amendments.ts';
import { Catalogue } from './catalogue.ts';
import { ContentStore } from './content-store.ts';
import { checkCreation, openSession } from './create-session.ts';
import { dispatch, reject } from './dispatch.ts';
import { chatSnapshot, fetchTurns } from './history-window.ts';
import { flushText } from './parts.ts';
import type { AgentBackend, Clock, Renderer } from './ports.ts';
import { Questions } from './questions.ts';
import { disposeChat, quiesceChat, releaseChat } from './release.ts';
import { rootState } from './root.ts';
import { Sequencer } from './sequencer.ts';
import type { Chat, Core, Session } from './session.ts';
import { configCompletions, resolveConfig } from './session-config.ts';
import { signIn } from './sign-in.ts';
import { type Subscriber, Subscriptions } from './subscriptions.ts';
import { Turns } from './turns.ts';

export interface HostOptions {
  clock: Clock;
  backend: AgentBackend;
  renderer: Renderer;
  log: Log;
  /** A new unique id; UUIDs in production. */
  newId: () => string;
  /** A name for a text by its content; the hex digits of its SHA-256 in production. */
  hash: (text: string) => string;
  /** Why `path` cannot be a session's folder, or undefined when it can. */
  folderProblem: (path: string) => string | undefined;
}

export class Host {
  readonly #core: Core;
  readonly #turns: Turns;
  readonly #folderProblem: HostOptions['folderProblem'];
  readonly #dirty = new Set<Session>();
  #depth = 0;

  constructor(options: HostOptions) {
    const { clock, backend, renderer, log, newId } = options;
    const contents = new ContentStore(options.hash);
    const subscriptions = new Subscriptions();
    const sequencer = new Sequencer((envelope) => {
      this.#touch(envelope.channel);
      subscriptions.publish(envelope);
    });
    const catalogue = new Catalogue(sequencer, subscriptions, clock);
    const sessions = new Map<Uri, Session>();
    const chats = new Map<Uri, Chat>();
    // What the ports call back with: a fault in it costs that one call, not the service.
    const tick = (run: () => void) => {
      try {
        this.#tick(run);
      } catch (error) {
        log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    };
    const base = {
      clock,
      backend,
      renderer,
      log,
      newId,
      contents,
      sequencer,
      subscriptions,
      catalogue,
      sessions,
      chats,
      tick,
    };
    const core: Core = {
      ...base,
      knownOptions: new Map(),
      get questions() {
        return questions;
      },
      get activeClients() {
        return activeClients;
      },
      get amendments() {
        return amendments;
      },
    };
    const questions = new Questions(core);
    const activeClients = new ActiveClients(core);
    const amendments = new Amendments(core);
    this.#core = core;
    this.#turns = new Turns(core, (chat, run, event) =>
      handleAgentEvent(core, this.#turns, chat, run, event),
    );
    this.#folderProblem = options.folderProblem;
    sequencer.open(ROOT_URI, 'root', rootState(backend.agents()));
  }

  /** The number of the newest envelope. */
  get serverSeq(): number {
    return this.#core.sequencer.serverSeq;
  }

  /** A connection has shaken hands. */
  attach(subscriber: Subscriber): void {
    this.#core.activeClients.arrived(subscriber.clientId);
  }

  /** A connection is gone; what it subscribed to ends, and questions may move on. */
  detach(subscriber: Subscriber): void {
    this.#tick(() => {
      for (const channel of this.#core.subscriptions.channelsOf(subscriber)) this.#leave(subscriber, channel);
      this.#core.activeClients.left(subscriber.clientId);
    });
  }

  /** The server no longer remembers this client; a later `reconnect` of it cannot be served. */
  forget(clientId: string): void {
    this.#core.subscriptions.forget(clientId);
  }

  /** Subscribes to what exists of `channels`; the rest is left out (L-5). */
  subscribeInitially(subscriber: Subscriber, channels: readonly Uri[]): Snapshot[] {
    const known = channels.filter((channel) => this.#core.sequencer.kindOf(channel));
    return known.flatMap((channel) => this.subscribe(subscriber, { channel }).snapshot ?? []);
  }

  /** Resumes subscriptions: what was missed where all of it is still known, else snapshots (AHP L-20 to L-29). */
  reconnect(
    subscriber: Subscriber,
    lastSeenServerSeq: number,
    subscriptions: readonly Uri[],
  ): ReconnectResult {
    return this.#ticked(() => {
      const { sequencer } = this.#core;
      const channels = [...new Set(subscriptions)];
      const known = channels.filter((channel) => sequencer.kindOf(channel));
      const missing = channels.filter((channel) => !sequencer.kindOf(channel));
      this.#core.activeClients.keepOnly(subscriber.clientId, known);
      for (const channel of known) this.#flush(channel);
      const missed =
        lastSeenServerSeq > sequencer.serverSeq
          ? undefined
          : sequencer.replayLog.since(lastSeenServerSeq, known);
      if (missed) {
        for (const channel of known) this.#enter(subscriber, channel);
        return { type: 'replay', actions: missed, missing };
      }
      return { type: 'snapshot', snapshots: this.subscribeInitially(subscriber, known) };
    });
  }

  /** Subscribes, or again: then it is a fresh snapshot. Opening a chat wakes what a release had put to rest. */
  subscribe(subscriber: Subscriber, { channel, delivery, view }: SubscribeParams): { snapshot?: Snapshot } {
    return this.#ticked(() => {
      this.#flush(channel);
      const snapshot = this.#core.sequencer.snapshot(channel);
      if (!snapshot) throw noSuchChannel(channel);
      this.#enter(subscriber, channel, delivery?.maxLatencyMs);
      const chat = this.#core.chats.get(channel);
      if (!chat) return { snapshot };
      const shown = chatSnapshot(this.#core, subscriber, snapshot, view?.turns);
      if (chat.released) {
        chat.released = false;
        this.#turns.retry(chat);
      }
      return { snapshot: shown };
    });
  }

  unsubscribe(subscriber: Subscriber, channel: Uri): void {
    this.#tick(() => {
      this.#core.subscriptions.setWindowStart(subscriber.clientId, channel, undefined);
      this.#leave(subscriber, channel);
      this.#core.activeClients.remove(subscriber.clientId, channel);
    });
  }

  listSessions(params: ListSessionsParams): { items: SessionSummary[]; nextCursor?: string } {
    return this.#core.catalogue.list(this.#core.sessions.values(), params);
  }

  /** Makes a session with one chat in one existing folder, and starts its agent (facts 4.2, 4.6). */
  createSession(subscriber: Subscriber, params: CreateSessionParams): void {
    const { channel, activeClient } = params;
    const place = checkCreation(this.#core, this.#folderProblem, subscriber.clientId, params);
    this.#tick(() => {
      const chat = openSession(this.#core, params, place);
      if (activeClient)
        this.#core.sequencer.commit(channel, { type: 'session/activeClientSet', activeClient });
      this.#countSessions();
      this.#core.catalogue.add(chat.session);
      this.#turns.wake(chat);
    });
  }

  /** Stops the agent and drops the session; the agent's own history is left alone. */
  disposeSession(channel: Uri): void {
    const session = this.#session(channel);
    this.#tick(() => {
      for (const chat of session.chats.values()) disposeChat(this.#core, this.#turns, chat);
      this.#core.sessions.delete(channel);
      this.#dirty.delete(session);
      this.#core.sequencer.close(channel);
      this.#core.subscriptions.drop(channel);
      this.#core.contents.drop(channel);
      this.#countSessions();
      this.#core.catalogue.remove(session);
    });
  }

  /** Cancels the turn and lets the agent go, so that a terminal can take the session; the queue stays. */
  releaseSession(channel: Uri): void {
    this.#eachChat(channel, (chat) => releaseChat(this.#turns, chat));
  }

  /** Switches the agent's mode, starting the agent if needed. */
  setMode({ channel, modeId }: SetModeParams): void {
    this.#eachChat(channel, (chat) => setMode(this.#core, this.#turns, chat, modeId));
  }

  /** Sets one of the agent's own options; its acceptance publishes the new list (acp-to-ahp 2.9). */
  setOption({ channel, id, value }: SetOptionParams): void {
    this.#eachChat(channel, (chat) => setOption(this.#core, chat, id, value));
  }

  /** Signs in with one of the methods that the agent offers (acp-to-ahp 6.3). */
  signIn({ channel, methodId }: SignInParams): void {
    this.#eachChat(channel, (chat) => signIn(this.#core, this.#turns, chat, methodId));
  }

  /** A text that shared state refers to; -32008 for every other URI, files among them, and for what is kept no more. */
  resourceRead(uri: Uri): { text: string; contentType: string } {
    const text = this.#core.contents.read(uri);
    if (text === undefined) throw new ProtocolError(NOT_FOUND, `${uri} is not kept here, or no longer`);
    return { text, contentType: 'text/plain' };
  }

  /** Tries again what failed: the start of the agent, or a queue that waits. */
  retry(channel: Uri): void {
    this.#eachChat(channel, (chat) => this.#turns.retry(chat));
  }

  /** The configuration that a session of an agent can have, as far as its options are known (P-6). */
  resolveSessionConfig(params: ResolveConfigParams): ReturnType<typeof resolveConfig> {
    return resolveConfig(this.#core, params);
  }

  sessionConfigCompletions(params: ConfigCompletionsParams): ConfigItem[] {
    return configCompletions(this.#core, params);
  }

  /** What could follow at the end of a text that is being typed: the agent's commands (acp-to-ahp 2.7). */
  completions(params: CompletionsParams): { items: CompletionItem[] } {
    const chat = this.#core.chats.get(params.channel);
    if (!chat) throw noSuchChannel(params.channel);
    return { items: completions(this.#core, chat, params) };
  }

  /** Loads older turns towards this subscriber, before the answer (C-40). */
  fetchTurns(subscriber: Subscriber, params: FetchTurnsParams): void {
    const chat = this.#core.chats.get(params.channel);
    if (!chat && this.#core.sessions.has(params.channel)) throw invalid(`${params.channel} is not a chat`);
    if (!chat) throw noSuchChannel(params.channel);
    if (!this.#core.subscriptions.has(subscriber, chat.uri)) throw invalid('subscribe to the chat first');
    fetchTurns(this.#core, subscriber, params);
  }

  /** One client action that fits its schema; answered by exactly one echo where the channel exists. */
  dispatch(subscriber: Subscriber, channel: Uri, action: Action, origin: ActionOrigin): void {
    this.#tick(() => {
      const chat = this.#core.chats.get(channel);
      if (chat?.turn) flushText(this.#core, chat, chat.turn);
      dispatch(this.#core, this.#turns, subscriber, channel, action, origin);
    });
  }

  /** One client action that does not fit its schema: echoed to its sender with the reason. */
  refuse(subscriber: Subscriber, channel: Uri, action: Action, origin: ActionOrigin, reason: string): void {
    reject(this.#core, subscriber, channel, action, origin, reason);
  }

  /** Settles every question as cancelled, cancels turns, stops agents. */
  stop(): void {
    this.#tick(() => {
      for (const chat of this.#core.chats.values()) quiesceChat(this.#turns, chat);
    });
    this.#core.activeClients.close();
    this.#core.catalogue.close();
  }

  #countSessions(): void {
    const activeSessions = this.#core.sessions.size;
    this.#core.sequencer.commit(ROOT_URI, { type: 'root/activeSessionsChanged', activeSessions });
  }

  #eachChat(channel: Uri, run: (chat: Chat) => void): void {
    const session = this.#session(channel);
    this.#tick(() => {
      for (const chat of session.chats.values()) run(chat);
    });
  }

  #session(channel: Uri): Session {
    const session = this.#core.sessions.get(channel);
    if (!session) throw new ProtocolError(SESSION_NOT_FOUND, `there is no session ${channel}`);
    return session;
  }

  #enter(subscriber: Subscriber, channel: Uri, maxLatencyMs?: number): void {
    this.#core.subscriptions.add(subscriber, channel, maxLatencyMs);
    this.#core.questions.watchersChanged(channel);
  }

  #leave(subscriber: Subscriber, channel: Uri): void {
    if (this.#core.subscriptions.remove(subscriber, channel)) this.#core.questions.watchersChanged(channel);
  }

  /** A snapshot holds everything said before it; text that is still held back would otherwise be in neither. */
  #flush(channel: Uri): void {
    const chat = this.#core.chats.get(channel);
    if (chat?.turn) flushText(this.#core, chat, chat.turn);
  }

  #touch(channel: Uri): void {
    const session = this.#core.chats.get(channel)?.session ?? this.#core.sessions.get(channel);
    if (session) this.#dirty.add(session);
  }

  #ticked<T>(run: () => T): T {
    this.#depth += 1;
    try {
      return run();
    } finally {
      this.#depth -= 1;
      if (this.#depth === 0) this.#mirror();
    }
  }

  #tick(run: () => void): void {
    this.#ticked(run);
  }

  #mirror(): void {
    const sessions = [...this.#dirty];
    this.#dirty.clear();
    for (const session of sessions) this.#core.catalogue.mirror(session);
    // Mirroring commits on session channels, which marks them again; their summaries are announced already.
    this.#dirty.clear();
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}

function noSuchChannel(channel: Uri): ProtocolError {
  if (!isKnownScheme(channel)) return invalid(`${channel} is not a channel of this host`);
  if (isSessionUri(channel)) return new ProtocolError(SESSION_NOT_FOUND, `there is no session ${channel}`);
  return new ProtocolError(NOT_FOUND, `there is no channel ${channel}`);
}
