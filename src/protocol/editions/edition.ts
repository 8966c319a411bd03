// An edition is how one range of AHP versions looks on the wire, between a connection and the 1.0.0-shaped
// host (DELTA 1, 6). Actions, envelopes and snapshots pass through it; other results need no change in any edition
// there is. An edition never rebuilds what it need not touch.
import type { ActionEnvelope, UncheckedAction } from '../actions.ts';
import type { Snapshot } from '../commands.ts';

export interface Edition {
  readonly name: string;
  /** What it accepts: exact versions and caret ranges, as -32005 reports them. */
  readonly supported: readonly string[];
  /** The dispatched action in the host's shape, or a sentence that says why this version cannot send it. */
  liftAction(action: UncheckedAction): UncheckedAction | string;
  /** The envelope in the client's shape, or undefined when this version does not know its action (VE-10). */
  lowerEnvelope(envelope: ActionEnvelope): ActionEnvelope | undefined;
  lowerSnapshot(snapshot: Snapshot): Snapshot;
}
