import { describe, expect, it } from 'vitest';
import {
  INVALID_PARAMS,
  NOT_FOUND,
  PROVIDER_NOT_FOUND,
  SESSION_ALREADY_EXISTS,
  SESSION_NOT_FOUND,
} from '../../src/protocol/errors.ts';
import { ROOT_URI, type RootState } from '../../src/protocol/state-root.ts';
import { createRig, FOLDER, SESSION, userMessage } from '../support/host-rig.ts';

const code = (expected: number) => expect.objectContaining({ code: expected });

describe('createSession', () => {
  it('announces the session, its chat and the agent in one order (facts 4.6, SE-4, SE-6)', () => {
    const rig = createRig();
    const client = rig.client();
    client.subscribe(ROOT_URI);
    rig.host.createSession(client, { channel: SESSION, provider: 'fake', workingDirectories: [FOLDER] });
    expect(client.seen()).toEqual(['root/activeSessionsChanged']);
    expect(client.notices[0]).toEqual({
      method: 'root/sessionAdded',
      params: {
        channel: ROOT_URI,
        summary: {
          resource: SESSION,
          provider: 'fake',
          title: '',
          status: 1,
          workingDirectories: [FOLDER],
          createdAt: '2026-01-02T03:04:05.000Z',
          modifiedAt: '2026-01-02T03:04:05.000Z',
          chats: [{ resource: 'ahp-chat:/id1', title: '', origin: { kind: 'user' }, status: 1 }],
          defaultChat: 'ahp-chat:/id1',
        },
      },
    });
    expect(rig.agent().spec).toEqual({ provider: 'fake', cwd: '/folder' });
    client.subscribe(SESSION);
    expect(client.sessionState()).toMatchObject({
      lifecycle: 'creating',
      activeClients: [],
      defaultChat: 'ahp-chat:/id1',
    });
  });

  it.each([
    ['twice', {}, SESSION_ALREADY_EXISTS],
    ['with an unknown agent', { channel: 'ahp-session:/b', provider: 'nobody' }, PROVIDER_NOT_FOUND],
    ['with another URI scheme', { channel: 'session:/b' }, INVALID_PARAMS],
    ['with an empty id', { channel: 'ahp-session:/' }, INVALID_PARAMS],
    ['with a space in its id', { channel: 'ahp-session:/a b' }, INVALID_PARAMS],
    ['with an invisible character in its id', { channel: 'ahp-session:/a\u202e' }, INVALID_PARAMS],
    ['with an endless id', { channel: `ahp-session:/${'a'.repeat(257)}` }, INVALID_PARAMS],
    ['without a folder', { channel: 'ahp-session:/b', workingDirectories: [] }, INVALID_PARAMS],
    ['with two folders', { channel: 'ahp-session:/b', workingDirectories: [FOLDER, FOLDER] }, INVALID_PARAMS],
    [
      'with a relative folder',
      { channel: 'ahp-session:/b', workingDirectories: ['file://work'] },
      INVALID_PARAMS,
    ],
    ['with a plain path', { channel: 'ahp-session:/b', workingDirectories: ['/folder'] }, INVALID_PARAMS],
    [
      'with a broken escape',
      { channel: 'ahp-session:/b', workingDirectories: ['file:///%zz'] },
      INVALID_PARAMS,
    ],
    [
      'with a folder that is not there',
      { channel: 'ahp-session:/b', workingDirectories: ['file:///gone'] },
      INVALID_PARAMS,
    ],
    [
      'for another client',
      { channel: 'ahp-session:/b', activeClient: { clientId: 'x', tools: [] } },
      INVALID_PARAMS,
    ],
  ])(
    '%s is refused with its code and changes nothing (R-033, R-034, HOST-CHECKLIST 24.34)',
    (_name, more, expected) => {
      const rig = createRig();
      const { client } = rig.session();
      const before = rig.host.serverSeq;
      expect(() =>
        rig.host.createSession(client, { channel: SESSION, workingDirectories: [FOLDER], ...more }),
      ).toThrow(code(expected));
      expect(rig.host.serverSeq).toBe(before);
      expect(rig.agents).toHaveLength(1);
    },
  );

  it('says which agents there are when there is none of that name', () => {
    const rig = createRig({ agents: [] });
    expect(() =>
      rig.host.createSession(rig.client(), { channel: SESSION, workingDirectories: [FOLDER] }),
    ).toThrow(/there are: none/);
  });

  it('decodes the folder and keeps the app and subject that the client gave', () => {
    const rig = createRig();
    const client = rig.client();
    const _meta = { otto: { app: 'otto-preview', subject: ['file:///a'], problem: 'mine' }, other: 1 };
    rig.host.createSession(client, { channel: SESSION, workingDirectories: ['file:///a%20b/%C3%A9'], _meta });
    expect(rig.agent().spec.cwd).toBe('/a b/é');
    client.subscribe(SESSION);
    expect(client.sessionState()._meta).toEqual({ otto: { app: 'otto-preview', subject: ['file:///a'] } });
  });
});

