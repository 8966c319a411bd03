import { describe, expect, it } from 'vitest';
import { ReplayLog } from '../../src/host/replay-log.ts';

const delta = (channel: string, serverSeq: number, size = 0) => ({
  channel,
  serverSeq,
  action: { type: 'chat/delta', turnId: 't', partId: 'p', content: 'x'.repeat(size) } as const,
});

const seqs = (found: { serverSeq: number }[] | undefined) => found?.map(({ serverSeq }) => serverSeq);

describe('the replay log', () => {
  it('gives what came after a number, of the asked channels only, in order (L-23)', () => {
    const log = new ReplayLog();
    log.open('a', true, 0);
    log.open('b', true, 0);
    log.open('c', false, 0);
    for (const [channel, seq] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['a', 4],
      ['b', 5],
    ] as const)
      log.append(delta(channel, seq));
    expect(seqs(log.since(1, ['b', 'a']))).toEqual([2, 4, 5]);
    expect(seqs(log.since(0, ['c']))).toEqual([3]);
    expect(seqs(log.since(5, ['a', 'b', 'c']))).toEqual([]);
  });

  it('cannot serve a channel that has forgotten what was missed (L-21)', () => {
    const log = new ReplayLog({ chat: 2000, other: 2000, total: 1 << 20 });
    log.open('a', true, 0);
    for (let seq = 1; seq <= 10; seq++) log.append(delta('a', seq, 300));
    expect(log.since(0, ['a'])).toBeUndefined();
    expect(seqs(log.since(9, ['a']))).toEqual([10]);
  });

  it('serves from exactly where its memory begins, and from not one number earlier (L-21)', () => {
    const log = new ReplayLog({ chat: 2000, other: 2000, total: 1 << 20 });
    log.open('a', true, 0);
    for (let seq = 1; seq <= 10; seq++) log.append(delta('a', seq, 300));
    const whole = Array.from({ length: 11 }, (_, seq) => seqs(log.since(seq, ['a'])));
    const floor = whole.findIndex((found) => found !== undefined);
    expect(floor).toBeGreaterThan(0);
    for (let seq = floor; seq <= 10; seq++) {
      expect(whole[seq]).toEqual(Array.from({ length: 10 - seq }, (_, at) => seq + 1 + at));
    }
  });

  it('lets no busy chat evict a quiet session', () => {
    const log = new ReplayLog({ chat: 5000, other: 2000, total: 1 << 20 });
    log.open('busy', true, 0);
    log.open('quiet', false, 0);
    log.append(delta('quiet', 1));
    for (let seq = 2; seq <= 200; seq++) log.append(delta('busy', seq, 300));
    expect(seqs(log.since(0, ['quiet']))).toEqual([1]);
    expect(log.since(0, ['busy'])).toBeUndefined();
  });

  it('forgets the least recently used channel first when all together are too many', () => {
    const log = new ReplayLog({ chat: 5000, other: 5000, total: 8000 });
    for (const channel of ['old', 'middle', 'new']) log.open(channel, true, 0);
    for (let seq = 1; seq <= 6; seq++) log.append(delta('old', seq, 300));
    for (let seq = 7; seq <= 12; seq++) log.append(delta('middle', seq, 300));
    for (let seq = 13; seq <= 18; seq++) log.append(delta('new', seq, 300));
    expect(log.since(0, ['old'])).toBeUndefined();
    expect(seqs(log.since(6, ['middle']))).toEqual([7, 8, 9, 10, 11, 12]);
  });

  it('treats a channel made anew under an old name as another one', () => {
    const log = new ReplayLog();
    log.open('a', true, 0);
    log.append(delta('a', 1));
    log.close('a');
    expect(log.since(0, ['a'])).toBeUndefined();
    log.open('a', true, 5);
    log.append(delta('a', 6));
    expect(log.since(1, ['a'])).toBeUndefined();
    expect(seqs(log.since(5, ['a']))).toEqual([6]);
  });
});
