// Claude's whole turn, read back from the client's state and compared with the raw messages of the agent: each thing
// it said stands in its place, and whatever else it said stands somewhere, but for what is dropped by name below.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResponsePart, Turn } from '../../src/protocol/state-chat.ts';
import type { SessionState } from '../../src/protocol/state-session.ts';
import {
  type AgentSaid,
  agentSaid,
  leaves,
  type Outlined,
  outline,
  type RawMessage,
} from './support/acp-log.ts';
import { isInstalled } from './support/agents.ts';
import { createStage, type Stage } from './support/stage.ts';
import { type Talk, toolCallsOf } from './support/talk.ts';

/** Paths in the agent's messages that clients do not get, and why. */
const DROPPED: Record<string, string> = {
  '_meta.claudeCode.toolResponse': 'a third copy of the result',
  'usage._meta._claude/origin': 'not display data',
  'promptResult._meta.quota': 'counts side requests too and disagrees with the usage',
  'info.updatedAt': 'the time of the last change is computed from the actions',
  'permissions[].sessionId': 'the session of the agent; routing only',
  'forms[].sessionId': 'the session of the agent; routing only',
  'forms[].mode': 'the only kind of form there is',
  '.messageId': 'a boundary between texts only',
  '_custom.': 'a field for free text beside a choice: the choice allows free text',
};
const isDropped = (path: string) => Object.keys(DROPPED).some((name) => path.includes(name));

/** Words of ACP that clients get as other words of AHP; each is looked at on its own below. */
const REWORDED: readonly RegExp[] = [
  /^calls.*\.status$/,
  /^calls.*\.content\[\]\.(type|content\.type)$/,
  /^permissions.*\.(status|type)$/,
  /^forms\[\]\.requestedSchema\.(.*\.)?type$/,
  /^promptResult\.stopReason$/,
];

/** White space and a fence around the whole are presentation. */
const oneLine = (text: string) =>
  text
    .replace(/^```\w*\n|\n```$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** One line of at most 200 characters. */
const shortened = (text: string) => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
};

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown) => (value ?? {}) as Fields;
const listOf = (value: unknown) => (value ?? []) as Fields[];
const ottoOf = (holder: { _meta?: unknown } | undefined) => fieldsOf(fieldsOf(holder?._meta)['otto']);

const TODOS = ['Look around', 'Write it down', 'Tell'];
const todo = (...states: string[]) => {
  const todos = TODOS.map((content, n) => ({ content, activeForm: `${content} now`, status: states[n] }));
  return `tool: TodoWrite ${JSON.stringify({ todos })}`;
};

/** A part of the turn in the words of the outline. */
function outlined(part: ResponsePart): Outlined {
  if (part.kind === 'reasoning') return ['thought', part.content];
  if (part.kind === 'markdown') return ['message', part.content];
  if (part.kind === 'inputRequest') return ['form', part.request.message];
  if (part.kind !== 'toolCall') throw new Error(`a ${part.kind} was not expected`);
  const plan = ottoOf(part.toolCall)['plan'];
  return plan === undefined ? ['call', part.toolCall.toolCallId] : ['plan', fieldsOf(plan)['entries']];
}

