import { expect, test } from 'vitest';
import { visibleLine, visibleLines } from '../../src/cli/visible.ts';

test('what draws nothing, moves the cursor or turns the writing is written out (F-135)', () => {
  expect(visibleLine('rm \u202e\u2066x\u200b\u{e0041}\u00ad\u3164\ufeff')).toBe(
    'rm \\u{202e}\\u{2066}x\\u{200b}\\u{e0041}\\u{ad}\\u{3164}\\u{feff}',
  );
  expect(visibleLine('a\u001b[2Jb\rc\u0007\u2028d\u2003e\ud800')).toBe(
    'a\\u{1b}[2Jb\\u{d}c\\u{7}\\u{2028}d\\u{2003}e\\u{d800}',
  );
});

test('words of any language and pictures with a presentation selector stay as they are', () => {
  const text = 'Oui\u00a0? Да, 是的 שלום é ❤\ufe0f /home/käse';
  expect(visibleLine(text)).toBe(text);
  expect(visibleLines(text)).toEqual([text]);
});

test('a tab is written as such, since code is full of them', () => {
  expect(visibleLines('\tif x {\n\t\ty')).toEqual(['\\tif x {', '\\t\\ty']);
});

test('one line stays one line and is shown whole (F-065)', () => {
  expect(visibleLine(' a\nb ')).toBe('a\\nb');
  expect(visibleLine('x'.repeat(5_000))).toBe('x'.repeat(5_000));
});

test('a block is shown whole; padding is counted and pushes nothing out of sight (F-135)', () => {
  const command = `ls\n\n  -l${'\n'.repeat(501)}rm -rf x${' '.repeat(5_000)}&& y\u200b\n`;
  expect(visibleLines(command)).toEqual([
    'ls',
    '',
    '  -l',
    '⟨500 empty lines⟩',
    'rm -rf x ⟨5000 spaces⟩ && y\\u{200b}',
  ]);
  const long = Array.from({ length: 300 }, (_, index) => `line ${index}`);
  expect(visibleLines(long.join('\n'))).toEqual(long);
});
