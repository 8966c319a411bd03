import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/protocol/actions.ts';
import type { ToolCallAction } from '../../../src/protocol/actions-chat.ts';
import { reduceChat } from '../../../src/protocol/reduce/chat.ts';
import type { ToolCall } from '../../../src/protocol/state-tool.ts';
import { call, idle, markdown, running, says } from '../../support/chat-states.ts';
import { fold, itReduces, type Row } from '../../support/reduce-rows.ts';

type Status = ToolCall['status'];
type Fields = Record<string, unknown> & { status: Status };
type Payload = Omit<Record<string, unknown>, 'type'> & { type: ToolCallAction['type'] };

const act = (payload: Payload): Action =>
  ({ turnId: 't1', toolCallId: 'c1', ...payload }) as unknown as Action;
const WAITING: readonly Status[] = ['pending-confirmation', 'pending-result-confirmation', 'auth-required'];
const chat = (fields: Fields) => running([call(fields)], WAITING.includes(fields.status) ? 24 : 8);
/** A row about one call: its fields, the action, its fields afterwards. */
const moves = (name: string, before: Fields, payload: Payload, after: Fields | 'same'): Row<typeof idle> => [
  name,
  chat(before),
  [act(payload)],
  after === 'same' ? 'same' : chat(after),
];

const mcp = { kind: 'mcp', customizationId: 'm' } as const;
const clientA = { kind: 'client', clientId: 'a' } as const;
const names = { intention: 'list', contributor: mcp, _meta: { old: true } };
const once = { id: 'once', label: 'Once', kind: 'approve' };
const never = { id: 'never', label: 'Never', kind: 'deny' };
const ref = { uri: 'file:///input.json' };
const auth = { reason: 'required', resource: { resource: 'https://mcp' } };
const asks = {
  confirmationTitle: 'Run it?',
  riskAssessment: { kind: 'judge', status: 'loading' },
  edits: { items: [] },
  editable: true,
  options: [once, never],
};
const said = { ...names, invocationMessage: 'Run', toolInput: 'ls' };
const streaming: Fields = { ...names, status: 'streaming', partialInput: 'l' };
const pending: Fields = { ...said, ...asks, status: 'pending-confirmation' };
const confirmed = {
  ...said,
  confirmed: 'user-action',
  selectedOption: once,
  content: [{ type: 'text', text: 'a' }],
};
const runs: Fields = { ...confirmed, status: 'running' };
const signIn: Fields = { ...confirmed, status: 'auth-required', auth };
const result = {
  success: true,
  pastTenseMessage: 'Ran',
  content: [{ type: 'text', text: 'b' }],
  structuredContent: { n: 1 },
};
const failed = { success: false, pastTenseMessage: 'Failed', error: { message: 'no', code: 'E' } };
const unconfirmed: Fields = { ...confirmed, ...result, status: 'pending-result-confirmation' };
const completed: Fields = { ...unconfirmed, status: 'completed' };
const cancelled: Fields = { ...said, status: 'cancelled', reason: 'denied' };
const ALL: readonly Fields[] = [streaming, pending, runs, signIn, unconfirmed, completed, cancelled];

describe('a tool call is announced (SHAPES 14.3)', () => {
  const start = { type: 'chat/toolCallStart', toolName: 'bash', displayName: 'Shell' } as const;
  itReduces(reduceChat, [
    [
      'chat/toolCallStart appends a streaming call',
      running([markdown('m')]),
      [act({ ...start, ...names })],
      running([markdown('m'), call({ ...names, status: 'streaming' })]),
    ],
    [
      'chat/toolCallStart writes no key that it lacks, and leaves the status alone',
      running([], 24),
      [act(start)],
      running([call({ status: 'streaming' })], 24),
    ],
    moves(
      'chat/toolCallDelta appends input and replaces message and _meta',
      streaming,
      { type: 'chat/toolCallDelta', content: 's', invocationMessage: 'Run', _meta: { new: true } },
      { ...streaming, partialInput: 'ls', invocationMessage: 'Run', _meta: { new: true } },
    ),
    moves(
      'chat/toolCallDelta opens the input',
      { status: 'streaming' },
      { type: 'chat/toolCallDelta', content: '' },
      { status: 'streaming', partialInput: '' },
    ),
    [
      'chat/toolCallDelta does not compute the status',
      running([call({ status: 'streaming' })], 24),
      [act({ type: 'chat/toolCallDelta', content: 'x' })],
      running([call({ status: 'streaming', partialInput: 'x' })], 24),
    ],
    moves(
      'chat/toolCallDelta without anything is no change',
      streaming,
      { type: 'chat/toolCallDelta' },
      'same',
    ),
  ]);
});

