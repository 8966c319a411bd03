// Texts of agents and people made fit for the place where they are shown or counted. Pure string work.

const LINE_LENGTH = 200;

/** The text on one line, white space collapsed. */
export function collapsed(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** One line of at most 200 characters: what an agent writes where a person reads a single line (facts 2.4). */
export function oneLine(text: string): string {
  const line = collapsed(text);
  // Twice as many code units hold at least that many characters.
  const characters = [...line.slice(0, 2 * LINE_LENGTH + 1)];
  return characters.length > LINE_LENGTH ? `${characters.slice(0, LINE_LENGTH).join('')}…` : line;
}

/** The length of `text` in UTF-8, in bytes. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // A half of a pair counts two of the pair's four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}
