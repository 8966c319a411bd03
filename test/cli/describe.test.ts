import { expect, test } from 'vitest';
import { describe as lines } from '../../src/cli/describe.ts';
import type { PermissionQuestion } from '../../src/client/questions.ts';

const QUESTION: PermissionQuestion = {
  kind: 'permission',
  id: 'tool:T:t',
  session: 'ahp-session:/s',
  agent: 'Claude',
  chat: 'ahp-chat:/c',
  turnId: 'T',
  toolCallId: 't',
  title: 'Claude wants to edit a file',
  about: 'Write a.txt',
  input: { file_path: '/w/a.txt', content: 'x'.repeat(600), 'a\u200bb': { deep: ['\u202e'] } },
  paths: ['/w/b\n.txt'],
  edits: [{ path: '/w/a.txt', change: 'new', added: 1 }],
  options: [
    { id: 'y', label: 'Fine', kind: 'approve', reach: 'allow_session' },
    { id: 'n', label: 'No', kind: 'deny', reach: 'reject_always' },
  ],
};

test('a permission shows each path once, values cut with their rest counted, and what each option does (F-135)', () => {
  expect(lines(QUESTION, { ids: true })).toEqual([
    'Claude wants to edit a file',
    '  Write a.txt',
    '  Path: /w/b\\n.txt',
    '  File: /w/a.txt (new +1)',
    `  content: ${'x'.repeat(500)}… 100 more characters`,
    '  a\\u{200b}b: {"deep":["\\u{202e}"]}',
    '   1  Fine (y) – allows it',
    '   2  No (n) – refuses it always',
  ]);
});

test('what a call does is not said twice where it is the command; a reason and a note are told', () => {
  const more = {
    about: 'make  all',
    command: 'make\nall',
    intention: 'Build it',
    note: 'long',
    input: {},
    edits: [],
  };
  expect(lines({ ...QUESTION, ...more, paths: [], options: [] })).toEqual([
    'Claude wants to edit a file',
    '  Why: Build it',
    '  | make',
    '  | all',
    '  Note: long',
  ]);
});
