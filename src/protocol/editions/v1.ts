// AHP 1.x, and the label 0.10.0 that some clients give to the same wire. The host has this shape itself, so
// everything passes untouched.
import type { Edition } from './edition.ts';

export const v1: Edition = {
  name: 'v1',
  supported: ['^1.0.0', '0.10.0'],
  liftAction: (action) => action,
  lowerEnvelope: (envelope) => envelope,
  lowerSnapshot: (snapshot) => snapshot,
};
