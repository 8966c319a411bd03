// `{file:<path>}` in arguments and variables of an agent, replaced when it starts, so that a text stays in its own
// file and out of agents.toml. Leaves every other `~`, `$` and brace as it is.
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { messageOf } from '../base/errors.ts';

const TOKEN = /\{file:([^}]*)\}/g;

/** One argument or variable cannot be longer than this on Linux (MAX_ARG_STRLEN). */
const LIMIT_BYTES = 128 << 10;

export interface ExpandOptions {
  /** What `~/` at the beginning of a path stands for. */
  home: string;
  /** Gets one line for each file that cannot be put in; nothing stands in its place then. */
  warn: (message: string) => void;
  /** Gets each text that was put in. */
  found?: (text: string) => void;
}

/** `text` with each `{file:<path>}` replaced by that file's text, white space at its end removed. */
export function expand(text: string, options: ExpandOptions): string {
  return text.replace(TOKEN, (token, path: string) => {
    const read = textOf(path.replace(/^~(?=\/)/, options.home));
    if ('problem' in read) {
      options.warn(`${token} is left empty: ${read.problem}`);
      return '';
    }
    options.found?.(read.text);
    return read.text;
  });
}

function textOf(path: string): { text: string } | { problem: string } {
  if (!isAbsolute(path)) return { problem: 'give a full path beginning with "/" or "~/"' };
  try {
    const about = statSync(path, { throwIfNoEntry: false });
    if (about === undefined) return { problem: 'there is no such file' };
    // A pipe would be waited for, a device read for ever.
    if (!about.isFile()) return { problem: 'it is no ordinary file' };
    if (about.size > LIMIT_BYTES) return { problem: `it is longer than ${LIMIT_BYTES} bytes` };
    const text = readFileSync(path, 'utf8').trimEnd();
    return text.includes('\u0000') ? { problem: 'it holds a NUL character' } : { text };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
