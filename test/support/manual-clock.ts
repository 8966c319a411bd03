// Time that moves only when a test says so.
import { once } from '../../src/base/dispose.ts';
import type { Clock } from '../../src/host/ports.ts';

export interface ManualClock extends Clock {
  /** Runs everything that falls due in the next `ms`, in order. */
  advance(ms: number): void;
  /** How many timers are waiting. */
  pending(): number;
}

export function manualClock(start = Date.UTC(2026, 0, 2, 3, 4, 5)): ManualClock {
  let now = start;
  let serial = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  const next = (until: number) =>
    [...timers]
      .filter(([, { at }]) => at <= until)
      .sort(([a, { at: first }], [b, { at: second }]) => first - second || a - b)[0];
  return {
    now: () => now,
    after(ms, run) {
      const id = ++serial;
      timers.set(id, { at: now + ms, run });
      return once(() => timers.delete(id));
    },
    advance(ms) {
      const until = now + ms;
      for (let due = next(until); due; due = next(until)) {
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].run();
      }
      now = until;
    },
    pending: () => timers.size,
  };
}
