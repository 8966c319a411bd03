// Knows when every agent of a backend has ended, which the port itself does not say. Changes nothing on the way.
import type { AgentBackend } from '../host/ports.ts';

interface RestingBackend {
  backend: AgentBackend;
  /** Resolves when no agent runs; at once when none does. */
  atRest(): Promise<void>;
}

export function withRest(inner: AgentBackend): RestingBackend {
  let running = 0;
  let waiting: (() => void)[] = [];
  return {
    backend: {
      agents: () => inner.agents(),
      start(spec, report) {
        running++;
        let over = false;
        return inner.start(spec, (event) => {
          report(event);
          if (event.type !== 'stopped' || over) return;
          over = true;
          running--;
          if (running > 0) return;
          for (const resolve of waiting) resolve();
          waiting = [];
        });
      },
    },
    atRest: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
  };
}
