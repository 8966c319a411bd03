// Input requests inside the active turn (SHAPES 14.3, EL-2). A request is open while it has no response; outside
// a turn none can be asked, and one that its turn left unanswered can no longer be answered.
import type { InputAction } from '../actions-chat.ts';
import type { ActiveTurn, ChatInputAnswers, ChatInputRequest, ChatState } from '../state-chat.ts';
import { appendPart, replacePart, restat, restatUnread } from './chat-part.ts';
import { merge, setKey } from './same.ts';

export function reduceInput(state: ChatState, action: InputAction): ChatState {
  const turn = state.activeTurn;
  if (!turn) return state;
  if (action.type === 'chat/inputRequested') return ask(state, turn, action.request);
  const index = findOpen(turn, action.requestId);
  const part = turn.responseParts[index];
  if (part?.kind !== 'inputRequest') return state;
  const { request } = part;
  if (action.type === 'chat/inputAnswerChanged') {
    const answers = setKey<Partial<ChatInputAnswers>, string>(
      request.answers ?? {},
      action.questionId,
      action.answer,
    ) as ChatInputAnswers;
    const next = withAnswers(request, answers);
    return next === request ? state : replacePart(state, turn, index, { ...part, request: next });
  }
  const answered = withAnswers(request, merge(request.answers ?? {}, action.answers ?? {}));
  return restat(replacePart(state, turn, index, { ...part, request: answered, response: action.response }));
}

function ask(state: ChatState, turn: ActiveTurn, request: ChatInputRequest): ChatState {
  const index = findOpen(turn, request.id);
  const open = turn.responseParts[index];
  if (open?.kind !== 'inputRequest') {
    return restatUnread(appendPart(state, turn, { kind: 'inputRequest', request }));
  }
  const asked = setKey(request, 'answers', request.answers ?? open.request.answers);
  return restatUnread(replacePart(state, turn, index, { ...open, request: asked }));
}

function findOpen(turn: ActiveTurn, requestId: string): number {
  return turn.responseParts.findLastIndex(
    (part) => part.kind === 'inputRequest' && part.response === undefined && part.request.id === requestId,
  );
}

function withAnswers(request: ChatInputRequest, answers: ChatInputAnswers): ChatInputRequest {
  return setKey(request, 'answers', Object.keys(answers).length === 0 ? undefined : answers);
}
