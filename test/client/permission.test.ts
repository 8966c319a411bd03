import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../../src/base/errors.ts';
import type { Client } from '../../src/client/client.ts';
import { aboutIsCommand, type PermissionQuestion, readWhole } from '../../src/client/permission.ts';

const QUESTION: PermissionQuestion = {
  kind: 'permission',
  id: 'tool:T:t',
  session: 'ahp-session:/s',
  agent: 'Claude',
  chat: 'ahp-chat:/c',
  turnId: 'T',
  toolCallId: 't',
  title: 'Claude wants to run a command',
  about: 'make',
  input: {},
  paths: ['/w/a', '/w/b'],
  edits: [{ path: '/w/b', change: 'changed' }],
  options: [{ id: 'once', label: 'Once', kind: 'approve', reach: 'allow_once' }],
  start: 'once',
};
const { start: _start, ...WITHOUT_START } = QUESTION;

/** A service that answers every request with `answer`. */
function serving(answer: () => Promise<unknown>): { client: Client; asked: unknown[] } {
  const asked: unknown[] = [];
  const request = (method: string, params: object) => {
    asked.push({ method, ...params });
    return answer();
  };
  return { client: { request } as unknown as Client, asked };
}

const nothing = serving(() => Promise.reject(new Error('nothing is to be asked')));

describe('a permission whose input is not in the state', () => {
  test('is completed with it (F-065)', async () => {
    const command = `echo ${'x'.repeat(70_000)} && rm -rf y`;
    const data = JSON.stringify({ path: '/w/c', rawInput: { command, timeout: 5 } });
    const { client, asked } = serving(() => Promise.resolve({ data, encoding: 'utf-8' }));
    const whole = await readWhole(client, { ...QUESTION, inputUri: 'x-otto-content:/1' });
    expect(whole).toEqual({ ...QUESTION, command, input: { timeout: 5 }, paths: ['/w/c', '/w/a'] });
    expect(asked).toEqual([
      { method: 'resourceRead', channel: 'ahp-root://', uri: 'x-otto-content:/1', encoding: 'utf-8' },
    ]);
  });

  test.each([
    [() => Promise.reject(new ProtocolError(-32008, 'not kept')), 'not kept'],
    [() => Promise.resolve({ data: 'eA==', encoding: 'base64' }), 'it came as base64'],
  ])('has nothing to start on when that cannot be had (F-065)', async (answer, reason) => {
    const { client } = serving(answer);
    expect(await readWhole(client, { ...QUESTION, inputUri: 'x-otto-content:/1' })).toEqual({
      ...WITHOUT_START,
      hidden: `it is too long to come with the question: ${reason}`,
    });
  });
});

describe('the texts of edits', () => {
  const edit = { path: '/w/b', change: 'changed', before: { text: 'old' }, after: { uri: 'x:new' } } as const;

  test('are fetched where they are not with the call (F-065)', async () => {
    const { client } = serving(() => Promise.resolve({ data: 'new', encoding: 'utf-8' }));
    const whole = await readWhole(client, { ...QUESTION, edits: [edit] });
    expect(whole).toEqual({ ...QUESTION, edits: [{ ...edit, after: { text: 'new' } }] });
  });

  test('that are not to be had leave nothing to start on (F-065)', async () => {
    const { client } = serving(() => Promise.reject(new ProtocolError(-32008, 'not kept')));
    const whole = await readWhole(client, { ...QUESTION, edits: [edit] });
    expect(whole).toMatchObject({ hidden: 'it is too long to come with the question: not kept' });
    expect(whole).not.toHaveProperty('start');
  });

  test('of a file that goes away are not needed', async () => {
    const edits = [{ path: '/w/b', change: 'deleted', before: { uri: 'x:old' } }] as const;
    expect(await readWhole(nothing.client, { ...QUESTION, edits })).toEqual({ ...QUESTION, edits });
  });
});

describe('words that the service cut', () => {
  const cut = `${'w'.repeat(200)}…`;

  test.each([{ about: cut }, { title: cut }, { note: cut }])(
    'leave nothing to start on: %j (F-065)',
    async (more) => {
      expect(await readWhole(nothing.client, { ...QUESTION, ...more })).toEqual({
        ...WITHOUT_START,
        ...more,
        hidden: 'what the agent says of it was too long and is cut',
      });
    },
  );

  test('are no loss where they are the start of the command', async () => {
    const question = { ...QUESTION, about: cut, command: `${'w'.repeat(300)}\n&& x` };
    expect(await readWhole(nothing.client, question)).toEqual(question);
    expect(aboutIsCommand(question)).toBe(true);
    expect(aboutIsCommand({ ...question, command: 'rm' })).toBe(false);
  });

  test('are told from an ellipsis of the agent', async () => {
    const question = { ...QUESTION, about: 'Wait…' };
    expect(await readWhole(nothing.client, question)).toEqual(question);
  });
});

test('paths that are too many to come with the question leave nothing to start on (F-065)', async () => {
  expect(await readWhole(nothing.client, { ...QUESTION, pathsCut: 10 })).toEqual({
    ...WITHOUT_START,
    pathsCut: 10,
    hidden: '10 more paths, which are too many to come with it',
  });
});
