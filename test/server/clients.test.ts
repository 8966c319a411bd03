import { expect, test } from 'vitest';
import { v1 } from '../../src/protocol/editions/v1.ts';
import { Clients } from '../../src/server/clients.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Client, ROOT, startWire } from './support/wire.ts';

const MINUTE = 60_000;

function known() {
  const clock = manualClock();
  const forgotten: string[] = [];
  return { clock, forgotten, clients: new Clients(clock, (clientId) => forgotten.push(clientId)) };
}

test('L-20 a client is remembered for ten minutes after its connection ended, then forgotten once', () => {
  const { clock, forgotten, clients } = known();
  const release = clients.take('c', v1, () => {});
  clock.advance(60 * MINUTE);
  expect(clients.edition('c')).toBe(v1);
  release();
  clock.advance(10 * MINUTE - 1);
  expect([clients.edition('c'), forgotten]).toEqual([v1, []]);
  clock.advance(1);
  expect([clients.edition('c'), forgotten]).toEqual([undefined, ['c']]);
});

test('coming back in time stops the forgetting, and leaving again starts it anew', () => {
  const { clock, forgotten, clients } = known();
  clients.take('c', v1, () => {})();
  clock.advance(9 * MINUTE);
  const release = clients.take('c', v1, () => {});
  clock.advance(20 * MINUTE);
  release();
  clock.advance(9 * MINUTE);
  expect(forgotten).toEqual([]);
  clock.advance(MINUTE);
  expect(forgotten).toEqual(['c']);
});

test('L-12 a newer connection ends the older one first; letting go of the older then means nothing', () => {
  const { clock, forgotten, clients } = known();
  const calls: string[] = [];
  const first = clients.take('c', v1, () => {
    calls.push('first ended');
    first();
  });
  clients.take('c', v1, () => calls.push('second ended'));
  calls.push('second in');
  first();
  clock.advance(60 * MINUTE);
  expect(calls).toEqual(['first ended', 'second in']);
  expect([clients.edition('c'), forgotten]).toEqual([v1, []]);
});

const SESSION = 'ahp-session:/s';

async function withSession(client: Client): Promise<string> {
  await client.initialize({ initialSubscriptions: [ROOT] });
  await client.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  const answer = await client.request('subscribe', { channel: SESSION });
  const { snapshot } = answer.result as { snapshot: { state: { defaultChat: string } } };
  return snapshot.state.defaultChat;
}

const reconnect = (client: Client, lastSeenServerSeq: number, subscriptions: string[], clientId = 'c1') =>
  client.request('reconnect', { channel: ROOT, clientId, lastSeenServerSeq, subscriptions });

const rename = (client: Client, title: string, clientSeq = 1) =>
  client.send({
    jsonrpc: '2.0',
    method: 'dispatchAction',
    params: { channel: SESSION, clientSeq, action: { type: 'session/titleChanged', title } },
  });

test('L-21 L-24 a client that comes back gets what it missed, what is gone is named', async () => {
  const wire = await startWire();
  const first = await wire.connect();
  await withSession(first);
  const seen = wire.host.serverSeq;
  first.socket.terminate();
  await first.closed;
  const other = await wire.connect();
  await other.initialize({ clientId: 'other' });
  rename(other, 'New name');
  await other.request('ping');

  const second = await wire.connect();
  const answer = await reconnect(second, seen, [SESSION, 'ahp-session:/gone']);
  expect(answer.result).toMatchObject({ type: 'replay', missing: ['ahp-session:/gone'] });
  const { actions } = answer.result as { actions: { serverSeq: number; action: { type: string } }[] };
  expect(actions.every(({ serverSeq }) => serverSeq > seen)).toBe(true);
  expect(actions.map(({ action }) => action)).toContainEqual({
    type: 'session/titleChanged',
    title: 'New name',
  });
  rename(second, 'Newer', 2);
  expect(await second.next()).toMatchObject({ method: 'action', params: { origin: { clientId: 'c1' } } });
});

test('L-29 a number from the future, as after a restart, is answered with snapshots', async () => {
  const wire = await startWire();
  const first = await wire.connect();
  await withSession(first);
  first.socket.terminate();
  await first.closed;
  const second = await wire.connect();
  expect(await reconnect(second, 1_000_000, [SESSION])).toMatchObject({
    result: { type: 'snapshot', snapshots: [{ resource: SESSION }] },
  });
});

test('L-20 an unknown clientId is told to initialize, and can on the same connection', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  const answer = await reconnect(client, 0, [ROOT]);
  expect(answer).toMatchObject({ error: { code: -32008, message: expect.stringContaining('initialize') } });
  expect(await client.initialize()).toMatchObject({ result: { protocolVersion: '1.0.0' } });
});

test('L-20 ten minutes after it left, a client is unknown again', async () => {
  const wire = await startWire();
  const client = await wire.connect();
  await withSession(client);
  client.socket.terminate();
  await client.closed;
  const other = await wire.connect();
  await other.initialize({ clientId: 'other' });
  wire.clock.advance(10 * MINUTE);
  const again = await wire.connect();
  expect(await reconnect(again, 0, [SESSION])).toMatchObject({ error: { code: -32008 } });
});

test.each(['initialize', 'reconnect'] as const)(
  'L-12 %s with a clientId in use closes the older connection before the host sees the newer',
  async (method) => {
    const wire = await startWire();
    const calls: string[] = [];
    const { host } = wire;
    const [attach, detach] = [host.attach.bind(host), host.detach.bind(host)];
    host.attach = (subscriber) => {
      calls.push('attach');
      attach(subscriber);
    };
    host.detach = (subscriber) => {
      calls.push('detach');
      detach(subscriber);
    };
    const older = await wire.connect();
    await withSession(older);
    const newer = await wire.connect();
    if (method === 'initialize') await newer.initialize({ initialSubscriptions: [SESSION] });
    else await reconnect(newer, wire.host.serverSeq, [SESSION]);
    expect(await older.closed).toEqual({ code: 4000, reason: 'the same clientId has connected again' });
    expect(calls).toEqual(['attach', 'detach', 'attach']);
    rename(newer, 'Still mine');
    expect(await newer.next()).toMatchObject({ method: 'action' });
    expect(older.received.filter(({ params }) => JSON.stringify(params)?.includes('Still mine'))).toEqual([]);
  },
);

test('a handshake that fails leaves the older connection of the same clientId alone', async () => {
  const wire = await startWire();
  const older = await wire.connect();
  await older.initialize();
  const newer = await wire.connect();
  await newer.initialize({ protocolVersions: ['9.9.9'] });
  await newer.closed;
  expect(await older.request('listSessions')).toMatchObject({ result: { items: [] } });
});
