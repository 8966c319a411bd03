// Bytes of an agent's stdout become lines, and lines become JSON-RPC messages or nothing.
// Owns the one ceiling per line; refuses whatever is not one whole message on one line.
import type { AnyMessage } from '@agentclientprotocol/sdk';
import { asObject, type JsonObject } from './json.ts';

/** A line of this many bytes still passes, one more ends the agent. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

const LINE_FEED = 10;

/** Splits a byte stream at line breaks, however it is cut into chunks. */
export class LineSplitter {
  readonly #limit: number;
  #held = Buffer.alloc(0);
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines completed by `chunk`, without their breaks; `undefined` when a line is over the limit. */
  push(chunk: Buffer): Buffer[] | undefined {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      if (this.#length + rest.length > this.#limit) return undefined;
      lines.push(this.#length === 0 ? rest : this.#complete(rest));
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    if (this.#length + rest.length > this.#limit) return undefined;
    this.#hold(rest);
    return lines;
  }

  #complete(rest: Buffer): Buffer {
    this.#hold(rest);
    const line = this.#held.subarray(0, this.#length);
    this.#held = Buffer.alloc(0);
    this.#length = 0;
    return line;
  }

  #hold(bytes: Buffer): void {
    const length = this.#length + bytes.length;
    if (length > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.min(Math.max(length, this.#held.length * 2), this.#limit));
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    bytes.copy(this.#held, this.#length);
    this.#length = length;
  }
}

/** The JSON-RPC 2.0 message on this line; `undefined` for anything else. */
export function parseMessage(line: Buffer): AnyMessage | undefined {
  const text = line.toString('utf8').trim();
  if (!text.startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const message = asObject(value);
  if (message?.['jsonrpc'] !== '2.0') return undefined;
  const { id, method } = message;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (!('method' in message)) return hasId ? answerOf(message) : undefined;
  const fits = typeof method === 'string' && (hasId || !('id' in message));
  return fits ? (value as AnyMessage) : undefined;
}

/** Some write the one of `result` and `error` that does not apply as null, as JSON-RPC 1.0 had it. */
function answerOf({ result, error, ...rest }: JsonObject): AnyMessage | undefined {
  const isError = error !== undefined && error !== null;
  if (isError) return (result ?? null) === null ? ({ ...rest, error } as AnyMessage) : undefined;
  return result === undefined ? undefined : ({ ...rest, result } as AnyMessage);
}
