// Which client is which: what was agreed with each clientId, remembered for a while after its connection ended so
// that `reconnect` finds it, and the rule that the newest connection of a clientId wins (L-12, L-20).
import type { Disposable } from '../base/dispose.ts';
import type { Clock } from '../host/ports.ts';
import type { Edition } from '../protocol/editions/edition.ts';

/** How long a client may be away and still come back with `reconnect`. */
const REMEMBERED_MS = 10 * 60_000;

interface Known {
  edition: Edition;
  /** Ends the live connection, if there is one: it is detached from the host when this returns. */
  replace: (() => void) | undefined;
  forgetting: Disposable | undefined;
}

export class Clients {
  readonly #clock: Clock;
  readonly #forget: (clientId: string) => void;
  readonly #known = new Map<string, Known>();

  /** `forget` is called when a client has been away for too long to come back. */
  constructor(clock: Clock, forget: (clientId: string) => void) {
    this.#clock = clock;
    this.#forget = forget;
  }

  /** What was agreed with this client, or undefined when it is not known, or no longer. */
  edition(clientId: string): Edition | undefined {
    return this.#known.get(clientId)?.edition;
  }

  /**
   * A connection takes this clientId; an older one that has it is ended first, by its own `replace`.
   * The result lets go of it again; from then on it is remembered for ten minutes.
   */
  take(clientId: string, edition: Edition, replace: () => void): Disposable {
    const before = this.#known.get(clientId);
    before?.forgetting?.();
    const end = before?.replace;
    if (before !== undefined) before.replace = undefined;
    end?.();
    const known: Known = { edition, replace, forgetting: undefined };
    this.#known.set(clientId, known);
    return () => {
      if (this.#known.get(clientId) !== known || known.replace === undefined) return;
      known.replace = undefined;
      known.forgetting = this.#clock.after(REMEMBERED_MS, () => {
        this.#known.delete(clientId);
        this.#forget(clientId);
      });
    };
  }
}
