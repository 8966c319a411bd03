// The output of one call, bounded: its beginning and its newest part. Agents tell it again and again from the start
// (F-094), so what is told is compared with what is kept, and only the growth is taken.

/** How much is kept, in UTF-16 code units. */
const HEAD = 64 << 10;
const TAIL = 192 << 10;
/** How much is shown while the call runs. */
const SHOWN = 8 << 10;

export interface KeptText {
  readonly head: string;
  /** What follows the head, without what was left out at its beginning. */
  readonly tail: string;
  /** Of all that was said. */
  readonly length: number;
}

export const NO_TEXT: KeptText = { head: '', tail: '', length: 0 };

export function append({ head, tail, length }: KeptText, more: string): KeptText {
  const room = HEAD - head.length;
  return {
    head: head + more.slice(0, room),
    tail: (tail + more.slice(room)).slice(-TAIL),
    length: length + more.length,
  };
}

/** `whole` is said in place of what is kept; the very same value when it says nothing new. */
export function follow(kept: KeptText, whole: string): KeptText {
  const { head, tail, length } = kept;
  const grew = whole.startsWith(head) && whole.startsWith(tail, length - tail.length);
  if (whole.length < length || !grew) return append(NO_TEXT, whole);
  return whole.length === length ? kept : append(kept, whole.slice(length));
}

/** How much of what was said is no longer kept. */
export function cutOf({ head, tail, length }: KeptText): number {
  return length - head.length - tail.length;
}

/** All that is kept, with a line that says how much is missing. */
export function inFull(kept: KeptText): string {
  const { head, tail } = kept;
  const cut = cutOf(kept);
  return cut === 0 ? head + tail : `${upToPair(head)}\n… ${cut} characters left out …\n${fromPair(tail)}`;
}

/** The newest part, from the start of a line where there is one, under a line that says how much came before. */
export function newest({ head, tail, length }: KeptText): string {
  if (length <= SHOWN) return head + tail;
  const end = (tail.length < SHOWN ? head + tail : tail).slice(-SHOWN);
  const line = end.indexOf('\n') + 1;
  const shown = fromPair(end.slice(line === end.length ? 0 : line));
  return `… ${length - shown.length} earlier characters\n${shown}`;
}

/** A cut may go through the two halves of one character; what is left of it is nothing. */
function upToPair(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

function fromPair(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '');
}
