// Turns of a chat: start, stream, end, resume, cut and load (SHAPES 14.3, "End turn", 6.8, 6.9). No clock is
// read: every time in state comes from an action.
import type { TurnAction, TurnStartedAction } from '../actions-chat.ts';
import type { ActiveTurn, ChatState, ErrorPart, Turn, TurnState } from '../state-chat.ts';
import { STATUS_ERROR, setActivity, type Timestamp } from '../state-common.ts';
import { appendPart, findPart, replacePart, restat, restatUnread } from './chat-part.ts';
import { skipOpenCall } from './chat-tool.ts';
import { absentIfEmpty, emptied, present, setKey, without } from './same.ts';

export function reduceTurn(state: ChatState, action: TurnAction): ChatState {
  switch (action.type) {
    case 'chat/turnStarted':
      return start(state, action);
    case 'chat/turnResume':
      return resume(state, action.turnId);
    case 'chat/truncated':
      return truncate(state, action.turnId);
    case 'chat/turnsLoaded': {
      const known = new Set(state.turns.map((turn) => turn.id));
      const older = action.turns.filter((turn) => !known.has(turn.id));
      const turns = older.length === 0 ? state.turns : [...older, ...state.turns];
      return setKey(setKey(state, 'turns', turns), 'turnsNextCursor', action.turnsNextCursor);
    }
    default:
      return state.activeTurn?.id === action.turnId ? reduceActive(state, state.activeTurn, action) : state;
  }
}

type ActiveTurnAction = Exclude<
  TurnAction,
  { type: 'chat/turnStarted' | 'chat/turnResume' | 'chat/truncated' | 'chat/turnsLoaded' }
>;

function reduceActive(state: ChatState, turn: ActiveTurn, action: ActiveTurnAction): ChatState {
  switch (action.type) {
    case 'chat/delta':
      return appendText(state, turn, 'markdown', action.partId, action.content);
    case 'chat/reasoning':
      return appendText(state, turn, 'reasoning', action.partId, action.content);
    case 'chat/responsePart':
      // An error part comes with the end of its turn, in one step (SHAPES 6.8).
      return action.part.kind === 'error' ? state : appendPart(state, turn, action.part);
    case 'chat/usage':
      return setKey(state, 'activeTurn', setKey(turn, 'usage', action.usage));
    case 'chat/turnComplete':
      return end(state, turn, 'complete', action.duration);
    case 'chat/turnCancelled':
      return end(state, turn, 'cancelled', action.duration);
    case 'chat/error':
      return end(state, turn, 'error', action.duration, action.part);
  }
}

function start(state: ChatState, action: TurnStartedAction): ChatState {
  const { turnId: id, startedAt, message, queuedMessageId } = action;
  const active = setKey(state, 'activeTurn', { id, startedAt, message, responseParts: [] });
  const stamped = setKey(restatUnread(active), 'modifiedAt', startedAt);
  if (queuedMessageId === undefined) return stamped;
  const queue = without(stamped.queuedMessages, (queued) => queued.id === queuedMessageId);
  const unqueued = setKey(stamped, 'queuedMessages', absentIfEmpty(queue));
  return unqueued.steeringMessage?.id === queuedMessageId
    ? setKey(unqueued, 'steeringMessage', undefined)
    : unqueued;
}

function appendText(
  state: ChatState,
  turn: ActiveTurn,
  kind: 'markdown' | 'reasoning',
  partId: string,
  content: string,
): ChatState {
  const index = findPart(turn, partId);
  const part = turn.responseParts[index];
  if (part?.kind !== kind) return state;
  return replacePart(state, turn, index, { ...part, content: part.content + content });
}

function end(
  state: ChatState,
  turn: ActiveTurn,
  outcome: TurnState,
  producedIn: number,
  error?: ErrorPart,
): ChatState {
  const { id, startedAt, message, usage } = turn;
  const duration = Math.max(0, producedIn);
  const responseParts = turn.responseParts.map(skipOpenCall);
  if (error) responseParts.push(error);
  const done = present<Turn>({ id, startedAt, duration, message, responseParts, usage, state: outcome });
  const ended = setKey(setKey(state, 'turns', [...state.turns, done]), 'activeTurn', undefined);
  const stamped = setKey(ended, 'modifiedAt', addMs(startedAt, duration) ?? state.modifiedAt);
  return outcome === 'error'
    ? setKey(stamped, 'status', setActivity(stamped.status, STATUS_ERROR))
    : restat(stamped);
}

function resume(state: ChatState, turnId: string): ChatState {
  const turn = state.turns.at(-1);
  const tail = turn?.responseParts.at(-1);
  if (state.activeTurn || turn?.id !== turnId || turn.state !== 'error') return state;
  if (tail?.kind !== 'error' || tail.resumable !== true) return state;
  const { id, startedAt = state.modifiedAt, message, responseParts, usage } = turn;
  const active = present<ActiveTurn>({ id, startedAt, message, responseParts, usage });
  return restatUnread(setKey(setKey(state, 'turns', state.turns.slice(0, -1)), 'activeTurn', active));
}

function truncate(state: ChatState, turnId: string | undefined): ChatState {
  if (turnId === undefined) {
    const bare = setKey(setKey(state, 'turns', emptied(state.turns)), 'turnsNextCursor', undefined);
    return restat(setKey(bare, 'activeTurn', undefined));
  }
  const length = state.turns.findLastIndex((turn) => turn.id === turnId) + 1;
  if (length === 0) return state;
  const turns = length === state.turns.length ? state.turns : state.turns.slice(0, length);
  return restat(setKey(setKey(state, 'turns', turns), 'activeTurn', undefined));
}

/** `t` plus `ms`, in UTC with milliseconds; undefined where that is no time at all (SHAPES 1.2). */
function addMs(t: Timestamp, ms: number): Timestamp | undefined {
  const sum = new Date(Date.parse(t) + ms);
  return Number.isNaN(sum.getTime()) ? undefined : sum.toISOString();
}
