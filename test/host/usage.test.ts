import { expect, it } from 'vitest';
import { createRig } from '../support/host-rig.ts';

function running() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  client.seen();
  const usages = () =>
    client.envelopes.flatMap(({ action }) => (action.type === 'chat/usage' ? [action.usage] : []));
  const totals = () => (client.sessionState()._meta?.['otto'] as { usage?: object } | undefined)?.usage;
  return { rig, client, chat, usages, totals };
}

const context = (used: number) => ({ used, size: 1000 });

it('is told at once, then at most once a second, and right before the end (acp-to-ahp 2.1)', () => {
  const { rig, client, usages } = running();
  for (let n = 1; n <= 10; n++) {
    rig.agent().report({ type: 'usage', context: context(n), model: 'haiku' });
    rig.clock.advance(150);
  }
  expect(usages()).toMatchObject([1, 8].map((used) => ({ _meta: { otto: { context: context(used) } } })));
  client.seen();
  rig.agent().report({
    type: 'turnEnded',
    turn: rig.agent().turn(),
    outcome: {
      stop: 'end_turn',
      tokens: { inputTokens: 75, outputTokens: 51, cacheReadTokens: 0, cacheWrite: 2, total: 126 },
    },
  });
  expect(usages().at(-1)).toEqual({
    inputTokens: 75,
    outputTokens: 51,
    cacheReadTokens: 0,
    model: 'haiku',
    _meta: { otto: { context: context(10), tokens: { cacheWrite: 2, total: 126 } } },
  });
  expect(client.seen().slice(0, 2)).toEqual(['chat/usage', 'chat/turnComplete']);
});

it('adds turns up for the session, and takes the cost of one as what the session grew by', () => {
  const { rig, client, chat, usages, totals } = running();
  const end = (tokens: object, amount: number) => {
    rig.agent().report({ type: 'usage', cost: { amount, currency: 'USD' } });
    rig
      .agent()
      .report({ type: 'turnEnded', turn: rig.agent().turn(), outcome: { stop: 'end_turn', tokens } });
  };
  end({ inputTokens: 10, outputTokens: 1 }, 0.5);
  client.queue(chat, 'more');
  end({ inputTokens: 20, outputTokens: 2 }, 2);
  expect(usages().at(-1)).toMatchObject({
    inputTokens: 20,
    _meta: { otto: { cost: { amount: 1.5, currency: 'USD' } } },
  });
  expect(totals()).toEqual({
    inputTokens: 30,
    outputTokens: 3,
    cacheReadTokens: 0,
    turns: 2,
    cost: { amount: 2, currency: 'USD' },
  });
  client.queue(chat, 'in another currency');
  rig.agent().report({ type: 'usage', cost: { amount: 3, currency: 'EUR' } });
  expect(usages().at(-1)).toEqual({});
});

it('outside a turn is the session alone, and opens no turn', () => {
  const { rig, client, chat, totals } = running();
  rig.agent().endTurn();
  rig.agent().report({ type: 'usage', context: context(5) });
  expect(totals()).toMatchObject({ context: context(5) });
  expect(client.chat(chat).activeTurn).toBeUndefined();
});
