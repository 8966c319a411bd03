// A launcher's life on a connection that offers exactly one version: every frame that reaches it, compared whole with
// what was written down by hand. Ids and times are given names in order of appearance.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/app/service.ts';
import { scriptedAgent } from '../cli/support/scripted-agent.ts';
import { type Client, connectTo, type Message } from '../server/support/wire.ts';

const ROOT = 'ahp-root://';
const SESSION = 'ahp-session:/<1>';
const CHAT = 'ahp-chat:/<2>';
const AVAILABLE = [
  { id: 'default', name: 'Manual', description: 'Asks first' },
  { id: 'plan', name: 'Plan', description: null },
];
const MODES = { currentModeId: 'default', availableModes: [AVAILABLE[0], { id: 'plan', name: 'Plan' }] };
const MESSAGE = { text: 'hi there', origin: { kind: 'user' }, _meta: { 'x-vendor': 1 } };

/** Frames with ids and times as names, and without the numbers that only count up. */
function naming() {
  const ids = new Map<string, string>();
  const named = (id: string) => {
    if (!ids.has(id)) ids.set(id, `<${ids.size + 1}>`);
    return ids.get(id) ?? '';
  };
  return (frames: unknown) =>
    JSON.parse(
      JSON.stringify(frames)
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, named)
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
        .replace(/"(duration|serverSeq|fromSeq)":\d+/g, '"$1":0'),
    );
}

const action = (channel: string, what: object, more: object = {}) => ({
  jsonrpc: '2.0',
  method: 'action',
  params: { channel, action: what, serverSeq: 0, ...more },
});
const notice = (method: string, more: object) => ({
  jsonrpc: '2.0',
  method,
  params: { channel: ROOT, ...more },
});
const answer = (id: number, result: unknown) => ({ jsonrpc: '2.0', id: `r${id}`, result });
const summaryChanged = (changes: object) =>
  notice('root/sessionSummaryChanged', { session: SESSION, changes });
const echoed = (clientSeq: number) => ({ origin: { clientId: 'otto-launcher', clientSeq } });

const chatEntry = (status: number, more: object = {}) => ({
  resource: CHAT,
  title: '',
  status,
  modifiedAt: '<time>',
  origin: { kind: 'user' },
  ...more,
});
const compact = (status: number) => [{ resource: CHAT, title: '', origin: { kind: 'user' }, status }];
const modesMeta = (current: string) => ({ otto: { modes: { current, available: AVAILABLE } } });

