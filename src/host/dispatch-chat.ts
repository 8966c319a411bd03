// What clients may do to a chat (AHP C-21 to C-31, acp-to-ahp 3.2, 4, 5). Each rule says why an action is
// refused, and what follows once it is committed; an action without a rule is refused by `dispatch.ts`.
import type { Action, ActionOrigin } from '../protocol/actions.ts';
import type { Message, MessageAttachment } from '../protocol/state-chat.ts';
import type { ToolCall } from '../protocol/state-tool.ts';
import { loadForTruncation } from './history-window.ts';
import { answerProblem, completionProblem } from './input.ts';
import { intentOf, narrowest } from './permission.ts';
import type { OpenQuestion, Questions } from './questions.ts';
import type { Chat, Core } from './session.ts';
import { isJustOffered } from './sign-in.ts';
import { findCall } from './tool-calls.ts';
import type { Turns } from './turns.ts';

const DAY_MS = 86_400_000;

interface ChatTarget {
  core: Core;
  turns: Turns;
  chat: Chat;
  origin: ActionOrigin;
}

type ChatActionOf<T extends Action['type']> = Extract<Action, { type: T }>;

interface Rule<A> {
  refuse?: (target: ChatTarget, action: A) => string | undefined;
  /** Commits the action itself, where something has to come before it. */
  commit?: (target: ChatTarget, action: A) => void;
  after?: (target: ChatTarget, action: A) => void;
}

type ChatRules = { [T in ServedChatAction]: Rule<ChatActionOf<T>> };

type ServedChatAction =
  | 'chat/turnStarted'
  | 'chat/turnCancelled'
  | 'chat/turnResume'
  | 'chat/toolCallConfirmed'
  | 'chat/pendingMessageSet'
  | 'chat/pendingMessageRemoved'
  | 'chat/queuedMessagesReordered'
  | 'chat/draftChanged'
  | 'chat/isReadChanged'
  | 'chat/isArchivedChanged'
  | 'chat/inputAnswerChanged'
  | 'chat/inputCompleted'
  | 'chat/truncated';

export const CHAT_RULES: ChatRules = {
  'chat/turnStarted': {
    refuse: ({ core, chat }, { turnId, startedAt, message }) => {
      const { lifecycle } = core.sequencer.session(chat.session.uri);
      const { turns, activeTurn } = core.sequencer.chat(chat.uri);
      if (lifecycle !== 'ready') return 'the session is not ready; queue the message instead';
      const busy = chat.stopping || (chat.turn && !chat.turn.unprompted);
      if (busy) return 'a turn is already in progress; queue the message instead';
      // A clock may be a little wrong, but a start far ahead would put the chat above all others for as long.
      if (Date.parse(startedAt) - core.clock.now() > DAY_MS) return 'startedAt is more than a day ahead';
      const used = activeTurn?.id === turnId || turns.some((turn) => turn.id === turnId);
      return used ? `the turn id ${turnId} is already used` : messageProblem(message);
    },
    commit: ({ turns, chat, origin }, action) => turns.startOwn(chat, action, origin),
  },
  'chat/turnCancelled': {
    refuse: ({ chat }, action) =>
      chat.turn?.id === action.turnId ? undefined : `there is no active turn ${action.turnId}`,
    after: ({ turns, chat }) => turns.cancelled(chat),
  },
  'chat/turnResume': {
    refuse: ({ core, chat }, { turnId }) => {
      const { turns } = core.sequencer.chat(chat.uri);
      const last = turns.at(-1);
      const part = last?.responseParts.at(-1);
      if ((chat.turn && !chat.turn.unprompted) || chat.stopping) return 'a turn is already in progress';
      if (last?.id !== turnId) return 'only the newest turn can be resumed';
      return part?.kind === 'error' && part.resumable === true ? undefined : 'this turn cannot be resumed';
    },
    commit: ({ core, turns, chat, origin }, action) => {
      turns.endUnprompted(chat);
      core.amendments.forget(chat);
      core.sequencer.commit(chat.uri, action, origin);
      turns.resume(chat);
    },
  },
  'chat/toolCallConfirmed': {
    refuse: ({ core, chat }, action) => confirmationProblem(core, chat, action),
    after: ({ core, turns, chat }, action) => confirmed(core, turns, chat, action),
  },
  'chat/pendingMessageSet': {
    refuse: ({ chat }, { kind, message }) => {
      if (kind === 'steering' && chat.agent?.state === 'ready' && !chat.agent.steers) {
        return 'this agent cannot be steered; queue the message instead';
      }
      return messageProblem(message);
    },
    after: ({ core, turns, chat }, { kind }) => {
      if (kind === 'steering') turns.steer(chat);
      // A message behind a fresh offer waits with it: a start anew would only take the offer away for a moment.
      else if (!isJustOffered(core, chat)) turns.retry(chat);
    },
  },
  'chat/pendingMessageRemoved': {
    refuse: ({ core, chat }, { kind, id }) => {
      const { steeringMessage, queuedMessages } = core.sequencer.chat(chat.uri);
      const found =
        kind === 'steering' ? steeringMessage?.id === id : queuedMessages?.some((each) => each.id === id);
      return found ? undefined : `there is no ${kind} message ${id}; it may have been sent already`;
    },
    after: ({ turns, chat }, { kind }) => {
      if (kind === 'queued') turns.stopUnneeded(chat);
    },
  },
  'chat/queuedMessagesReordered': {},
  'chat/draftChanged': {
    refuse: (_, { draft }) =>
      draft && draft.origin.kind !== 'user' ? 'a draft is written by a user' : undefined,
  },
  'chat/isReadChanged': {},
  'chat/isArchivedChanged': {},
  'chat/inputAnswerChanged': {
    refuse: ({ core, chat }, { requestId, questionId, answer }) => {
      const request = openRequest(core, chat, requestId);
      return request ? answerProblem(request, questionId, answer) : noRequest(requestId);
    },
    after: ({ core, chat }, { requestId }) => {
      const question = core.questions.find(chat, requestId);
      if (question) core.questions.draftChanged(question);
    },
  },
  'chat/inputCompleted': {
    refuse: ({ core, chat }, { requestId, response, answers }) => {
      const request = openRequest(core, chat, requestId);
      return request
        ? completionProblem(request, response, { ...request.answers, ...answers })
        : noRequest(requestId);
    },
    commit: ({ core, chat, origin }, action) => {
      const request = openRequest(core, chat, action.requestId);
      const question = core.questions.find(chat, action.requestId);
      const answers = { ...request?.answers, ...action.answers };
      core.sequencer.commit(chat.uri, action, origin);
      if (!question) return;
      const { response } = action;
      core.questions.answeredInput(question, { response, ...(response === 'accept' && { answers }) });
    },
  },
  'chat/truncated': {
    refuse: ({ core, chat }, { turnId }) => {
      const { forgets, info } = chat.session.agent;
      if (!forgets) return `${info.displayName} keeps its own history and cannot forget turns`;
      const known =
        turnId === undefined || core.sequencer.chat(chat.uri).turns.some((turn) => turn.id === turnId);
      return known ? undefined : `there is no turn ${turnId}`;
    },
    commit: ({ core, turns, chat, origin }, action) => {
      turns.cancel(chat);
      core.amendments.forget(chat);
      loadForTruncation(core, chat.uri, action.turnId);
      core.sequencer.commit(chat.uri, action, origin);
    },
    after: ({ turns, chat }) => turns.next(chat),
  },
};