describe.skipIf(!isInstalled('claude'))("claude-agent-acp's whole turn in the state of a client", () => {
  let stage: Stage;
  let talk: Talk;
  let file: string;
  let turn: Turn;
  let session: SessionState;
  let raw: RawMessage[];
  let said: AgentSaid;

  const resultOf = (method: string) => {
    const { message } =
      raw.find((each) => each.from === 'service' && each.message['method'] === method) ?? {};
    const answer = raw.find(
      (each) => each.from === 'agent' && each.message['id'] === message?.['id'] && 'result' in each.message,
    );
    return fieldsOf(answer?.message['result']);
  };
  /** Each call as the agent described it and as it stands in the turn. */
  const pairs = () =>
    [...said.calls].map(([id, call]) => {
      const shown = toolCallsOf(turn).find(({ toolCallId }) => toolCallId === id);
      if (shown?.status !== 'completed') throw new Error(`${id} is ${shown?.status}`);
      return { call, shown };
    });

  beforeAll(async () => {
    stage = await createStage('claude', { tee: true });
    talk = await stage.talk();
    file = join(stage.folder, 'a.txt');
    const onFile = (tool: string, input: Fields) =>
      `tool: ${tool} ${JSON.stringify({ file_path: file, ...input })}`;
    talk.answers.permission = () => 'allow-once';
    talk.answers.input = ({ questions = [] }) => ({
      [`${questions[0]?.id}`]: { state: 'submitted', value: { kind: 'selected', value: 'Red' } },
      [`${questions[1]?.id}`]: {
        state: 'submitted',
        value: { kind: 'selected-many', value: ['Top bar', 'Islands'], freeformValues: ['The rest'] },
      },
    });
    const script = [
      'think: Planning the work.',
      'bash: echo scripted; touch made',
      'ask: 2',
      onFile('Write', { content: 'one\ntwo\nthree\n' }),
      onFile('Edit', { old_string: 'two', new_string: 'zwei' }),
      onFile('Read', { offset: 2, limit: 1 }),
      'think: A list.',
      todo('in_progress', 'pending', 'pending'),
      // The same list again says nothing new: two messages follow each other with nothing between them.
      'think: The list again.',
      todo('in_progress', 'pending', 'pending'),
      'think: Further on.',
      todo('completed', 'in_progress', 'pending'),
      'say: Done, two files.',
    ];
    turn = await talk.prompt(script.join('\n'));
    await talk.until(() => JSON.stringify(talk.sessionState()._meta).includes('outputTokens'), 'the totals');
    session = talk.sessionState();
    raw = stage.rawMessages();
    said = agentSaid(raw);
  });
  afterAll(() => stage.close());

  it('has its texts, calls, plans and questions as parts in the order in which they came', () => {
    expect(turn.state).toBe('complete');
    expect(turn.responseParts.map(outlined)).toEqual(outline(raw));
    expect(
      outline(raw)
        .map(([kind]) => kind)
        .join(' '),
    ).toBe('thought call call form call call call thought plan thought thought plan message');
    expect(said.others).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe('one\nzwei\nthree\n');
  });

  it('has the kind, name, input, places, result and changes of each call', () => {
    for (const { call, shown } of pairs()) {
      const rawInput = fieldsOf(call['rawInput']);
      const places = listOf(call['locations']);
      const diffs = listOf(call['content']).flatMap(({ type, ...diff }) => (type === 'diff' ? [diff] : []));
      expect(shown).toMatchObject({
        success: call['status'] === 'completed',
        displayName: call['title'],
        invocationMessage: call['title'],
        toolName: call['kind'] === 'other' ? 'tool' : call['kind'],
      });
      expect(shown.intention).toEqual(rawInput['description']);
      expect(fieldsOf(JSON.parse(`${shown.toolInput}`))['rawInput']).toEqual(rawInput);
      expect(ottoOf(shown)).toEqual({
        tool: { name: call['name'], kind: call['kind'] },
        ...(places.length > 0 && { locations: places }),
        ...(diffs.length > 0 && { diffs }),
      });
      const content = listOf(shown.content);
      expect(content.flatMap(({ type, text }) => (type === 'text' ? [text] : []))).toEqual([
        call['rawOutput'],
      ]);
      expect(content.filter(({ type }) => type === 'fileEdit')).toHaveLength(diffs.length);
    }
    const changes = pairs().flatMap(({ shown }) => listOf(shown.content).flatMap(({ diff }) => diff ?? []));
    expect(changes).toEqual([
      { added: 3, removed: 0 },
      { added: 1, removed: 1 },
    ]);
    const lines = pairs().flatMap(({ shown }) => listOf(ottoOf(shown)['locations']).map(({ line }) => line));
    expect(lines).toEqual([undefined, undefined, 1, 2]);
    expect(pairs()[0]?.shown.intention).toBe('Scripted command');
  });

  it('has the options of each permission request in their order, and which was chosen', () => {
    const asked = talk.envelopes.flatMap(({ action }) =>
      action.type === 'chat/toolCallReady' && action.options !== undefined ? [action] : [],
    );
    expect(said.permissions).toHaveLength(3);
    expect(
      asked.map(({ toolCallId, options, _meta }) => [toolCallId, options, ottoOf({ _meta })['optionKinds']]),
    ).toEqual(
      said.permissions.map(({ toolCall, options }) => [
        fieldsOf(toolCall)['toolCallId'],
        listOf(options).map(({ optionId, name, kind }) => ({
          id: optionId,
          label: name,
          kind: `${kind}`.startsWith('allow') ? 'approve' : 'deny',
        })),
        Object.fromEntries(listOf(options).map(({ optionId, kind }) => [optionId, kind])),
      ]),
    );
    const confirmed = talk.envelopes.flatMap(({ action }) =>
      action.type === 'chat/toolCallConfirmed' ? [[action.toolCallId, action.selectedOptionId]] : [],
    );
    expect(confirmed).toEqual(asked.map(({ toolCallId }) => [toolCallId, 'allow-once']));
    const ends = pairs().map(({ shown }) => [shown.confirmed, shown.selectedOption?.id]);
    expect(ends).toEqual([
      ['user-action', 'allow-once'],
      ['not-needed', undefined],
      ['user-action', 'allow-once'],
      // Claude adds the line after the answer: the call is said again, and AHP has no place there for the option.
      ['user-action', undefined],
      ['not-needed', undefined],
    ]);
    expect(pairs()[2]?.shown.selectedOption).toEqual(asked[1]?.options?.[0]);
  });

  it('has the questions with their choices in order, and the agent has the answers as given', () => {
    const part = turn.responseParts.find(({ kind }) => kind === 'inputRequest');
    const [form] = said.forms;
    const properties = fieldsOf(fieldsOf(form?.['requestedSchema'])['properties']) as Record<string, Fields>;
    const questions = Object.entries(properties).filter(([id]) => !id.endsWith('_custom'));
    expect(part).toEqual({
      kind: 'inputRequest',
      response: 'accept',
      request: {
        id: expect.stringMatching(/\S/),
        message: form?.['message'],
        answers: {
          question_0: { state: 'submitted', value: { kind: 'selected', value: 'Red' } },
          question_1: {
            state: 'submitted',
            value: { kind: 'selected-many', value: ['Top bar', 'Islands'], freeformValues: ['The rest'] },
          },
        },
        questions: questions.map(([id, { type, title, description, oneOf, items }]) => ({
          id,
          title,
          message: description,
          kind: type === 'array' ? 'multi-select' : 'single-select',
          options: listOf(oneOf ?? fieldsOf(items)['anyOf']).map(
            ({ const: value, title: label, ...rest }) => ({
              id: value,
              label,
              ...rest,
            }),
          ),
          allowFreeformInput: `${id}_custom` in properties,
        })),
      },
    });
    const id = raw.find(({ message }) => message['method'] === 'elicitation/create')?.message['id'];
    const answer = raw.find(
      ({ from, message }) => from === 'service' && message['id'] === id && message['method'] === undefined,
    );
    expect(answer?.message['result']).toEqual({
      action: 'accept',
      content: { question_0: 'Red', question_1: ['Top bar', 'Islands'], question_1_custom: 'The rest' },
    });
  });

  it('has the tokens, the context and the cost of the turn and of the session', () => {
    const { inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens, totalTokens } = fieldsOf(
      said.promptResult['usage'],
    );
    const { used, size, cost, _meta } = said.usage;
    const all = [inputTokens, outputTokens, cachedReadTokens, cachedWriteTokens, totalTokens, used, size];
    // Were two the same, one could stand for the other.
    expect(new Set(all.map(Number)).size).toBe(all.length);
    const tokens = { inputTokens, outputTokens, cacheReadTokens: cachedReadTokens };
    expect(turn.usage).toEqual({
      ...tokens,
      model: fieldsOf(_meta)['_claude/model'],
      _meta: {
        otto: {
          context: { used, size },
          cost,
          tokens: { cacheWrite: cachedWriteTokens, total: totalTokens },
        },
      },
    });
    expect(ottoOf(session)['usage']).toEqual({ ...tokens, turns: 1, context: { used, size }, cost });
  });

  it('has the plan, the modes, the options and the commands in their order', () => {
    expect(ottoOf(session)['plan']).toEqual({ done: 1, total: 3, current: 'Write it down now' });
    expect(listOf(said.plan['entries']).map(({ status }) => status)).toEqual([
      'completed',
      'in_progress',
      'pending',
    ]);
    expect(ottoOf(session)['modes']).toEqual({
      current: said.mode['currentModeId'],
      available: fieldsOf(resultOf('session/new')['modes'])['availableModes'],
    });
    expect(ottoOf(session)['options']).toEqual(
      listOf(said.options['configOptions']).map(({ currentValue, options, ...rest }) => ({
        ...rest,
        current: currentValue,
        ...(options !== undefined && { choices: options }),
      })),
    );
    const [plugin] = session.customizations ?? [];
    const shown = listOf(fieldsOf(plugin)['children']).map((each) => [
      each['name'],
      each['description'],
      ottoOf(each)['hint'],
    ]);
    expect(shown).toEqual(
      listOf(said.commands['availableCommands']).map(({ name, description, input }) => [
        name,
        shortened(`${description}`),
        fieldsOf(input)['hint'],
      ]),
    );
  });

  it('has every other value of the agent somewhere, or it is dropped by name', () => {
    const calls = toolCallsOf(turn);
    const ready = talk.envelopes.filter(({ action }) => action.type === 'chat/toolCallReady');
    const held = leaves([turn, session, ready.map(({ action }) => action)], '');
    const inputs = calls.map((call) => ('toolInput' in call ? JSON.parse(String(call.toolInput)) : {}));
    const values = [...held, ...leaves(inputs, '')].map(({ value }) => value);
    const known = new Set(values.map((value) => (typeof value === 'string' ? oneLine(value) : value)));
    const texts = [...known].filter((value) => typeof value === 'string').join('\n');
    const isHeld = (value: string | number | boolean) =>
      known.has(value) ||
      (typeof value === 'string' && texts.includes(oneLine(value).slice(0, 190).trimEnd()));
    // The texts are compared message by message above.
    const { calls: byId, others, thought, message, ...rest } = said;
    const missing = leaves({ calls: [...byId.values()], ...rest }, '')
      .map(({ path, value }) => ({ path: path.slice(1), value }))
      .filter(({ path }) => !isDropped(path) && !REWORDED.some((pattern) => pattern.test(path)))
      .filter(({ path, value }) => !(path === 'info.title' && value === oneLine(turn.message.text)))
      .filter(({ value }) => !isHeld(value));
    expect(missing).toEqual([]);
  });
});
