// Words of an agent in something a person decides about: nothing in them is invisible, moves the cursor, turns the
// direction of writing or pushes the rest out of sight (F-135). What is carried out is untouched.

// What draws nothing or changes how others are drawn; common spaces and the two presentation selectors excepted.
const UNSEEN =
  /(?!\n| |\u00a0|\u202f|\u3000|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const LONGEST_RUN = 40;

/** The whole of `text` on one line: what is cut off would be decided unseen (F-065). */
export function visibleLine(text: string): string {
  return seen(text).trim().replaceAll('\n', '\\n');
}

/** The whole of `text`, line by line; long runs of emptiness are counted instead of shown, and empty ends left out. */
export function visibleLines(text: string): string[] {
  const lines: string[] = [];
  let empty = 0;
  const skip = (): void => {
    lines.push(...(empty > 2 ? [`⟨${empty} empty lines⟩`] : Array<string>(empty).fill('')));
    empty = 0;
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '') empty += 1;
    else {
      skip();
      lines.push(seen(line));
    }
  }
  return lines;
}

function seen(line: string): string {
  return line
    .replaceAll('\t', '\\t')
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
    .replace(/[\s\u2800]+/gu, (run) => (run.length > LONGEST_RUN ? ` ⟨${run.length} spaces⟩ ` : run));
}
