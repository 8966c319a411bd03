import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../src/host/line-diff.ts';

it.each([
  ['', 'one', 1, 0],
  ['', '', 0, 0],
  ['one\n', '', 0, 1],
  ['a\nb\nc\n', 'a\nx\nc\nd\n', 2, 1],
  ['a\nb', 'b\na', 1, 1],
  ['same\n', 'same', 0, 0],
  ['\n', '\n\n', 1, 0],
])('%j → %j adds %i lines and removes %i', (before, after, added, removed) => {
  expect(lineDiff(before, after)).toEqual({ added, removed });
});

it('counts what the textbook table counts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 80 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const common = table(before, after);
      expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual({
        added: after.length - common,
        removed: before.length - common,
      });
    }),
  );
});

it('does not compare more than 5,000 lines', () => {
  expect(lineDiff('a\n'.repeat(5000), 'b\n'.repeat(5000))).toEqual({ added: 5000, removed: 5000 });
  expect(lineDiff('a\n'.repeat(5001), '')).toBeUndefined();
  expect(lineDiff('', 'a\n'.repeat(5001))).toBeUndefined();
});

function table(before: string[], after: string[]): number {
  let row: number[] = Array(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [at, other] of after.entries()) {
      next.push(line === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
