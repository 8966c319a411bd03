// codex-acp as it is installed for people, on a scripted model: a client of the service answers what it asks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, ran } from './support/agents.ts';
import { createStage, type Stage } from './support/stage.ts';
import { textOf, toolCallsOf } from './support/talk.ts';

const installed = isInstalled('codex');

describe.skipIf(!installed)('codex-acp', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage('codex');
  });
  afterAll(() => stage.close());

  it('runs a command that a client allowed', async () => {
    const talk = await stage.talk();
    let options: unknown;
    talk.answers.permission = (call) => {
      options = call.options?.map(({ id, kind }) => [id, kind]);
      return 'allow_once';
    };
    const turn = await talk.prompt('bash: echo scripted output; touch made\nsay: Made it.');
    expect(options).toEqual([
      ['allow_once', 'approve'],
      ['accept_execpolicy_amendment', 'approve'],
      ['cancel', 'deny'],
    ]);
    expect(toolCallsOf(turn)).toMatchObject([
      { status: 'completed', success: true, confirmed: 'user-action' },
    ]);
    expect(JSON.stringify(toolCallsOf(turn))).toContain('scripted output');
    expect(textOf(turn)).toMatch(/Made it\.$/);
    expect(turn.state).toBe('complete');
    expect(existsSync(join(stage.folder, 'made'))).toBe(true);
    ran('codex');
  });

  it('streams an answer in pieces, in order, while the model goes on speaking', async () => {
    const talk = await stage.talk();
    const text = Array.from({ length: 2000 }, (_, n) => `word ${n}`).join(' ');
    await talk.send(`slow: 4000 ${text}`);
    const pieces = () => talk.envelopes.filter(({ action }) => action.type === 'chat/delta');
    await talk.until(() => pieces().length > 2, 'several pieces');
    const part = talk.state().activeTurn?.responseParts.at(-1);
    expect(part?.kind).toBe('markdown');
    expect(text.startsWith((part?.kind === 'markdown' && part.content) || 'nothing')).toBe(true);
    await talk.cancel();
  });

  it('is cancelled while it speaks and while it asks, and answers the next prompt', async () => {
    const talk = await stage.talk();
    const turnNow = () => talk.state().activeTurn ?? { responseParts: [] };
    const rounds: [prompt: string, ready: () => boolean][] = [
      [`slow: 4000 ${'word '.repeat(2000)}`, () => textOf(turnNow()).includes('word')],
      [
        'bash: touch never',
        () => toolCallsOf(turnNow()).some(({ status }) => status === 'pending-confirmation'),
      ],
    ];
    for (const [prompt, ready] of rounds) {
      await talk.send(prompt);
      await talk.until(ready, prompt.slice(0, 20));
      await talk.cancel();
      expect(talk.state().turns.at(-1)?.state).toBe('cancelled');
      expect(textOf(await talk.prompt('say: Here again.'))).toMatch(/Here again\.$/);
    }
    expect(existsSync(join(stage.folder, 'never'))).toBe(false);
  });
});

describe.skipIf(!installed)('codex-acp in plan mode', () => {
  let stage: Stage;

  beforeAll(async () => {
    const config = { collaboration_mode: 'plan' };
    stage = await createStage('codex', { change: (setup) => ({ ...setup, config }) });
  });
  afterAll(() => stage.close());

  it('gets the choice and the free text of a client', async () => {
    const talk = await stage.talk();
    let asked: unknown;
    talk.answers.input = ({ questions = [] }) => {
      asked = questions.map(({ kind, title, message, required }) => [kind, title, message, required]);
      return {
        colour: { state: 'submitted', value: { kind: 'selected', value: 'Blue', freeformValues: ['light'] } },
        parts: { state: 'submitted', value: { kind: 'selected', value: 'Top bar' } },
        name: { state: 'skipped', freeformValues: ['Hannah'] },
      };
    };
    const turn = await talk.prompt('ask: 3\nresult:');
    expect(asked).toEqual([
      ['single-select', 'Colour', 'Which colour should it be?', true],
      ['single-select', 'Parts', 'Which parts should change?', true],
      ['single-select', 'Name', 'What should it be called?', true],
    ]);
    for (const answer of ['Blue', 'light', 'Top bar', 'None of the above', 'Hannah']) {
      expect(textOf(turn)).toContain(answer);
    }
  });
});

describe.skipIf(!installed)('codex-acp with an MCP server', () => {
  let stage: Stage;

  beforeAll(async () => {
    const asker = {
      command: process.execPath,
      args: [fileURLToPath(new URL('mcp-asker.mjs', import.meta.url))],
    };
    stage = await createStage('codex', {
      change: ({ env, ...setup }) => {
        const config = { ...JSON.parse(`${env['CODEX_CONFIG']}`), mcp_servers: { asker } };
        return { ...setup, env: { ...env, CODEX_CONFIG: JSON.stringify(config) } };
      },
    });
  });
  afterAll(() => stage.close());

  it('gets the several choices and the free text of a client to a question of that server', async () => {
    const talk = await stage.talk();
    let asked: unknown;
    talk.answers.input = ({ message, questions }) => {
      asked = { message, questions };
      return {
        name: { state: 'submitted', value: { kind: 'text', value: 'Hannah' } },
        parts: { state: 'submitted', value: { kind: 'selected-many', value: ['dock', 'islands'] } },
      };
    };
    const turn = await talk.prompt('tool: choose {}\nresult:');
    // Codex puts the questions in the order of their names.
    expect(asked).toEqual({
      message: 'Please choose.',
      questions: [
        { id: 'name', kind: 'text', title: 'Name', message: 'What should it be called?' },
        {
          id: 'parts',
          kind: 'multi-select',
          title: 'Parts',
          message: 'Which parts should change?',
          required: true,
          min: 1,
          allowFreeformInput: false,
          options: [
            { id: 'dock', label: 'Dock' },
            { id: 'top', label: 'Top bar' },
            { id: 'islands', label: 'Islands' },
          ],
        },
      ],
    });
    // What the server got is what it returned, and what the model quotes.
    const [, content] = /"content":(\{.*?\})/.exec(textOf(turn).replaceAll('\\', '')) ?? [];
    expect(JSON.parse(`${content}`)).toEqual({ name: 'Hannah', parts: ['dock', 'islands'] });
  });
});
