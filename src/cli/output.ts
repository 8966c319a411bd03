// Where words go: answers to stdout, everything else to stderr. A terminal gets no control characters of others
// (an answer could otherwise move the cursor or retitle the window); a pipe gets the text as it is.

/** Exit code of a command that the person ended with Ctrl+C. */
export const CANCELLED = 130;

interface Stream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** `text` without C0 and C1 control characters, newline and tab excepted. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}

/** `text` as one line of plain words. */
export function oneLine(text: string): string {
  return plain(text)
    .replace(/[\n\t]+/g, ' ')
    .trim();
}

export function print(text: string, stdout: Stream = process.stdout): void {
  stdout.write(stdout.isTTY === true ? plain(text) : text);
}

/** One sentence of ours on stderr. */
export function complain(message: string, stderr: Stream = process.stderr): void {
  stderr.write(`otto-agents: ${plain(message)}\n`);
}

/** One line on a terminal that says what is being waited for, and disappears; nothing at all elsewhere. */
export interface StatusLine {
  show(text: string): void;
  clear(): void;
}

export function statusLine(stderr: Stream & { columns?: number } = process.stderr): StatusLine {
  if (stderr.isTTY !== true) return { show: () => {}, clear: () => {} };
  let shown = '';
  return {
    show: (text) => {
      // A terminal that does not know its width says 0.
      const line = [...oneLine(text)].slice(0, (stderr.columns || 80) - 1).join('');
      if (line === shown) return;
      stderr.write(`\r\u001b[K${line}`);
      shown = line;
    },
    clear: () => {
      if (shown !== '') stderr.write('\r\u001b[K');
      shown = '';
    },
  };
}
