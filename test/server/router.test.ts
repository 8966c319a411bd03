import { expect, test } from 'vitest';
import { Host } from '../../src/host/host.ts';
import type { Subscriber } from '../../src/host/subscriptions.ts';
import { type Client, ROOT, startWire } from './support/wire.ts';

const SESSION = 'ahp-session:/s';

async function clientWithSession(more: Record<string, unknown> = {}): Promise<Client> {
  const client = await (await startWire()).connect();
  await client.initialize(more);
  await client.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  return client;
}

test('J-6 commands that return nothing answer null, fetchTurns an empty object', async () => {
  const client = await clientWithSession();
  const { result } = await client.request('subscribe', { channel: SESSION });
  const chat = (result as { snapshot: { state: { defaultChat: string } } }).snapshot.state.defaultChat;
  await client.request('subscribe', { channel: chat });
  expect(await client.request('fetchTurns', { channel: chat })).toMatchObject({ result: {} });
  const again = { channel: SESSION, workingDirectories: ['file:///folder'] };
  expect(await client.request('createSession', again)).toMatchObject({ error: { code: -32003 } });
  expect(await client.request('x-otto/retry', { channel: SESSION })).toMatchObject({ result: null });
  expect(await client.request('disposeSession', { channel: SESSION })).toMatchObject({ result: null });
  expect(await client.request('disposeSession', { channel: SESSION })).toMatchObject({
    error: { code: -32001 },
  });
});

test('R-036 releaseSession answers under both its names', async () => {
  const client = await clientWithSession({ protocolVersions: ['0.9.0'] });
  for (const method of ['releaseSession', 'x-otto/releaseSession']) {
    expect(await client.request(method, { channel: SESSION })).toMatchObject({ result: null });
    expect(await client.request(method, { channel: 'ahp-session:/no' })).toMatchObject({
      error: { code: -32001 },
    });
    expect(await client.request(method, {})).toMatchObject({ error: { code: -32602 } });
  }
});

test('R-035 setMode takes a session, x-otto/setMode a channel, and each refuses the other form', async () => {
  const client = await clientWithSession({ protocolVersions: ['0.9.0'] });
  const unknownMode = {
    error: { code: -32602, message: expect.stringContaining('is not a mode of this session') },
  };
  const misshapen = { error: { code: -32602, message: expect.stringMatching(/^params\./) } };
  expect(await client.request('setMode', { session: SESSION, modeId: 'm' })).toMatchObject(unknownMode);
  expect(await client.request('x-otto/setMode', { channel: SESSION, modeId: 'm' })).toMatchObject(
    unknownMode,
  );
  expect(await client.request('setMode', { channel: SESSION, modeId: 'm' })).toMatchObject(misshapen);
  expect(await client.request('x-otto/setMode', { session: SESSION, modeId: 'm' })).toMatchObject(misshapen);
  expect(await client.request('setMode', { session: SESSION })).toMatchObject(misshapen);
  expect(await client.request('setMode', null)).toMatchObject({ error: { code: -32602 } });
  expect(await client.request('setMode', { session: 'ahp-session:/no', modeId: 'm' })).toMatchObject({
    error: { code: -32001 },
  });
});

test('C-14 a text that the state refers to is read as text or as base64, and nothing else is served', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  await client.initialize();
  wire.host.resourceRead = (uri) => {
    if (uri === 'x-otto-content:/1') return { text: 'ünï', contentType: 'text/plain' };
    return Host.prototype.resourceRead.call(wire.host, uri);
  };
  const read = (uri: unknown, more = {}) => client.request('resourceRead', { channel: ROOT, uri, ...more });
  expect(await read('x-otto-content:/1')).toMatchObject({
    result: { data: 'ünï', encoding: 'utf-8', contentType: 'text/plain' },
  });
  expect(await read('x-otto-content:/1', { encoding: 'base64' })).toMatchObject({
    result: { data: 'w7xuw68=', encoding: 'base64', contentType: 'text/plain' },
  });
  for (const uri of ['x-otto-content:/2', 'file:///etc/hostname', ''])
    expect(await read(uri)).toMatchObject({ error: { code: -32008 } });
  expect(await read(7)).toMatchObject({ error: { code: -32602 } });
  expect(await read('x-otto-content:/1', { encoding: 'utf8' })).toMatchObject({ error: { code: -32602 } });
});

const dispatch = (client: Client, clientSeq: unknown, action: unknown, channel: unknown = SESSION) =>
  client.send({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel, clientSeq, action } });

