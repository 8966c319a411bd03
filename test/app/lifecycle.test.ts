import { expect, test } from 'vitest';
import { Lifecycle } from '../../src/app/lifecycle.ts';
import { createLog } from '../../src/base/log.ts';
import { manualClock } from '../support/manual-clock.ts';

function lifecycle() {
  const clock = manualClock();
  const lines: string[] = [];
  const calls: string[] = [];
  const parts = new Lifecycle(
    clock,
    createLog((level, _scope, message) => lines.push(`${level}: ${message}`)),
  );
  const part = (name: string) => ({
    name,
    quiesce: () => void calls.push(`quiesce ${name}`),
    close: () => void calls.push(`close ${name}`),
    limitMs: 1_000,
  });
  return { clock, lines, calls, parts, part };
}

const never = () => new Promise<void>(() => {});
/** Lets everything run that is not waiting for time. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('everything is quiesced in reverse order before anything is closed, in reverse order too', async () => {
  const { calls, parts, part } = lifecycle();
  parts.push(part('a'));
  parts.push({ name: 'b', close: () => void calls.push('close b'), limitMs: 1_000 });
  parts.push(part('c'));
  await parts.stop();
  expect(calls).toEqual(['quiesce c', 'quiesce a', 'close c', 'close b', 'close a']);
});

test('the last part to start has begun to stop when the call returns, and stopping twice is stopping once', async () => {
  const { calls, parts, part } = lifecycle();
  parts.push(part('a'));
  const first = parts.stop();
  expect(calls).toEqual(['quiesce a']);
  expect(parts.stop()).toBe(first);
  await first;
  expect(calls).toEqual(['quiesce a', 'close a']);
});

test('a part that fails is logged and passed by', async () => {
  const { calls, lines, parts, part } = lifecycle();
  parts.push(part('a'));
  parts.push({ ...part('b'), quiesce: () => Promise.reject(new Error('no')) });
  parts.push({
    ...part('c'),
    close: () => {
      throw new Error('never');
    },
  });
  await parts.stop();
  expect(calls).toEqual(['quiesce c', 'quiesce a', 'close b', 'close a']);
  expect(lines).toEqual([
    'error: stopping: b (quiesce) failed: no',
    'error: stopping: c (close) failed: never',
  ]);
});

test('a part that is late is passed by when its own time is over', async () => {
  const { clock, calls, lines, parts, part } = lifecycle();
  parts.push(part('a'));
  parts.push({ ...part('slow'), quiesce: never });
  const stopped = parts.stop();
  await settle();
  clock.advance(999);
  await settle();
  expect(calls).toEqual([]);
  clock.advance(1);
  await stopped;
  expect(lines).toEqual(['warn: stopping: slow (quiesce) took too long']);
  expect(calls).toEqual(['quiesce a', 'close slow', 'close a']);
});

test('all of it is over after eight seconds, and every part had its call', async () => {
  const { clock, lines, parts } = lifecycle();
  let calls = 0;
  const stuck = () => {
    calls++;
    return never();
  };
  for (let number = 0; number < 5; number++) {
    parts.push({ name: `${number}`, quiesce: stuck, close: stuck, limitMs: 3_000 });
  }
  let over = false;
  const start = clock.now();
  void parts.stop().then(() => {
    over = true;
  });
  for (let step = 0; step < 100 && !over; step++) {
    clock.advance(clock.now() < start + 8_000 ? 500 : 0);
    await settle();
  }
  expect(over).toBe(true);
  expect(clock.now() - start).toBe(8_000);
  expect(calls).toBe(10);
  expect(lines).toHaveLength(10);
  expect(clock.pending()).toBe(0);
});
