import { expect, test } from 'vitest';
import { MAX_MESSAGE_BYTES } from '../../src/server/listen.ts';
import { ROOT, startWire } from './support/wire.ts';

const rpc = (rest: Record<string, unknown>) => JSON.stringify({ jsonrpc: '2.0', ...rest });
const ping = { method: 'ping', params: { channel: ROOT } };

test.each([
  ['garbage', 'hello', null, -32700],
  ['truncated JSON', '{"jsonrpc":"2.0","id":1,', null, -32700],
  ['nothing', '', null, -32700],
  ['a batch', `[${rpc({ id: 1, ...ping })}]`, null, -32600],
  ['an empty batch', '[]', null, -32600],
  ['a number', '7', null, -32600],
  ['null', 'null', null, -32600],
  ['a string', '"ping"', null, -32600],
  ['a message without jsonrpc', '{"id":5,"method":"ping"}', 5, -32600],
  ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a', -32600],
  ['a message without a method', rpc({ id: 6 }), 6, -32600],
  ['a method that is no string', rpc({ id: 7, method: 8 }), 7, -32600],
  [
    'a request before initialize',
    rpc({ id: 8, method: 'listSessions', params: { channel: ROOT } }),
    8,
    -32600,
  ],
])('R-018 J-7 %s is answered with its code and ends nothing', async (_name, text, id, code) => {
  const client = await (await startWire()).connect();
  client.sendText(text);
  expect(await client.next()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
  expect(await client.request('ping')).toMatchObject({ result: null });
});

test('R-018 a binary frame is answered with -32600 and id null and ends nothing', async () => {
  const client = await (await startWire()).connect();
  client.socket.send(Buffer.from(rpc({ id: 1, ...ping })));
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await client.request('ping')).toMatchObject({ result: null });
});

test('F-017 ids come back as they were sent', async () => {
  const client = await (await startWire()).connect();
  const ids = ['a', '0', 0, -1, 9007199254740991, '', 1.5, null, true];
  for (const id of ids) client.send({ jsonrpc: '2.0', id, ...ping });
  const seen = [];
  for (const _id of ids) seen.push(await client.next());
  expect(seen).toEqual(ids.map((id) => ({ jsonrpc: '2.0', id, result: null })));
  client.sendText('{');
  expect(await client.next()).toMatchObject({ id: null, error: { code: -32700 } });
  expect(await client.initialize()).toMatchObject({ result: { protocolVersion: '1.0.0' } });
});

test('J-3 responses and unknown or misshapen notifications are met with silence', async () => {
  const client = await (await startWire()).connect();
  await client.initialize();
  client.send({ jsonrpc: '2.0', id: 1, result: {} });
  client.send({ jsonrpc: '2.0', id: 2, error: { code: 1, message: 'x' } });
  client.send({ jsonrpc: '2.0', method: 'nobodyKnows', params: { channel: ROOT } });
  client.send({ jsonrpc: '2.0', method: 'unsubscribe' });
  client.send({ jsonrpc: '2.0', method: 'unsubscribe', params: { channel: 'ahp-session:/never' } });
  client.send({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel: ROOT } });
  client.send({
    jsonrpc: '2.0',
    method: 'dispatchAction',
    params: { channel: ROOT, clientSeq: 1, action: {} },
  });
  await client.request('ping');
  expect(client.received).toHaveLength(2);
});

test('requests without params or with a wrong channel are -32602, unknown methods -32601', async () => {
  const client = await (await startWire()).connect();
  await client.initialize();
  client.send({ jsonrpc: '2.0', id: 1, method: 'listSessions' });
  expect(await client.next()).toMatchObject({ id: 1, error: { code: -32602 } });
  expect(await client.request('listSessions', {})).toMatchObject({ error: { code: -32602 } });
  expect(await client.request('subscribe', { channel: 7 })).toMatchObject({ error: { code: -32602 } });
  expect(await client.request('noSuchMethod')).toMatchObject({ error: { code: -32601 } });
  expect(await client.request('toString')).toMatchObject({ error: { code: -32601 } });
});

test('TR-6 ping is answered before, between and a thousand times in a row', async () => {
  const client = await (await startWire()).connect();
  client.sendText(rpc({ id: 1, method: 'ping' }));
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 1, result: null });
  await client.initialize();
  const answers = await Promise.all(Array.from({ length: 1000 }, () => client.request('ping')));
  expect(answers.every(({ result }) => result === null)).toBe(true);
});

test('R-040 initialize answers with version, number, snapshots of what is known, and who we are', async () => {
  const client = await (await startWire()).connect();
  const answer = await client.initialize({
    protocolVersions: ['99.0.0', '0.9.0', '1.4.0'],
    initialSubscriptions: [ROOT, 'ahp-session:/unknown', 'weird:thing'],
  });
  expect(answer.result).toEqual({
    protocolVersion: '1.4.0',
    serverSeq: 0,
    snapshots: [{ resource: ROOT, state: expect.objectContaining({ activeSessions: 0 }), fromSeq: 0 }],
    serverInfo: { name: 'otto-agents', version: '1.2.3' },
    defaultDirectory: 'file:///home/x',
  });
});

