// The desktop that is not there: nothing can be shown, and it says so. Never answers for the person.
import type { Renderer } from '../host/ports.ts';

export const noRenderer: Renderer = {
  // Later, as a real desktop would: the host has not finished opening the question yet.
  present: (_dialog, reply) => queueMicrotask(() => reply({ kind: 'unavailable' })),
  withdraw: () => {},
  open: () => {},
};
