import { describe, expect, test } from 'vitest';
import { folderName, sessionTable } from '../../src/cli/sessions.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const session = {
  resource: 'ahp-session:/0123456789abcdef',
  provider: 'claude',
  title: 'Fix the build',
  status: 24,
  workingDirectories: ['file:///home/me/dev/otto'],
  createdAt: ago(100_000),
  modifiedAt: ago(30),
};

describe('sessionTable', () => {
  test('one line per session in the columns of the list (R-123)', () => {
    const table = sessionTable(
      [
        session,
        { ...session, resource: 'ahp-session:/b', status: 8, title: '', modifiedAt: ago(60), provider: 'pi' },
        {
          ...session,
          status: 2,
          title: 'two\nlines\u001b[2J',
          modifiedAt: ago(7_200),
          workingDirectories: [],
        },
        { ...session, status: 1, modifiedAt: ago(200_000), workingDirectories: ['file:///srv/x'] },
        { ...session, status: 1 | 32, modifiedAt: 'yesterday' },
        { ...session, status: 1, modifiedAt: ago(-5) },
      ],
      NOW,
      '/home/me',
    );
    const folder = '~/dev/otto                      ';
    expect(table.split('\n')).toEqual([
      'ID       STATUS       AGENT       AGE  FOLDER                           TITLE',
      `01234567 needs input  claude      30s  ${folder} Fix the build`,
      `b        working      pi           1m  ${folder} (untitled)`,
      `01234567 error        claude       2h  -                                two lines[2J`,
      `01234567 idle         claude       2d  /srv/x                           Fix the build`,
      `01234567 idle         claude        ?  ${folder} Fix the build`,
      `01234567 idle         claude       0s  ${folder} Fix the build`,
      '',
    ]);
  });
});

test.each([
  [undefined, '-'],
  ['/home/me', '~'],
  ['/home/me/a', '~/a'],
  ['/home/meadow', '/home/meadow'],
])('the folder %j is shown as %j', (path, shown) => {
  expect(folderName(path, '/home/me')).toBe(shown);
});
