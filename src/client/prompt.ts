// One message on its way through a chat of its own session: queued, started, answered, ended or cancelled.
// Turns of others are not looked at. The session stays when this is over.
import { ProtocolError } from '../base/errors.ts';
import { type OttoModes, ottoOf } from '../protocol/meta.ts';
import type { ActiveTurn, ChatState, Turn } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { SessionState } from '../protocol/state-session.ts';
import type { ChannelEvent, Client } from './client.ts';
import { type PromptNotice, turnNotices } from './notices.ts';
import { answerReader, errorOf, wantsSignIn } from './transcript.ts';

export type PromptOutcome = { kind: 'complete' | 'cancelled' } | { kind: 'failed'; message: string };

export interface PromptHooks {
  /** Answer text that is new. */
  text(added: string): void;
  notice(notice: PromptNotice): void;
  /** Something moved; both are the newest states. */
  moved(session: SessionState, chat: ChatState | undefined): void;
}

export interface PromptOptions {
  /** A session that has just been created and has no turns. */
  session: Uri;
  /** A new unique id. */
  messageId: string;
  text: string;
  /** The agent's mode to switch to before the message is sent. */
  mode?: string;
  /** A turn that failed for want of a sign-in is not over: somebody may sign in, and it goes on by itself. */
  staysForSignIn?: boolean;
}

export class Prompt {
  readonly #client: Client;
  readonly #options: PromptOptions;
  readonly #hooks: PromptHooks;
  readonly #answer = answerReader();
  readonly #notices = turnNotices();
  #chat: Uri = '';
  #queued = false;
  #turnId: string | undefined;
  #cancelling = false;
  #failed = false;
  #moved: () => void = () => {};
  #settle: (outcome: PromptOutcome) => void = () => {};
  /** How it ended; never rejects. */
  readonly ended: Promise<PromptOutcome>;

  constructor(client: Client, options: PromptOptions, hooks: PromptHooks) {
    this.#client = client;
    this.#options = options;
    this.#hooks = hooks;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Subscribes to session and chat, then queues the message: no effect of it can be missed. */
  async start(): Promise<void> {
    const { session, messageId, text } = this.#options;
    const state = await this.#client.subscribe('session', session, (event) => this.#sessionEvent(event));
    if (state.defaultChat === undefined) throw new Error(`${session} has no chat`);
    this.#chat = state.defaultChat;
    await this.#client.subscribe('chat', this.#chat, (event) => this.#chatEvent(event));
    if (this.#options.mode !== undefined) await this.#switchMode(this.#options.mode);
    if (this.#over()) return;
    this.#queued = true;
    const outcome = await this.#client.dispatch(this.#chat, {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: messageId,
      message: { text, origin: { kind: 'user' } },
    });
    if (outcome.kind === 'rejected') this.#fail(outcome.reason);
    if (outcome.kind === 'unknown' && this.#turnId === undefined && !this.#isQueued()) {
      this.#fail('the connection was lost before the message arrived');
    }
  }

  /** Takes the message back, or cancels its turn when that has started; `ended` tells what came of it. */
  cancel(): void {
    this.#cancelling = true;
    this.#moved();
    if (!this.#queued || this.#waitsForSignIn()) this.#settle({ kind: 'cancelled' });
    else if (this.#turnId !== undefined) this.#cancelTurn(this.#turnId);
    else {
      const { messageId: id } = this.#options;
      void this.#client.dispatch(this.#chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id });
    }
  }

  /** Waits for the agent, switches, and waits until the switch has happened or was refused. */
  async #switchMode(mode: string): Promise<void> {
    const { session } = this.#options;
    const state = () => this.#client.state('session', session);
    await this.#until(() => state()?.lifecycle === 'ready');
    if (this.#over()) return;
    try {
      await this.#client.request('x-otto/setMode', { channel: session, modeId: mode });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#fail(error.message);
      return;
    }
    const modes = () => ottoOf(state()?._meta)['modes'] as OttoModes | undefined;
    const offered = () => modes()?.available.some(({ id }) => id === mode) === true;
    await this.#until(() => modes()?.current === mode || !offered());
    if (!this.#over() && modes()?.current !== mode) this.#fail(`the agent refused the mode ${mode}`);
  }

  /** Resolves when `done` holds, asked now and after every change of the session, or when nothing matters any more. */
  #until(done: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#moved = () => {
        if (done() || this.#over()) resolve();
      };
      this.#moved();
    });
  }

  #over(): boolean {
    return this.#cancelling || this.#failed;
  }

