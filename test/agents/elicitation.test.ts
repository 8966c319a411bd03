// Questions of an agent through the ACP backend: asked once, answered once, and every way out answers.
import { describe, expect, it } from 'vitest';
import { completionProblem } from '../../src/host/input.ts';
import type { InputReply } from '../../src/host/ports.ts';
import { startRig } from './acp-rig.ts';

async function asking(...steps: string[]) {
  const rig = startRig({ script: { prompts: [steps] } });
  await rig.next('started');
  rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
  return { ...rig, asked: await rig.next('inputAsked') };
}

/** What the agent got for each of its requests, by id. */
function answers(rig: { entries(): Record<string, unknown>[] }) {
  return Object.fromEntries(
    rig.entries().flatMap(({ received }) => {
      const { id, result } = (received ?? {}) as { id?: string; result?: object };
      return id !== undefined && result !== undefined ? [[id, result]] : [];
    }),
  );
}

const DIALECTS = {
  message: 'Which?',
  requestedSchema: {
    type: 'object',
    properties: {
      named: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'], 'x-vendor': 1 },
      many: { type: 'array', items: { anyOf: [{ const: 'c', title: 'C' }] }, default: ['c'] },
    },
    required: ['named'],
  },
};
const submitted = (value: object) => ({ state: 'submitted', value }) as never;

