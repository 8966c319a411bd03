// claude-agent-acp as it is installed for people, on a scripted model: a client of the service answers what it asks.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, ran } from './support/agents.ts';
import { createStage, type Stage } from './support/stage.ts';
import { textOf, toolCallsOf } from './support/talk.ts';

const installed = isInstalled('claude');

describe.skipIf(!installed)('claude-agent-acp', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage('claude');
  });
  afterAll(() => stage.close());

  it('runs a command that a client allowed, and none that a client refused', async () => {
    const talk = await stage.talk();
    let options: unknown;
    talk.answers.permission = (call) => {
      options = call.options?.map(({ label, kind }) => [label, kind]);
      return call.toolInput?.toString().includes('made') ? 'allow-once' : 'reject';
    };
    const made = await talk.prompt('bash: touch made\nsay: Made it.');
    expect(options).toEqual([
      ['Yes', 'approve'],
      ['No', 'deny'],
    ]);
    expect(toolCallsOf(made)).toMatchObject([
      { displayName: 'touch made', status: 'completed', success: true, confirmed: 'user-action' },
    ]);
    expect(textOf(made)).toBe('Made it.');
    expect(made.state).toBe('complete');
    expect(existsSync(join(stage.folder, 'made'))).toBe(true);

    const refused = await talk.prompt('bash: touch other\nsay: Then not.');
    expect(toolCallsOf(refused)).toMatchObject([{ status: 'cancelled', reason: 'denied' }]);
    expect(existsSync(join(stage.folder, 'other'))).toBe(false);
    ran('claude');
  });

  it('gets the answers of a client to a single, a multiple and a free question', async () => {
    const talk = await stage.talk();
    let asked: unknown;
    talk.answers.input = ({ questions = [] }) => {
      asked = questions.map(({ kind, title, message }) => [kind, title, message]);
      const [colour, parts, name] = questions.map(({ id }) => id);
      return {
        [`${colour}`]: { state: 'submitted', value: { kind: 'selected', value: 'Blue' } },
        [`${parts}`]: { state: 'submitted', value: { kind: 'selected-many', value: ['Dock', 'Islands'] } },
        [`${name}`]: { state: 'skipped', freeformValues: ['Hannah'] },
      };
    };
    const turn = await talk.prompt('ask: 3\nresult:');
    expect(asked).toEqual([
      ['single-select', 'Colour', 'Which colour should it be?'],
      ['multi-select', 'Parts', 'Which parts should change?'],
      ['single-select', 'Name', 'What should it be called?'],
    ]);
    expect(textOf(turn)).toContain('"Which colour should it be?"="Blue"');
    expect(textOf(turn)).toContain('"Which parts should change?"="Dock, Islands"');
    expect(textOf(turn)).toContain('"What should it be called?"="Hannah"');
    expect(turn.responseParts).toContainEqual(
      expect.objectContaining({ kind: 'inputRequest', response: 'accept' }),
    );
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

  it('is cancelled while it speaks, while it is silent and while it asks, and answers the next prompt', async () => {
    const talk = await stage.talk();
    const asked = () =>
      toolCallsOf(talk.state().activeTurn ?? { responseParts: [] }).some(
        ({ status }) => status === 'pending-confirmation',
      );
    const rounds: [prompt: string, ready: () => boolean][] = [
      [
        `slow: 4000 ${'word '.repeat(2000)}`,
        () => textOf(talk.state().activeTurn ?? { responseParts: [] }) !== '',
      ],
      ['hang:', () => talk.state().activeTurn !== undefined],
      ['bash: touch never', asked],
    ];
    for (const [prompt, ready] of rounds) {
      await talk.send(prompt);
      await talk.until(ready, prompt.slice(0, 20));
      await talk.cancel();
      expect(talk.state().turns.at(-1)?.state).toBe('cancelled');
      expect(textOf(await talk.prompt('say: Here again.'))).toBe('Here again.');
    }
    expect(existsSync(join(stage.folder, 'never'))).toBe(false);
  });
});

describe.skipIf(!installed)('claude-agent-acp with a plan', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await createStage('claude', { change: (setup) => ({ ...setup, mode: 'plan' }) });
  });
  afterAll(() => stage.close());

  it('leaves plan mode in the way the client chose, of two that allow for ever (R-027)', async () => {
    const talk = await stage.talk();
    let options: unknown;
    let plan: unknown;
    talk.answers.permission = (call) => {
      options = call.options?.map(({ id, kind }) => [id, kind]);
      plan = call.toolInput;
      return 'exit-plan-auto';
    };
    const turn = await talk.prompt('plan: # Do it\nsay: Planned.');
    // The request itself leaves the plan out; it was announced before.
    expect(plan).toBe('{"rawInput":{"plan":"# Do it"}}');
    expect(options).toEqual([
      ['exit-plan-default', 'approve'],
      ['exit-plan-auto', 'approve'],
      ['exit-plan-bypass', 'approve'],
      ['reject', 'deny'],
    ]);
    expect(toolCallsOf(turn)).toMatchObject([{ selectedOption: { id: 'exit-plan-auto' } }]);
    await talk.until(
      () => JSON.stringify(talk.sessionState()._meta).includes('"current":"auto"'),
      'the mode that was chosen',
    );
  });
});
