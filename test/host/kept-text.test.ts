import { describe, expect, it } from 'vitest';
import { append, cutOf, follow, inFull, NO_TEXT, newest } from '../../src/host/kept-text.ts';

const LIMIT = 256 << 10;
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');

describe('output that is kept', () => {
  it('is exact up to 256 KiB, and above that its beginning and its newest part around a note (F-094)', () => {
    const whole = 'x'.repeat(LIMIT);
    expect(inFull(append(NO_TEXT, whole))).toBe(whole);
    const longer = append(append(NO_TEXT, lines(30_000)), 'the end');
    const text = `${lines(30_000)}the end`;
    const cut = text.length - LIMIT;
    expect(cutOf(longer)).toBe(cut);
    expect(inFull(longer)).toBe(
      `${text.slice(0, 64 << 10)}\n… ${cut} characters left out …\n${text.slice(-(192 << 10))}`,
    );
  });

  it('is the very same when it is told again, and grows when it is told with more', () => {
    let kept = append(NO_TEXT, 'one\n');
    expect(follow(kept, 'one\n')).toBe(kept);
    kept = follow(kept, 'one\ntwo\n');
    expect(inFull(kept)).toBe('one\ntwo\n');
    expect(inFull(follow(kept, 'other'))).toBe('other');
    expect(inFull(follow(kept, 'one\n'))).toBe('one\n');
    expect(inFull(follow(kept, 'one\nTWO\nthree\n'))).toBe('one\nTWO\nthree\n');
  });

  it('grows the same way above the limit, whatever the steps it is told in', () => {
    const text = lines(40_000);
    let told = NO_TEXT;
    for (let end = 1000; end < text.length; end += 7_919) told = follow(told, text.slice(0, end));
    told = follow(told, text);
    expect(told).toEqual(append(NO_TEXT, text));
    expect(follow(told, text)).toBe(told);
  });

  it('shows at most 8 KiB while it grows, from the start of a line, and says how much came before', () => {
    const text = lines(2000);
    const [note, ...shown] = newest(append(NO_TEXT, text)).split('\n');
    const rest = shown.join('\n');
    expect(text.endsWith(rest)).toBe(true);
    expect(rest).toMatch(/^line \d+\n/);
    expect(rest.length).toBeGreaterThan(8100);
    expect(rest.length).toBeLessThanOrEqual(8 << 10);
    expect(note).toBe(`… ${text.length - rest.length} earlier characters`);
    expect(newest(append(NO_TEXT, 'short'))).toBe('short');
  });

  it('shows the newest part of one endless line too', () => {
    const shown = newest(append(NO_TEXT, `${'x'.repeat(20_000)}\n`));
    expect(shown).toBe(`… ${20_001 - 8192} earlier characters\n${'x'.repeat(8191)}\n`);
  });

  it('is never cut through a character', () => {
    const kept = append(NO_TEXT, `x${'😀'.repeat(LIMIT)}`);
    for (const text of [inFull(kept), newest(kept), newest(append(NO_TEXT, `${'😀'.repeat(5000)}x`))])
      expect(text).not.toMatch(/\p{Surrogate}/u);
  });
});
