import { describe, expect, it } from 'vitest';
import { SESSION } from '../support/host-rig.ts';
import { ask, askForm, confirm, running } from '../support/questions.ts';

function cancelled() {
  const { rig, client, chat, turnId } = running();
  client.queue(chat, 'next');
  client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
  const answer = (stop: string) => rig.agent().report({ type: 'turnEnded', turn: turnId, outcome: { stop } });
  const prompts = () => rig.agent().calls.filter(([name]) => name === 'prompt');
  return { rig, client, chat, turnId, answer, prompts };
}

describe('a cancelled turn whose agent goes on', () => {
  it('has every question answered as cancelled and shown nowhere, and the agent started anew at the bound (F-040)', () => {
    const { rig, client, chat } = cancelled();
    rig.host.unsubscribe(client, chat);
    const answers = Array.from({ length: 49 }, (_, at) => {
      rig.clock.advance(200);
      return [ask(rig, `x${at}`), askForm(rig)];
    });
    for (const each of answers) expect(each).toEqual([[{ outcome: 'cancelled' }], [{ response: 'cancel' }]]);
    expect(rig.dialogs).toEqual([]);
    client.subscribe(chat);
    expect(client.chat(chat).activity).toBe('Stopping…');
    expect(client.sessionState().inputNeeded).toBeUndefined();
    rig.clock.advance(200);
    expect(rig.agent().calls.at(-1)).toEqual(['stop']);
    rig.agent().stopped();
    rig.agent().started({ fresh: false });
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['next']);
  });

  it('is waited for longer when its prompt ended by itself, so that a late cancel hits no other prompt (F-042)', () => {
    const { rig, client, chat, answer, prompts } = cancelled();
    answer('end_turn');
    rig.clock.advance(300);
    expect(prompts()).toHaveLength(1);
    rig.clock.advance(700);
    expect(prompts().map(([, , text]) => text)).toEqual(['go', 'next']);
    rig.agent().endTurn();
    expect(client.chat(chat).turns.map(({ state }) => state)).toEqual(['cancelled', 'complete']);
  });

  it('holds the queue for one second at most, however much it still says (F-041)', () => {
    const { rig, answer, prompts } = cancelled();
    answer('cancelled');
    for (let at = 0; at < 9; at += 1) {
      rig.clock.advance(100);
      rig.agent().text('OLD');
    }
    expect(prompts()).toHaveLength(1);
    rig.clock.advance(100);
    expect(prompts().map(([, , text]) => text)).toEqual(['go', 'next']);
  });
});

it('a running turn is opened by others without the agent hearing of it, and cancelled by any of them (F-045)', () => {
  const { rig, client, chat, turnId } = running();
  const others = ['second', 'third'].map((name) => {
    const other = rig.client(name);
    other.subscribe(SESSION);
    other.subscribe(chat);
    return other;
  });
  expect(others.map((other) => other.chat(chat).activeTurn?.id)).toEqual([turnId, turnId]);
  expect(rig.agents).toHaveLength(1);
  expect(rig.agent().calls.map(([name]) => name)).toEqual(['prompt']);
  others[1]?.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
  expect(rig.agent().calls.map(([name]) => name)).toEqual(['prompt', 'cancel']);
  rig.agent().report({ type: 'turnEnded', turn: turnId, outcome: { stop: 'cancelled' } });
  expect(client.chat(chat).turns.map(({ id, state }) => [id, state])).toEqual([[turnId, 'cancelled']]);
});

describe('a question that nobody can be asked any more', () => {
  it('of a disposed session is cancelled, so that the agent does not wait for ever (F-040)', () => {
    const { rig } = running();
    rig.host.disposeSession(SESSION);
    expect(ask(rig)).toEqual([{ outcome: 'cancelled' }]);
    expect(askForm(rig)).toEqual([{ response: 'cancel' }]);
    expect(rig.dialogs).toEqual([]);
  });

  it('of an agent that has been replaced is cancelled and opens nothing in the chat (F-040)', () => {
    const { rig, client, chat } = running();
    const old = rig.agent();
    old.stopped('boom');
    client.queue(chat, 'again');
    rig.agent().started({ fresh: false });
    rig.agents.push(old);
    expect(ask(rig)).toEqual([{ outcome: 'cancelled' }]);
    expect(askForm(rig)).toEqual([{ response: 'cancel' }]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
    expect(client.chat(chat).activeTurn?.responseParts).toEqual([]);
  });
});

describe('a confirmation', () => {
  it('for another turn than the one that asks decides nothing (C-30)', () => {
    const { rig, client, chat, turnId } = running();
    const decisions = ask(rig);
    const echo = client.dispatch(chat, confirm(`${turnId}-before`, 'x'));
    expect(echo?.rejectionReason).toMatch(/does not wait/);
    expect(decisions).toEqual([]);
    client.dispatch(chat, confirm(turnId, 'x'));
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'once' }]);
  });

  it('can follow its question as fast as a client can send it, every time (F-050)', async () => {
    const { rig, client, chat, turnId } = running();
    const { deliver } = client;
    client.deliver = (envelope) => {
      deliver(envelope);
      const { action } = envelope;
      if (action.type !== 'chat/toolCallReady' || !action.options) return;
      queueMicrotask(() => client.dispatch(chat, confirm(turnId, action.toolCallId)));
    };
    for (let round = 0; round < 500; round += 1) {
      const decisions = ask(rig, `x${round}`);
      await Promise.resolve();
      expect(decisions).toEqual([{ outcome: 'selected', optionId: 'once' }]);
    }
    expect(client.sessionState().inputNeeded).toBeUndefined();
    rig.agent().endTurn();
    rig.clock.advance(2000);
    expect(client.chat(chat).activeTurn).toBeUndefined();
  });

  it('by a dialog that answers at once is taken, every time (F-050)', () => {
    const { rig, client, chat } = running({ dialog: { kind: 'granted' } });
    rig.host.unsubscribe(client, chat);
    for (let round = 0; round < 500; round += 1)
      expect(ask(rig, `x${round}`)).toEqual([{ outcome: 'selected', optionId: 'once' }]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
  });
});