describe('chat/toolCallReady (SHAPES 14.4)', () => {
  const type = 'chat/toolCallReady';
  const ready = { type, invocationMessage: 'Now' } as const;
  const now = { ...said, invocationMessage: 'Now' };
  const owned = (before: unknown, given: unknown, after: unknown): Row<typeof idle> => {
    const by = (contributor: unknown) => contributor !== undefined && { contributor };
    const body = { invocationMessage: 'Now', confirmed: 'not-needed' };
    return moves(
      `a contributor ${JSON.stringify(before)} given ${JSON.stringify(given)} is ${JSON.stringify(after)}`,
      { status: 'streaming', ...by(before) },
      { type, ...body, ...by(given) },
      { status: 'running', ...body, ...by(after) },
    );
  };
  itReduces(reduceChat, [
    moves(
      'a streaming call asks, and its partial input is gone',
      streaming,
      { ...ready, ...asks, toolInput: ref },
      {
        ...names,
        ...asks,
        invocationMessage: 'Now',
        toolInput: ref,
        status: 'pending-confirmation',
      },
    ),
    moves('a streaming call without an input has none', streaming, ready, {
      ...names,
      invocationMessage: 'Now',
      status: 'pending-confirmation',
    }),
    moves('a pending call keeps what it is not given', pending, ready, {
      ...pending,
      invocationMessage: 'Now',
    }),
    moves(
      'a pending call takes what it is given, false included',
      pending,
      {
        ...ready,
        toolInput: 'pwd',
        editable: false,
        options: [],
        confirmationTitle: 'New?',
        _meta: { new: true },
      },
      {
        ...pending,
        ...{ invocationMessage: 'Now', toolInput: 'pwd', editable: false, options: [] },
        ...{ confirmationTitle: 'New?', _meta: { new: true } },
      },
    ),
    moves('a running call asks again with its input, without content and option', runs, ready, {
      ...now,
      status: 'pending-confirmation',
    }),
    moves(
      'a pending call that is confirmed runs without what it asked',
      pending,
      { ...ready, confirmed: 'setting' },
      {
        ...now,
        status: 'running',
        confirmed: 'setting',
      },
    ),
    moves(
      'a running call that is confirmed again loses content and option',
      runs,
      { ...ready, confirmed: 'setting' },
      {
        ...now,
        status: 'running',
        confirmed: 'setting',
      },
    ),
    moves(
      'the intention is refined',
      pending,
      { ...ready, intention: 'look' },
      {
        ...pending,
        invocationMessage: 'Now',
        intention: 'look',
      },
    ),
    owned(undefined, mcp, mcp),
    owned(undefined, clientA, undefined),
    owned(mcp, undefined, mcp),
    owned(mcp, clientA, mcp),
    owned(mcp, { kind: 'mcp', customizationId: 'n' }, { kind: 'mcp', customizationId: 'n' }),
    owned(clientA, undefined, clientA),
    owned(clientA, { ...clientA, extra: 1 }, { ...clientA, extra: 1 }),
    owned(clientA, { kind: 'client', clientId: 'b' }, clientA),
    owned(clientA, mcp, clientA),
  ]);
});

