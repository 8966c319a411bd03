import { expect, test } from 'vitest';
import { describe as lines } from '../../src/cli/describe.ts';
import type { PermissionQuestion } from '../../src/client/permission.ts';

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
  input: {
    file_path: '/w/a.txt',
    content: 'x'.repeat(600),
    text: 'one\n two\n',
    'a\u200bb': { deep: ['\u202e'] },
  },
  paths: ['/w/b\n.txt'],
  edits: [{ path: '/w/a.txt', change: 'new', added: 1 }],
  options: [
    { id: 'y', label: 'Fine', kind: 'approve', reach: 'allow_session' },
    { id: 'n', label: 'No', kind: 'deny', reach: 'reject_always' },
  ],
};

test('a permission shows each path once, all values whole, and what each option does (F-065, F-135)', () => {
  expect(lines(QUESTION, { ids: true })).toEqual([
    'Claude wants to edit a file',
    '  Write a.txt',
    '  Path: /w/b\\n.txt',
    '  File: /w/a.txt (new +1)',
    `  content: ${'x'.repeat(600)}`,
    '  text:',
    '  | one',
    '  |  two',
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

test('a title that is the cut start of the command is not said; what is missing is (F-065)', () => {
  const command = `echo ${'y'.repeat(300)}`;
  const more = {
    about: `${command.slice(0, 200)}…`,
    command,
    hidden: 'gone\u202e',
    input: {},
    edits: [],
    paths: [],
  };
  expect(lines({ ...QUESTION, ...more, options: [] })).toEqual([
    'Claude wants to edit a file',
    `  | ${command}`,
    '  Not everything can be shown here: gone\\u{202e}',
  ]);
});
