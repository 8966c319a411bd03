// What an agent wrote on stderr: a bounded tail for the reason of its end, and the newest line while it starts.
// Never the whole of it: however much an agent writes, memory stays the same (F-098). Redacts before it cuts, since
// half of what is to be hidden would not be known again.
import { StringDecoder } from 'node:string_decoder';
import type { Redact } from '../redact.ts';

const TAIL_CHARACTERS = 64 * 1024;
const LINE_CHARACTERS = 200;
const REASON_LINES = 5;

// Escape sequences first, then what is left of control and bidirectional characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/gu;
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/gu;

export class StderrTail {
  readonly #decoder = new StringDecoder('utf8');
  readonly #redact: Redact;
  #text = '';

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  push(chunk: Buffer): void {
    const text = this.#text + this.#decoder.write(chunk);
    this.#text = text.length > TAIL_CHARACTERS ? this.#redact(text).slice(-TAIL_CHARACTERS) : text;
  }

  /** The newest line with something to read on it, finished or not; empty when there is none. */
  newest(): string {
    return this.#lines(1)[0] ?? '';
  }

  /** The last lines on one line, for a person; empty when nothing was written. */
  reason(): string {
    return this.#lines(REASON_LINES).join(' · ');
  }

  #lines(count: number): string[] {
    const lines: string[] = [];
    const text = this.#redact(this.#text);
    let end = text.length;
    while (end > 0 && lines.length < count) {
      const start = Math.max(text.lastIndexOf('\n', end - 1), text.lastIndexOf('\r', end - 1)) + 1;
      const line = cut(this.#redact(readable(text.slice(start, end))));
      if (line !== '') lines.unshift(line);
      end = start - 1;
    }
    return lines;
  }
}

function readable(line: string): string {
  return line.replace(/\s/g, ' ').replace(ESCAPES, '').replace(INVISIBLE, '').replace(/ +/g, ' ').trim();
}

/** A line without end may be huge; only its beginning is shown. */
function cut(shown: string): string {
  return shown.length > LINE_CHARACTERS ? `${shown.slice(0, LINE_CHARACTERS - 1)}…` : shown;
}
