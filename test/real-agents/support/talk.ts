// A session as a client lives it: sends messages, answers what is asked as a test says, waits for states. Keeps every
// envelope of the chat. Knows nothing of ACP.
import { randomUUID } from 'node:crypto';
import type { ChannelEvent, Client } from '../../../src/client/client.ts';
import type { ActionEnvelope } from '../../../src/protocol/actions.ts';
import type {
  ActiveTurn,
  ChatInputAnswers,
  ChatInputRequest,
  ChatState,
  ResponsePart,
  Turn,
} from '../../../src/protocol/state-chat.ts';
import type { Uri } from '../../../src/protocol/state-common.ts';
import type { SessionState } from '../../../src/protocol/state-session.ts';
import type { PendingToolCall, ToolCall } from '../../../src/protocol/state-tool.ts';

/** What the client says when it is asked; without an entry it says nothing. */
export interface Answers {
  /** The id of the option to choose. */
  permission?: (call: PendingToolCall) => string;
  input?: (request: ChatInputRequest) => ChatInputAnswers;
}

export class Talk {
  readonly session: Uri;
  readonly chat: Uri;
  readonly envelopes: ActionEnvelope[] = [];
  /** Hears every envelope of the chat as it arrives. */
  heard: (envelope: ActionEnvelope) => void = () => {};
  answers: Answers = {};
  /** Why a dispatched action was refused. */
  readonly rejections: string[] = [];
  readonly #client: Client;
  readonly #answered = new Set<string>();
  #changed: () => void = () => {};

  private constructor(client: Client, session: Uri, chat: Uri) {
    this.#client = client;
    this.session = session;
    this.chat = chat;
  }

  static async open(client: Client, session: Uri): Promise<Talk> {
    let moved = () => {};
    const state = await client.subscribe('session', session, () => moved());
    if (state.defaultChat === undefined) throw new Error(`${session} has no chat`);
    const talk = new Talk(client, session, state.defaultChat);
    moved = () => talk.#changed();
    await client.subscribe('chat', talk.chat, (event) => talk.#chatEvent(event));
    return talk;
  }

  state(): ChatState {
    const state = this.#client.state('chat', this.chat);
    if (state === undefined) throw new Error('the chat is gone');
    return state;
  }

  sessionState(): SessionState {
    const state = this.#client.state('session', this.session);
    if (state === undefined) throw new Error('the session is gone');
    return state;
  }

  /** Queues a message and resolves with its finished turn. */
  async prompt(text: string): Promise<Turn> {
    const known = new Set(this.state().turns.map(({ id }) => id));
    await this.send(text);
    const finished = () =>
      this.state().turns.find(({ id, message }) => !known.has(id) && message.text === text);
    await this.until(() => finished() !== undefined, `the end of "${text}"`);
    return finished() as Turn;
  }

  async send(text: string): Promise<void> {
    await this.dispatch({
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: randomUUID(),
      message: { text, origin: { kind: 'user' } },
    });
  }

  async cancel(): Promise<void> {
    const turnId = this.state().activeTurn?.id;
    if (turnId === undefined) throw new Error('no turn runs');
    await this.dispatch({ type: 'chat/turnCancelled', turnId, duration: 0 });
  }

  /** Dispatches to the chat, or to the session for its actions. */
  async dispatch(action: Parameters<Client['dispatch']>[1]): Promise<void> {
    const channel = action.type.startsWith('session/') ? this.session : this.chat;
    const outcome = await this.#client.dispatch(channel, action);
    if (outcome.kind === 'rejected') this.rejections.push(`${action.type}: ${outcome.reason}`);
  }

  /** Resolves when `done` holds, which is asked now and after every change; a failed start rejects. */
  async until(done: () => boolean, what = 'a state'): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#changed = () => {
        const { lifecycle, creationError } = this.sessionState();
        if (done()) resolve();
        else if (lifecycle === 'failed') reject(new Error(`${what}: ${creationError?.message}`));
        else if (this.rejections.length > 0) reject(new Error(this.rejections.join('; ')));
      };
      this.#changed();
    });
    this.#changed = () => {};
  }

  #chatEvent(event: ChannelEvent<ChatState>): void {
    if (event.type === 'gone') return;
    if (event.type === 'action') {
      this.envelopes.push(event.envelope);
      this.heard(event.envelope);
    }
    this.#answer(event.state.activeTurn);
    this.#changed();
  }

  #answer(turn: ActiveTurn | undefined): void {
    for (const part of turn?.responseParts ?? []) {
      if (part.kind === 'toolCall' && part.toolCall.status === 'pending-confirmation') {
        this.#permission(turn?.id ?? '', part.toolCall);
      }
      if (part.kind === 'inputRequest' && part.response === undefined) this.#input(part.request);
    }
  }

  #permission(turnId: string, call: PendingToolCall): void {
    const { toolCallId } = call;
    if (this.answers.permission === undefined || this.#answered.has(toolCallId)) return;
    this.#answered.add(toolCallId);
    const selectedOptionId = this.answers.permission(call);
    const approve = call.options?.find(({ id }) => id === selectedOptionId)?.kind === 'approve';
    const chosen = { type: 'chat/toolCallConfirmed', turnId, toolCallId, selectedOptionId } as const;
    void this.dispatch(
      approve
        ? { ...chosen, approved: true, confirmed: 'user-action' }
        : { ...chosen, approved: false, reason: 'denied' },
    );
  }

  #input(request: ChatInputRequest): void {
    if (this.answers.input === undefined || this.#answered.has(request.id)) return;
    this.#answered.add(request.id);
    const answers = this.answers.input(request);
    void this.dispatch({ type: 'chat/inputCompleted', requestId: request.id, response: 'accept', answers });
  }
}

/** The text of a turn's answer. */
export function textOf(turn: { responseParts: readonly ResponsePart[] }): string {
  return turn.responseParts.map((part) => (part.kind === 'markdown' ? part.content : '')).join('');
}

export function toolCallsOf(turn: { responseParts: readonly ResponsePart[] }): ToolCall[] {
  return turn.responseParts.flatMap((part) => (part.kind === 'toolCall' ? [part.toolCall] : []));
}