const ATTACHMENT_TYPES: readonly MessageAttachment['type'][] = ['resource'];

/** Why a message cannot be sent to an agent (acp-to-ahp 5, C-9). */
function messageProblem(message: Message): string | undefined {
  if (message.origin.kind !== 'user') return 'clients may only send messages of a user';
  const attachments = message.attachments ?? [];
  const unknown = attachments.find(({ type }) => !ATTACHMENT_TYPES.includes(type));
  if (unknown) return `an attachment of type ${unknown.type} cannot be passed on; attach a resource instead`;
  if (message.agent) return 'the agent of a session cannot be changed; leave agent out of the message';
  if (message.text.trim() === '' && attachments.length === 0) return 'a message needs text or an attachment';
  return undefined;
}

function confirmationProblem(
  core: Core,
  chat: Chat,
  action: ChatActionOf<'chat/toolCallConfirmed'>,
): string | undefined {
  const question = permissionOf(core.questions, chat, action.toolCallId);
  if (!question || question.turnId !== action.turnId || !isPending(findCall(core, chat, action.toolCallId))) {
    return `the tool call ${action.toolCallId} does not wait for a confirmation`;
  }
  const { options } = question.asked;
  const intent = action.approved ? 'allow' : 'reject';
  if (action.approved && action.editedToolInput !== undefined)
    return 'the input of this call cannot be edited';
  const unfit = !action.approved && action.userSuggestion && messageProblem(action.userSuggestion);
  if (unfit) return unfit;
  if (action.selectedOptionId !== undefined) {
    const named = options.find(({ id }) => id === action.selectedOptionId);
    if (!named) return `${action.selectedOptionId} is not one of the options`;
    if (intentOf(named) !== intent) return `the option ${named.id} contradicts approved: ${action.approved}`;
    return undefined;
  }
  if (!action.approved) return undefined;
  const candidates = narrowest(options, 'allow');
  if (candidates.length === 1) return undefined;
  return candidates.length === 0 ? 'none of the options allows the call' : 'choose one of the options';
}

function confirmed(
  core: Core,
  turns: Turns,
  chat: Chat,
  action: ChatActionOf<'chat/toolCallConfirmed'>,
): void {
  const question = permissionOf(core.questions, chat, action.toolCallId);
  if (!question) return;
  core.questions.answeredPermission(question, action.approved ? 'allow' : 'reject', action.selectedOptionId);
  // ACP has no place for a suggestion, so it reaches the agent as the next message.
  if (!action.approved && action.userSuggestion) {
    const message = action.userSuggestion;
    core.sequencer.commit(chat.uri, {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: core.newId(),
      message,
    });
    turns.retry(chat);
  }
}

type PermissionQuestion = OpenQuestion & {
  asked: Extract<OpenQuestion['asked'], { type: 'permissionAsked' }>;
};

function permissionOf(questions: Questions, chat: Chat, toolCallId: string): PermissionQuestion | undefined {
  const question = questions.find(chat, toolCallId);
  return question?.asked.type === 'permissionAsked' ? (question as PermissionQuestion) : undefined;
}

function isPending(call: ToolCall | undefined): boolean {
  return call?.status === 'pending-confirmation';
}

function openRequest(core: Core, chat: Chat, requestId: string) {
  const parts = core.sequencer.chat(chat.uri).activeTurn?.responseParts ?? [];
  for (const part of parts) {
    if (part.kind === 'inputRequest' && part.request.id === requestId && part.response === undefined)
      return part.request;
  }
  return undefined;
}

function noRequest(requestId: string): string {
  return `no input request ${requestId} is waiting`;
}