describe('subscribing', () => {
  it.each([
    ['ahp-session:/nowhere', SESSION_NOT_FOUND],
    ['ahp-chat:/nowhere', NOT_FOUND],
    ['ahp-root://other', NOT_FOUND],
    ['https://example.test', INVALID_PARAMS],
  ])('to %s has its error (S-10, HOST-CHECKLIST 24.13)', (channel, expected) => {
    const rig = createRig();
    expect(() => rig.host.subscribe(rig.client(), { channel })).toThrow(code(expected));
  });

  it('delivers only what is subscribed, and nothing more after unsubscribe (S-3, HOST-CHECKLIST 24.15)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    const other = rig.client('other');
    client.dispatch(chat, { type: 'chat/draftChanged', draft: userMessage('a') });
    expect(other.envelopes).toEqual([]);
    rig.host.unsubscribe(client, chat);
    rig.host.unsubscribe(client, 'ahp-chat:/nowhere');
    client.seen();
    client.dispatch(chat, { type: 'chat/draftChanged', draft: userMessage('b') });
    expect(client.seen()).toEqual([]);
  });

  it('twice is harmless: a fresh snapshot, and every envelope once', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.subscribe(chat);
    client.seen();
    client.dispatch(chat, { type: 'chat/draftChanged', draft: userMessage('a') });
    expect(client.seen()).toEqual(['chat/draftChanged']);
  });

  it('in the handshake leaves out what is not there (L-5)', () => {
    const rig = createRig();
    rig.session();
    const snapshots = rig.host.subscribeInitially(rig.client('x'), [SESSION, 'ahp-session:/gone', ROOT_URI]);
    expect(snapshots.map(({ resource }) => resource)).toEqual([SESSION, ROOT_URI]);
  });

  it('during a stream misses nothing and sees nothing twice (R-021, S-2)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    for (const text of ['a', 'b', 'c']) rig.agent().text(text);
    const late = rig.client('late');
    const { fromSeq } = late.subscribe(chat);
    for (const text of ['d', 'e']) rig.agent().text(text);
    rig.agent().endTurn();
    expect(late.envelopes.every(({ serverSeq }) => serverSeq > fromSeq)).toBe(true);
    expect(late.chat(chat)).toEqual(client.chat(chat));
    expect(JSON.stringify(late.chat(chat))).toContain('abcde');
  });
});

describe('a turn', () => {
  it('goes on when every window closes (R-022)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.queue(chat, 'go');
    rig.host.detach(client);
    rig.agent().started();
    rig.agent().text('answer');
    rig.agent().endTurn();
    const later = rig.client('later');
    later.subscribe(chat);
    expect(later.chat(chat).turns).toMatchObject([
      { state: 'complete', responseParts: [{ content: 'answer' }] },
    ]);
  });

  it('shows in the state of the chat what it is doing (R-028)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    const doing = () => {
      const { activity, activeTurn, queuedMessages } = client.chat(chat);
      return [activity, activeTurn?.responseParts.at(-1)?.kind, queuedMessages?.length];
    };
    client.queue(chat, 'go');
    expect([client.sessionState().lifecycle, ...doing()]).toEqual([
      'creating',
      'Starting Fake…',
      undefined,
      1,
    ]);
    rig.agent().report({ type: 'starting', activity: 'downloading\n 3 of 9' });
    expect(doing()[0]).toBe('Starting Fake: downloading 3 of 9');
    rig.agent().started();
    expect([client.sessionState().lifecycle, ...doing()]).toEqual(['ready', undefined, undefined, undefined]);
    rig.agent().report({ type: 'text', to: 'thought', text: 'hm' });
    expect(doing()[1]).toBe('reasoning');
    rig
      .agent()
      .report({ type: 'tool', id: 'x', patch: { title: 'Read a.txt', kind: 'read', status: 'running' } });
    rig.clock.advance(16);
    expect(doing().slice(0, 2)).toEqual(['Read a.txt', 'toolCall']);
    expect(client.sessionState().activity).toBe('Read a.txt');
    rig.agent().report({ type: 'tool', id: 'x', patch: { status: 'completed' } });
    rig.agent().text('so');
    expect(doing().slice(0, 2)).toEqual([undefined, 'markdown']);
    expect(client.sessionState().activity).toBeUndefined();
  });
});

