// The parts of a chat's active turn: finding, appending and replacing one, and the activity that follows from
// them (the helpers `findPart`, `blocked` and `restat` of SHAPES 14.3).
import type { ActiveTurn, ChatState, ResponsePart } from '../state-chat.ts';
import {
  STATUS_IDLE,
  STATUS_IN_PROGRESS,
  STATUS_INPUT_NEEDED,
  STATUS_IS_READ,
  setActivity,
  setFlag,
} from '../state-common.ts';
import { setKey } from './same.ts';

/**
 * Index of the part with this key, or -1: a tool call's id, or the id of any other part that has one. Keys are
 * unique within a turn. Searched from the end, because what is being written is nearly always the newest.
 */
export function findPart(turn: ActiveTurn, id: string): number {
  return turn.responseParts.findLastIndex((part) => {
    if (part.kind === 'toolCall') return part.toolCall.toolCallId === id;
    return 'id' in part && part.id === id;
  });
}

/** The chat with `part` behind all others of its active turn. */
export function appendPart(state: ChatState, turn: ActiveTurn, part: ResponsePart): ChatState {
  return setKey(state, 'activeTurn', { ...turn, responseParts: [...turn.responseParts, part] });
}

/** The chat with one part replaced; copies the turn, its list and nothing else. */
export function replacePart(
  state: ChatState,
  turn: ActiveTurn,
  index: number,
  part: ResponsePart,
): ChatState {
  return setKey(state, 'activeTurn', { ...turn, responseParts: turn.responseParts.with(index, part) });
}

/** The chat with its activity bits computed anew; flags stay as they are. */
export function restat(state: ChatState): ChatState {
  return setKey(state, 'status', setActivity(state.status, activityOf(state.activeTurn)));
}

/** As `restat`, and not read any more. */
export function restatUnread(state: ChatState): ChatState {
  const next = restat(state);
  return setKey(next, 'status', setFlag(next.status, STATUS_IS_READ, false));
}

function activityOf(turn: ActiveTurn | undefined): number {
  if (!turn) return STATUS_IDLE;
  return turn.responseParts.some(waitsForSomebody) ? STATUS_INPUT_NEEDED : STATUS_IN_PROGRESS;
}

function waitsForSomebody(part: ResponsePart): boolean {
  if (part.kind === 'inputRequest') return part.response === undefined;
  if (part.kind !== 'toolCall') return false;
  const { status } = part.toolCall;
  return (
    status === 'pending-confirmation' ||
    status === 'pending-result-confirmation' ||
    status === 'auth-required'
  );
}