it.each(['0.9.0', '1.0.0'])(
  'a launcher that offers exactly %s (R-025, R-036, facts 4.11)',
  async (version) => {
    const folder = mkdtempSync(join(tmpdir(), 'otto-launcher-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const gate = (name: string) => join(folder, name);
    const service = await startService({
      env: { HOME: folder, XDG_RUNTIME_DIR: folder },
      backend: () =>
        scriptedAgent({
          start: [`wait ${gate('start')}`],
          session: { modes: MODES },
          prompts: [['think Hm', 'say Hello', `wait ${gate('never')}`, 'stop cancelled']],
        }),
      write: () => {},
    });
    onTestFinished(() => service.stop());
    const folderUri = `file://${folder}`;
    const tidy = naming();
    const session = `ahp-session:/${randomUUID()}`;
    let client: Client = await connectTo(service.address);
    let read = 0;
    /** Every frame up to the one that `done` picks, as soon as that one is there. */
    const upTo = async (done: (message: Message) => boolean): Promise<unknown[]> => {
      while (!client.received.slice(read).some(done)) await once(client.socket, 'message');
      const end = read + client.received.slice(read).findIndex(done) + 1;
      const frames = client.received.slice(read, end);
      read = end;
      return tidy(frames);
    };
    const answered = (frame: Message) => 'result' in frame || 'error' in frame;
    const acted = (type: string) => (frame: Message) =>
      JSON.stringify(frame.params?.['action'])?.startsWith(`{"type":"${type}"`) ?? false;
    const call = async (method: string, params: object) => {
      void client.request(method, params);
      return await upTo(answered);
    };
    const dispatch = (channel: string, clientSeq: number, what: object) =>
      client.send({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel, clientSeq, action: what } });

    // Ask something.
    void client.initialize({ clientId: 'otto-launcher', protocolVersions: [version] });
    expect(await upTo(answered)).toEqual([
      answer(1, {
        protocolVersion: version,
        serverSeq: 0,
        snapshots: [],
        serverInfo: { name: 'otto-agents', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
        defaultDirectory: folderUri,
      }),
    ]);
    const agents = [{ provider: 'scripted', displayName: 'Scripted', description: '', models: [] }];
    expect(await call('subscribe', { channel: ROOT })).toEqual([
      answer(2, { snapshot: { resource: ROOT, state: { agents, activeSessions: 0 }, fromSeq: 0 } }),
    ]);
    expect(
      await call('createSession', {
        channel: session,
        provider: 'scripted',
        workingDirectories: [folderUri],
      }),
    ).toEqual([
      action(ROOT, { type: 'root/activeSessionsChanged', activeSessions: 1 }),
      notice('root/sessionAdded', {
        summary: {
          resource: SESSION,
          provider: 'scripted',
          title: '',
          status: 1,
          workingDirectories: [folderUri],
          createdAt: '<time>',
          modifiedAt: '<time>',
          chats: compact(1),
          defaultChat: CHAT,
        },
      }),
      answer(3, null),
    ]);
    const activity = 'Starting Scripted…';
    const state = {
      provider: 'scripted',
      title: '',
      status: 1,
      workingDirectories: [folderUri],
      lifecycle: 'creating',
      activeClients: [],
      chats: [chatEntry(1, { activity })],
      defaultChat: CHAT,
      activity,
    };
    expect(await call('subscribe', { channel: session })).toEqual([
      answer(4, { snapshot: { resource: SESSION, state, fromSeq: 0 } }),
    ]);
    const opened = client.received.at(-1)?.result as
      | { snapshot?: { state: { defaultChat: string } } }
      | undefined;
    const chat = opened?.snapshot?.state.defaultChat ?? '';
    expect(await call('subscribe', { channel: chat })).toEqual([
      answer(5, {
        snapshot: { resource: CHAT, state: { ...chatEntry(1, { activity }), turns: [] }, fromSeq: 0 },
      }),
    ]);
    const queued = { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm1', message: MESSAGE };
    dispatch(chat, 1, queued);
    expect(await upTo(acted('chat/pendingMessageSet'))).toEqual([action(CHAT, queued, echoed(1))]);

    // The agent comes up: what waited is started, and the answer streams.
    writeFileSync(gate('start'), '');
    const turnStarted = {
      type: 'chat/turnStarted',
      turnId: '<3>',
      startedAt: '<time>',
      message: MESSAGE,
      queuedMessageId: 'm1',
    };
    const part = (kind: string, at: number, content: string) =>
      action(CHAT, { type: 'chat/responsePart', turnId: '<3>', part: { kind, id: `<3>:${at}`, content } });
    expect(await upTo((frame) => JSON.stringify(frame).includes('Hello'))).toEqual([
      action(SESSION, { type: 'session/metaChanged', _meta: modesMeta('default') }),
      summaryChanged({ activity, _meta: modesMeta('default') }),
      action(CHAT, { type: 'chat/activityChanged' }),
      action(SESSION, { type: 'session/ready' }),
      action(CHAT, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'm1' }),
      action(CHAT, turnStarted),
      action(SESSION, { type: 'session/titleChanged', title: 'hi there' }),
      action(SESSION, { type: 'session/chatAdded', summary: chatEntry(8) }),
      action(SESSION, { type: 'session/activityChanged' }),
      summaryChanged({ title: 'hi there', status: 8, modifiedAt: '<time>', activity: '', chats: compact(8) }),
      part('reasoning', 0, 'Hm'),
      part('markdown', 1, 'Hello'),
    ]);

    const startedTurn = client.received.find(acted('chat/turnStarted'))?.params?.['action'] as {
      turnId: string;
    };

    // Leave at any moment, and find everything again.
    client.socket.close();
    await client.closed;
    client = await connectTo(service.address);
    read = 0;
    await client.initialize({
      clientId: 'otto-launcher',
      protocolVersions: [version],
      initialSubscriptions: [ROOT, session, chat],
    });
    const activeTurn = {
      id: '<3>',
      startedAt: '<time>',
      message: MESSAGE,
      responseParts: [
        { kind: 'reasoning', id: '<3>:0', content: 'Hm' },
        { kind: 'markdown', id: '<3>:1', content: 'Hello' },
      ],
    };
    const [back] = (await upTo(answered)) as {
      result: { snapshots: { resource: string; state: object }[] };
    }[];
    expect(back?.result.snapshots.map(({ resource }) => resource)).toEqual([ROOT, SESSION, CHAT]);
    expect(back?.result.snapshots[2]?.state).toEqual({ ...chatEntry(8), turns: [], activeTurn });

    // Cancel. The duration is the client's own word, and the time of the chat is counted from it (SHAPES 6.9).
    const cancel = (turnId: string) => ({ type: 'chat/turnCancelled', turnId, duration: 0 });
    dispatch(chat, 2, cancel(startedTurn.turnId));
    const stopping = { activity: 'Stopping…' };
    expect(await upTo((frame) => JSON.stringify(frame).includes('"activity":""'))).toEqual([
      action(CHAT, cancel('<3>'), echoed(2)),
      action(CHAT, { type: 'chat/activityChanged', ...stopping }),
      action(SESSION, {
        type: 'session/chatUpdated',
        chat: CHAT,
        changes: { status: 1, ...stopping },
      }),
      action(SESSION, { type: 'session/activityChanged', ...stopping }),
      summaryChanged({ status: 1, ...stopping, chats: compact(1) }),
      action(CHAT, { type: 'chat/activityChanged' }),
      action(SESSION, { type: 'session/chatAdded', summary: chatEntry(1) }),
      action(SESSION, { type: 'session/activityChanged' }),
      summaryChanged({ activity: '' }),
    ]);
    dispatch(chat, 3, cancel(startedTurn.turnId));
    expect(await upTo(acted('chat/turnCancelled'))).toEqual([
      action(CHAT, cancel('<3>'), { ...echoed(3), rejectionReason: 'there is no active turn <3>' }),
    ]);

    // Another mode, under the plain name; the answer does not wait for the agent.
    expect(await call('setMode', { session, modeId: 'plan' })).toEqual([answer(2, null)]);
    expect(await upTo((frame) => frame.method === 'root/sessionSummaryChanged')).toEqual([
      action(SESSION, { type: 'session/metaChanged', _meta: modesMeta('plan') }),
      summaryChanged({ _meta: modesMeta('plan') }),
    ]);
    expect(await call('setMode', { session, modeId: 'bypass' })).toMatchObject([
      { id: 'r3', error: { code: -32602 } },
    ]);
    expect(await call('setMode', { session: 'ahp-session:/nowhere', modeId: 'plan' })).toMatchObject([
      { error: { code: -32001 } },
    ]);

    // Hand over to a terminal; what is queued meanwhile waits, and goes away with the session.
    expect(await call('releaseSession', { channel: session })).toEqual([answer(5, null)]);
    expect(await call('disposeSession', { channel: session })).toEqual([
      action(ROOT, { type: 'root/activeSessionsChanged', activeSessions: 0 }),
      notice('root/sessionRemoved', { session: SESSION }),
      answer(6, null),
    ]);
    expect(await call('listSessions', { channel: ROOT })).toEqual([answer(7, { items: [] })]);
    expect(await call('disposeSession', { channel: session })).toMatchObject([{ error: { code: -32001 } }]);
  },
);
