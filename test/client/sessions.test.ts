import { describe, expect, test } from 'vitest';
import { findSession, folderOf, shortId, statusWord } from '../../src/client/sessions.ts';
import type { SessionSummary } from '../../src/protocol/state-session.ts';

const summary = (id: string): SessionSummary => ({
  resource: `ahp-session:/${id}`,
  provider: 'echo',
  title: '',
  status: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  modifiedAt: '2026-01-01T00:00:00.000Z',
});

describe('findSession', () => {
  const [newest, other, third] = [summary('abc-2'), summary('abd-1'), summary('abc')];
  const all = [newest, other, third];

  test.each([
    [undefined, newest],
    ['ahp-session:/abd-1', other],
    ['abd-1', other],
    ['abd', other],
    ['abc', third],
    ['abc-', newest],
  ])('%j names one session: URI, id, unique start, else the newest (R-123)', (query, found) => {
    expect(findSession(all, query)).toBe(found);
  });

  test('several matches are an error with their count', () => {
    expect(() => findSession(all, 'ab')).toThrow('3 sessions begin with "ab"; write more of the id');
  });

  test.each(['x', '', 'ahp-session:/ab'])('%j matches none and is an error', (query) => {
    expect(() => findSession(all, query)).toThrow(
      `no session is called "${query}"; see \`otto-agents sessions\``,
    );
  });

  test('without any session every lookup is an error', () => {
    expect(() => findSession([])).toThrow('there are no sessions');
  });
});

test.each([
  [1, 'idle'],
  [1 | 32 | 64, 'idle'],
  [2, 'error'],
  [8, 'working'],
  [8 | 32, 'working'],
  [24, 'needs input'],
])('status %i is "%s"', (status, word) => {
  expect(statusWord(status)).toBe(word);
});

test('an id is shown by its first 8 characters', () => {
  expect(shortId('ahp-session:/0123456789')).toBe('01234567');
});

test('a folder is the path of the first directory, when it is one of this machine', () => {
  expect(folderOf({ workingDirectories: ['file:///home/a%20b', 'file:///c'] })).toBe('/home/a b');
  expect(folderOf({ workingDirectories: [] })).toBeUndefined();
  expect(folderOf({ workingDirectories: ['https://example.org/x'] })).toBeUndefined();
});
