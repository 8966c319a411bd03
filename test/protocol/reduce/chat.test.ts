import { describe } from 'vitest';
import { reduceChat } from '../../../src/protocol/reduce/chat.ts';
import type { BackgroundWork, ChatState } from '../../../src/protocol/state-chat.ts';
import { idle, START, says } from '../../support/chat-states.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const shell = (id: string, label = id): BackgroundWork => ({
  id,
  label,
  startedAt: START,
  kind: 'shell',
  command: 'make',
});
const working = (...backgroundWork: BackgroundWork[]): ChatState => ({ ...idle, backgroundWork });
const dirs = (...workingDirectories: string[]): ChatState => ({ ...idle, workingDirectories });
const changesets = [{ label: 'All', uriTemplate: 'git:/all', changeKind: 'session' }];
const canvases = [{ resource: 'ahp-canvas:/1' }];
const unsigned = 0x8000_0000;

describe('plain fields (SHAPES 14.3)', () => {
  itReduces(reduceChat, [
    [
      'chat/activityChanged sets',
      idle,
      [{ type: 'chat/activityChanged', activity: 'Reading' }],
      { ...idle, activity: 'Reading' },
    ],
    [
      'chat/activityChanged clears',
      { ...idle, activity: 'Reading' },
      [{ type: 'chat/activityChanged' }],
      idle,
    ],
    ['chat/activityChanged of nothing is no change', idle, [{ type: 'chat/activityChanged' }], 'same'],
    [
      'chat/backgroundWorkSet appends and replaces by id, no turn needed, status untouched',
      idle,
      [
        { type: 'chat/backgroundWorkSet', work: shell('a') },
        { type: 'chat/backgroundWorkSet', work: shell('b') },
        { type: 'chat/backgroundWorkSet', work: shell('a', 'new') },
      ],
      working(shell('a', 'new'), shell('b')),
    ],
    [
      'chat/backgroundWorkRemoved keeps an emptied list',
      working(shell('a')),
      [{ type: 'chat/backgroundWorkRemoved', id: 'a' }],
      working(),
    ],
    [
      'chat/backgroundWorkRemoved of unknown work is no change',
      working(shell('a')),
      [{ type: 'chat/backgroundWorkRemoved', id: 'z' }],
      'same',
    ],
    [
      'chat/backgroundWorkRemoved without a list is no change',
      idle,
      [{ type: 'chat/backgroundWorkRemoved', id: 'z' }],
      'same',
    ],
    [
      'chat/movableChanged sets',
      idle,
      [{ type: 'chat/movableChanged', movable: false }],
      { ...idle, movable: false },
    ],
    [
      'chat/movableChanged to the same value is no change',
      { ...idle, movable: true },
      [{ type: 'chat/movableChanged', movable: true }],
      'same',
    ],
    [
      'chat/changesetsChanged sets, an empty list too',
      { ...idle, changesets },
      [{ type: 'chat/changesetsChanged', changesets: [] }],
      { ...idle, changesets: [] },
    ],
    ['chat/changesetsChanged clears', { ...idle, changesets }, [{ type: 'chat/changesetsChanged' }], idle],
    ['chat/canvasesChanged sets', idle, [{ type: 'chat/canvasesChanged', canvases }], { ...idle, canvases }],
    ['chat/canvasesChanged clears', { ...idle, canvases }, [{ type: 'chat/canvasesChanged' }], idle],
    ['chat/canvasesChanged of nothing is no change', idle, [{ type: 'chat/canvasesChanged' }], 'same'],
    [
      'chat/workingDirectorySet creates the list and appends',
      idle,
      [
        { type: 'chat/workingDirectorySet', directory: 'a' },
        { type: 'chat/workingDirectorySet', directory: 'b' },
      ],
      dirs('a', 'b'),
    ],
    [
      'chat/workingDirectorySet of a known one is no change',
      dirs('a'),
      [{ type: 'chat/workingDirectorySet', directory: 'a' }],
      'same',
    ],
    [
      'chat/workingDirectoryRemoved keeps an emptied list: no access at all',
      dirs('a'),
      [{ type: 'chat/workingDirectoryRemoved', directory: 'a' }],
      dirs(),
    ],
    [
      'chat/workingDirectoryRemoved of an unknown one is no change',
      dirs('a'),
      [{ type: 'chat/workingDirectoryRemoved', directory: 'z' }],
      'same',
    ],
    [
      'chat/workingDirectoryRemoved cannot narrow a chat that inherits',
      idle,
      [{ type: 'chat/workingDirectoryRemoved', directory: 'a' }],
      'same',
    ],
    [
      'chat/draftChanged sets and clears',
      { ...idle, draft: says('a') },
      [{ type: 'chat/draftChanged', draft: says('b') }, { type: 'chat/draftChanged' }],
      idle,
    ],
    [
      'chat/draftChanged keeps the message as it came',
      idle,
      [{ type: 'chat/draftChanged', draft: says('b') }],
      { ...idle, draft: says('b') },
    ],
    [
      'chat/isReadChanged sets its bit alone, bit 31 staying unsigned',
      { ...idle, status: unsigned + 24 },
      [{ type: 'chat/isReadChanged', isRead: true }],
      { ...idle, status: unsigned + 56 },
    ],
    [
      'chat/isReadChanged clears its bit alone',
      { ...idle, status: unsigned + 97 },
      [{ type: 'chat/isReadChanged', isRead: false }],
      { ...idle, status: unsigned + 65 },
    ],
    [
      'chat/isReadChanged to what it is is no change',
      idle,
      [{ type: 'chat/isReadChanged', isRead: false }],
      'same',
    ],
    [
      'chat/isArchivedChanged sets its bit alone',
      { ...idle, status: 34 },
      [{ type: 'chat/isArchivedChanged', isArchived: true }],
      { ...idle, status: 98 },
    ],
    [
      'chat/isArchivedChanged clears its bit alone',
      { ...idle, status: unsigned + 98 },
      [{ type: 'chat/isArchivedChanged', isArchived: false }],
      { ...idle, status: unsigned + 34 },
    ],
  ]);
});
