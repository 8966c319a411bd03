// Real time as the Clock port. Timers never keep the process alive: sockets and children do.
import { type Disposable, once } from '../base/dispose.ts';

/** The longest delay that Node's timers take; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Fits the port `Clock`. Delays are clamped to 0…24.8 days; one that is not a number fires at once. */
export const systemClock = {
  now: (): number => Date.now(),
  after(ms: number, run: () => void): Disposable {
    const timer = setTimeout(run, Math.min(Math.max(0, ms || 0), LONGEST_MS));
    timer.unref();
    return once(() => clearTimeout(timer));
  },
};