  #waitsForSignIn(): boolean {
    const last = this.#client.state('chat', this.#chat)?.turns.at(-1);
    return last !== undefined && last.id === this.#turnId && last.state === 'error';
  }

  #cancelTurn(turnId: string): void {
    void this.#client.dispatch(this.#chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
  }

  #fail(message: string): void {
    this.#failed = true;
    this.#settle({ kind: 'failed', message });
    this.#moved();
  }

  #isQueued(): boolean {
    const waiting = this.#client.state('chat', this.#chat)?.queuedMessages ?? [];
    return waiting.some(({ id }) => id === this.#options.messageId);
  }

  #sessionEvent(event: ChannelEvent<SessionState>): void {
    if (event.type === 'gone') {
      this.#fail('the session was removed');
      return;
    }
    const { state } = event;
    this.#hooks.moved(state, this.#client.state('chat', this.#chat));
    if (state.lifecycle === 'failed') this.#fail(state.creationError?.message ?? 'the agent did not start');
    else this.#moved();
  }

  #chatEvent(event: ChannelEvent<ChatState>): void {
    if (event.type === 'gone') {
      this.#fail('the session was removed');
      return;
    }
    const { state } = event;
    if (event.type === 'action') this.#follow(event.envelope.action, event.envelope.origin !== undefined);
    // Whatever was missed while away: a message that waits no longer has become this session's first turn.
    else if (this.#queued && !this.#isQueued()) this.#turnId ??= (state.turns[0] ?? state.activeTurn)?.id;
    const session = this.#client.state('session', this.#options.session);
    if (session !== undefined) this.#hooks.moved(session, state);
    this.#readTurn(state);
  }

  #follow(
    action: { type: string; id?: string; turnId?: string; queuedMessageId?: string },
    byClient: boolean,
  ): void {
    const { messageId } = this.#options;
    if (action.type === 'chat/turnStarted' && action.queuedMessageId === messageId) {
      this.#turnId = action.turnId;
      if (this.#cancelling && this.#turnId !== undefined) this.#cancelTurn(this.#turnId);
    }
    // The host takes a message out of the queue to start its turn; a client takes it out for good.
    if (action.type !== 'chat/pendingMessageRemoved' || action.id !== messageId || !byClient) return;
    if (this.#turnId !== undefined) return;
    if (this.#cancelling) this.#settle({ kind: 'cancelled' });
    else this.#fail('the message was taken out of the queue by another client');
  }

  #readTurn(chat: ChatState): void {
    if (this.#turnId === undefined) return;
    const finished = chat.turns.find(({ id }) => id === this.#turnId);
    const turn: Turn | ActiveTurn | undefined = finished ?? chat.activeTurn;
    if (turn?.id !== this.#turnId) {
      if (chat.activeTurn === undefined) this.#fail('the conversation was replaced while it was answered');
      return;
    }
    const added = this.#answer(turn.responseParts);
    if (added !== '') this.#hooks.text(added);
    for (const notice of this.#notices(turn.responseParts)) this.#hooks.notice(notice);
    if (finished === undefined) return;
    if (finished.state === 'error' && this.#options.staysForSignIn === true && wantsSignIn(finished)) return;
    if (finished.state === 'error') this.#fail(errorOf(finished));
    else this.#settle({ kind: finished.state });
  }
}
