// OpenCode as it is installed for people, on a scripted model: a client of the service answers what it asks.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, ran } from './support/agents.ts';
import { createStage, type Stage } from './support/stage.ts';
import { textOf, toolCallsOf } from './support/talk.ts';

describe.skipIf(!isInstalled('opencode'))('opencode acp', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage('opencode');
  });
  afterAll(() => stage.close());

  it('runs a command and writes a file that a client allowed', async () => {
    const talk = await stage.talk();
    talk.answers.permission = (call) => call.options?.find(({ kind }) => kind === 'approve')?.id ?? '';
    const file = join(stage.folder, 'a.txt');
    const turn = await talk.prompt(`bash: touch made\nwrite: ${file} one\nsay: Made both.`);
    expect(toolCallsOf(turn)).toMatchObject([
      { status: 'completed', success: true, confirmed: 'user-action' },
      { status: 'completed', success: true, confirmed: 'user-action' },
    ]);
    expect(textOf(turn)).toBe('Made both.');
    expect(existsSync(join(stage.folder, 'made'))).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('one');
    ran('opencode');
  });

  it('streams, is cancelled while it speaks, and answers the next prompt', async () => {
    const talk = await stage.talk();
    await talk.send(`slow: 4000 ${'word '.repeat(2000)}`);
    const pieces = () => talk.envelopes.filter(({ action }) => action.type === 'chat/delta');
    await talk.until(() => pieces().length > 2, 'several pieces');
    await talk.cancel();
    expect(talk.state().turns.at(-1)?.state).toBe('cancelled');
    expect(textOf(await talk.prompt('say: Here again.'))).toBe('Here again.');
  });
});
