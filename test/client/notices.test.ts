import { expect, test } from 'vitest';
import { turnNotices } from '../../src/client/notices.ts';
import type { ResponsePart } from '../../src/protocol/state-chat.ts';

const base = { toolCallId: 't', toolName: 'Bash', displayName: 'Run ls', invocationMessage: 'Run ls' };
const call = (rest: object): ResponsePart =>
  ({ kind: 'toolCall', toolCall: { ...base, ...rest } }) as ResponsePart;
const request = { id: 'q', message: 'Which?' };

test('a tool, its permission and the refusal are told once each, in order', () => {
  const read = turnNotices();
  expect(read([call({ status: 'streaming' })])).toEqual([{ kind: 'tool', title: 'Run ls' }]);
  const pending = [call({ status: 'pending-confirmation' })];
  expect(read(pending)).toEqual([{ kind: 'permission', state: 'pending', id: 't' }]);
  expect(read(pending)).toEqual([]);
  const refused = [call({ status: 'cancelled', reason: 'denied' })];
  expect(read(refused)).toEqual([{ kind: 'permission', state: 'refused', id: 't' }]);
  expect(read(refused)).toEqual([]);
});

test('a call that ended with its turn was not refused', () => {
  expect(turnNotices()([call({ status: 'cancelled', reason: 'skipped' })])).toEqual([
    { kind: 'tool', title: 'Run ls' },
  ]);
});

test('a question is told when it opens and when nobody answered it', () => {
  const read = turnNotices();
  expect(read([{ kind: 'inputRequest', request }])).toEqual([
    { kind: 'question', state: 'pending', id: 'q' },
  ]);
  expect(read([{ kind: 'inputRequest', request, response: 'accept' }])).toEqual([]);
  expect(read([{ kind: 'inputRequest', request, response: 'cancel' }])).toEqual([
    { kind: 'question', state: 'refused', id: 'q' },
  ]);
});

test('a refusal by the policy of the agent is told although the call itself only fails', () => {
  const read = turnNotices();
  const decision = { by: 'policy', allowed: false };
  const running = call({ status: 'running', _meta: { otto: { decision } } });
  expect(read([running])).toEqual([
    { kind: 'tool', title: 'Run ls' },
    { kind: 'permission', state: 'refused', id: 't' },
  ]);
  const allowed = call({
    toolCallId: 'u',
    status: 'running',
    _meta: { otto: { decision: { allowed: true } } },
  });
  expect(read([running, allowed])).toEqual([{ kind: 'tool', title: 'Run ls' }]);
});
