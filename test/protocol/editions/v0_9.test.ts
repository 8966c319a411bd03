import { describe, expect, it } from 'vitest';
import type { ActionEnvelope } from '../../../src/protocol/actions.ts';
import { ACTIONS } from '../../../src/protocol/actions.ts';
import { v0_9 } from '../../../src/protocol/editions/v0_9.ts';

// DELTA 5: what came with 1.0.0.
const NEWER = [
  'session/chatsReordered',
  'session/mcpServerBackgroundRequested',
  'chat/backgroundWorkSet',
  'chat/backgroundWorkRemoved',
  'chat/movableChanged',
  'chat/changesetsChanged',
  'chat/isReadChanged',
  'chat/isArchivedChanged',
  'chat/canvasesChanged',
  'canvas/stateChanged',
];
const known = Object.keys(ACTIONS).filter((type) => !NEWER.includes(type));

function envelope(type: string, more: object = {}): ActionEnvelope {
  return { channel: 'ahp-chat:/1', action: { type } as never, serverSeq: 1, ...more };
}

describe('0.9', () => {
  it('knows 96 of the actions', () => {
    expect(known).toHaveLength(96);
  });

  it.each([...known, 'x-vendor/action'])('passes %s in both directions as the same object', (type) => {
    const action = { type, 'x-vendor': null };
    expect(v0_9.liftAction(action)).toBe(action);
    const sent = envelope(type);
    expect(v0_9.lowerEnvelope(sent)).toBe(sent);
  });

  it.each(NEWER)('neither sends nor accepts %s (VE-10)', (type) => {
    expect(v0_9.liftAction({ type })).toBe(`AHP 0.9 has no ${type}`);
    expect(v0_9.lowerEnvelope(envelope(type))).toBeUndefined();
    expect(
      v0_9.lowerEnvelope(envelope(type, { origin: { clientId: 'other', clientSeq: 1 } })),
    ).toBeUndefined();
  });

  it.each(NEWER)('sends the rejection of %s back to the client that dispatched it (A-32)', (type) => {
    const rejection = envelope(type, { origin: { clientId: 'own', clientSeq: 1 }, rejectionReason: 'no' });
    expect(v0_9.lowerEnvelope(rejection)).toBe(rejection);
  });
});
