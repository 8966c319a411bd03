import { describe, expect, it } from 'vitest';
import { INVALID_PARAMS } from '../../src/protocol/errors.ts';
import type { ChatState } from '../../src/protocol/state-chat.ts';
import { createRig, SESSION } from '../support/host-rig.ts';

function withTurns(count: number) {
  const rig = createRig({ forgets: true });
  const { client, chat } = rig.session();
  rig.agent().started();
  for (let n = 1; n <= count; n++) {
    client.queue(chat, `m${n}`);
    rig.agent().endTurn();
  }
  const texts = (state: ChatState) => state.turns.map(({ message }) => message.text);
  return { rig, client, chat, texts };
}

describe('a view of the newest turns', () => {
  it('has a cursor while there are older ones, and all of them without a view (S-7, S-8)', () => {
    const { rig, client, chat, texts } = withTurns(5);
    const few = rig.client('few');
    few.subscribe(chat, { view: { turns: 2 } });
    expect(texts(few.chat(chat))).toEqual(['m4', 'm5']);
    expect(few.chat(chat).turnsNextCursor).toBeDefined();
    expect(texts(client.chat(chat))).toHaveLength(5);
    const all = rig.client('all');
    all.subscribe(chat, { view: { turns: 5 } });
    expect(all.chat(chat)).toEqual(client.chat(chat));
  });

  it('grows by fetchTurns, before the answer, for this client alone (C-40, HOST-CHECKLIST 24.38)', () => {
    const { rig, client, chat } = withTurns(60);
    const few = rig.client('few');
    few.subscribe(chat, { view: { turns: 2 } });
    client.seen();
    const { turnsNextCursor: cursor = '' } = few.chat(chat);
    rig.host.fetchTurns(few, { channel: chat, cursor });
    expect(few.chat(chat).turns).toHaveLength(52);
    rig.host.fetchTurns(few, { channel: chat });
    expect(few.chat(chat)).toEqual(client.chat(chat));
    rig.host.fetchTurns(few, { channel: chat });
    expect(few.seen()).toEqual(['chat/turnsLoaded', 'chat/turnsLoaded']);
    expect(client.seen()).toEqual([]);
  });

  it('refuses a cursor it did not give, and a chat that was not opened (C-41)', () => {
    const { rig, client, chat } = withTurns(3);
    const few = rig.client('few');
    expect(() => rig.host.fetchTurns(few, { channel: chat })).toThrow(/subscribe/);
    expect(() => rig.host.fetchTurns(few, { channel: SESSION })).toThrow(/is not a chat/);
    few.subscribe(chat, { view: { turns: 1 } });
    for (const [who, cursor] of [
      [few, 'before:x'],
      [few, ''],
      [client, 'before:x'],
    ] as const) {
      expect(() => rig.host.fetchTurns(who, { channel: chat, cursor })).toThrow(
        expect.objectContaining({ code: INVALID_PARAMS }),
      );
    }
  });

  it('follows live turns like everybody else', () => {
    const { rig, client, chat, texts } = withTurns(3);
    const few = rig.client('few');
    few.subscribe(chat, { view: { turns: 1 } });
    client.queue(chat, 'm4');
    rig.agent().text('hi');
    rig.agent().endTurn();
    expect(texts(few.chat(chat))).toEqual(['m3', 'm4']);
  });

  it('is given the turns that a truncation speaks of first (C-43, HOST-CHECKLIST 24.38)', () => {
    const { rig, client, chat, texts } = withTurns(5);
    const few = rig.client('few');
    few.subscribe(chat, { view: { turns: 1 } });
    const second = client.chat(chat).turns[1]?.id ?? '';
    client.dispatch(chat, { type: 'chat/truncated', turnId: second });
    expect(texts(client.chat(chat))).toEqual(['m1', 'm2']);
    expect(texts(few.chat(chat))).toEqual(['m2']);
    rig.host.fetchTurns(few, { channel: chat });
    expect(few.chat(chat)).toEqual(client.chat(chat));
  });

  it('continues across a lost connection', () => {
    const { rig, client, chat, texts } = withTurns(5);
    const few = rig.client('few');
    few.subscribe(chat, { view: { turns: 1 } });
    const state = few.chat(chat);
    rig.host.detach(few);
    const again = rig.client('few');
    again.states.set(chat, state);
    expect(rig.host.reconnect(again, rig.host.serverSeq, [chat])).toMatchObject({ type: 'replay' });
    client.dispatch(chat, { type: 'chat/truncated', turnId: client.chat(chat).turns[1]?.id ?? '' });
    expect(texts(again.chat(chat))).toEqual(['m2']);
  });
});
