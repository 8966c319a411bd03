import { expect, test } from 'vitest';
import { stateLine } from '../../src/client/state-line.ts';
import type { ChatState, ResponsePart } from '../../src/protocol/state-chat.ts';
import type { SessionState } from '../../src/protocol/state-session.ts';

const session: SessionState = {
  provider: 'claude',
  title: '',
  status: 1,
  lifecycle: 'ready',
  activeClients: [],
  chats: [],
};
const idle: ChatState = {
  resource: 'ahp-chat:/1',
  title: '',
  status: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  turns: [],
};
const message = { text: 'x', origin: { kind: 'user' } };
const during = (...responseParts: ResponsePart[]): ChatState => ({
  ...idle,
  activeTurn: { id: 't', startedAt: idle.modifiedAt, message, responseParts },
});
const call = (status: string) => ({ kind: 'toolCall', toolCall: { status } }) as ResponsePart;

test.each<[string | undefined, SessionState, ChatState | undefined]>([
  ['Starting Claude…', { ...session, lifecycle: 'creating' }, undefined],
  [
    'Starting Claude: npm: 3 packages',
    { ...session, lifecycle: 'creating', activity: 'Starting Claude: npm: 3 packages' },
    idle,
  ],
  [undefined, session, idle],
  ['Waiting for Claude…', session, { ...idle, queuedMessages: [{ id: 'm', message }] }],
  ['Claude is thinking…', session, during()],
  ['Claude is thinking…', session, during({ kind: 'reasoning', id: 'r', content: 'hm' })],
  ['Claude is writing…', session, during({ kind: 'markdown', id: 'm', content: 'a' })],
  ['Claude is using a tool…', session, during(call('running'))],
  ['Claude waits for a permission…', session, during(call('pending-confirmation'))],
  ['Claude waits for an answer…', session, during({ kind: 'inputRequest', request: { id: 'q' } })],
])('the line is %j (R-028)', (line, state, chat) => {
  expect(stateLine('Claude', state, chat)).toBe(line);
});
