import { describe } from 'vitest';
import { reduceChat } from '../../../src/protocol/reduce/chat.ts';
import type { ChatState } from '../../../src/protocol/state-chat.ts';
import { idle, says } from '../../support/chat-states.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const queue = (...ids: string[]): ChatState => ({
  ...idle,
  queuedMessages: ids.map((id) => ({ id, message: says(id) })),
});
const steered: ChatState = { ...idle, steeringMessage: { id: 's', message: says('s') } };
const set = (kind: 'steering' | 'queued', id: string, text = id) =>
  ({ type: 'chat/pendingMessageSet', kind, id, message: says(text) }) as const;
const remove = (kind: 'steering' | 'queued', id: string) =>
  ({ type: 'chat/pendingMessageRemoved', kind, id }) as const;
const reorder = (...order: string[]) => ({ type: 'chat/queuedMessagesReordered', order }) as const;

describe('pending messages (SHAPES 14.3, C-35)', () => {
  itReduces(reduceChat, [
    [
      'a new steering message replaces the old',
      steered,
      [set('steering', 'r'), set('steering', 's')],
      steered,
    ],
    [
      'a queued message creates the list and appends',
      idle,
      [set('queued', 'a'), set('queued', 'b')],
      queue('a', 'b'),
    ],
    [
      'a queued message with a known id is replaced in place',
      queue('a', 'b'),
      [set('queued', 'a', 'new')],
      {
        ...idle,
        queuedMessages: [
          { id: 'a', message: says('new') },
          { id: 'b', message: says('b') },
        ],
      },
    ],
    ['the steering message is removed by its id', steered, [remove('steering', 's')], idle],
    ['another steering id is no change', steered, [remove('steering', 'z')], 'same'],
    ['no steering message is no change', idle, [remove('steering', 's')], 'same'],
    ['a queued message is removed', queue('a', 'b'), [remove('queued', 'a')], queue('b')],
    ['the emptied queue is absent', queue('a'), [remove('queued', 'a')], idle],
    ['an unknown queued id is no change', queue('a'), [remove('queued', 'z')], 'same'],
    ['an absent queue is no change', idle, [remove('queued', 'a')], 'same'],
    [
      'the two kinds do not mix',
      { ...steered, ...queue('a') },
      [remove('queued', 's'), remove('steering', 'a')],
      'same',
    ],
    ['the queue takes the given order', queue('a', 'b', 'c'), [reorder('c', 'a', 'b')], queue('c', 'a', 'b')],
    [
      'the first mention counts, unknown ids do not, unmentioned ones follow in their old order',
      queue('a', 'b', 'c', 'd'),
      [reorder('c', 'z', 'c', 'a')],
      queue('c', 'a', 'b', 'd'),
    ],
    ['the order it has is no change', queue('a', 'b'), [reorder('a', 'b')], 'same'],
    ['an empty order is no change', queue('a', 'b'), [reorder()], 'same'],
    ['an order without a queue is no change', idle, [reorder('a')], 'same'],
  ]);
});
