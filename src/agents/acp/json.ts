// Lenient reading of what an agent sent: a value of another type counts as not said.
// What an agent answers is validated by nobody before us, and one odd field must not cost the whole message.
import { isObject } from '../../base/json.ts';

export type JsonObject = { readonly [key: string]: unknown };

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A string with something to read in it. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A lone surrogate has no UTF-8 form, and strict readers would reject the whole message (F-008). */
export function wellFormed(words: string): string {
  return words.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** The objects of a list; whatever else is in it is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  return asList(value).flatMap((entry): JsonObject[] => {
    const object = asObject(entry);
    return object === undefined ? [] : [object];
  });
}

/** The object that nested keys lead to, as in `_meta.claudeCode`. */
export function inside(value: unknown, ...keys: readonly string[]): JsonObject | undefined {
  return keys.reduce((at: JsonObject | undefined, key) => asObject(at?.[key]), asObject(value));
}

const DEPTH_LIMIT = 100;
const CUT = '[not shown]';

/**
 * A copy that is nested at most 100 deep, since deeper values could not be written out again; `replace` may put
 * another value in the place of one under a key.
 */
export function flattened(
  value: unknown,
  replace: (key: string, value: unknown) => unknown = (_, kept) => kept,
  depth = 0,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH_LIMIT) return CUT;
  if (Array.isArray(value)) return value.map((entry) => flattened(entry, replace, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, flattened(replace(key, entry), replace, depth + 1)]),
  );
}

/** For `flattened`: file contents in base64 are replaced by a word. */
export function withoutBase64(key: string, value: unknown): unknown {
  const isFile = /^(data|blob|base64)$/.test(key) && typeof value === 'string' && value.length >= 256;
  return isFile && /^[A-Za-z0-9+/_-]+=*$/.test(value) ? CUT : value;
}
