import { describe, expect, test } from 'vitest';
import { editLines } from '../../src/cli/edit-lines.ts';

const edit = (before: string | undefined, after: string) => ({
  path: '/w/a\u202e',
  change: 'changed' as const,
  added: 1,
  ...(before !== undefined && { before: { text: before } }),
  after: { text: after },
});
const HEAD = '  File: /w/a\\u{202e} (changed +1)';

describe('an edit', () => {
  test.each([
    [
      'a\nb\nc',
      'a\nx\u200b\nc',
      ['  | ⟨1 unchanged line⟩', '  | - b', '  | + x\\u{200b}', '  | ⟨1 unchanged line⟩'],
    ],
    [undefined, 'a\nb', ['  | + a', '  | + b']],
    ['a\na', 'a\na\na', ['  | ⟨2 unchanged lines⟩', '  | + a']],
    ['a\na\na', 'a', ['  | ⟨1 unchanged line⟩', '  | - a', '  | - a']],
    ['a', 'b', ['  | - a', '  | + b']],
  ])('from %j to %j shows the lines that go and come (F-065, F-135)', (before, after, lines) => {
    expect(editLines(edit(before, after), new Set())).toEqual([HEAD, ...lines]);
  });

  test('whose texts are all shown elsewhere is named only', () => {
    expect(editLines(edit('a', 'b'), new Set(['a', 'b']))).toEqual([HEAD]);
    expect(editLines(edit('a', 'b'), new Set(['b']))).toHaveLength(3);
  });
});
