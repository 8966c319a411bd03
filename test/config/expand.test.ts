// `{file:<path>}`: what stands in its place, and what is said when nothing does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { expand } from '../../src/config/expand.ts';

function rig() {
  const home = mkdtempSync(join(tmpdir(), 'otto-expand-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const warnings: string[] = [];
  const found: string[] = [];
  return {
    home,
    warnings,
    found,
    write: (name: string, text: string) => writeFileSync(join(home, name), text),
    expand: (text: string) =>
      expand(text, { home, warn: (line) => warnings.push(line), found: (one) => found.push(one) }),
  };
}

it('puts in the text of a file without the white space at its end, `~/` being the home directory', () => {
  const { home, write, expand, warnings, found } = rig();
  write('a', ' one\ntwo \n\n');
  write('b', '{"x": "$1 $& {file:~/a}"}');
  expect(expand(`{file:${home}/a}`)).toBe(' one\ntwo');
  expect(expand('x={file:~/a};{file:~/b}.')).toBe('x= one\ntwo;{"x": "$1 $& {file:~/a}"}.');
  expect(found).toEqual([' one\ntwo', ' one\ntwo', '{"x": "$1 $& {file:~/a}"}']);
  expect(warnings).toEqual([]);
});

it.each(['', 'plain', '~/a', '~', '$HOME', '{file:~/a', '{file}', '{ file:~/a}', '{FILE:~/a}', 'a}{file:'])(
  'leaves %j as it is',
  (text) => {
    const { write, expand, warnings } = rig();
    write('a', 'never');
    expect([expand(text), warnings]).toEqual([text, []]);
  },
);

it('puts nothing in place of what cannot be read, warns of each, and takes the others', () => {
  const { home, write, expand, warnings } = rig();
  write('a', 'A');
  write('zero', 'a\u0000b');
  write('long', 'x'.repeat(200_000));
  mkdirSync(join(home, 'dir'));
  const tokens = ['{file:~/gone}', '{file:~/dir}', '{file:/dev/zero}', '{file:}', '{file:rel}', '{file:~a}'];
  expect(expand(`<${[...tokens, '{file:~/zero}', '{file:~/long}', '{file:~/a}'].join('')}>`)).toBe('<A>');
  const full = 'give a full path beginning with "/" or "~/"';
  expect(warnings).toEqual([
    '{file:~/gone} is left empty: there is no such file',
    '{file:~/dir} is left empty: it is no ordinary file',
    '{file:/dev/zero} is left empty: it is no ordinary file',
    `{file:} is left empty: ${full}`,
    `{file:rel} is left empty: ${full}`,
    `{file:~a} is left empty: ${full}`,
    '{file:~/zero} is left empty: it holds a NUL character',
    '{file:~/long} is left empty: it is longer than 131072 bytes',
  ]);
});