describe('modes', () => {
  const available = ['default', 'plan'].map((id) => ({ id, name: id, description: null }));

  function withModes() {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().report({ type: 'modes', current: 'default', available });
    rig.agent().started();
    const modes = () => (client.sessionState()._meta?.['otto'] as { modes?: object } | undefined)?.modes;
    return { rig, client, chat, modes };
  }

  it('are published, and moved by what the agent accepts (R-035, F-118)', () => {
    const { rig, modes } = withModes();
    rig.host.setMode({ channel: SESSION, modeId: 'plan' });
    expect(rig.agent().calls).toEqual([['setMode', 'plan']]);
    expect(modes()).toEqual({ current: 'default', available });
    rig.agent().modeReply();
    expect(modes()).toEqual({ current: 'plan', available });
    rig.agent().report({ type: 'modes', current: 'default' });
    expect(modes()).toEqual({ current: 'default', available });
  });

  it('that the agent refuses are withdrawn, and it is said why (R-052)', () => {
    const { rig, client, modes } = withModes();
    rig.host.setMode({ channel: SESSION, modeId: 'plan' });
    rig.agent().modeReply('not on this model');
    expect(modes()).toEqual({ current: 'default', available: available.slice(0, 1) });
    expect(client.sessionState()._meta).toMatchObject({
      otto: { problem: { text: 'The mode plan was refused: not on this model' } },
    });
  });

  it('are set when the agent is up again (R-035)', () => {
    const { rig } = withModes();
    rig.agent().stopped('gone');
    rig.clock.advance(10_000);
    rig.host.setMode({ channel: SESSION, modeId: 'plan' });
    expect(rig.agents).toHaveLength(2);
    rig.agent().started();
    expect(rig.agent().calls).toEqual([['setMode', 'plan']]);
  });

  it('have errors for an unknown mode, an unknown session and an agent without modes', () => {
    const { rig } = withModes();
    expect(() => rig.host.setMode({ channel: SESSION, modeId: 'x' })).toThrow(code(INVALID_PARAMS));
    expect(() => rig.host.setMode({ channel: 'ahp-session:/x', modeId: 'x' })).toThrow(
      code(SESSION_NOT_FOUND),
    );
    const plain = createRig();
    plain.session();
    expect(() => plain.host.setMode({ channel: SESSION, modeId: 'plan' })).toThrow(/there are: none/);
  });

  it('reach clients that only list sessions (R-039)', () => {
    const { client } = withModes();
    const last = client.notices.findLast(({ params }) => JSON.stringify(params).includes('modes'));
    expect(last).toMatchObject({ method: 'root/sessionSummaryChanged', params: { session: SESSION } });
  });
});

describe('disposeSession', () => {
  it('during a turn stops the agent and tells everybody once (R-032, HOST-CHECKLIST 24.36)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.host.disposeSession(SESSION);
    expect(rig.agent().calls.map(([name]) => name)).toEqual(['prompt', 'cancel', 'stop']);
    expect(client.notices.at(-1)).toEqual({
      method: 'root/sessionRemoved',
      params: { channel: ROOT_URI, session: SESSION },
    });
    expect((client.states.get(ROOT_URI) as RootState).activeSessions).toBe(0);
    client.seen();
    rig.agent().text('late');
    rig.agent().endTurn('cancelled');
    rig.agent().stopped();
    rig.clock.advance(60_000);
    expect(client.seen()).toEqual([]);
    expect(rig.clock.pending()).toBe(0);
    for (const call of ['disposeSession', 'releaseSession', 'retry'] as const) {
      expect(() => rig.host[call](SESSION)).toThrow(code(SESSION_NOT_FOUND));
    }
  });

  it('of a session that could not be created works (HOST-CHECKLIST 24.35)', () => {
    const rig = createRig();
    const { client } = rig.session();
    rig.agent().stopped('no such command');
    expect(rig.host.listSessions({ channel: ROOT_URI }).items).toHaveLength(1);
    rig.host.disposeSession(SESSION);
    expect(client.notices.at(-1)?.method).toBe('root/sessionRemoved');
  });
});

it('leaves nothing waiting once it is stopped', () => {
  const rig = createRig({ permissions: 'ask', dialog: { kind: 'unavailable' } });
  const { client, chat } = rig.session();
  rig.agent().started();
  client.dispatch(SESSION, {
    type: 'session/activeClientSet',
    activeClient: { clientId: 'client', tools: [] },
  });
  client.queue(chat, 'go');
  rig.agent().text('hello');
  rig.agent().report({ type: 'tool', id: 'x', patch: { title: 'Read' } });
  rig.host.detach(client);
  expect(rig.clock.pending()).toBeGreaterThan(0);
  rig.host.stop();
  expect(rig.clock.pending()).toBe(0);
});

it('a fault in handling an event costs that event only', () => {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  rig.agent().report({ type: 'tool', id: 'x', patch: undefined } as never);
  client.queue(chat, 'go');
  expect(rig.agent().calls).toHaveLength(1);
  expect(rig.logged.some((line) => line.startsWith('error'))).toBe(true);
});
