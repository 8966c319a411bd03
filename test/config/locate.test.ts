// Positions of keys: every key of a text that holds all forms of TOML is found where it stands.
import { parse } from 'smol-toml';
import { expect, it } from 'vitest';
import { type KeyPath, locator } from '../../src/config/locate.ts';

const ALL = `# [comment] with = signs
top = "a # no comment" # a comment
'quoted key' = 'it is'

esc = "\\" ] } , \\\\" # after an escaped quote
long = """
[not.a.table]
no = "key" \\""" """""
raw = '''
[[nor]] this
'''''
date = 1979-05-27 07:32:00Z
float = -1.5e3
"a.b" = true
"\\u00e9" . inner = 1
list = [ "x", # [ comment ]
  ['n', "]"],
  { one = 1, two = { three = [3,] } },
]
inline = { plain = "}", dotted.key = 2, }

[table . sub]
  indented = 1
[[agents]]
id = "one"
[agents.env]
KEY = "="
[[agents.deep]]
x = 1
[[agents.deep]]
x = 2
[[agents]]
id = "two"
env.KEY = "v"
[agents.config]
"a \\"b\\"" = ""
`;

function paths(value: unknown, path: KeyPath = []): KeyPath[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return [path];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [
    ...(path.length > 0 ? [path] : []),
    ...entries.flatMap(([key, each]) => paths(each, [...path, key])),
  ];
}

it.each([
  ['\n', ALL],
  ['\r\n', ALL.replaceAll('\n', '\r\n')],
])('every key stands where it is said to stand (lines end in %j)', (_, text) => {
  const locate = locator(text);
  const lines = text.split('\n');
  const found = paths(parse(text)).filter((path) => typeof path.at(-1) === 'string');
  expect(found.length).toBeGreaterThan(30);
  for (const path of found) {
    const { line, column } = locate(path);
    const there = (lines[line - 1] ?? '').slice(column - 1);
    const key = String(path.at(-1));
    const spelled = [key, `'${key}'`, JSON.stringify(key), key === '\u00e9' ? '"\\u00e9"' : key];
    expect(
      spelled.some((each) => there.startsWith(each)),
      `${JSON.stringify(path)} at ${there}`,
    ).toBe(true);
  }
});

it('tells apart the tables of a list, their items and what is inside them', () => {
  const locate = locator(ALL);
  const lineOf = (text: string, nth = 0) =>
    ALL.split('\n').flatMap((line, at) => (line === text ? [at + 1] : []))[nth];
  expect(locate(['agents', 0])).toEqual({ line: lineOf('[[agents]]'), column: 3 });
  expect(locate(['agents', 1])).toEqual({ line: lineOf('[[agents]]', 1), column: 3 });
  expect(locate(['agents', 0, 'deep', 1, 'x'])).toEqual({ line: lineOf('x = 2'), column: 1 });
  expect(locate(['agents', 1, 'env', 'KEY'])).toEqual({ line: lineOf('env.KEY = "v"'), column: 5 });
  expect(locate(['list', 1, 1])).toEqual({ line: lineOf(`  ['n', "]"],`), column: 9 });
  expect(locate(['list', 2, 'two', 'three', 0]).column).toBe(31);
});

it('answers with the nearest table around a key that is not there', () => {
  const locate = locator('\n[[agents]]\nid = "a"\n');
  expect(locate(['agents', 0, 'name'])).toEqual({ line: 2, column: 3 });
  expect(locate(['none'])).toEqual({ line: 1, column: 1 });
});

it('comes to an end with whatever it is given', () => {
  for (const text of [
    '=',
    '[',
    '[[',
    'a',
    'a = [',
    'a = {',
    'a = "',
    '}',
    ',',
    'a = [}',
    'a = {]',
    '"""',
    '\u0000',
  ]) {
    expect(locator(text)(['a']).line).toBe(1);
  }
});
