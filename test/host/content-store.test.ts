import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ContentStore } from '../../src/host/content-store.ts';

const MIB = 1 << 20;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const made = () => new ContentStore(sha256);

it('a text is read under the name of its content, with its size in bytes', () => {
  const store = made();
  const ref = store.put('ahp-session:/a', 'one €');
  expect(ref).toEqual({
    uri: `x-otto-content:/${sha256('one €')}`,
    sizeHint: 7,
    contentType: 'text/plain',
  });
  expect(store.read(ref.uri)).toBe('one €');
  expect(store.read(store.put('ahp-session:/a', '').uri)).toBe('');
});

it.each(['x-otto-content:/', 'x-otto-content:/0', 'file:///etc/passwd', '', 'x-otto-content:/__proto__'])(
  '%j is nothing it has',
  (uri) => {
    const store = made();
    store.put('ahp-session:/a', 'one');
    expect(store.read(uri)).toBeUndefined();
  },
);

it('each session has 16 MiB, and the oldest texts make room', () => {
  const store = made();
  const other = store.put('ahp-session:/b', 'other');
  const refs = ['a', 'b', 'c', 'd'].map((letter) => store.put('ahp-session:/a', letter.repeat(4 * MIB)));
  // Told again, it is the newest.
  store.put('ahp-session:/a', 'a'.repeat(4 * MIB));
  store.put('ahp-session:/a', 'e');
  const kept = refs.map(({ uri }) => store.read(uri) !== undefined);
  expect(kept).toEqual([true, false, true, true]);
  expect(store.read(other.uri)).toBe('other');
});

it('a text above the limit is not kept and pushes nothing out', () => {
  const store = made();
  const small = store.put('ahp-session:/a', 'small');
  const large = store.put('ahp-session:/a', 'x'.repeat(16 * MIB + 1));
  expect([store.read(small.uri), store.read(large.uri)]).toEqual(['small', undefined]);
});

it('what two sessions have in common outlives one of them', () => {
  const store = made();
  const { uri } = store.put('ahp-session:/a', 'same');
  store.put('ahp-session:/b', 'same');
  store.drop('ahp-session:/a');
  expect(store.read(uri)).toBe('same');
  store.drop('ahp-session:/b');
  expect(store.read(uri)).toBeUndefined();
});
