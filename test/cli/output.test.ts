import { describe, expect, test } from 'vitest';
import { complain, plain, plainLine, print, statusLine } from '../../src/cli/output.ts';

function stream(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, columns: 20, write: (text: string) => written.push(text), written };
}

const NASTY = 'a\u001b[31mred\u0007\u009b2J\tb\r\nc\u007f';

test('control characters go, newline and tab stay', () => {
  expect(plain(NASTY)).toBe('a[31mred2J\tb\nc');
  expect(plainLine(' a\n\n\tb ')).toBe('a b');
});

test('nothing turns the direction of writing; words of any language stay (F-135)', () => {
  expect(plain('a\u202eb\u2066c\u200ed\u061ce\tf\n')).toBe('abcde\tf\n');
  expect(plain('שלום é ❤\ufe0f 👩\u200d💻')).toBe('שלום é ❤\ufe0f 👩\u200d💻');
});

describe('print', () => {
  test('a terminal gets no escape sequences of others, a pipe gets the text as it is', () => {
    const [terminal, pipe] = [stream(true), stream(false)];
    print(NASTY, terminal);
    print(NASTY, pipe);
    expect([terminal.written, pipe.written]).toEqual([[plain(NASTY)], [NASTY]]);
  });
});

test('an error is one sentence of ours without control characters', () => {
  const stderr = stream(false);
  complain('no \u001b[2Jway', stderr);
  expect(stderr.written).toEqual(['otto-agents: no [2Jway\n']);
});

describe('statusLine', () => {
  test('on a terminal it replaces itself, fits the width and disappears', () => {
    const stderr = stream(true);
    const status = statusLine(stderr);
    status.show('Starting\nClaude');
    status.show('Starting\nClaude');
    status.show('x'.repeat(40));
    status.clear();
    status.clear();
    expect(stderr.written).toEqual([
      '\r\u001b[KStarting Claude',
      `\r\u001b[K${'x'.repeat(19)}`,
      '\r\u001b[K',
    ]);
  });

  test('elsewhere nothing is written', () => {
    const stderr = stream(false);
    const status = statusLine(stderr);
    status.show('Starting');
    status.clear();
    expect(stderr.written).toEqual([]);
  });
});
