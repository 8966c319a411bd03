// What is said about a wrong agents.toml: the key, what was expected, what stands there, what was probably meant.
// Never quotes a value of the file: variables and options of agents are nobody else's.
import type { z } from 'zod';
import type { KeyPath } from './locate.ts';
import { nearest } from './nearest.ts';
import { AGENT_KEYS, TOP_KEYS } from './schema.ts';

/** One thing to correct, or to know. */
export interface Issue {
  path: KeyPath;
  text: string;
}

/** The issues that the schema found in `data`. */
export function issuesOf(error: z.ZodError, data: unknown): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.filter((key) => typeof key !== 'symbol');
    if (issue.code !== 'unrecognized_keys') return [{ path, text: textOf(issue, path, valueAt(data, path)) }];
    return issue.keys.map((key) => ({ path: [...path, key], text: unknownKey(data, path, key) }));
  });
}

/** `path` as people write it: `agents[0].env.KEY`; keys that need quotes have them. */
export function pathText(path: KeyPath): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      return (index === 0 ? '' : '.') + (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));
    })
    .join('');
}

function textOf(issue: z.core.$ZodIssue, path: KeyPath, value: unknown): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return issue.message;
  const expected =
    issue.code === 'invalid_value' ? oneOf(issue.values, path) : typeName(issue.expected, path);
  if (value === undefined) return `missing; expected ${expected}`;
  if (issue.code === 'invalid_type' || typeof value !== 'string')
    return `expected ${expected}, found ${kindOf(value)}`;
  return `expected ${expected}${meant(value, issue.values.map(String))}`;
}

function oneOf(values: readonly unknown[], path: KeyPath): string {
  if (path.at(-1) === 'skills') return SKILLS;
  return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
}

/** The two ways of an agent to the desktop's skills (seed "The skills the desktop gives an agent"). */
const SKILLS =
  'false or "claude" ("claude" hands Claude the skills with each session; ' +
  'every other agent reads them from ~/.agents/skills and has false)';

function typeName(expected: string, path: KeyPath): string {
  if (pathText(path) === 'agents') return 'a list of tables, each beginning with [[agents]]';
  return TYPES[expected] ?? expected;
}

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'whole seconds, 0 or more',
  array: 'a list of strings',
  object: 'a table',
  record: 'a table of strings',
};

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  return typeof value === 'object' ? 'a table' : `a ${typeof value}`;
}

function unknownKey(data: unknown, path: KeyPath, key: string): string {
  const ofAgent = path.length > 0;
  const [here, there] = ofAgent ? [AGENT_KEYS, TOP_KEYS] : [TOP_KEYS, AGENT_KEYS];
  // [[agent]] is [[agents]] misspelled, although an agent may have a key of that name.
  const isList = Array.isArray(valueAt(data, [...path, key]));
  if (there.includes(key) && !(isList && nearest(key, here) !== undefined)) {
    return ofAgent
      ? 'unknown key of an agent; it belongs above the first [[agents]]'
      : 'unknown key at the top; it belongs to an agent, below [[agents]]';
  }
  return `unknown key${meant(key, here) || `; known here are ${here.join(', ')}`}`;
}

function meant(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function valueAt(data: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)?.[key], data);
}