describe('chat/toolCallConfirmed (SHAPES 14.3, C-30)', () => {
  const yes = { type: 'chat/toolCallConfirmed', approved: true, confirmed: 'user-action' } as const;
  const no = { type: 'chat/toolCallConfirmed', approved: false, reason: 'denied' } as const;
  const byRef: Fields = { ...pending, toolInput: ref };
  const go: Fields = { ...said, status: 'running', confirmed: 'user-action' };
  const { toolInput: _input, ...noInput } = pending;
  const { toolInput: _said, ...goWithout } = go;
  const told = { reasonMessage: 'Not here', userSuggestion: says('Try ls'), _meta: { new: true } };
  itReduces(reduceChat, [
    moves('approval runs it without what it asked', pending, yes, go),
    moves(
      'approval keeps the chosen option',
      pending,
      { ...yes, selectedOptionId: 'once' },
      {
        ...go,
        selectedOption: once,
      },
    ),
    moves('an option that was never offered is not kept', pending, { ...yes, selectedOptionId: 'all' }, go),
    moves(
      'an edited input replaces a text',
      pending,
      { ...yes, editedToolInput: '' },
      { ...go, toolInput: '' },
    ),
    moves(
      'an edited input does not replace a reference',
      byRef,
      { ...yes, editedToolInput: 'pwd' },
      {
        ...go,
        toolInput: ref,
      },
    ),
    moves(
      'an edited input does not invent one',
      noInput as Fields,
      { ...yes, editedToolInput: 'pwd' },
      goWithout as Fields,
    ),
    moves('refusal cancels it', pending, no, cancelled),
    moves(
      'refusal keeps reason, words, suggestion and option',
      pending,
      { ...no, ...told, reason: 'skipped', selectedOptionId: 'never' },
      { ...cancelled, ...told, reason: 'skipped', selectedOption: never },
    ),
  ]);
});

describe('a tool call runs and completes (SHAPES 14.3, MC-9)', () => {
  const complete = { type: 'chat/toolCallComplete', result } as const;
  const settle = (approved: boolean) => ({ type: 'chat/toolCallResultConfirmed', approved }) as const;
  const content = [{ type: 'text', text: 'new' }];
  const { content: _partial, ...barely } = confirmed;
  const bare = { success: true, pastTenseMessage: 'Ran' };
  const denied = { ...said, selectedOption: once, status: 'cancelled', reason: 'result-denied' } as const;
  itReduces(reduceChat, [
    moves(
      'chat/toolCallContentChanged replaces content, and _meta where given',
      runs,
      { type: 'chat/toolCallContentChanged', content, _meta: { new: true } },
      { ...runs, content, _meta: { new: true } },
    ),
    moves(
      'chat/toolCallContentChanged keeps _meta otherwise',
      runs,
      { type: 'chat/toolCallContentChanged', content },
      {
        ...runs,
        content,
      },
    ),
    [
      'chat/toolCallContentChanged does not compute the status',
      running([call(runs)], 24),
      [act({ type: 'chat/toolCallContentChanged', content })],
      running([call({ ...runs, content })], 24),
    ],
    moves('chat/toolCallComplete lays the result flat on the call', runs, complete, completed),
    moves(
      'a result without content drops the partial content',
      runs,
      { ...complete, result: bare },
      {
        ...barely,
        ...bare,
        status: 'completed',
      },
    ),
    moves(
      'a result that is to be confirmed waits',
      runs,
      { ...complete, requiresResultConfirmation: true },
      unconfirmed,
    ),
    moves('a call that was never confirmed counts as not needed, without an option', pending, complete, {
      ...said,
      ...result,
      status: 'completed',
      confirmed: 'not-needed',
    }),
    moves(
      'a result of a call that was never confirmed can wait too',
      pending,
      { ...complete, requiresResultConfirmation: true },
      { ...said, ...result, status: 'pending-result-confirmation', confirmed: 'not-needed' },
    ),
    moves('a success while sign-in is awaited is no change (C-28)', signIn, complete, 'same'),
    moves(
      'a failure while sign-in is awaited completes at once and keeps the content',
      signIn,
      { ...complete, result: failed, requiresResultConfirmation: true },
      { ...confirmed, ...failed, status: 'completed' },
    ),
    moves('an approved result is kept whole', unconfirmed, settle(true), completed),
    moves(
      'an approved failure keeps its error',
      { ...barely, ...failed, status: 'pending-result-confirmation' },
      settle(true),
      { ...barely, ...failed, status: 'completed' },
    ),
    moves('a denied result is gone, the option stays', unconfirmed, settle(false), denied),
    moves(
      'chat/toolCallAuthRequired keeps what the call has',
      runs,
      { type: 'chat/toolCallAuthRequired', auth },
      signIn,
    ),
    moves('chat/toolCallAuthResolved runs it again', signIn, { type: 'chat/toolCallAuthResolved' }, runs),
    moves(
      'chat/toolCallAuthRequired of a client tool is no change',
      { ...runs, contributor: clientA },
      { type: 'chat/toolCallAuthRequired', auth },
      'same',
    ),
    moves(
      'chat/toolCallAuthRequired of a host tool is no change',
      { status: 'running', invocationMessage: 'Run', confirmed: 'setting' },
      { type: 'chat/toolCallAuthRequired', auth },
      'same',
    ),
  ]);
});