test('A-20 an action that does not fit is echoed to its sender alone, as sent, with the reason', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  await client.initialize();
  await client.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  const other = await wire.connect();
  await other.initialize({ clientId: 'other', initialSubscriptions: [SESSION] });
  const actions = [
    { type: 'session/titleChanged', title: 7, extra: 'kept' },
    { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x' },
    { type: 'session/noSuchThing' },
  ];
  for (const [index, action] of actions.entries()) {
    dispatch(client, index, action);
    expect(await client.next()).toMatchObject({
      method: 'action',
      params: {
        channel: SESSION,
        action,
        origin: { clientId: 'c1', clientSeq: index },
        rejectionReason: expect.stringMatching(/\w/),
      },
    });
  }
  await other.request('ping');
  expect(other.received).toHaveLength(2);
});

test('A-21 what names no channel, number or type, and what is for no channel, is met with silence', async () => {
  const client = await clientWithSession();
  const fits = { type: 'session/titleChanged', title: 'x' };
  dispatch(client, 1, fits, undefined);
  dispatch(client, 1, fits, 5);
  dispatch(client, 'one', fits);
  dispatch(client, 1, 'session/titleChanged');
  dispatch(client, 1, { type: 5 });
  dispatch(client, 1, fits, 'ahp-session:/unknown');
  dispatch(client, 1, { type: 'session/titleChanged', title: 7 }, 'ahp-session:/unknown');
  const before = client.received.length;
  await client.request('ping');
  expect(client.received).toHaveLength(before + 1);
});

test('VE-9 an action newer than the negotiated version is refused, and the same one is taken on 1.0.0', async () => {
  const action = { type: 'chat/isReadChanged', isRead: true };
  for (const [version, refused] of [
    ['0.9.0', true],
    ['1.0.0', false],
  ] as const) {
    const client = await clientWithSession({ protocolVersions: [version] });
    const { result } = await client.request('subscribe', { channel: SESSION });
    const chat = (result as { snapshot: { state: { defaultChat: string } } }).snapshot.state.defaultChat;
    await client.request('subscribe', { channel: chat });
    const echo = client.request('ping');
    dispatch(client, 1, action, chat);
    await echo;
    await client.request('ping');
    const own = client.received.find(({ params }) => params?.['origin'] !== undefined);
    expect(own?.params).toMatchObject({ action, origin: { clientSeq: 1 } });
    expect(own?.params?.['rejectionReason'] !== undefined).toBe(refused);
  }
});

test('A-31 unknown fields of an action reach the other clients', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  await client.initialize();
  await client.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  const other = await wire.connect();
  await other.initialize({ clientId: 'other', initialSubscriptions: [SESSION] });
  const action = { type: 'session/titleChanged', title: 'T', 'x-new': { deep: [null] } };
  dispatch(client, 4, action);
  expect(await other.next()).toMatchObject({ params: { action } });
});

test('S-2 L-22 what an opened channel already holds comes before the answer, what is newer after it', async () => {
  const wire = await startWire();
  const { host } = wire;
  const client = await wire.connect();
  await client.initialize({ initialSubscriptions: [SESSION] });
  await client.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  await client.request('subscribe', { channel: SESSION });
  const other: Subscriber = { clientId: 'other', deliver: () => {}, notify: () => {} };
  const rename = (title: string) =>
    host.dispatch(
      other,
      SESSION,
      { type: 'session/titleChanged', title },
      { clientId: 'other', clientSeq: 1 },
    );
  const subscribe = host.subscribe.bind(host);
  host.subscribe = (subscriber, params) => {
    rename('held already');
    const result = subscribe(subscriber, params);
    rename('newer');
    return result;
  };
  const told = ({ received }: Client, from: number) =>
    received
      .slice(from)
      .filter(({ id, params }) => id !== undefined || JSON.stringify(params).includes('titleChanged'))
      .map(({ params }) => (params?.['action'] as { title?: string } | undefined)?.title ?? 'answer');

  const before = client.received.length;
  await client.request('subscribe', { channel: SESSION });
  await client.request('ping');
  expect(told(client, before)).toEqual(['held already', 'answer', 'newer', 'answer']);

  const newcomer = await wire.connect();
  await newcomer.initialize({ clientId: 'new', initialSubscriptions: [SESSION] });
  await newcomer.request('ping');
  expect(told(newcomer, 0)).toEqual(['answer', 'newer', 'answer']);
});
