import { describe, expect, it } from 'vitest';
import { INVALID_PARAMS } from '../../src/protocol/errors.ts';
import { ROOT_URI } from '../../src/protocol/state-root.ts';
import { type Client, createRig, FOLDER, SESSION } from '../support/host-rig.ts';

const changesOf = (client: Client) =>
  client.notices.flatMap(({ method, params }) =>
    method === 'root/sessionSummaryChanged' ? [(params as { changes: Record<string, unknown> }).changes] : [],
  );

describe('listSessions', () => {
  it('is newest first, whole without a limit, and in pages with one (P-1, P-5)', () => {
    const rig = createRig();
    const client = rig.client();
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      rig.host.createSession(client, { channel: `ahp-session:/${id}`, workingDirectories: [FOLDER] });
      if (id !== 'b') rig.clock.advance(1000);
    }
    const ids = (items: { resource: string }[]) => items.map(({ resource }) => resource.at(-1)).join('');
    expect(ids(rig.host.listSessions({ channel: ROOT_URI }).items)).toBe('edbca');
    let page = rig.host.listSessions({ channel: ROOT_URI, limit: 2 });
    const seen = [ids(page.items)];
    while (page.nextCursor !== undefined) {
      page = rig.host.listSessions({ channel: ROOT_URI, limit: 2, cursor: page.nextCursor });
      seen.push(ids(page.items));
    }
    expect(seen).toEqual(['ed', 'bc', 'a']);
  });

  it.each(['nonsense', '', 'a b c', 'never ahp-session:/a'])('refuses the cursor %j (P-3)', (cursor) => {
    const rig = createRig();
    expect(() => rig.host.listSessions({ channel: ROOT_URI, cursor })).toThrow(
      expect.objectContaining({ code: INVALID_PARAMS }),
    );
  });
});

describe('a list view', () => {
  it('learns status, title and end of a turn at once, and of 500 chunks nearly nothing (F-117, R-039)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    const list = rig.client('list');
    list.subscribe(ROOT_URI);
    rig.agent().started();
    client.queue(chat, 'a question');
    expect(changesOf(list).at(-1)).toMatchObject({ status: 8, title: 'a question', chats: [{ status: 8 }] });
    for (let n = 0; n < 500; n++) {
      rig.agent().text(`chunk ${n} `);
      rig.clock.advance(10);
    }
    rig.agent().endTurn();
    expect(changesOf(list).at(-1)).toMatchObject({ status: 1, chats: [{ status: 1 }] });
    expect(changesOf(list).length).toBeLessThan(20);
  });

  it('is promoted to input needed, then error, by any chat (SE-24)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.agent().report({
      type: 'inputAsked',
      key: 'k',
      request: { id: 'r', message: 'Really?' },
      reply: () => undefined,
    });
    expect(changesOf(client).at(-1)).toMatchObject({ status: 24 });
    rig.agent().stopped('boom');
    expect(changesOf(client).at(-1)).toMatchObject({ status: 2 });
  });

  it('never carries what cannot change, and says that an activity is gone with an empty one (R-6, SHAPES 6.7)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.agent().report({ type: 'tool', id: 'x', patch: { title: 'Look', status: 'running' } });
    rig.clock.advance(250);
    rig.agent().report({ type: 'tool', id: 'x', patch: { status: 'completed' } });
    rig.clock.advance(250);
    const all = changesOf(client);
    expect(all.map(({ activity }) => activity).filter((each) => each !== undefined)).toEqual(['Look', '']);
    for (const changes of all) expect(Object.keys(changes)).not.toEqual(expect.arrayContaining(['resource']));
    for (const changes of all) expect('provider' in changes || 'createdAt' in changes).toBe(false);
  });

  it('summaries equal what listSessions says', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.agent().endTurn();
    rig.clock.advance(1000);
    const added = client.notices.find(({ method }) => method === 'root/sessionAdded')?.params as {
      summary: object;
    };
    const folded = Object.assign({ ...added.summary }, ...changesOf(client));
    const [item] = rig.host.listSessions({ channel: ROOT_URI }).items;
    expect({ ...folded, activity: undefined }).toEqual({ ...item, activity: undefined });
  });
});

it('the entry of a chat in its session equals the fields of the chat (SE-23)', () => {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  const check = () => {
    const [entry] = client.sessionState(SESSION).chats;
    const { turns: _t, activeTurn: _a, queuedMessages: _q, ...fields } = client.chat(chat);
    expect(entry).toEqual(fields);
  };
  client.queue(chat, 'go');
  check();
  rig.agent().report({ type: 'tool', id: 'x', patch: { title: 'Look', status: 'running' } });
  check();
  rig.agent().endTurn();
  check();
});