test.each([[[]], [['9.9.9']], [['0.5.1', '0.6.0']]])(
  'VE-5 offering only %j is -32005 with what is supported, then the connection ends',
  async (protocolVersions) => {
    const client = await (await startWire()).connect();
    expect(await client.initialize({ protocolVersions })).toMatchObject({
      error: { code: -32005, data: { supportedVersions: ['^1.0.0', '0.10.0', '^0.9.0'] } },
    });
    expect((await client.closed).code).toBe(1000);
  },
);

test.each([
  ['a version that is none', { protocolVersions: ['1.0.0', 'abc'] }],
  ['no clientId', { clientId: undefined }],
  ['a clientId that is no string', { clientId: 5 }],
])('initialize with %s is -32602 and may be tried again (F-115)', async (_name, more) => {
  const client = await (await startWire()).connect();
  expect(await client.initialize(more)).toMatchObject({ error: { code: -32602 } });
  expect(await client.initialize()).toMatchObject({ result: { protocolVersion: '1.0.0' } });
});

test('L-3 a second handshake on one connection is -32600 and changes nothing', async () => {
  const client = await (await startWire()).connect();
  await client.initialize();
  expect(await client.initialize({ clientId: 'c2' })).toMatchObject({ error: { code: -32600 } });
  const params = { channel: ROOT, clientId: 'c1', lastSeenServerSeq: 0, subscriptions: [] };
  expect(await client.request('reconnect', params)).toMatchObject({ error: { code: -32600 } });
  expect(await client.request('listSessions')).toMatchObject({ result: { items: [] } });
});

test('L-3 notifications before initialize are ignored', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  const action = { type: 'session/titleChanged', title: 'x' };
  client.send({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel: ROOT, clientSeq: 1, action } });
  await client.request('ping');
  expect(client.received).toHaveLength(1);
  expect(wire.host.serverSeq).toBe(0);
});

test('R-019 a message of 16 MiB is read, a larger one closes its sender alone with 1009', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  const other = await wire.connect();
  const empty = rpc({ id: 1, method: 'ping', params: { channel: ROOT, filler: '' } });
  const filler = 'x'.repeat(MAX_MESSAGE_BYTES - empty.length);
  client.sendText(rpc({ id: 1, method: 'ping', params: { channel: ROOT, filler } }));
  expect(await client.next()).toMatchObject({ id: 1, result: null });
  client.sendText(rpc({ id: 2, method: 'ping', params: { channel: ROOT, filler: `${filler}x` } }));
  expect((await client.closed).code).toBe(1009);
  expect(await other.request('ping')).toMatchObject({ result: null });
});

test('a message in fragments is read as one; invalid UTF-8 closes its sender alone', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  const other = await wire.connect();
  const text = rpc({ id: 'ü', ...ping });
  client.socket.send(text.slice(0, 9), { fin: false });
  client.socket.send(text.slice(9), { fin: true });
  expect(await client.next()).toMatchObject({ id: 'ü', result: null });
  client.socket.send(Buffer.from([0x7b, 0xff, 0xfe]), { binary: false });
  expect((await client.closed).code).toBe(1007);
  expect(await other.request('ping')).toMatchObject({ result: null });
});

test('frames that arrive joined are answered in order', async () => {
  const client = await (await startWire()).connect();
  for (let id = 0; id < 50; id++) client.send({ jsonrpc: '2.0', id, ...ping });
  const seen = [];
  for (let id = 0; id < 50; id++) seen.push((await client.next()).id);
  expect(seen).toEqual(Array.from({ length: 50 }, (_, id) => id));
});

test('a fault of ours is -32603 without a stack for the client and with one in the log', async () => {
  const wire = await startWire();
  wire.host.listSessions = () => {
    throw new TypeError('secret detail');
  };
  const client = await wire.connect();
  await client.initialize();
  const answer = await client.request('listSessions');
  expect(answer).toMatchObject({ error: { code: -32603 } });
  expect(JSON.stringify(answer)).not.toContain('secret detail');
  expect(wire.lines.join('\n')).toMatch(/error : listSessions: TypeError: secret detail\n\s+at /);
  expect(await client.request('ping')).toMatchObject({ result: null });
});

test('a client that answers no ping within a minute is cut, one that does stays', async () => {
  const wire = await startWire();
  const silent = await wire.connect();
  const alive = await wire.connect();
  await silent.initialize({ clientId: 'silent' });
  silent.socket.pause();
  for (let round = 0; round < 3; round++) {
    const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
    wire.clock.advance(30_000);
    if (round < 2) await pinged;
    // Its pong is behind the ping: an answer means that the pong was read too.
    await alive.request('ping');
  }
  silent.socket.resume();
  expect((await silent.closed).code).toBe(1006);
  expect(await alive.request('ping')).toMatchObject({ result: null });
});

test('a server that stops sends what is queued, then ends every connection with 1001', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  await client.initialize();
  wire.refuse();
  expect(await client.request('listSessions')).toMatchObject({ error: { code: -32603 } });
  expect(await client.request('ping')).toMatchObject({ result: null });
  await expect(wire.connect()).rejects.toThrow();
  const closing = wire.close();
  expect((await client.closed).code).toBe(1001);
  await closing;
});
