import { describe } from 'vitest';
import { reduceSession } from '../../../src/protocol/reduce/session.ts';
import type { ChatSummary, SessionActiveClient, SessionState } from '../../../src/protocol/state-session.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const base: SessionState = {
  provider: 'echo',
  title: 'One',
  status: 1,
  lifecycle: 'ready',
  activeClients: [],
  chats: [],
};
const chat = (id: string, more: Partial<ChatSummary> = {}): ChatSummary => ({
  resource: `ahp-chat:/${id}`,
  title: id,
  status: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const client = (clientId: string, displayName = clientId): SessionActiveClient => ({
  clientId,
  displayName,
  tools: [],
});
const three: SessionState = { ...base, chats: [chat('a'), chat('b'), chat('c')], defaultChat: 'ahp-chat:/b' };
const dirs = (...workingDirectories: string[]): SessionState => ({ ...base, workingDirectories });

describe('the chat catalogue (SHAPES 14.2)', () => {
  itReduces(reduceSession, [
    [
      'session/chatAdded appends',
      base,
      [{ type: 'session/chatAdded', summary: chat('a') }],
      { ...base, chats: [chat('a')] },
    ],
    [
      'session/chatAdded of a known chat replaces it in place, dropping its activity (6.7)',
      { ...base, chats: [chat('a', { activity: 'busy' }), chat('b')] },
      [{ type: 'session/chatAdded', summary: chat('a') }],
      { ...base, chats: [chat('a'), chat('b')] },
    ],
    [
      'session/chatRemoved keeps the default chat',
      three,
      [{ type: 'session/chatRemoved', chat: 'ahp-chat:/a' }],
      { ...base, chats: [chat('b'), chat('c')], defaultChat: 'ahp-chat:/b' },
    ],
    [
      'session/chatRemoved of the default chat drops the pointer',
      three,
      [{ type: 'session/chatRemoved', chat: 'ahp-chat:/b' }],
      { ...base, chats: [chat('a'), chat('c')] },
    ],
    [
      'session/chatRemoved of an unknown chat is no change',
      { ...base, defaultChat: 'ahp-chat:/z' },
      [{ type: 'session/chatRemoved', chat: 'ahp-chat:/z' }],
      'same',
    ],
    [
      'session/chatUpdated merges and never moves the identity (SE-22)',
      three,
      [
        {
          type: 'session/chatUpdated',
          chat: 'ahp-chat:/b',
          changes: { resource: 'ahp-chat:/z', status: 40, activity: 'x' },
        },
      ],
      { ...three, chats: [chat('a'), chat('b', { status: 40, activity: 'x' }), chat('c')] },
    ],
    [
      'session/chatUpdated with the values of before is no change',
      three,
      [{ type: 'session/chatUpdated', chat: 'ahp-chat:/b', changes: { title: 'b' } }],
      'same',
    ],
    [
      'session/chatUpdated of an unknown chat is no change',
      three,
      [{ type: 'session/chatUpdated', chat: 'ahp-chat:/z', changes: { title: 'b' } }],
      'same',
    ],
    [
      'session/chatsReordered applies a permutation',
      three,
      [{ type: 'session/chatsReordered', chats: ['ahp-chat:/c', 'ahp-chat:/a', 'ahp-chat:/b'] }],
      { ...three, chats: [chat('c'), chat('a'), chat('b')] },
    ],
    ...(
      [
        ['incomplete', ['ahp-chat:/c', 'ahp-chat:/a']],
        ['repeating', ['ahp-chat:/c', 'ahp-chat:/a', 'ahp-chat:/a']],
        ['foreign', ['ahp-chat:/c', 'ahp-chat:/a', 'ahp-chat:/z']],
        ['unchanged', ['ahp-chat:/a', 'ahp-chat:/b', 'ahp-chat:/c']],
      ] as const
    ).map(
      ([name, chats]) =>
        [
          `session/chatsReordered with an order that is ${name} is no change`,
          three,
          [{ type: 'session/chatsReordered', chats }],
          'same',
        ] as const,
    ),
    [
      'session/defaultChatChanged sets and clears',
      three,
      [
        { type: 'session/defaultChatChanged', defaultChat: 'ahp-chat:/a' },
        { type: 'session/defaultChatChanged' },
      ],
      { ...base, chats: three.chats },
    ],
    [
      'session/defaultChatChanged to the same chat is no change',
      three,
      [{ type: 'session/defaultChatChanged', defaultChat: 'ahp-chat:/b' }],
      'same',
    ],
  ]);
});

describe('clients and directories (SHAPES 14.2)', () => {
  itReduces(reduceSession, [
    [
      'session/activeClientSet appends and replaces in place',
      { ...base, activeClients: [client('a')] },
      [
        { type: 'session/activeClientSet', activeClient: client('b') },
        { type: 'session/activeClientSet', activeClient: client('a', 'New') },
      ],
      { ...base, activeClients: [client('a', 'New'), client('b')] },
    ],
    [
      'session/activeClientRemoved leaves an empty list',
      { ...base, activeClients: [client('a')] },
      [{ type: 'session/activeClientRemoved', clientId: 'a' }],
      base,
    ],
    [
      'session/activeClientRemoved of an unknown client is no change',
      base,
      [{ type: 'session/activeClientRemoved', clientId: 'z' }],
      'same',
    ],
    [
      'session/workingDirectorySet creates the list and appends',
      base,
      [
        { type: 'session/workingDirectorySet', directory: 'a' },
        { type: 'session/workingDirectorySet', directory: 'b' },
      ],
      dirs('a', 'b'),
    ],
    [
      'session/workingDirectorySet of a known one is no change',
      dirs('a', 'b'),
      [{ type: 'session/workingDirectorySet', directory: 'a' }],
      'same',
    ],
    [
      'session/workingDirectoryRemoved keeps an emptied list',
      dirs('a'),
      [{ type: 'session/workingDirectoryRemoved', directory: 'a' }],
      dirs(),
    ],
    [
      'session/workingDirectoryRemoved of an unknown one is no change',
      dirs('a'),
      [{ type: 'session/workingDirectoryRemoved', directory: 'z' }],
      'same',
    ],
    [
      'session/workingDirectoryRemoved without a list is no change',
      base,
      [{ type: 'session/workingDirectoryRemoved', directory: 'a' }],
      'same',
    ],
    [
      'session/workingDirectoryReplaced replaces at its index and drops the later duplicate',
      dirs('a', 'b', 'c'),
      [{ type: 'session/workingDirectoryReplaced', directory: 'a', replacement: 'c' }],
      dirs('c', 'b'),
    ],
    [
      'session/workingDirectoryReplaced by one that stands earlier only removes',
      dirs('a', 'b', 'c'),
      [{ type: 'session/workingDirectoryReplaced', directory: 'c', replacement: 'a' }],
      dirs('a', 'b'),
    ],
    [
      'session/workingDirectoryReplaced by a new one',
      dirs('a', 'b'),
      [{ type: 'session/workingDirectoryReplaced', directory: 'b', replacement: 'z' }],
      dirs('a', 'z'),
    ],
    ...(
      [
        ['of an unknown one', dirs('a'), 'y'],
        ['without a list', base, 'y'],
        ['by itself', dirs('a', 'z'), 'z'],
      ] as const
    ).map(
      ([name, before, directory]) =>
        [
          `session/workingDirectoryReplaced ${name} is no change`,
          before,
          [{ type: 'session/workingDirectoryReplaced', directory, replacement: 'z' }],
          'same',
        ] as const,
    ),
  ]);
});
