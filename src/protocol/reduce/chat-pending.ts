// Messages that wait: one steering message and a queue (SHAPES 14.3). Taking one out to start a turn is the
// host's doing; the reducer only keeps the list, which is absent when empty.
import type { PendingAction } from '../actions-chat.ts';
import type { ChatState, PendingMessage } from '../state-chat.ts';
import { absentIfEmpty, sameItems, setKey, upsert, without } from './same.ts';

export function reducePending(state: ChatState, action: PendingAction): ChatState {
  switch (action.type) {
    case 'chat/pendingMessageSet': {
      const pending: PendingMessage = { id: action.id, message: action.message };
      return action.kind === 'steering'
        ? setKey(state, 'steeringMessage', pending)
        : setKey(state, 'queuedMessages', upsert(state.queuedMessages, 'id', pending));
    }
    case 'chat/pendingMessageRemoved': {
      if (action.kind === 'steering') {
        return state.steeringMessage?.id === action.id ? setKey(state, 'steeringMessage', undefined) : state;
      }
      const queue = without(state.queuedMessages, (queued) => queued.id === action.id);
      return queue === state.queuedMessages ? state : setKey(state, 'queuedMessages', absentIfEmpty(queue));
    }
    case 'chat/queuedMessagesReordered': {
      if (!state.queuedMessages) return state;
      return setKey(state, 'queuedMessages', reorder(state.queuedMessages, action.order));
    }
  }
}

/** Known ids in the given order, the first mention counts; then the unmentioned ones in their old order. */
function reorder(queue: readonly PendingMessage[], order: readonly string[]): readonly PendingMessage[] {
  const mentioned = new Set(order);
  const byId = new Map(queue.map((queued) => [queued.id, queued]));
  const first = [...mentioned].flatMap((id) => byId.get(id) ?? []);
  const ordered = [...first, ...queue.filter((queued) => !mentioned.has(queued.id))];
  return sameItems(ordered, queue) ? queue : ordered;
}
