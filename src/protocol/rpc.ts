// JSON-RPC 2.0 framing (AHP J-1 to J-7): one text frame in, one classified message out, and the three kinds of
// message we build. Knows no method and looks into no params. Refuses batches, and nesting so deep that
// writing the value again would fail.
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from './errors.ts';

interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** Ids of any JSON type are echoed as they came (facts of the wire; AHP itself uses numbers). */
type Frame =
  | { kind: 'request'; id: unknown; method: string; params: unknown }
  | { kind: 'notification'; method: string; params: unknown }
  | { kind: 'response'; id: unknown; result: unknown }
  | { kind: 'response'; id: unknown; error: RpcError }
  /** Not a message; to be answered with `failure(id, code, message)`. */
  | { kind: 'fault'; id: unknown; code: number; message: string };

// A value nested thousands of levels deep can be parsed but no longer be written, and would take a snapshot
// down for everybody. AHP needs about twenty.
const MAX_DEPTH = 512;

/** Classifies one text frame. Never throws. -32700 for what is not JSON, -32600 for what is no message. */
export function parseFrame(text: string): Frame {
  if (isDeeperThan(text, MAX_DEPTH)) {
    return fault(null, `the message is nested more than ${MAX_DEPTH} levels deep`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'fault', id: null, code: PARSE_ERROR, message: 'the frame is not valid JSON' };
  }
  if (Array.isArray(value)) return fault(null, 'batches are not supported: send one message per frame');
  if (typeof value !== 'object' || value === null) return fault(null, 'a message must be a JSON object');
  return classify(value as Record<string, unknown>);
}

function classify(message: Record<string, unknown>): Frame {
  const { id = null, method, params } = message;
  if (message['jsonrpc'] !== '2.0') return fault(id, 'a message must have "jsonrpc": "2.0"');
  if (typeof method === 'string') {
    return Object.hasOwn(message, 'id')
      ? { kind: 'request', id, method, params }
      : { kind: 'notification', method, params };
  }
  if (method !== undefined) return fault(id, '"method" must be a string');
  if (Object.hasOwn(message, 'error')) return { kind: 'response', id, error: rpcError(message['error']) };
  if (Object.hasOwn(message, 'result')) return { kind: 'response', id, result: message['result'] };
  return fault(id, 'a message needs a "method", a "result" or an "error"');
}

function fault(id: unknown, message: string): Frame {
  return { kind: 'fault', id, code: INVALID_REQUEST, message };
}

/** A response must never be answered, so an error of the wrong shape is read as an internal one. */
function rpcError(value: unknown): RpcError {
  const { code, message, data } = (value ?? {}) as Record<string, unknown>;
  if (typeof code !== 'number' || typeof message !== 'string') {
    return { code: INTERNAL_ERROR, message: 'the peer reported an error without a code and a message' };
  }
  return data === undefined ? { code, message } : { code, message, data };
}

/** Whether the brackets of `text` nest deeper than `limit`. */
function isDeeperThan(text: string, limit: number): boolean {
  // Every level takes two characters, so most frames need no look.
  if (text.length <= limit * 2) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const mark = text[index];
    if (mark === '"') index = endOfString(text, index);
    else if (mark === '[' || mark === '{') depth++;
    else if (mark === ']' || mark === '}') depth--;
    if (depth > limit) return true;
  }
  return false;
}

/** Where the string that opens at `start` closes. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

export function success(id: unknown, result: unknown) {
  return { jsonrpc: '2.0', id, result };
}

/** `data` is left out of the message when it is undefined. */
export function failure(id: unknown, code: number, message: string, data?: unknown) {
  const error: RpcError = data === undefined ? { code, message } : { code, message, data };
  return { jsonrpc: '2.0', id, error };
}

export function notification(method: string, params: unknown) {
  return { jsonrpc: '2.0', method, params };
}
