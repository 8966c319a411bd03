// What is shown of an agent's stderr: whole characters, a bounded end, and nothing that is to be hidden.
import { describe, expect, it } from 'vitest';
import { StderrTail } from '../../src/agents/acp/stderr-tail.ts';
import { redactor } from '../../src/agents/redact.ts';

const SECRET = 'sesame-street';
const LIMIT = 64 * 1024;

function tailOf(...texts: string[]): StderrTail {
  const tail = new StderrTail(redactor([SECRET, 'one\n \t two']));
  for (const text of texts) tail.push(Buffer.from(text));
  return tail;
}

describe('the tail of stderr', () => {
  it('is the text that was sent, also when it comes byte by byte (F-020)', () => {
    const text = '日本語 👩‍👩‍👧 e\u0301 ü';
    const tail = new StderrTail((said) => said);
    for (const byte of Buffer.from(text)) tail.push(Buffer.of(byte));
    expect([tail.newest(), tail.reason()]).toEqual([text, text]);
  });

  it.each([
    ['where its line is cut', ['x'.repeat(194), SECRET, 'x'.repeat(50)]],
    ['in two chunks', ['token ses', 'ame-street']],
    ['with colours inside', ['token ses\u001b[1mame-str\u001b[0meet']],
    ['far into a line without end', [`${'\u001b[0m'.repeat(260)}${SECRET}`]],
    ['where the tail begins', [`${SECRET}${'y'.repeat(LIMIT - 6)}`]],
    ['with its white space folded', ['token one two']],
    ['on two lines, each too short to be known alone', ['tokens: one\n \t two']],
    ['with other white space', ['token one\t\ttwo']],
  ])('hides a value that stands %s', (_, texts) => {
    const tail = tailOf(...texts);
    for (const shown of [tail.newest(), tail.reason()]) {
      expect(shown).not.toMatch(/ses|ame|eet|one|two/);
      expect(shown.length).toBeGreaterThan(5);
    }
  });

  it('shows 200 characters of a line and the last five lines', () => {
    expect(tailOf('z'.repeat(300)).newest()).toBe(`${'z'.repeat(199)}…`);
    expect(tailOf('1\n2\r\n\n3\n4\n5\n6\n').reason()).toBe('2 · 3 · 4 · 5 · 6');
  });
});
