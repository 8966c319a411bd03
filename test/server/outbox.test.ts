import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { type ListenOptions, listen } from '../../src/server/listen.ts';
import { FULL_BYTES, Outbox, SLOW_BYTES } from '../../src/server/outbox.ts';
import { manualClock } from '../support/manual-clock.ts';
import { keptLog, temporaryFolder, webSocket } from './support/sockets.ts';
import { type Client, ROOT, startWire, type Wire } from './support/wire.ts';

const SESSION = 'ahp-session:/s';

/** A client that is subscribed to a session and whose process then stops reading. */
async function stalled(wire: Wire): Promise<Client> {
  const client = await wire.connect();
  await client.initialize({ clientId: 'stalled', initialSubscriptions: [SESSION] });
  client.socket.pause();
  return client;
}

async function sender(wire: Wire): Promise<Client> {
  const client = await wire.connect();
  await client.initialize({ clientId: 'sender' });
  await client.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  return client;
}

/** Sends one session title of about `bytes` to every subscriber, and waits until the host has done so. */
async function publish(client: Client, clientSeq: number, bytes: number): Promise<void> {
  const action = { type: 'session/titleChanged', title: 't', filler: 'x'.repeat(bytes) };
  client.send({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel: SESSION, clientSeq, action } });
  await client.request('ping');
}

test('R-019 F-096 a backlog that is not left behind within ten seconds ends the connection with 1013', async () => {
  const wire = await startWire();
  const sending = await sender(wire);
  const client = await stalled(wire);
  await publish(sending, 1, 4 * SLOW_BYTES);
  wire.clock.advance(9_999);
  expect(wire.lines.join()).not.toContain('closing a client');
  wire.clock.advance(1);
  expect(wire.lines.join()).toMatch(/closing a client: reading has stalled \(\d{7} bytes\)/);
  await publish(sending, 2, 10);
  client.socket.resume();
  expect(await client.closed).toEqual({ code: 1013, reason: 'reading has stalled; reconnect to catch up' });
  const titles = client.received.filter(({ method }) => method === 'action');
  expect(titles).toHaveLength(1);
});

test('R-019 a client that does not even answer the close is cut two seconds later', async () => {
  const wire = await startWire();
  const sending = await sender(wire);
  const client = await stalled(wire);
  await publish(sending, 1, 4 * SLOW_BYTES);
  wire.clock.advance(12_000);
  client.socket.resume();
  expect((await client.closed).code).toBe(1006);
});

test('a backlog that is left behind in time is none, and the next one has ten seconds of its own', async () => {
  const wire = await startWire();
  const sending = await sender(wire);
  const client = await stalled(wire);
  for (let round = 0; round < 3; round++) {
    client.socket.pause();
    await publish(sending, round, 4 * SLOW_BYTES);
    wire.clock.advance(9_000);
    client.socket.resume();
    await client.next();
    expect(await client.request('ping')).toMatchObject({ result: null });
  }
  expect(wire.lines.join()).not.toContain('closing a client');
  client.socket.pause();
  await publish(sending, 3, 4 * SLOW_BYTES);
  wire.clock.advance(10_000);
  expect(wire.lines.join()).toContain('closing a client: reading has stalled');
});

test('R-019 F-096 nothing is queued beyond 64 MiB, and memory stays within it while others lose nothing', async () => {
  const wire = await startWire();
  const sending = await sender(wire);
  const healthy = await wire.connect();
  await healthy.initialize({ clientId: 'healthy', initialSubscriptions: [SESSION] });
  const client = await stalled(wire);
  const before = process.memoryUsage().arrayBuffers;
  let highest = 0;
  const rounds = 90;
  for (let round = 0; round < rounds; round++) {
    await publish(sending, round, 1024 * 1024);
    const { params } = await healthy.next();
    expect(params).toMatchObject({ origin: { clientId: 'sender', clientSeq: round } });
    highest = Math.max(highest, process.memoryUsage().arrayBuffers - before);
  }
  expect(highest).toBeLessThan(2 * FULL_BYTES);
  expect(wire.lines.filter((line) => line.includes('too much is waiting to be read'))).toHaveLength(1);
  wire.clock.advance(2_000);
  client.socket.resume();
  await client.closed;
  const titles = client.received.filter(({ method }) => method === 'action');
  expect(titles.length).toBeLessThan(70);
});

