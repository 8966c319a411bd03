// Claude's whole turn, killed at twenty points of it. The seed is printed and can be given as OTTO_TEST_SEED.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChatInputAnswers } from '../../src/protocol/state-chat.ts';
import { isInstalled } from './support/agents.ts';
import { createStage } from './support/stage.ts';
import { textOf } from './support/talk.ts';

const KILLS = 20;
const seed = Number(process.env['OTTO_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers from 0 to 1 that depend on the seed alone. */
function numbers(from: number): () => number {
  let state = from;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

describe.skipIf(!isInstalled('claude'))('claude-agent-acp, killed', () => {
  it('ends its turn with a reason, answers the next prompt and leaves no process, at any point (F-024, F-028)', async () => {
    console.log(`seed of the kills: ${seed}`);
    const stage = await createStage('claude');
    onTestFinished(() => stage.close());
    const talk = await stage.talk();
    talk.answers.permission = () => 'allow-once';
    talk.answers.input = ({ questions = [] }): ChatInputAnswers =>
      Object.fromEntries(
        questions.map(({ id }) => [id, { state: 'skipped', freeformValues: ['Something else'] }]),
      );
    // A file that is there already would have to be read first.
    const script = (round: number) =>
      `think: Planning.\nbash: touch made\nask: 2\nwrite: ${join(stage.folder, `${round}.txt`)} one\ntodo:\n` +
      'slow: 20 Done, all of it, as far as I can see from here.';

    /** Actions of the turn so far; the first is its start. */
    let count = 0;
    let lastText = 0;
    let killAt = Number.POSITIVE_INFINITY;
    talk.heard = ({ action }) => {
      count = action.type === 'chat/turnStarted' ? 1 : count + 1;
      if (action.type === 'chat/delta') lastText = count;
      if (count === killAt) process.kill(stage.agentProcess(), 'SIGKILL');
    };
    expect((await talk.prompt(script(0))).state).toBe('complete');
    // What follows the text is said when the turn is over; how the text is cut differs a little each time.
    const last = lastText - 4;
    const next = numbers(seed);

    for (let round = 1; round <= KILLS; round++) {
      const at = 1 + Math.floor(next() * last);
      const before = stage.processes();
      killAt = at;
      const turn = await talk.prompt(script(round));
      killAt = Number.POSITIVE_INFINITY;
      expect({ at, state: turn.state, end: turn.responseParts.at(-1) }).toMatchObject({
        state: 'error',
        end: { kind: 'error', error: { errorType: 'agentExited', message: expect.stringMatching(/\S/) } },
      });
      expect(textOf(await talk.prompt(`say: Here again, ${round}.`))).toContain(`Here again, ${round}.`);
      expect(stage.processes().filter((pid) => before.includes(pid))).toEqual([]);
    }
  }, 180_000);
});
