import { describe } from 'vitest';
import { reduceSession } from '../../../src/protocol/reduce/session.ts';
import type { SessionConfigPropertySchema } from '../../../src/protocol/state-common.ts';
import type { SessionInputRequest, SessionState } from '../../../src/protocol/state-session.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const base: SessionState = {
  provider: 'echo',
  title: 'One',
  status: 1,
  lifecycle: 'creating',
  activeClients: [],
  chats: [],
};
const question = (id: string, message = id): SessionInputRequest => ({
  id,
  chat: 'ahp-chat:/a',
  kind: 'chatInput',
  request: { id, message },
});
const execution: SessionInputRequest = {
  id: 'x',
  chat: 'ahp-chat:/a',
  kind: 'toolClientExecution',
  turnId: 't1',
  clientId: 'c',
  toolCall: {
    toolCallId: 'x',
    toolName: 'x',
    displayName: 'x',
    status: 'running',
    invocationMessage: 'x',
    confirmed: 'not-needed',
  },
};
const schema = { type: 'object' as const, properties: {} as Record<string, SessionConfigPropertySchema> };
const configured: SessionState = { ...base, config: { schema, values: { a: 1 } } };
const changeset = { label: 'All', uriTemplate: 'git:/all', changeKind: 'session' };
const unsigned = 0x8000_0000;

describe('plain fields (SHAPES 14.2)', () => {
  const error = { errorType: 'spawn', message: 'no' };
  itReduces(reduceSession, [
    [
      'session/ready leaves the status alone (SE-5)',
      { ...base, status: 8 },
      [{ type: 'session/ready' }],
      { ...base, status: 8, lifecycle: 'ready' },
    ],
    [
      'a second session/ready is no change',
      { ...base, lifecycle: 'ready' },
      [{ type: 'session/ready' }],
      'same',
    ],
    [
      'session/creationFailed',
      base,
      [{ type: 'session/creationFailed', error }],
      { ...base, lifecycle: 'failed', creationError: error },
    ],
    [
      'session/titleChanged',
      base,
      [{ type: 'session/titleChanged', title: 'Two' }],
      { ...base, title: 'Two' },
    ],
    [
      'session/titleChanged to the same title is no change',
      base,
      [{ type: 'session/titleChanged', title: 'One' }],
      'same',
    ],
    [
      'session/serverToolsChanged replaces the tools',
      base,
      [{ type: 'session/serverToolsChanged', tools: [{ name: 'grep' }] }],
      { ...base, serverTools: [{ name: 'grep' }] },
    ],
    [
      'session/activityChanged sets',
      base,
      [{ type: 'session/activityChanged', activity: 'Reading' }],
      { ...base, activity: 'Reading' },
    ],
    [
      'session/activityChanged clears',
      { ...base, activity: 'Reading' },
      [{ type: 'session/activityChanged' }],
      base,
    ],
    ['session/activityChanged of nothing is no change', base, [{ type: 'session/activityChanged' }], 'same'],
    [
      'session/changesetsChanged sets, an empty list too',
      { ...base, changesets: [changeset] },
      [{ type: 'session/changesetsChanged', changesets: [] }],
      { ...base, changesets: [] },
    ],
    [
      'session/changesetsChanged clears',
      { ...base, changesets: [changeset] },
      [{ type: 'session/changesetsChanged' }],
      base,
    ],
    [
      'session/metaChanged replaces all of it (SE-13)',
      { ...base, _meta: { a: 1 } },
      [{ type: 'session/metaChanged', _meta: { b: 2 } }],
      { ...base, _meta: { b: 2 } },
    ],
    ['session/metaChanged clears', { ...base, _meta: {} }, [{ type: 'session/metaChanged' }], base],
    [
      'session/configChanged merges',
      configured,
      [{ type: 'session/configChanged', config: { b: 2 } }],
      { ...base, config: { schema, values: { a: 1, b: 2 } } },
    ],
    [
      'session/configChanged replaces',
      configured,
      [{ type: 'session/configChanged', config: { b: 2 }, replace: true }],
      { ...base, config: { schema, values: { b: 2 } } },
    ],
    [
      'session/configChanged of a value that is set already is no change',
      configured,
      [{ type: 'session/configChanged', config: { a: 1 } }],
      'same',
    ],
    [
      'session/configChanged without a config is no change',
      base,
      [{ type: 'session/configChanged', config: { a: 1 } }],
      'same',
    ],
    [
      'session/isReadChanged sets its bit alone, bit 31 staying unsigned',
      { ...base, status: unsigned + 8 },
      [{ type: 'session/isReadChanged', isRead: true }],
      { ...base, status: unsigned + 8 + 32 },
    ],
    [
      'session/isReadChanged clears its bit alone',
      { ...base, status: unsigned + 97 },
      [{ type: 'session/isReadChanged', isRead: false }],
      { ...base, status: unsigned + 65 },
    ],
    [
      'session/isArchivedChanged sets and clears its bit alone',
      { ...base, status: 33 },
      [
        { type: 'session/isArchivedChanged', isArchived: true },
        { type: 'session/isReadChanged', isRead: false },
      ],
      { ...base, status: 65 },
    ],
    [
      'a flag that is set already is no change',
      { ...base, status: unsigned + 64 },
      [{ type: 'session/isArchivedChanged', isArchived: true }],
      'same',
    ],
  ]);
});

describe('session/inputNeeded (SE-30, SHAPES 14.2)', () => {
  itReduces(reduceSession, [
    [
      'a question raises InputNeeded and keeps flags, bit 31 included',
      { ...base, status: unsigned + 33 },
      [{ type: 'session/inputNeededSet', request: question('q') }],
      { ...base, status: unsigned + 32 + 24, inputNeeded: [question('q')] },
    ],
    [
      'the same id is replaced in place',
      { ...base, status: 24, inputNeeded: [question('q'), question('r')] },
      [{ type: 'session/inputNeededSet', request: question('q', 'new') }],
      { ...base, status: 24, inputNeeded: [question('q', 'new'), question('r')] },
    ],
    [
      'an execution by a client raises nothing',
      { ...base, status: 8 },
      [{ type: 'session/inputNeededSet', request: execution }],
      { ...base, status: 8, inputNeeded: [execution] },
    ],
    [
      'an unknown kind raises InputNeeded',
      { ...base, status: 8 },
      [
        {
          type: 'session/inputNeededSet',
          request: { id: 'f', chat: 'c', kind: 'future' } as unknown as SessionInputRequest,
        },
      ],
      {
        ...base,
        status: 24,
        inputNeeded: [{ id: 'f', chat: 'c', kind: 'future' } as unknown as SessionInputRequest],
      },
    ],
    [
      'with the last question gone an execution alone leaves InProgress',
      { ...base, status: 56, inputNeeded: [question('q'), execution] },
      [{ type: 'session/inputNeededRemoved', id: 'q' }],
      { ...base, status: 40, inputNeeded: [execution] },
    ],
    [
      'the emptied list is absent',
      { ...base, status: 24, inputNeeded: [question('q')] },
      [{ type: 'session/inputNeededRemoved', id: 'q' }],
      { ...base, status: 8 },
    ],
    [
      'an unknown id is no change',
      { ...base, status: 1, inputNeeded: [question('q')] },
      [{ type: 'session/inputNeededRemoved', id: 'z' }],
      'same',
    ],
    ['an absent list is no change', base, [{ type: 'session/inputNeededRemoved', id: 'z' }], 'same'],
  ]);
});
