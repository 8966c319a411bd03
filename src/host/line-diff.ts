// How many lines an edit adds and removes (acp-to-ahp 2.4). Only the counts: nobody is shown a diff from here.

/** A text with more lines is not compared. */
const MAX_LINES = 5000;

/** Lines only in `newText` and only in `oldText`; undefined above 5,000 lines. */
export function lineDiff(oldText: string, newText: string): { added: number; removed: number } | undefined {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  if (before.length > MAX_LINES || after.length > MAX_LINES) return undefined;
  const common = commonLines(before, after);
  return { added: after.length - common, removed: before.length - common };
}

/** A line break ends a line; it does not begin another one. */
function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The length of the longest common subsequence, with one bit per line of `before` (Hyyrö's method): the host has one
 * thread, and the textbook table for 5,000 lines would hold it up for a noticeable time.
 */
function commonLines(before: readonly string[], after: readonly string[]): number {
  const places = new Map<string, bigint>();
  for (const [at, line] of before.entries()) places.set(line, (places.get(line) ?? 0n) | (1n << BigInt(at)));
  const all = (1n << BigInt(before.length)) - 1n;
  let open = all;
  for (const line of after) {
    const matches = open & (places.get(line) ?? 0n);
    open = ((open + matches) | (open - matches)) & all;
  }
  return before.length - ones(open);
}

function ones(bits: bigint): number {
  return bits.toString(2).replaceAll('0', '').length;
}
