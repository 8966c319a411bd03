// AHP 0.9.x: the shapes of 1.0.0 without the actions that came with it (DELTA 5). Those are neither accepted
// nor sent; what they change also reaches these clients through `session/chatUpdated` and snapshots.
import { ACTIONS, isActionType } from '../actions.ts';
import type { Edition } from './edition.ts';

export const v0_9: Edition = {
  name: 'v0_9',
  supported: ['^0.9.0'],
  liftAction: (action) => (isNewer(action.type) ? `AHP 0.9 has no ${action.type}` : action),
  // A rejection goes to the one client that sent the action itself and waits for its echo.
  lowerEnvelope: (envelope) =>
    isNewer(envelope.action.type) && envelope.rejectionReason === undefined ? undefined : envelope,
  lowerSnapshot: (snapshot) => snapshot,
};

function isNewer(type: string): boolean {
  return isActionType(type) && ACTIONS[type].since === '1.0.0';
}