describe('a question of an agent', () => {
  it('carries the whole form, other dialects too, and takes the answers back (F-073)', async () => {
    const rig = await asking(`elicit ${JSON.stringify({ ...DIALECTS, toolCallId: 'never announced' })}`);
    expect(rig.asked).toEqual({
      type: 'inputAsked',
      key: 'input-1',
      request: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        message: 'Which?',
        questions: [
          {
            id: 'named',
            kind: 'single-select',
            message: 'named',
            required: true,
            options: [
              { id: 'a', label: 'A' },
              { id: 'b', label: 'B' },
            ],
            allowFreeformInput: false,
          },
          {
            id: 'many',
            kind: 'multi-select',
            message: 'many',
            options: [{ id: 'c', label: 'C', recommended: true }],
            allowFreeformInput: false,
          },
        ],
      },
      reply: expect.any(Function),
    });
    rig.asked.reply({
      response: 'accept',
      answers: {
        named: submitted({ kind: 'selected', value: 'b' }),
        many: submitted({ kind: 'selected-many', value: ['c'] }),
      },
    });
    rig.asked.reply({ response: 'cancel' });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[accept {"named":"b","many":["c"]}]');
    expect(rig.of('withdrawn')).toEqual([]);
  });

  it.each<[InputReply, string]>([
    [{ response: 'accept' }, '[accept {}]'],
    [{ response: 'decline' }, '[decline]'],
    [{ response: 'cancel' }, '[cancel]'],
  ])('answered %j reaches the agent as %s', async (reply, text) => {
    const rig = await asking('elicit');
    rig.asked.reply(reply);
    await rig.next('turnEnded');
    expect(rig.text()).toBe(text);
  });

  it('may wait beside permissions, each answered alone and in any order (F-053)', async () => {
    const rig = await asking('ask', 'ask', 'elicit:later', 'hang');
    const first = await rig.next('permissionAsked');
    const second = await rig.next('permissionAsked');
    second.reply({ outcome: 'selected', optionId: 'yes' });
    rig.handle.cancel('a');
    rig.asked.reply({ response: 'cancel' });
    first.reply({ outcome: 'cancelled' });
    await rig.next('turnEnded');
    rig.handle.stop();
    await rig.next('stopped');
    expect(answers(rig)).toEqual({
      'agent-1': { outcome: { outcome: 'cancelled' } },
      'agent-2': { outcome: { outcome: 'selected', optionId: 'yes' } },
      'agent-3': { action: 'cancel' },
    });
  });

  it('the agent takes back is withdrawn under its key and answered once', async () => {
    const rig = await asking('elicit:later', 'withdraw');
    expect(await rig.next('withdrawn')).toEqual({ type: 'withdrawn', key: rig.asked.key });
    rig.asked.reply({ response: 'accept' });
    await rig.next('turnEnded');
    rig.handle.stop();
    await rig.next('stopped');
    expect(answers(rig)).toEqual({ 'agent-1': { action: 'cancel' } });
  });

  it.each([
    ['an address to open', { mode: 'url', url: 'https://example.org/', elicitationId: 'e' }],
    ['a mode from the future', { mode: 'hologram' }],
    ['no session', { sessionId: null, requestId: 1 }],
    ['another session', { sessionId: 'other' }],
  ])('about %s is declined at once (F-074)', async (_, params) => {
    const rig = startRig({ script: { prompts: [[`elicit ${JSON.stringify(params)}`]] } });
    await rig.next('started');
    await rig.prompt('x');
    expect(rig.text()).toBe('[decline]');
    expect(rig.of('inputAsked')).toEqual([]);
  });

  it.each([
    [
      'has to ask for what cannot be asked',
      { properties: { o: { type: 'object' } }, required: ['o'] },
      'field "o"',
    ],
    [
      'asks for a secret',
      { properties: { k: { type: 'string', _meta: { codex: { isSecret: true } } } } },
      'secret',
    ],
  ])('that %s is declined, and says why', async (_, requestedSchema, why) => {
    const rig = startRig({ script: { prompts: [[`elicit ${JSON.stringify({ requestedSchema })}`]] } });
    await rig.next('started');
    await rig.prompt('x');
    expect(rig.text()).toBe('[decline]');
    expect(rig.of('notice')).toMatchObject([{ severity: 'warning', title: expect.stringContaining(why) }]);
  });

  it.each([
    [
      { mode: 'url', url: 'https://user:pw@login.example.org/x?token=t' },
      'to open an address at login.example.org',
    ],
    [{ mode: 'url', url: 'javascript:alert(1)' }, 'to open an address'],
    [{ mode: 'url' }, 'to open an address'],
    [{ mode: 'hologram' }, 'in a way that is not known here'],
  ])('as %j is declined with a notice that says why (F-074)', async (params, why) => {
    const rig = startRig({ script: { prompts: [[`elicit ${JSON.stringify(params)}`]] } });
    await rig.next('started');
    await rig.prompt('x');
    expect(rig.text()).toBe('[decline]');
    const titles = rig.of('notice').map(({ severity, title }) => `${severity}: ${title}`);
    expect(titles).toHaveLength(1);
    expect(titles[0]?.startsWith('warning: A question of the agent was declined: ')).toBe(true);
    expect(titles[0]?.endsWith(why)).toBe(true);
  });

  it('that an MCP server asks through it keeps types, bounds and what is required (F-071, F-073)', async () => {
    const requestedSchema = {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'Your name', minLength: 2, maxLength: 40 },
        email: { type: 'string', format: 'email' },
        age: { type: 'integer', minimum: 18, maximum: 120 },
        news: { type: 'boolean', title: 'Newsletter', default: true },
        size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'], default: 'l' },
      },
      required: ['name', 'email', 'age', 'size'],
    };
    const rig = await asking(`elicit ${JSON.stringify({ message: 'About you', requestedSchema })}`);
    const { request } = rig.asked;
    expect(request).toEqual({
      id: expect.any(String),
      message: 'About you',
      questions: [
        { id: 'name', kind: 'text', title: 'Name', message: 'Your name', min: 2, max: 40, required: true },
        { id: 'email', kind: 'text', message: 'email', format: 'email', required: true },
        { id: 'age', kind: 'integer', message: 'age', min: 18, max: 120, required: true },
        { id: 'news', kind: 'boolean', message: 'Newsletter', defaultValue: true },
        {
          id: 'size',
          kind: 'single-select',
          message: 'size',
          required: true,
          options: [
            { id: 's', label: 'Small' },
            { id: 'l', label: 'Large', recommended: true },
          ],
          allowFreeformInput: false,
        },
      ],
    });
    const answers = {
      name: submitted({ kind: 'text', value: 'Ada' }),
      email: submitted({ kind: 'text', value: 'ada@example.org' }),
      age: submitted({ kind: 'number', value: 36 }),
      news: submitted({ kind: 'boolean', value: false }),
      size: submitted({ kind: 'selected', value: 's' }),
    };
    const wrong: [string, object][] = [
      ['name', { kind: 'text', value: 'A' }],
      ['name', { kind: 'text', value: 'A'.repeat(41) }],
      ['email', { kind: 'text', value: 'ada' }],
      ['age', { kind: 'number', value: 17 }],
      ['age', { kind: 'number', value: 36.5 }],
      ['size', { kind: 'selected', value: 'Small' }],
    ];
    for (const [field, value] of wrong) {
      const changed = { ...answers, [field]: submitted(value) };
      expect(completionProblem(request, 'accept', changed)).toContain(field);
    }
    expect(completionProblem(request, 'accept', answers)).toBeUndefined();
    rig.asked.reply({ response: 'accept', answers });
    await rig.next('turnEnded');
    expect(rig.text()).toBe(
      '[accept {"name":"Ada","email":"ada@example.org","age":36,"news":false,"size":"s"}]',
    );
  });

  it('answered with a broken character reaches the agent well-formed (F-008)', async () => {
    const rig = await asking('elicit');
    rig.asked.reply({
      response: 'accept',
      answers: { text: submitted({ kind: 'text', value: 'a\ud800b 👩' }) },
    });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[accept {"text":"a\ufffdb 👩"}]');
  });

  it('open while the agent dies ends with it; a late reply is ignored', async () => {
    const rig = await asking('elicit:later', 'exit 2');
    await rig.next('stopped');
    rig.asked.reply({ response: 'accept' });
    expect(rig.events.at(-1)?.type).toBe('stopped');
    expect(rig.of('withdrawn')).toEqual([]);
  });
});
