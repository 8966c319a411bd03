// Ctrl+C, for commands that first want to bring something to its end. What that is they say themselves; whoever
// presses it twice does not wait for them.
import { CANCELLED } from './output.ts';

export interface Interruption {
  /** What Ctrl+C does the first time. */
  cancel: () => void;
  pressed: boolean;
}

/** From now on the first Ctrl+C calls `cancel`; a second one leaves at once. */
export function interruption(): Interruption {
  const interrupt: Interruption = { cancel: () => {}, pressed: false };
  process.on('SIGINT', () => {
    if (interrupt.pressed) process.exit(CANCELLED);
    interrupt.pressed = true;
    interrupt.cancel();
  });
  return interrupt;
}
