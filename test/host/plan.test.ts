import { describe, expect, it } from 'vitest';
import type { AgentEvent, PlanBody } from '../../src/host/ports.ts';
import { ottoOf } from '../../src/protocol/meta.ts';
import { text, toolTurn } from '../support/tools.ts';

const HOLD = 250;
const entry = (content: string, status: string, priority = 'medium') => ({ content, status, priority });

function planTurn() {
  const turn = toolTurn();
  return {
    ...turn,
    plan: (body: PlanBody | null, id = '') => turn.rig.agent().report({ type: 'plan', id, body }),
    progress: () => ottoOf(turn.client.sessionState()._meta)['plan'],
  };
}

describe('a plan', () => {
  it('is a finished call, and how far it is on the session', () => {
    const { rig, plan, call, said, progress } = planTurn();
    rig.agent().text('First');
    const entries = [
      entry('Look\naround', 'completed'),
      entry('Build', 'in_progress', 'high'),
      entry('Ship', 'pending'),
    ];
    plan({ entries });
    rig.clock.advance(HOLD);
    expect(said()).toEqual(['chat/toolCallStart', 'chat/toolCallReady', 'chat/toolCallComplete']);
    expect(call()).toEqual({
      status: 'completed',
      toolCallId: 'otto-plan:1',
      toolName: 'plan',
      displayName: 'Plan',
      invocationMessage: 'Plan: 1 of 3 done',
      confirmed: 'not-needed',
      success: true,
      pastTenseMessage: 'Plan: 1 of 3 done',
      content: [text('[x] Look around\n[>] ! Build\n[ ] Ship')],
      _meta: { otto: { plan: { id: '', entries } } },
    });
    expect(progress()).toEqual({ done: 1, total: 3, current: 'Build' });
  });

  it.each([
    ['text', { type: 'text', to: 'message', text: 'Done', messageId: undefined }],
    ['a call', { type: 'tool', id: 'y', patch: { title: 'Read', status: 'pending' } }],
    ['a notice', { type: 'notice', severity: 'info', text: 'Note' }],
  ] as const)('stands before %s that came behind it, however soon', (_, event) => {
    const { rig, plan, parts } = planTurn();
    plan({ entries: [entry('A', 'completed')] });
    rig.agent().report(event as AgentEvent);
    rig.clock.advance(1000);
    expect(parts()[0]).toMatchObject({ toolCall: { toolCallId: 'otto-plan:1' } });
    expect(parts()).toHaveLength(2);
  });

  it('that changes several times in a moment is shown once, and only if it truly changed', () => {
    const { rig, plan, call, said } = planTurn();
    for (const status of ['pending', 'in_progress', 'completed']) plan({ entries: [entry('A', status)] });
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({ invocationMessage: 'Plan: 1 of 1 done' });
    said();
    plan({ entries: [entry('A', 'completed', 'high')] });
    rig.clock.advance(HOLD);
    plan({ entries: [entry('A', 'pending')] });
    plan({ entries: [entry('A', 'completed')] });
    rig.clock.advance(HOLD);
    expect(said()).toEqual([]);
    plan({ entries: [entry('A', 'completed'), entry('B', 'pending')] });
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({ toolCallId: 'otto-plan:2' });
  });

  it('keeps its place between the words around it', () => {
    const { rig, plan, parts } = planTurn();
    rig.agent().text('before');
    plan({ entries: [entry('A', 'pending')] });
    rig.clock.advance(HOLD);
    rig.agent().text('after');
    expect(parts()).toMatchObject([{ content: 'before' }, { kind: 'toolCall' }, { content: 'after' }]);
  });

  it('that ends is said to be dropped, if it was ever shown', () => {
    const { rig, plan, call, said, progress } = planTurn();
    plan({ entries: [entry('A', 'pending')] }, 'never seen');
    plan(null, 'never seen');
    plan({ entries: [] }, 'empty');
    rig.clock.advance(HOLD);
    expect(said()).toEqual([]);
    plan({ entries: [entry('A', 'pending')] });
    rig.clock.advance(HOLD);
    plan({ entries: [] });
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({ displayName: 'Plan', pastTenseMessage: 'Plan dropped' });
    expect(call()?.content).toBeUndefined();
    expect(progress()).toBeUndefined();
  });

  it('in Markdown or in a file is shown as it is', () => {
    const { rig, plan, call } = planTurn();
    plan({ markdown: '# Do it' });
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({
      invocationMessage: 'Plan',
      content: [text('# Do it')],
      _meta: { otto: { plan: { id: '', markdown: '# Do it' } } },
    });
    plan({ uri: 'file:///folder/plan.md' }, 'f');
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({
      content: [{ type: 'resource', uri: 'file:///folder/plan.md' }],
      _meta: { otto: { plan: { id: 'f', uri: 'file:///folder/plan.md' } } },
    });
  });

  it('that is long is cut where it is repeated, and whole by reference', () => {
    const { rig, plan, call } = planTurn();
    const markdown = 'x\n'.repeat(40_000);
    plan({ markdown });
    rig.clock.advance(HOLD);
    expect(call()?._meta).toEqual({ otto: { plan: { id: '' } } });
    const [ref] = call()?.content ?? [];
    expect(rig.host.resourceRead((ref as { uri: string }).uri).text).toBe(markdown);
    plan({ entries: Array.from({ length: 150 }, (_, at) => entry(`${at}`, 'pending')) });
    rig.clock.advance(HOLD);
    const shown = ottoOf(call()?._meta)['plan'] as { entries: unknown[] };
    expect(shown.entries).toHaveLength(100);
    expect(call()).toMatchObject({ invocationMessage: 'Plan: 0 of 150 done' });
  });

  it('that changed just before the end of the turn is in the turn, and done it is no longer news', () => {
    const { rig, client, chat, plan, progress, parts } = planTurn();
    plan({ entries: [entry('A', 'in_progress')] });
    rig.clock.advance(HOLD);
    plan({ entries: [entry('A', 'completed')] });
    rig.agent().endTurn();
    expect(client.chat(chat).activeTurn).toBeUndefined();
    expect(parts()).toMatchObject([
      { toolCall: { pastTenseMessage: 'Plan: 0 of 1 done' } },
      { toolCall: { toolCallId: 'otto-plan:2', pastTenseMessage: 'Plan: 1 of 1 done' } },
    ]);
    expect(progress()).toBeUndefined();
    rig.clock.advance(1000);
    expect(client.chat(chat).activeTurn).toBeUndefined();
  });

  it('outlives its turn while it is not done', () => {
    const { rig, client, chat, plan, progress } = planTurn();
    plan({ entries: [entry('A', 'in_progress')] });
    rig.agent().endTurn();
    expect(progress()).toEqual({ done: 0, total: 1, current: 'A' });
    client.queue(chat, 'next');
    plan({ entries: [entry('A', 'in_progress')] });
    rig.clock.advance(HOLD);
    expect(client.chat(chat).activeTurn?.responseParts).toEqual([]);
  });

  it('that changes while nothing runs opens no turn', () => {
    const { rig, client, chat, plan, progress } = planTurn();
    rig.agent().endTurn();
    rig.clock.advance(5000);
    plan({ entries: [entry('A', 'completed'), entry('B', 'in_progress')] });
    rig.clock.advance(5000);
    expect(client.chat(chat).activeTurn).toBeUndefined();
    expect(progress()).toEqual({ done: 1, total: 2, current: 'B' });
    plan(null);
    expect(progress()).toBeUndefined();
  });
});
