import { expect, it } from 'vitest';
import { byteLength, oneLine } from '../../src/host/text.ts';

it.each([
  ['  a\n\tb  c ', 'a b c'],
  ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ['😀'.repeat(200), '😀'.repeat(200)],
  ['😀'.repeat(201), `${'😀'.repeat(200)}…`],
])('one line of at most 200 characters: %j (facts 2.4)', (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});

it.each(['', 'abc', 'é', '€', '😀', 'aé€😀\n'])('counts the bytes of %j as UTF-8 has them', (text) => {
  expect(byteLength(text)).toBe(Buffer.byteLength(text));
});