test('one message larger than any backlog reaches a healthy client', async () => {
  const wire = await startWire();
  const filler = 'x'.repeat(FULL_BYTES + 1);
  wire.host.listSessions = () => ({ items: [], filler });
  const client = await wire.connect();
  await client.initialize();
  const answer = await client.request('listSessions');
  expect((answer.result as { filler: string }).filler).toHaveLength(FULL_BYTES + 1);
  await client.request('ping');
  wire.clock.advance(10_000);
  expect(await client.request('ping')).toMatchObject({ result: null });
});

test('R-019 64 clients see byte-identical order; one that stalls delays nobody and comes back complete', async () => {
  const wire = await startWire();
  const sending = await sender(wire);
  const clients = await Promise.all(
    Array.from({ length: 63 }, async (_, index) => {
      const client = await wire.connect();
      await client.initialize({ clientId: `c${index}`, initialSubscriptions: [SESSION, ROOT] });
      return client;
    }),
  );
  const client = await wire.connect();
  await client.initialize({ clientId: 'stalled', initialSubscriptions: [SESSION, ROOT] });
  const seen = wire.host.serverSeq;
  const start = clients.map(({ frames }) => frames.length);
  client.socket.pause();
  for (let round = 0; round < 12; round++) await publish(sending, round, 150_000);
  await Promise.all(clients.map((one) => one.request('ping')));
  const streams = clients.map(({ frames }, index) => frames.slice(start[index], -1));
  expect(streams[0]?.filter((frame) => frame.includes('"method":"action"')).length).toBeGreaterThanOrEqual(
    12,
  );
  for (const stream of streams) expect(stream).toEqual(streams[0]);

  wire.clock.advance(12_000);
  client.socket.resume();
  await client.closed;
  const back = await wire.connect();
  const answer = await back.request('reconnect', {
    channel: ROOT,
    clientId: 'stalled',
    lastSeenServerSeq: seen,
    subscriptions: [SESSION, ROOT],
  });
  const result = answer.result as
    | { type: 'snapshot'; snapshots: { resource: string; state: { title?: string } }[] }
    | { type: 'replay'; actions: { origin?: { clientSeq: number } }[] };
  // That is more than a session's replay holds, so the state itself comes.
  expect(result.type).toBe('snapshot');
  if (result.type === 'snapshot') {
    expect(result.snapshots.map(({ resource }) => resource)).toEqual([SESSION, ROOT]);
    expect(result.snapshots[0]?.state.title).toBe('t');
  }
});

test('frames of one turn of the loop leave in one write', async () => {
  const { log } = keptLog();
  const accepted = new Promise<{ outbox: Outbox; socket: Duplex }>((resolve) => {
    const accept: ListenOptions['accept'] = (client, socket) =>
      resolve({ outbox: new Outbox(client, socket, manualClock(), log), socket });
    const path = `${temporaryFolder()}/agents.sock`;
    void listen({ address: { kind: 'unix', path }, log, accept }).then((listener) => {
      onTestFinished(() => listener.close());
      reader = webSocket(listener.address);
    });
  });
  let reader: WebSocket | undefined;
  const { outbox, socket } = await accepted;
  const writes = [vi.spyOn(socket, '_write'), vi.spyOn(socket as Required<Duplex>, '_writev')];
  for (let number = 0; number < 100; number++) outbox.send(`${number}`);
  const received: string[] = [];
  reader?.on('message', (data) => received.push(String(data)));
  while (received.length < 100 && reader !== undefined) await once(reader, 'message');
  expect(received).toEqual(Array.from({ length: 100 }, (_, number) => `${number}`));
  expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1);
});
