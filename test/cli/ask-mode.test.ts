import { expect, test } from 'vitest';
import { agentInHand } from '../support/agent-in-hand.ts';
import { place } from './support/rig.ts';

const MODES = ['auto', 'plan'].map((id) => ({ id, name: id, description: null }));

/** An agent with two modes; `refuse` is what it says to a switch. */
async function withModes(refuse?: string) {
  const here = place();
  const calls: string[] = [];
  const hand = agentInHand({
    handle: {
      setMode: (mode, reply) => {
        calls.push(mode);
        reply(refuse);
      },
    },
  });
  const { backend } = hand;
  await here.serve({
    ...backend,
    start: (spec, report) => {
      const handle = backend.start(spec, report);
      report({ type: 'modes', current: 'auto', available: MODES });
      return {
        ...handle,
        prompt: (id, message) => {
          calls.push('prompt');
          handle.prompt(id, message);
        },
      };
    },
  });
  return { here, hand, calls };
}

test.each([
  ['plan', ['plan', 'prompt']],
  ['auto', ['prompt']],
])('--mode %s is in force before the question is sent (R-035)', async (mode, expected) => {
  const { here, hand, calls } = await withModes();
  const asked = here.start(['ask', '--mode', mode, 'go']);
  expect(await hand.prompted()).toBe('go');
  expect(calls.filter((call) => call !== 'auto')).toEqual(expected);
  hand.endTurn();
  expect((await asked.ended).code).toBe(0);
});

test('a mode that the agent does not have ends it with those there are', async () => {
  const { here, calls } = await withModes();
  const { code, stdout, stderr } = await here.run(['ask', '--mode', 'yolo', 'go']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe('otto-agents: yolo is not a mode of this session; there are: auto, plan\n');
  expect(calls).toEqual([]);
});

test('a mode that the agent refuses is an error, and nothing is asked (R-052)', async () => {
  const { here, calls } = await withModes('not on this plan');
  const { code, stderr } = await here.run(['ask', '--mode', 'plan', 'go']);
  expect(code).toBe(1);
  expect(stderr).toContain('the agent refused the mode plan');
  expect(calls).toEqual(['plan']);
});
