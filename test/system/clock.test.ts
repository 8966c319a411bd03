import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/system/clock.ts';

test('a delay longer than Node can count does not fire at once', () => {
  vi.useFakeTimers();
  try {
    const run = vi.fn();
    systemClock.after(2 ** 40, run);
    vi.advanceTimersByTime(2 ** 31 - 2);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});

test('a timer that is let go never fires, and a negative delay fires on the next turn', async () => {
  const dropped = vi.fn();
  systemClock.after(0, dropped)();
  await new Promise<void>((resolve) => {
    const hold = setTimeout(() => {}, 10_000);
    systemClock.after(-5, () => {
      clearTimeout(hold);
      resolve();
    });
  });
  expect(dropped).not.toHaveBeenCalled();
});

test('timers do not keep the process alive, and now is Unix milliseconds', () => {
  const spy = vi.spyOn(globalThis, 'setTimeout');
  systemClock.after(60_000, () => {})();
  const timer = spy.mock.results[0]?.value as NodeJS.Timeout;
  spy.mockRestore();
  expect(timer.hasRef()).toBe(false);
  expect(systemClock.now()).toBeGreaterThan(1_700_000_000_000);
});
