// Chats, turns and tool calls for reducer tests, as small as their types allow.
import type { ActiveTurn, ChatState, Message, ResponsePart, Turn } from '../../src/protocol/state-chat.ts';
import type { ToolCall } from '../../src/protocol/state-tool.ts';

export const START = '2026-01-01T00:00:00.000Z';

export const says = (text: string): Message => ({ text, origin: { kind: 'user' } });

export const idle: ChatState = {
  resource: 'ahp-chat:/1',
  title: 'One',
  status: 1,
  modifiedAt: '2025-12-31T00:00:00.000Z',
  turns: [],
};

export const turn = (id: string, more: Partial<Turn> = {}): Turn => ({
  id,
  startedAt: START,
  duration: 1000,
  message: says(id),
  responseParts: [],
  state: 'complete',
  ...more,
});

export const activeTurn = (...responseParts: ResponsePart[]): ActiveTurn => ({
  id: 't1',
  startedAt: START,
  message: says('t1'),
  responseParts,
});

/** A chat whose turn `t1` runs with these parts; in progress, unless the status is given. */
export const running = (responseParts: ResponsePart[], status = 8): ChatState => ({
  ...idle,
  status,
  activeTurn: activeTurn(...responseParts),
});

export const markdown = (id: string, content = ''): ResponsePart => ({ kind: 'markdown', id, content });

type CallFields = Partial<Record<string, unknown>> & { status: ToolCall['status'] };

/** The part of a tool call `c1` with the given fields beside its names. */
export const call = (fields: CallFields): ResponsePart => ({
  kind: 'toolCall',
  toolCall: { toolCallId: 'c1', toolName: 'bash', displayName: 'Shell', ...fields } as ToolCall,
});
