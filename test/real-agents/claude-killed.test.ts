// Claude's whole turn, killed at twenty points of it; in every fourth one while a command of its own runs. The turn
// comes to no end by itself, so that each kill is inside it. The seed is printed and can be given as OTTO_TEST_SEED.
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
    const answer = 'Done, all of it, as far as I can see from here.';
    // A file that is there already would have to be read first.
    const script = (round: number, last: string) =>
      `think: Planning.\nbash: touch made\nask: 2\nwrite: ${join(stage.folder, `${round}.txt`)} one\ntodo:\n${last}`;
    const isAnswered = () => textOf(talk.state().activeTurn ?? { responseParts: [] }).endsWith(answer);

    /** Actions of the running turn so far; how the text is cut into them differs each time. */
    let count = 0;
    let isToBeKilled = () => false;
    /** What ran when the agent was killed. */
    let killed: number[] = [];
    const kill = () => {
      isToBeKilled = () => false;
      killed = stage.processes();
      process.kill(stage.agentProcess(), 'SIGKILL');
    };
    talk.heard = () => {
      // Between two turns a kill would end nothing.
      count = talk.state().activeTurn === undefined ? 0 : count + 1;
      if (count > 0 && isToBeKilled()) kill();
    };
    const folder = watch(stage.folder, (_, name) => {
      if (name?.startsWith('running') && isToBeKilled()) kill();
    });
    onTestFinished(() => folder.close());

    await talk.send(script(0, `hang: ${answer}`));
    await talk.until(isAnswered, 'the whole answer');
    const last = count;
    await talk.cancel();
    await talk.until(() => talk.state().activeTurn === undefined, 'the end of the first turn');
    const next = numbers(seed);

    for (let round = 1; round <= KILLS; round++) {
      const at = 1 + Math.floor(next() * last);
      const running = join(stage.folder, `running-${round}`);
      const isInCommand = round % 4 === 0;
      isToBeKilled = isInCommand ? () => existsSync(running) : () => count >= at || isAnswered();
      const endless = `bash: touch ${running}; tail -f ${running}`;
      const turn = await talk.prompt(script(round, isInCommand ? endless : `hang: ${answer}`));
      expect({ at, state: turn.state, end: turn.responseParts.at(-1) }).toMatchObject({
        state: 'error',
        end: { kind: 'error', error: { errorType: 'agentExited', message: expect.stringMatching(/\S/) } },
      });
      expect(textOf(await talk.prompt(`say: Here again, ${round}.`))).toContain(`Here again, ${round}.`);
      await vi.waitFor(
        () => expect(stage.processes().filter((pid) => killed.includes(pid))).toEqual([]),
        10_000,
      );
      expect(stage.processes(running)).toEqual([]);
    }
  }, 180_000);
});
