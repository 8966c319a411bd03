// Otto's own clients and others on one chat: each gets the edits of a waiting call in the form it reads.
import { expect, test } from 'vitest';
import { createRig, SESSION } from '../support/host-rig.ts';
import { type Client, startWire } from './support/wire.ts';

const DIFF = { path: '/folder/a', oldText: 'zero', newText: 'one' };

async function askedWithEdits() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  const ask = (id: string) =>
    rig.agent().report({
      type: 'permissionAsked',
      key: id,
      toolCallId: id,
      patch: { title: 'Write', kind: 'edit', content: [{ type: 'diff', ...DIFF }] },
      options: [{ id: 'y', label: 'Y', kind: 'allow_once' }],
      hints: { defaultToNo: false },
      reply: () => {},
    });
  return { chat, ask, wire: await startWire(() => rig.host) };
}

/** Everything under `edits` that this client was told, in order. */
function editsIn({ received }: Client): unknown[] {
  const found: unknown[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, each] of Object.entries(value)) {
      if (key === 'edits') found.push(each);
      else look(each);
    }
  };
  look(received);
  return found;
}

const bare = [DIFF];
const typed = { items: [{ before: { uri: 'file:///folder/a' }, after: { uri: 'file:///folder/a' } }] };

test.each([
  ['otto-launcher', { name: 'otto-launcher' }, bare],
  ['c', { name: 'otto-ask' }, bare],
  ['c', { name: 'Some editor' }, typed],
  ['c', { name: 'otto-agents' }, typed],
])(
  'a client %s %j gets the edits in its form, in snapshots and as they come (decision of R-138)',
  async (clientId, clientInfo, expected) => {
    const { chat, ask, wire } = await askedWithEdits();
    const client = await wire.connect();
    ask('first');
    await client.initialize({ clientId, clientInfo, initialSubscriptions: [SESSION] });
    expect(editsIn(client)).toMatchObject([expected]);
    await client.request('subscribe', { channel: chat });
    expect(editsIn(client)).toMatchObject([expected, expected]);
    ask('second');
    await client.request('ping');
    expect(editsIn(client)).toMatchObject([expected, expected, expected, expected]);
  },
);

test('a client that comes back gets them in its form, replayed or as a snapshot', async () => {
  const { chat, ask, wire } = await askedWithEdits();
  const first = await wire.connect();
  const { result } = await first.initialize({ clientId: 'otto-launcher', initialSubscriptions: [chat] });
  const { serverSeq } = result as { serverSeq: number };
  first.socket.close();
  await first.closed;
  ask('x');
  for (const lastSeenServerSeq of [serverSeq, serverSeq + 1_000_000]) {
    const again = await wire.connect();
    const subscriptions = [chat, SESSION];
    const params = { channel: 'ahp-root://', clientId: 'otto-launcher', lastSeenServerSeq, subscriptions };
    const answer = await again.request('reconnect', params);
    expect(answer.result).toMatchObject({ type: lastSeenServerSeq === serverSeq ? 'replay' : 'snapshot' });
    expect(editsIn(again)).toEqual([bare, bare]);
    again.socket.close();
    await again.closed;
  }
});
