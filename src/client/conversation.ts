// A session that is being looked at: its state and its chat's, whether something is still to come, and the text
// of what was said. Opening one makes a service that has lost the turns ask the agent for them.
import { UserError } from '../base/errors.ts';
import { ottoOf } from '../protocol/meta.ts';
import type { ChatState } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import { ROOT_URI } from '../protocol/state-root.ts';
import type { SessionState } from '../protocol/state-session.ts';
import type { ChannelEvent, Client } from './client.ts';
import { queuedTexts, transcriptReader } from './transcript.ts';

export class Conversation {
  readonly #client: Client;
  readonly #reader = transcriptReader();
  #session: SessionState | undefined;
  #chat: ChatState | undefined;
  #handingOver = false;
  #changed: () => void = () => {};

  private constructor(client: Client) {
    this.#client = client;
  }

  /** Subscribes to `session` and its default chat, and waits until the turns the agent remembers are there. */
  static async open(client: Client, session: Uri): Promise<Conversation> {
    const conversation = new Conversation(client);
    await client.subscribe('root', ROOT_URI);
    const state = await client.subscribe('session', session, (event) => conversation.#sessionEvent(event));
    if (state.defaultChat === undefined) throw new UserError(`the session ${session} has no chat to show`);
    await client.subscribe('chat', state.defaultChat, (event) => conversation.#chatEvent(event));
    // What the subscription set going is known once a later request is answered.
    await client.request('ping', { channel: ROOT_URI });
    await conversation.until(() => !conversation.#loading());
    return conversation;
  }

  /** Provider, title and folders, as they are now. */
  get session(): SessionState {
    if (this.#session === undefined) throw new UserError('the session was removed');
    return this.#session;
  }

  /** Whether a turn runs, or a message is queued that will start one. */
  get running(): boolean {
    if (this.#session === undefined || this.#chat === undefined) return false;
    if (this.#chat.activeTurn !== undefined || this.#handingOver) return true;
    return this.#session.lifecycle !== 'failed' && this.#chat.queuedMessages !== undefined;
  }

  /** The text that is new since the last call. */
  read(): string {
    return this.#chat === undefined ? '' : this.#reader.read(this.#chat);
  }

  /** The messages that wait, one text each. */
  queued(): string[] {
    return this.#chat === undefined ? [] : queuedTexts(this.#chat);
  }

  /** Resolves when `done` holds, which is asked now and after every change; rejects when the service is lost. */
  async until(done: () => boolean): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      this.#changed = () => {
        if (done()) resolve();
      };
      this.#changed();
    });
    await Promise.race([reached, this.#client.ended]);
    this.#changed = () => {};
  }

  #loading(): boolean {
    return ottoOf(this.#session?._meta)['loading'] === true;
  }

  #sessionEvent(event: ChannelEvent<SessionState>): void {
    this.#session = event.type === 'gone' ? undefined : event.state;
    this.#changed();
  }

  #chatEvent(event: ChannelEvent<ChatState>): void {
    this.#chat = event.type === 'gone' ? undefined : event.state;
    this.#handingOver = false;
    if (event.type === 'action') {
      const { action, origin } = event.envelope;
      // Between this action of the host and the turn it announces, the chat looks idle (facts 4.11).
      this.#handingOver = action.type === 'chat/pendingMessageRemoved' && origin === undefined;
      // A person who takes turns back makes room for others; the agent's history only comes in again.
      if (action.type === 'chat/truncated' && origin !== undefined)
        this.#reader.rewind(event.state.turns.length);
    }
    this.#changed();
  }
}
