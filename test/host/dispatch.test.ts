import { describe, expect, it } from 'vitest';
import { ACTIONS, type Action, type ActionType } from '../../src/protocol/actions.ts';
import { ROOT_URI } from '../../src/protocol/state-root.ts';
import { createRig, SESSION, userMessage } from '../support/host-rig.ts';

function ready(forgets = false) {
  const rig = createRig({ forgets });
  const { client, chat } = rig.session();
  rig.agent().started();
  return { rig, client, chat };
}

describe('an action the host does not take', () => {
  const types = Object.keys(ACTIONS) as ActionType[];

  it.each(types.filter((type) => ACTIONS[type].by === 'host'))(
    '%s from a client is refused (HOST-CHECKLIST 24.24)',
    (type) => {
      const { rig, client, chat } = ready();
      const before = [client.chat(chat), client.sessionState()];
      const channel = type.startsWith('chat/') ? chat : type.startsWith('root/') ? ROOT_URI : SESSION;
      const echo = client.dispatch(channel, { type } as Action);
      expect(echo?.rejectionReason).toBe(`only the host may send ${type}`);
      expect([client.chat(chat), client.sessionState()]).toEqual(before);
      expect(rig.host.subscribe(client, { channel: chat }).snapshot?.state).toEqual(before[0]);
    },
  );

  it.each([
    [ROOT_URI, { type: 'root/configChanged', config: { a: 1 } }],
    [SESSION, { type: 'session/configChanged', config: { a: 1 } }],
    [SESSION, { type: 'session/customizationToggled', id: 'x', enablement: [] }],
    [SESSION, { type: 'session/mcpServerStartRequested', id: 'x' }],
    [SESSION, { type: 'session/workingDirectorySet', directory: 'file:///other' }],
    ['chat', { type: 'chat/workingDirectoryRemoved', directory: 'file:///folder' }],
    ['chat', { type: 'chat/turnResume', turnId: 't' }],
    [
      'chat',
      {
        type: 'chat/toolCallComplete',
        turnId: 't',
        toolCallId: 'x',
        result: { success: true, pastTenseMessage: '' },
      },
    ],
    ['chat', { type: 'chat/toolCallContentChanged', turnId: 't', toolCallId: 'x', content: [] }],
    ['chat', { type: 'chat/toolCallResultConfirmed', turnId: 't', toolCallId: 'x', approved: true }],
    ['chat', { type: 'session/titleChanged', title: 'wrong channel' }],
    [SESSION, { type: 'chat/draftChanged' }],
    [SESSION, { type: 'terminal/input', data: 'ls' }],
  ] as [string, Action][])('on %s is echoed with a reason: %j (R-041, C-27)', (channel, action) => {
    const { client, chat } = ready();
    const echo = client.dispatch(channel === 'chat' ? chat : channel, action);
    expect(echo?.action).toBe(action);
    expect(echo?.rejectionReason).toBeTruthy();
  });

  it('reaches its sender alone, under a number of its own, and is never replayed (A-22, HOST-CHECKLIST 24.32)', () => {
    const { rig, client, chat } = ready();
    const other = rig.client('other');
    other.subscribe(chat);
    const before = rig.host.serverSeq;
    const echo = client.dispatch(chat, { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' });
    expect(echo).toMatchObject({ origin: { clientId: 'client', clientSeq: 1 }, serverSeq: before + 1 });
    expect(other.envelopes).toEqual([]);
    expect(rig.host.reconnect(rig.client('again'), before, [chat])).toEqual({
      type: 'replay',
      actions: [],
      missing: [],
    });
  });

  it('on a channel that does not exist is ignored (A-21, HOST-CHECKLIST 24.25)', () => {
    const { rig, client } = ready();
    client.seen();
    expect(client.dispatch('ahp-chat:/nowhere', { type: 'chat/draftChanged' })).toBeUndefined();
    rig.host.refuse(
      client,
      'ahp-chat:/nowhere',
      { type: 'chat/draftChanged' },
      { clientId: 'client', clientSeq: 9 },
      'bad',
    );
    expect(client.seen()).toEqual([]);
  });

  it('that does not fit its schema is echoed with the reason', () => {
    const { rig, client, chat } = ready();
    const action = { type: 'chat/truncated', turnId: null } as unknown as Action;
    rig.host.refuse(client, chat, action, { clientId: 'client', clientSeq: 9 }, 'turnId: expected a string');
    expect(client.envelopes.at(-1)).toMatchObject({ action, rejectionReason: 'turnId: expected a string' });
  });
});

describe('an accepted action', () => {
  it.each([
    [SESSION, { type: 'session/titleChanged', title: 'Mine' }],
    [SESSION, { type: 'session/isReadChanged', isRead: true }],
    [SESSION, { type: 'session/isArchivedChanged', isArchived: true }],
    ['chat', { type: 'chat/isReadChanged', isRead: true }],
    ['chat', { type: 'chat/isArchivedChanged', isArchived: true }],
    ['chat', { type: 'chat/draftChanged', draft: userMessage('half a thou') }],
    ['chat', { type: 'chat/queuedMessagesReordered', order: [] }],
  ] as [string, Action][])(
    'on %s is echoed unchanged to everybody with its origin: %j (A-31)',
    (target, action) => {
      const { rig, client, chat } = ready();
      const channel = target === 'chat' ? chat : target;
      const other = rig.client('other');
      other.subscribe(channel);
      const vendor: Action = { ...action, ...{ 'x-vendor': { kept: true } } };
      const echo = client.dispatch(channel, vendor);
      expect(echo).toMatchObject({ action: vendor, origin: { clientId: 'client', clientSeq: 1 } });
      expect(other.envelopes[0]).toBe(echo);
    },
  );

  it('echoes a client in the order it spoke, exactly once each (A-30, A-32)', () => {
    const { client, chat } = ready();
    for (let n = 0; n < 20; n++)
      client.dispatch(
        chat,
        n % 3 === 0 ? { type: 'chat/turnResume', turnId: 'x' } : { type: 'chat/draftChanged' },
      );
    const own = client.envelopes.flatMap(({ origin }) => (origin ? [origin.clientSeq] : []));
    expect(own).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  });

  it('a chat marked read stays so in the list of its session, and the session keeps its own mark (SE-23)', () => {
    const { client, chat } = ready();
    client.dispatch(chat, { type: 'chat/isReadChanged', isRead: true });
    expect(client.sessionState().chats[0]?.status).toBe(33);
    expect(client.sessionState().status).toBe(1);
    const summaries = client.notices.filter(({ method }) => method === 'root/sessionSummaryChanged');
    expect(summaries.at(-1)?.params).toMatchObject({ changes: { chats: [{ status: 33 }] } });
  });
});

describe('chat/turnStarted from a client', () => {
  const start = (turnId: string, more = {}) =>
    ({
      type: 'chat/turnStarted',
      turnId,
      startedAt: '2026-01-01T00:00:00.000Z',
      message: userMessage('hi'),
      ...more,
    }) as const;

  it('refuses a start far ahead of the clock, which would keep the session above all others', () => {
    const { rig, client, chat } = ready();
    const at = (ms: number) => ({ startedAt: new Date(rig.clock.now() + ms).toISOString() });
    expect(client.dispatch(chat, start('far', at(86_400_001)))?.rejectionReason).toMatch(/a day ahead/);
    expect(rig.agent().calls).toEqual([]);
    expect(client.dispatch(chat, start('near', at(86_400_000)))?.rejectionReason).toBeUndefined();
  });

  it('starts a turn under the id of the client and prompts the agent', () => {
    const { rig, client, chat } = ready();
    expect(client.dispatch(chat, start('mine'))?.rejectionReason).toBeUndefined();
    expect(rig.agent().calls).toEqual([['prompt', 'mine', 'hi']]);
  });

  it.each([
    ['while a turn runs (HOST-CHECKLIST 24.28)', start('second'), /already in progress/],
    ['under a used id (C-10)', start('first'), /already in progress|already used/],
    [
      'with words of somebody else (C-9)',
      start('x', { message: { text: 'hi', origin: { kind: 'agent' } } }),
      /in progress|of a user/,
    ],
  ])('is refused %s', (_name, action, reason) => {
    const { client, chat } = ready();
    client.dispatch(chat, start('first'));
    expect(client.dispatch(chat, action)?.rejectionReason).toMatch(reason);
  });

  it('is refused when idle for a used id, foreign words, and nothing to say', () => {
    const { rig, client, chat } = ready();
    client.dispatch(chat, start('first'));
    rig.agent().endTurn();
    expect(client.dispatch(chat, start('first'))?.rejectionReason).toMatch(/already used/);
    const agent = { text: 'hi', origin: { kind: 'agent' } };
    expect(client.dispatch(chat, start('x', { message: agent }))?.rejectionReason).toMatch(/of a user/);
    expect(client.dispatch(chat, start('x', { message: userMessage(' \n') }))?.rejectionReason).toMatch(
      /needs text/,
    );
  });

  it('is refused before the session is ready', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    expect(client.dispatch(chat, start('x'))?.rejectionReason).toMatch(/queue the message/);
  });
});

describe('a message', () => {
  it.each([
    ['blank', userMessage('  '), /needs text or an attachment/],
    ['of an agent (C-9)', { text: 'x', origin: { kind: 'agent' } }, /of a user/],
    [
      'with an attachment nobody can pass on',
      { ...userMessage('x'), attachments: [{ type: 'simple', label: 'l' }] },
      /type simple/,
    ],
  ])('that is %s is refused with a reason', (_name, message, reason) => {
    const { client, chat } = ready();
    const action = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm', message } as Action;
    expect(client.dispatch(chat, action)?.rejectionReason).toMatch(reason);
  });
});

describe('chat/truncated', () => {
  it('is refused where the agent keeps its own history', () => {
    const { client, chat } = ready();
    expect(client.dispatch(chat, { type: 'chat/truncated' })?.rejectionReason).toMatch(
      /keeps its own history/,
    );
  });

  it('cuts turns, stops a running one, and knows no unknown turn (C-13, C-31)', () => {
    const { rig, client, chat } = ready(true);
    for (const text of ['a', 'b', 'c']) {
      client.queue(chat, text);
      rig.agent().endTurn();
    }
    client.queue(chat, 'd');
    const [first] = client.chat(chat).turns;
    expect(client.dispatch(chat, { type: 'chat/truncated', turnId: 'x' })?.rejectionReason).toMatch(
      /no turn x/,
    );
    client.dispatch(chat, { type: 'chat/truncated', turnId: first?.id ?? '' });
    expect(client.chat(chat).turns).toEqual([first]);
    expect(client.chat(chat).activeTurn).toBeUndefined();
    expect(rig.agent().calls.at(-1)?.[0]).toBe('cancel');
  });
});
