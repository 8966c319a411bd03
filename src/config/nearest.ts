// Which known word was probably meant by an unknown one. Says nothing when none is near.

/** The known word with the fewest slips of `word`, at most one for every three of its letters. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const near = known
    .map((candidate) => ({ candidate, slips: slips(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ slips }) => slips <= allowed)
    .sort((a, b) => a.slips - b.slips);
  return near[0]?.candidate;
}

/** Letters left out, put in, exchanged, or two neighbours swapped (optimal string alignment). */
function slips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
