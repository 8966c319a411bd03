import { expect, it } from 'vitest';
import { ACTIONS } from '../../../src/protocol/actions.ts';
import { v1 } from '../../../src/protocol/editions/v1.ts';

const types = [...Object.keys(ACTIONS), 'x-vendor/action'];

it.each(types)('passes %s in both directions as the same object', (type) => {
  const action = { type, 'x-vendor': null };
  const envelope = { channel: 'ahp-chat:/1', action: action as never, serverSeq: 2 ** 40 };
  expect(v1.liftAction(action)).toBe(action);
  expect(v1.lowerEnvelope(envelope)).toBe(envelope);
});
