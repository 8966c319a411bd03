import { afterEach, expect, test } from 'vitest';
import { ProtocolError } from '../../src/base/errors.ts';
import { type ChannelEvent, Client } from '../../src/client/client.ts';
import type { Action, ActionEnvelope } from '../../src/protocol/actions.ts';
import { NOT_FOUND } from '../../src/protocol/errors.ts';
import type { ChatState } from '../../src/protocol/state-chat.ts';
import { type Asked, type StandIn, standIn } from './support/stand-in.ts';

const CHAT = 'ahp-chat:/1';
const OTHER = 'ahp-chat:/2';
const SHAKEN = { protocolVersion: '1.0.0', serverSeq: 5, snapshots: [], serverInfo: { name: 's' } };

const chat = (resource: string, draft?: string): ChatState => ({
  resource,
  title: '',
  status: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  turns: [],
  ...(draft === undefined ? {} : { draft: { text: draft, origin: { kind: 'user' } } }),
});
const draft = (text: string): Action => ({
  type: 'chat/draftChanged',
  draft: { text, origin: { kind: 'user' } },
});
const envelope = (serverSeq: number, text: string, rest: Partial<ActionEnvelope> = {}): ActionEnvelope => ({
  channel: CHAT,
  action: draft(text),
  serverSeq,
  ...rest,
});

let service: StandIn;
let client: Client;
afterEach(async () => {
  client.close();
  await service.close();
});

/** A client on a stand-in that answers `initialize` and `subscribe`, and `answers` before those. */
async function connected(
  answers: Record<string, (asked: Asked) => unknown> = {},
  options: { pauses?: number[]; onLink?: (link: 'lost' | 'back') => void } = {},
): Promise<void> {
  service = await standIn((asked) => {
    const answer = answers[asked.method];
    if (answer !== undefined) return answer(asked);
    if (asked.method === 'initialize') return SHAKEN;
    const channel = String(asked.params['channel']);
    if (asked.method === 'subscribe') {
      return { snapshot: { resource: channel, state: chat(channel, 'at 7'), fromSeq: 7 } };
    }
    return null;
  });
  client = await Client.connect({
    address: service.address,
    clientId: 'me',
    clientInfo: { name: 'test' },
    pauses: [0, 0],
    ...options,
  });
}

/** Follows the chat; the first value is the drafts as they came, the second waits until one of them is `text`. */
async function followed(channel = CHAT) {
  const seen: string[] = [];
  const waiting: { text: string; resolve: () => void }[] = [];
  const hear = (event: ChannelEvent<ChatState>) => {
    const text = event.type === 'gone' ? 'gone' : `${event.type} ${event.state.draft?.text}`;
    seen.push(text);
    for (const one of waiting) if (one.text === text) one.resolve();
  };
  await client.subscribe('chat', channel, hear);
  const until = (text: string) =>
    seen.includes(text) ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ text, resolve }));
  return { seen, until };
}

test('it offers 1.0.0 before 0.9.0 and says who it is', async () => {
  await connected();
  expect(service.requests).toEqual([
    {
      jsonrpc: '2.0',
      method: 'initialize',
      params: {
        channel: 'ahp-root://',
        protocolVersions: ['1.0.0', '0.9.0'],
        clientId: 'me',
        clientInfo: { name: 'test' },
      },
    },
  ]);
});

test('state moves by actions behind the snapshot; a rejected one is never applied', async () => {
  await connected();
  const { seen, until } = await followed();
  service.act(envelope(6, 'before the snapshot'));
  service.act(envelope(8, 'eight'));
  service.act(envelope(9, 'no', { rejectionReason: 'not now', origin: { clientId: 'me', clientSeq: 99 } }));
  service.act({ ...envelope(9, 'elsewhere'), channel: OTHER });
  service.act(envelope(10, 'ten'));
  await until('action ten');
  expect(seen).toEqual(['snapshot at 7', 'action eight', 'action ten']);
  expect(client.state('chat', CHAT)).toEqual(chat(CHAT, 'ten'));
});

test('a dispatch settles with its own echo: accepted, or rejected with the reason', async () => {
  await connected();
  await followed();
  const outcomes = [client.dispatch(CHAT, draft('a')), client.dispatch(CHAT, draft('b'))];
  await service.next('dispatchAction');
  service.act(envelope(8, 'x', { origin: { clientId: 'other', clientSeq: 1 } }));
  service.act(envelope(8, 'b', { origin: { clientId: 'me', clientSeq: 2 }, rejectionReason: 'no' }));
  service.act(envelope(9, 'a', { origin: { clientId: 'me', clientSeq: 1 } }));
  expect(await Promise.all(outcomes)).toEqual([{ kind: 'accepted' }, { kind: 'rejected', reason: 'no' }]);
  expect(service.notifications.map(({ params }) => params['clientSeq'])).toEqual([1, 2]);
});