describe('an action that does not fit', () => {
  const actions: readonly (readonly [Payload, readonly Status[]])[] = [
    [{ type: 'chat/toolCallDelta', content: 'x' }, ['streaming']],
    [
      { type: 'chat/toolCallReady', invocationMessage: 'x' },
      ['streaming', 'running', 'pending-confirmation'],
    ],
    [{ type: 'chat/toolCallConfirmed', approved: true, confirmed: 'setting' }, ['pending-confirmation']],
    [{ type: 'chat/toolCallConfirmed', approved: false, reason: 'denied' }, ['pending-confirmation']],
    [{ type: 'chat/toolCallComplete', result: failed }, ['running', 'pending-confirmation', 'auth-required']],
    [{ type: 'chat/toolCallResultConfirmed', approved: true }, ['pending-result-confirmation']],
    [{ type: 'chat/toolCallResultConfirmed', approved: false }, ['pending-result-confirmation']],
    [{ type: 'chat/toolCallContentChanged', content: [] }, ['running']],
    [{ type: 'chat/toolCallAuthRequired', auth }, ['running']],
    [{ type: 'chat/toolCallAuthResolved' }, ['auth-required']],
  ];

  it.each(actions)('$type moves a call of its statuses and no other', (payload, fits) => {
    const moved = ALL.filter((fields) => {
      const before = chat(fields);
      return fold(reduceChat, before, [act(payload)]) !== before;
    });
    expect(moved.map((fields) => fields.status).sort()).toEqual([...fits].sort());
  });

  it.each(actions)('$type of another turn, another call or no turn is no change', (payload) => {
    for (const fields of ALL) {
      const before = chat(fields);
      expect(fold(reduceChat, before, [act({ ...payload, turnId: 't2' })])).toBe(before);
      expect(fold(reduceChat, before, [act({ ...payload, toolCallId: 'c2' })])).toBe(before);
    }
    expect(fold(reduceChat, idle, [act(payload)])).toBe(idle);
  });

  it('chat/toolCallStart of another turn is no change', () => {
    const start = act({ type: 'chat/toolCallStart', toolName: 'x', displayName: 'x' });
    expect(fold(reduceChat, idle, [start])).toBe(idle);
    const other = running([]);
    expect(fold(reduceChat, other, [{ ...start, turnId: 't2' } as Action])).toBe(other);
  });

  it('a part that shares the id but is no tool call is no change', () => {
    const before = running([markdown('c1')]);
    for (const [payload] of actions) expect(fold(reduceChat, before, [act(payload)])).toBe(before);
  });
});
