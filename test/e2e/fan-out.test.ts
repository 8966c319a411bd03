// Many clients on one chat: all see the same bytes in the same order, and one that stops reading costs the others
// nothing and loses nothing itself.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { type Client, ROOT, startWire, type Wire } from '../server/support/wire.ts';

const CLIENTS = 64;
const SESSION = 'ahp-session:/many';
/** 300 words of 10 kB: more than the kernel holds for a client that does not read. */
const WORDS = Array.from({ length: 300 }, (_, n) => `${n}-${'x'.repeat(10_000)}`);

const actionsOf = (client: Client) => client.frames.filter((frame) => frame.includes('"method":"action"'));
const ended = (client: Client) => client.frames.some((frame) => frame.includes('chat/turnComplete'));

async function everybodyOnOneChat(wire: Wire) {
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => wire.connect()));
  const [first] = clients;
  if (!first) throw new Error('no clients');
  await Promise.all(clients.map((client, n) => client.initialize({ clientId: `c${n}` })));
  await first.request('createSession', { channel: SESSION, workingDirectories: ['file:///folder'] });
  const { result } = await first.request('subscribe', { channel: SESSION });
  const chat = (result as { snapshot: { state: { defaultChat: string } } }).snapshot.state.defaultChat;
  const subscribe = (client: Client) =>
    client.request('subscribe', { channel: chat, delivery: { maxLatencyMs: 0 } });
  await Promise.all(clients.map(subscribe));
  const ask = (id: string, text: string) => {
    const message = { text, origin: { kind: 'user' } };
    const action = { type: 'chat/pendingMessageSet', kind: 'queued', id, message };
    first.send({ jsonrpc: '2.0', method: 'dispatchAction', params: { channel: chat, clientSeq: 1, action } });
  };
  return { clients, chat, ask };
}

async function untilEnded(clients: readonly Client[]): Promise<void> {
  for (const client of clients) while (!ended(client)) await once(client.socket, 'message');
}

it(`${CLIENTS} clients see byte-identical order (R-044, HOST-CHECKLIST 24.11)`, async () => {
  const { clients, ask } = await everybodyOnOneChat(await startWire());
  ask('m1', WORDS.map((word) => word.slice(0, 8)).join(' '));
  await untilEnded(clients);
  const [reference = [], ...others] = clients.slice(1).map(actionsOf);
  expect(reference.length).toBeGreaterThan(WORDS.length);
  for (const frames of others) expect(frames).toEqual(reference);
  const seqs = reference.map((frame) => JSON.parse(frame).params.serverSeq as number);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
});

it('one that stops reading is closed with 1013, delays nobody, and comes back with nothing missing (F-096, R-019)', async () => {
  const wire = await startWire();
  const { clients, chat, ask } = await everybodyOnOneChat(wire);
  const stalled = clients.at(-1);
  if (!stalled) throw new Error('no clients');
  const raw = (stalled.socket as unknown as { _socket: Socket })._socket;
  raw.pause();
  const others = clients.slice(0, -1);
  ask('m1', WORDS.join(' '));
  await untilEnded(others);
  const lastSeen = Math.max(0, ...actionsOf(stalled).map((frame) => JSON.parse(frame).params.serverSeq));
  wire.clock.advance(10_000);
  raw.resume();
  expect((await stalled.closed).code).toBe(1013);

  const back = await wire.connect();
  const answer = await back.request('reconnect', {
    channel: ROOT,
    clientId: `c${CLIENTS - 1}`,
    lastSeenServerSeq: lastSeen,
    subscriptions: [chat],
  });
  const { snapshots } = answer.result as {
    snapshots: { state: { turns: { responseParts: { content: string }[] }[] } }[];
  };
  expect(snapshots[0]?.state.turns[0]?.responseParts[0]?.content).toBe(WORDS.join(' '));
});