test('an error answer is a ProtocolError; unsubscribing ends the events', async () => {
  const fail = () => {
    throw new ProtocolError(-32001, 'no such session');
  };
  await connected({ disposeSession: fail });
  await expect(client.request('disposeSession', { channel: 'ahp-session:/x' })).rejects.toThrow(
    expect.objectContaining({ name: 'ProtocolError', code: -32001, message: 'no such session' }),
  );
  const { seen } = await followed();
  client.unsubscribe(CHAT);
  service.act(envelope(8, 'eight'));
  await client.request('ping', { channel: 'ahp-root://' });
  expect(seen).toEqual(['snapshot at 7']);
  expect(service.notifications).toEqual([
    { jsonrpc: '2.0', method: 'unsubscribe', params: { channel: CHAT } },
  ]);
});

test('a removed session ends its channels and those of its chats', async () => {
  const session = 'ahp-session:/s';
  const state = {
    provider: 'e',
    title: '',
    status: 1,
    lifecycle: 'ready',
    activeClients: [],
    chats: [chat(CHAT)],
  };
  await connected({
    subscribe: ({ params: { channel } }) => ({
      snapshot: { resource: channel, state: channel === session ? state : chat(CHAT), fromSeq: 7 },
    }),
  });
  await client.subscribe('session', session);
  const { seen, until } = await followed();
  service.send('root/sessionRemoved', { channel: 'ahp-root://', session });
  await until('gone');
  expect(seen.at(-1)).toBe('gone');
  expect(client.state('session', session)).toBeUndefined();
});

test('after a lost connection it applies the replay, and ends what is missing (F-110, F-111, L-21)', async () => {
  await connected({
    reconnect: () => ({
      type: 'replay',
      actions: [
        envelope(9, 'nine', { origin: { clientId: 'me', clientSeq: 1 } }),
        envelope(10, 'no', { rejectionReason: 'no' }),
      ],
      missing: [OTHER],
    }),
  });
  const mine = await followed();
  const other = await followed(OTHER);
  service.act(envelope(8, 'eight'));
  await mine.until('action eight');
  const outcomes = [client.dispatch(CHAT, draft('nine')), client.dispatch(CHAT, draft('lost'))];
  await service.next('dispatchAction');
  service.cut();
  const asked = await service.next('reconnect');
  await mine.until('action nine');
  expect(asked.params).toEqual({
    channel: 'ahp-root://',
    clientId: 'me',
    lastSeenServerSeq: 8,
    subscriptions: [CHAT, OTHER],
  });
  await other.until('gone');
  expect(mine.seen).toEqual(['snapshot at 7', 'action eight', 'action nine']);
  expect(await Promise.all(outcomes)).toEqual([{ kind: 'accepted' }, { kind: 'unknown' }]);
  service.act(envelope(11, 'eleven'));
  await mine.until('action eleven');
});

test('snapshots in the answer replace what it knew, and what has none is gone (F-110, L-24)', async () => {
  await connected({
    reconnect: () => ({
      type: 'snapshot',
      snapshots: [{ resource: CHAT, state: chat(CHAT, 'at 20'), fromSeq: 20 }],
    }),
  });
  const mine = await followed();
  const other = await followed(OTHER);
  service.cut();
  await mine.until('snapshot at 20');
  await other.until('gone');
  service.act(envelope(20, 'in the snapshot'));
  service.act(envelope(21, 'twenty-one'));
  await mine.until('action twenty-one');
  expect(mine.seen).toEqual(['snapshot at 7', 'snapshot at 20', 'action twenty-one']);
});

test('a service that does not know it any more is greeted afresh, with the same channels (L-20)', async () => {
  let lives = 0;
  await connected({
    initialize: () => {
      lives += 1;
      const snapshots = lives === 1 ? [] : [{ resource: CHAT, state: chat(CHAT, 'anew'), fromSeq: 2 }];
      return { ...SHAKEN, serverSeq: lives === 1 ? 5 : 2, snapshots };
    },
    reconnect: () => {
      throw new ProtocolError(NOT_FOUND, 'unknown client; initialize');
    },
  });
  const mine = await followed();
  service.cut();
  await mine.until('snapshot anew');
  expect(service.requests.at(-1)?.params['initialSubscriptions']).toEqual([CHAT]);
  // Numbers of the new life are lower than those of the old one, and count all the same.
  service.act(envelope(3, 'three'));
  await mine.until('action three');
  service.cut();
  expect((await service.next('reconnect')).params['lastSeenServerSeq']).toBe(3);
});

test('when nobody answers any more it gives up after its last pause', async () => {
  const links: string[] = [];
  await connected({}, { onLink: (link) => links.push(link) });
  await service.close();
  await expect(client.ended).rejects.toThrow(
    /^the connection to the service at ws:\/\/127.0.0.1:\d+ was lost$/,
  );
  expect(links).toEqual(['lost']);
  await expect(client.request('ping', { channel: 'ahp-root://' })).rejects.toThrow('no connection');
  expect(await client.dispatch(CHAT, draft('x'))).toMatchObject({ kind: 'rejected' });
  service = await standIn(() => null);
});

test('a client that was replaced by a newer one stays away', async () => {
  await connected();
  service.cut(4000, 'a newer connection took over');
  await expect(client.ended).rejects.toThrow(
    'the service closed the connection: a newer connection took over',
  );
  expect(service.upgrades).toHaveLength(1);
});
