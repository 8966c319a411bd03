// Active clients of sessions: who may set and remove an entry, and how long one outlives its connection. An entry
// goes when its client unsubscribes, stays away, or comes back without the session (AHP CU-33, L-28).
import type { Disposable } from '../base/dispose.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { Core } from './session.ts';

/** How long a client may be away before its entries go. */
const ACTIVE_CLIENT_GRACE_MS = 60_000;

export class ActiveClients {
  readonly #core: Core;
  readonly #leaving = new Map<string, Disposable>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The client is connected again. */
  arrived(clientId: string): void {
    this.#leaving.get(clientId)?.();
    this.#leaving.delete(clientId);
  }

  /** The client's connection is gone. */
  left(clientId: string): void {
    if (this.#sessionsOf(clientId).length === 0) return;
    this.arrived(clientId);
    const leave = () => {
      this.#leaving.delete(clientId);
      this.#core.tick(() => this.keepOnly(clientId, []));
    };
    this.#leaving.set(clientId, this.#core.clock.after(ACTIVE_CLIENT_GRACE_MS, leave));
  }

  /** Removes the client's entry in one session, if it has one. */
  remove(clientId: string, session: Uri): void {
    if (!this.#sessionsOf(clientId).includes(session)) return;
    this.#core.sequencer.commit(session, { type: 'session/activeClientRemoved', clientId });
  }

  /** Removes the client's entries in every session but these. */
  keepOnly(clientId: string, sessions: readonly Uri[]): void {
    for (const session of this.#sessionsOf(clientId)) {
      if (!sessions.includes(session)) this.remove(clientId, session);
    }
  }

  close(): void {
    for (const cancel of this.#leaving.values()) cancel();
  }

  #sessionsOf(clientId: string): Uri[] {
    return [...this.#core.sessions.keys()].filter((session) =>
      this.#core.sequencer.session(session).activeClients.some((client) => client.clientId === clientId),
    );
  }
}
