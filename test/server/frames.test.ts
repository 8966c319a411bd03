import { expect, test } from 'vitest';
import type { ActionEnvelope } from '../../src/protocol/actions.ts';
import { v0_9 } from '../../src/protocol/editions/v0_9.ts';
import { v1 } from '../../src/protocol/editions/v1.ts';
import { envelopeEncoder } from '../../src/server/frames.ts';

const titled: ActionEnvelope = {
  channel: 'ahp-session:/s',
  action: { type: 'session/titleChanged', title: 'ünï' },
  serverSeq: 7,
};

test('an envelope is written once per edition, and every client of it gets the same bytes', () => {
  const encode = envelopeEncoder();
  const frame = encode(titled, v1);
  expect(encode(titled, v1)).toBe(frame);
  expect(String(frame)).toBe(JSON.stringify({ jsonrpc: '2.0', method: 'action', params: titled }));
  expect(encode({ ...titled }, v1)).not.toBe(frame);
  expect(encode(titled, v0_9)).toEqual(frame);
});

test('VE-10 what an edition cannot know is not sent to its readers', () => {
  const encode = envelopeEncoder();
  const newer: ActionEnvelope = {
    channel: 'ahp-chat:/c',
    action: { type: 'chat/isReadChanged', isRead: true },
    serverSeq: 8,
  };
  expect(encode(newer, v0_9)).toBeUndefined();
  expect(encode(newer, v0_9)).toBeUndefined();
  expect(encode(newer, v1)).toBeDefined();
});
