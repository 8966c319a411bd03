import { describe, expect, test } from 'vitest';
import { endingOf, openQuestions, sameQuestion } from '../../src/client/questions.ts';
import type { ChatState } from '../../src/protocol/state-chat.ts';
import type { SessionState } from '../../src/protocol/state-session.ts';

const SESSION = 'ahp-session:/s';
const OPTIONS = [
  { id: 'always', label: 'Always', kind: 'approve' },
  { id: 'once', label: 'Once', kind: 'approve' },
  { id: 'no', label: 'No', kind: 'deny' },
];
const KINDS = { always: 'allow_always', once: 'allow_once', no: 'reject_once' };

function pending(more: object = {}, otto: object = {}) {
  const toolCall = {
    status: 'pending-confirmation',
    toolCallId: 't',
    toolName: 'execute',
    displayName: 'touch a',
    invocationMessage: 'touch a',
    options: OPTIONS,
    _meta: { otto: { defaultOption: 'once', optionKinds: KINDS, ...otto } },
    ...more,
  };
  const block = { id: 'tool:T:t', chat: 'ahp-chat:/c', kind: 'toolConfirmation', turnId: 'T', toolCall };
  return openQuestions(SESSION, { inputNeeded: [block] } as unknown as SessionState, 'Claude')[0];
}

describe('a permission', () => {
  test('has the command, the paths, the edits and the rest of the input apart', () => {
    const rawInput = { command: ['git', 'commit', '-m', 'two words'], description: 'Save', timeout: 5 };
    const toolInput = JSON.stringify({ path: '/w/a', rawInput });
    const side = (path: string) => ({ uri: `file://${path}`, content: { uri: 'x:1' } });
    const edits = {
      items: [
        { after: side('/w/a%20b'), diff: { added: 2 } },
        { before: side('/w/c'), after: side('/w/c'), diff: { added: 1, removed: 3 } },
        { before: side('/w/d') },
      ],
    };
    const locations = [{ path: '/w/a' }, { path: '/w/c' }, { path: '/w/e' }];
    const more = {
      toolInput,
      edits,
      confirmationTitle: { markdown: 'Claude wants to edit' },
      intention: 'Save',
    };
    const diffs = [{ path: '/w/a b', oldText: null, newText: 'one\ntwo' }];
    expect(pending(more, { locations, diffs, note: 'careful' })).toEqual({
      kind: 'permission',
      id: 'tool:T:t',
      session: SESSION,
      agent: 'Claude',
      chat: 'ahp-chat:/c',
      turnId: 'T',
      toolCallId: 't',
      title: 'Claude wants to edit',
      about: 'touch a',
      intention: 'Save',
      note: 'careful',
      command: 'git commit -m "two words"',
      input: { timeout: 5 },
      paths: ['/w/a', '/w/e'],
      edits: [
        { path: '/w/a b', change: 'new', added: 2, after: { text: 'one\ntwo' } },
        {
          path: '/w/c',
          change: 'changed',
          added: 1,
          removed: 3,
          before: { uri: 'x:1' },
          after: { uri: 'x:1' },
        },
        { path: '/w/d', change: 'deleted', before: { uri: 'x:1' } },
      ],
      options: OPTIONS.map((option) => ({ ...option, reach: KINDS[option.id as keyof typeof KINDS] })),
      start: 'once',
    });
  });

  test.each([
    ['always', undefined],
    ['no', 'no'],
    ['unknown', undefined],
  ])('starts on %s as %s: never on what allows more than this call', (defaultOption, start) => {
    expect(pending({}, { defaultOption })).toHaveProperty('options');
    expect((pending({}, { defaultOption }) as { start?: string }).start).toBe(start);
  });

  test.each([
    ['not JSON', { input: 'not JSON' }],
    ['{"command":"ls"}', {}],
    ['{"path":5,"line":2,"other":1}', { path: 5, other: 1 }],
    ['{"rawInput":["a",1]}', { input: ['a', 1] }],
    ['{"rawInput":7}', { input: 7 }],
    [undefined, {}],
  ])('input %j is shown as what it is', (toolInput, input) => {
    expect(pending(toolInput === undefined ? {} : { toolInput })).toMatchObject({ input });
  });

  test.each([
    ['"rm -rf ~"', 'rm -rf ~'],
    ['["rm","-rf","a b"]', 'rm -rf "a b"'],
    ['{"command":"ls"}', 'ls'],
  ])('raw input %s is a command', (rawInput, command) => {
    expect(pending({ toolInput: `{"rawInput":${rawInput}}` })).toMatchObject({ command, input: {} });
  });

  test.each([
    [{ run: 'rm -rf ~' }, { description: { run: 'rm -rf ~' } }],
    ['Something else', { description: 'Something else' }],
    ['Save', {}],
  ])('a description %j is left out only where it is the intention (F-065)', (description, input) => {
    const toolInput = JSON.stringify({ rawInput: { command: 'ls', description } });
    expect(pending({ toolInput, intention: 'Save' })).toMatchObject({ command: 'ls', input });
    expect((pending({ toolInput, intention: 'Save' }) as { input: object }).input).toEqual(input);
  });

  test('has the whole title where the line shows a part of it (F-065)', () => {
    expect(pending({}, { tool: { title: 'touch a and more' } })).toMatchObject({ about: 'touch a and more' });
  });

  test('that waits for something else than a person is none', () => {
    expect(pending({ status: 'running' })).toBeUndefined();
  });
});

test('a sign-in comes first, with why the last one did not work', () => {
  const request = { id: 'r', questions: [] };
  const state = {
    inputNeeded: [{ id: 'input:r', chat: 'c', kind: 'chatInput', request }],
    _meta: { otto: { signIn: { methods: [] }, problem: { text: 'no' } } },
  } as unknown as SessionState;
  expect(openQuestions(SESSION, state, 'Claude')).toMatchObject([
    { kind: 'signIn', methods: [], problem: 'no' },
    { kind: 'form', request },
  ]);
});

test('a permission with another command is another question; drafts do not make another form', () => {
  const input = (command: string) => ({ toolInput: JSON.stringify({ rawInput: { command } }) });
  const [one, same, other] = [pending(input('ls')), pending(input('ls')), pending(input('rm'))];
  if (one === undefined || same === undefined || other === undefined) throw new Error('not open');
  expect(sameQuestion(one, same)).toBe(true);
  expect(sameQuestion(one, other)).toBe(false);
});

describe('what became of a question', () => {
  const question = pending();
  if (question === undefined) throw new Error('not open');
  const after = (call: object) =>
    ({
      turns: [{ responseParts: [{ kind: 'toolCall', toolCall: { toolCallId: 't', ...call } }] }],
    }) as unknown as ChatState;

  test.each([
    [{ status: 'running' }, 'allowed'],
    [{ status: 'completed' }, 'allowed'],
    [{ status: 'cancelled', reason: 'denied' }, 'refused'],
    [{ status: 'cancelled', reason: 'skipped' }, 'gone'],
    [{ status: 'pending-confirmation' }, 'gone'],
    [{ status: 'running', toolCallId: 'other' }, 'gone'],
  ])('%j is %s', (call, ending) => {
    expect(endingOf(question, after(call))).toBe(ending);
  });

  test('is not known without its chat', () => {
    expect(endingOf(question, undefined)).toBe('gone');
  });
});
