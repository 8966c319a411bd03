import { describe, expect, it } from 'vitest';
import type { ActionEnvelope } from '../../../src/protocol/actions.ts';
import type { Snapshot } from '../../../src/protocol/commands.ts';
import { readsBareEdits, withBareEdits } from '../../../src/protocol/editions/bare-edits.ts';
import { v0_9 } from '../../../src/protocol/editions/v0_9.ts';
import { v1 } from '../../../src/protocol/editions/v1.ts';
import type { PendingToolCall } from '../../../src/protocol/state-tool.ts';

const BARE = [{ path: '/a', oldText: null, newText: 'one' }];
const CALL: PendingToolCall = {
  status: 'pending-confirmation',
  toolCallId: 'x',
  toolName: 'edit',
  displayName: 'Write',
  invocationMessage: 'Write',
  edits: { items: [{ diff: { added: 1, removed: 0 } }] },
  _meta: { otto: { diffs: BARE }, other: 1 },
};
const { edits: _edits, ...PLAIN } = CALL;

const chat = (toolCall: PendingToolCall): Snapshot => ({
  resource: 'ahp-chat:/c',
  fromSeq: 1,
  state: {
    resource: 'ahp-chat:/c',
    title: '',
    status: 24,
    modifiedAt: '',
    turns: [],
    activeTurn: {
      id: 't',
      startedAt: '',
      message: { text: '', origin: { kind: 'user' } },
      responseParts: [
        { kind: 'markdown', id: 'm', content: 'x' },
        { kind: 'toolCall', toolCall },
      ],
    },
  },
});

const request = (toolCall: PendingToolCall) => ({
  id: 'i',
  chat: 'ahp-chat:/c',
  kind: 'toolConfirmation' as const,
  turnId: 't',
  toolCall,
});

const session = (toolCall: PendingToolCall): Snapshot => ({
  resource: 'ahp-session:/s',
  fromSeq: 1,
  state: {
    provider: 'p',
    title: '',
    status: 24,
    lifecycle: 'ready',
    activeClients: [],
    chats: [],
    inputNeeded: [request(toolCall)],
  },
});

const ready = (more: object): ActionEnvelope => ({
  channel: 'ahp-chat:/c',
  serverSeq: 1,
  action: { type: 'chat/toolCallReady', turnId: 't', toolCallId: 'x', invocationMessage: 'Write', ...more },
});

const needed = (toolCall: PendingToolCall): ActionEnvelope => ({
  channel: 'ahp-session:/s',
  serverSeq: 1,
  action: { type: 'session/inputNeededSet', request: request(toolCall) },
});

describe('the variant with bare edits', () => {
  const edition = withBareEdits(v1);

  it('has the bare list wherever a waiting call is told, and nothing else is another', () => {
    const { edits, _meta } = CALL;
    const bare = { ...PLAIN, edits: BARE };
    expect(edition.lowerEnvelope(ready({ edits, _meta }))).toEqual(ready({ edits: BARE, _meta }));
    expect(edition.lowerEnvelope(needed(CALL))).toEqual(needed(bare as never));
    expect(edition.lowerSnapshot(chat(CALL))).toEqual(chat(bare as never));
    expect(edition.lowerSnapshot(session(CALL))).toEqual(session(bare as never));
  });

  it('has no edits where the list was too long to be sent', () => {
    const long = { ...CALL, _meta: {} };
    expect(edition.lowerSnapshot(chat(long))).toEqual(chat({ ...PLAIN, _meta: {} }));
    expect(edition.lowerEnvelope(ready({ edits: CALL.edits }))).toEqual(ready({}));
  });

  it('passes on untouched what has no edits', () => {
    for (const envelope of [ready({}), needed(PLAIN)]) expect(edition.lowerEnvelope(envelope)).toBe(envelope);
    for (const snapshot of [chat(PLAIN), session(PLAIN)])
      expect(edition.lowerSnapshot(snapshot)).toBe(snapshot);
  });

  it('is what its edition is in everything else', () => {
    const newer: ActionEnvelope = {
      channel: 'ahp-chat:/c',
      serverSeq: 1,
      action: { type: 'chat/isReadChanged', isRead: true },
    };
    const older = withBareEdits(v0_9);
    expect(older.lowerEnvelope(newer)).toBeUndefined();
    expect(older.supported).toEqual(v0_9.supported);
    expect(older.liftAction(newer.action)).toEqual(v0_9.liftAction(newer.action));
  });
});

it.each([
  ['otto-launcher', undefined, true],
  ['1234', 'otto-ask', true],
  ['1234', 'Visual Studio Code', false],
  ['1234', undefined, false],
  ['otto', 'ottomatic', false],
  ['otto-agents-1234', undefined, false],
  ['otto-x', 'otto-agents', false],
])('a client %s called %s reads bare edits: %s', (clientId, name, expected) => {
  expect(readsBareEdits(clientId, name)).toBe(expected);
});
