// Where words go: answers to stdout, everything else to stderr. A terminal gets no control characters of others
// (an answer could otherwise move the cursor, retitle the window or turn the writing round); a pipe gets the text as it is.

/** Exit code of a command that the person ended with Ctrl+C. */
export const CANCELLED = 130;

interface Stream {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** `text` without what moves the cursor or turns the direction of writing; newline and tab stay (F-135). */
export function plain(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '');
}

/** `text` made plain, on one line. */
export function plainLine(text: string): string {
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
      const line = [...plainLine(text)].slice(0, (stderr.columns || 80) - 1).join('');
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
