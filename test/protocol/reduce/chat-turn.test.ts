import { describe, expect, it } from 'vitest';
import { reduceChat } from '../../../src/protocol/reduce/chat.ts';
import type { ChatState, ErrorPart, ResponsePart, Turn } from '../../../src/protocol/state-chat.ts';
import { activeTurn, call, idle, markdown, running, START, says, turn } from '../../support/chat-states.ts';
import { fold, itReduces } from '../../support/reduce-rows.ts';

const failure = (resumable?: boolean): ErrorPart => ({
  kind: 'error',
  error: { errorType: 'quota', message: 'no tokens' },
  ...(resumable !== undefined && { resumable }),
});
const begin = (turnId: string, queuedMessageId?: string) =>
  ({
    type: 'chat/turnStarted',
    turnId,
    startedAt: START,
    message: says(turnId),
    ...(queuedMessageId !== undefined && { queuedMessageId }),
  }) as const;
const complete = (turnId: string, duration = 1000) =>
  ({ type: 'chat/turnComplete', turnId, duration }) as const;
const reasoning = (id: string, content: string): ResponsePart => ({ kind: 'reasoning', id, content });
const ended = (
  parts: ResponsePart[],
  more: Partial<Turn> = {},
  chat: Partial<ChatState> = {},
): ChatState => ({
  ...idle,
  modifiedAt: '2026-01-01T00:00:01.000Z',
  turns: [turn('t1', { responseParts: parts, ...more })],
  ...chat,
});
const unsigned = 0x8000_0000;

describe('a turn starts and streams (SHAPES 14.3)', () => {
  const started: ChatState = { ...running([]), modifiedAt: START };
  const queued = ['a', 'b'].map((id) => ({ id, message: says(id) }));
  const delta = (turnId: string, partId: string) =>
    ({ type: 'chat/delta', turnId, partId, content: 'x' }) as const;
  const think = (turnId: string, partId: string) =>
    ({ type: 'chat/reasoning', turnId, partId, content: 'x' }) as const;
  itReduces(reduceChat, [
    [
      'chat/turnStarted clears IsRead alone and stamps modifiedAt with startedAt (6.9)',
      { ...idle, status: unsigned + 1 + 32 + 64 },
      [begin('t1')],
      { ...started, status: unsigned + 8 + 64 },
    ],
    [
      'chat/turnStarted replaces an active turn without a word',
      running([markdown('m')], 24),
      [begin('t1')],
      started,
    ],
    [
      'chat/turnStarted takes its queued message out',
      { ...idle, queuedMessages: queued },
      [begin('t1', 'a')],
      { ...started, queuedMessages: queued.slice(1) },
    ],
    [
      'chat/turnStarted leaves no empty queue',
      { ...idle, queuedMessages: queued.slice(1) },
      [begin('t1', 'b')],
      started,
    ],
    [
      'chat/turnStarted takes its steering message out',
      { ...idle, steeringMessage: { id: 's', message: says('s') }, queuedMessages: queued },
      [begin('t1', 's')],
      { ...started, queuedMessages: queued },
    ],
    [
      'chat/turnStarted without a queued id leaves what waits',
      { ...idle, steeringMessage: { id: 's', message: says('s') }, queuedMessages: queued },
      [begin('t1')],
      { ...started, steeringMessage: { id: 's', message: says('s') }, queuedMessages: queued },
    ],
    [
      'chat/responsePart appends as it is, unknown kinds too',
      running([]),
      [
        {
          type: 'chat/responsePart',
          turnId: 't1',
          part: { kind: 'future', x: 1 } as unknown as ResponsePart,
        },
      ],
      running([{ kind: 'future', x: 1 } as unknown as ResponsePart]),
    ],
    [
      'chat/responsePart cannot append an error',
      running([]),
      [{ type: 'chat/responsePart', turnId: 't1', part: failure() }],
      'same',
    ],
    [
      'chat/delta and chat/reasoning append to their parts',
      running([markdown('m', 'a'), reasoning('r', 'b'), markdown('n')]),
      [delta('t1', 'm'), think('t1', 'r')],
      running([markdown('m', 'ax'), reasoning('r', 'bx'), markdown('n')]),
    ],
    [
      'text for another kind of part, an unknown part or a tool call is no change',
      running([markdown('m'), reasoning('r', ''), call({ status: 'streaming' })]),
      [delta('t1', 'r'), think('t1', 'm'), delta('t1', 'z'), delta('t1', 'c1'), think('t1', 'c1')],
      'same',
    ],
    [
      'chat/usage sets it on the turn',
      running([]),
      [{ type: 'chat/usage', turnId: 't1', usage: { inputTokens: 3 } }],
      { ...running([]), activeTurn: { ...activeTurn(), usage: { inputTokens: 3 } } },
    ],
    [
      'whatever names another turn is no change',
      running([markdown('m'), reasoning('r', '')]),
      [
        delta('t2', 'm'),
        think('t2', 'r'),
        { type: 'chat/responsePart', turnId: 't2', part: markdown('n') },
        { type: 'chat/usage', turnId: 't2', usage: {} },
        complete('t2'),
        { type: 'chat/turnCancelled', turnId: 't2', duration: 1 },
        { type: 'chat/error', turnId: 't2', duration: 1, part: failure() },
      ],
      'same',
    ],
    [
      'whatever needs a turn is no change without one',
      idle,
      [delta('t1', 'm'), complete('t1'), { type: 'chat/error', turnId: 't1', duration: 1, part: failure() }],
      'same',
    ],
  ]);

  it('chat/delta copies the turn, its list and the part, and shares everything else', () => {
    const before: ChatState = { ...running([reasoning('r', 'a'), markdown('m')]), turns: [turn('t0')] };
    const after = fold(reduceChat, before, [delta('t1', 'm')]);
    expect(after.turns).toBe(before.turns);
    expect(after.activeTurn?.message).toBe(before.activeTurn?.message);
    expect(after.activeTurn?.responseParts[0]).toBe(before.activeTurn?.responseParts[0]);
  });
});

describe('a turn ends (SHAPES 14.3 "End turn", 6.9, C-12)', () => {
  const skipped = { status: 'cancelled', reason: 'skipped' } as const;
  const names = { intention: 'list', contributor: { kind: 'mcp', customizationId: 'm' }, _meta: { a: 1 } };
  const open = { ...names, invocationMessage: 'Run', toolInput: 'ls', confirmed: 'setting', content: [] };
  const done = { ...open, status: 'completed', success: true, pastTenseMessage: 'Ran' } as const;
  const refused = { ...names, status: 'cancelled', reason: 'denied', invocationMessage: 'Run' } as const;
  const left = { ...names, invocationMessage: 'Run', toolInput: 'ls' };
  const result = { success: true, pastTenseMessage: 'Ran' };
  const rows = [
    [
      'streaming, without a message yet',
      { ...names, status: 'streaming', partialInput: 'l' },
      { ...names, invocationMessage: '' },
    ],
    ['streaming', { status: 'streaming', invocationMessage: 'Run' }, { invocationMessage: 'Run' }],
    ['waiting for confirmation', { ...left, status: 'pending-confirmation', editable: true }, left],
    ['running', { ...open, status: 'running' }, left],
    ['waiting for sign-in', { ...open, status: 'auth-required', auth: {} }, left],
    ['with an unconfirmed result', { ...open, ...result, status: 'pending-result-confirmation' }, left],
    ['of an unknown status', { ...left, status: 'future' as 'running' }, left],
  ] as const;
  const usage = { inputTokens: 1 };
  itReduces(reduceChat, [
    ...rows.map(
      ([name, before, after]) =>
        [
          `a tool call that is ${name} becomes cancelled as skipped`,
          running([call(before)], 24),
          [complete('t1')],
          ended([call({ ...after, ...skipped })]),
        ] as const,
    ),
    [
      'a settled tool call and an unanswered request stay as they are',
      running([call(done), call(refused), { kind: 'inputRequest', request: { id: 'q' } }], 24),
      [complete('t1')],
      ended([call(done), call(refused), { kind: 'inputRequest', request: { id: 'q' } }]),
    ],
    [
      'chat/turnComplete keeps usage, order and flags, bit 31 included, and goes idle',
      {
        ...running([markdown('m', 'Hi')], unsigned + 8 + 32),
        turns: [turn('t0')],
        activeTurn: { ...activeTurn(markdown('m', 'Hi')), usage },
      },
      [complete('t1')],
      ended(
        [],
        {},
        {
          status: unsigned + 1 + 32,
          turns: [turn('t0'), turn('t1', { responseParts: [markdown('m', 'Hi')], usage })],
        },
      ),
    ],
    [
      'chat/turnCancelled ends it as cancelled',
      running([]),
      [{ type: 'chat/turnCancelled', turnId: 't1', duration: 1000 }],
      ended([], { state: 'cancelled' }),
    ],
    [
      'chat/error appends its part last and raises Error alone',
      running([call({ status: 'streaming' })], 24 + 64),
      [{ type: 'chat/error', turnId: 't1', duration: 1000, part: failure(true) }],
      ended(
        [call({ ...skipped, invocationMessage: '' }), failure(true)],
        { state: 'error' },
        { status: 2 + 64 },
      ),
    ],
    [
      'a negative duration counts as 0 (C-11)',
      running([]),
      [complete('t1', -5)],
      ended([], { duration: 0 }, { modifiedAt: START }),
    ],
    [
      'a start in another zone gives a modifiedAt in UTC (1.2)',
      { ...running([]), activeTurn: { ...activeTurn(), startedAt: '2025-12-31T23:59:59.5-02:00' } },
      [complete('t1', 500)],
      ended(
        [],
        { startedAt: '2025-12-31T23:59:59.5-02:00', duration: 500 },
        { modifiedAt: '2026-01-01T02:00:00.000Z' },
      ),
    ],
    [
      'a start that is no time keeps the old modifiedAt',
      { ...running([]), activeTurn: { ...activeTurn(), startedAt: 'yesterday' } },
      [complete('t1')],
      ended([], { startedAt: 'yesterday' }, { modifiedAt: idle.modifiedAt }),
    ],
    [
      'a duration beyond every calendar keeps the old modifiedAt',
      running([]),
      [complete('t1', 1e300)],
      ended([], { duration: 1e300 }, { modifiedAt: idle.modifiedAt }),
    ],
  ]);
});

describe('chat/turnResume (SHAPES 6.8, 14.3)', () => {
  const broken = (more: Partial<Turn> = {}): Turn =>
    turn('t1', { state: 'error', responseParts: [markdown('m', 'a'), failure(true)], ...more });
  const resume = { type: 'chat/turnResume', turnId: 't1' } as const;
  const chat = (...turns: Turn[]): ChatState => ({ ...idle, status: 2 + 32, turns });
  const again = [markdown('m', 'a'), failure(true)];
  itReduces(reduceChat, [
    [
      'takes the last turn back with its parts and usage, clears IsRead and leaves modifiedAt',
      chat(turn('t0'), broken({ usage: { inputTokens: 1 } })),
      [resume],
      {
        ...running(again),
        turns: [turn('t0')],
        activeTurn: { ...activeTurn(...again), usage: { inputTokens: 1 } },
      },
    ],
    [
      'a turn without a start takes modifiedAt for it',
      chat({ id: 't1', message: says('t1'), responseParts: again, state: 'error' }),
      [resume],
      { ...running(again), activeTurn: { ...activeTurn(...again), startedAt: idle.modifiedAt } },
    ],
    [
      'an unanswered request in it asks again',
      chat(broken({ responseParts: [{ kind: 'inputRequest', request: { id: 'q' } }, failure(true)] })),
      [resume],
      running([{ kind: 'inputRequest', request: { id: 'q' } }, failure(true)], 24),
    ],
    [
      'a second failure appends a second error',
      chat(broken()),
      [resume, { type: 'chat/error', turnId: 't1', duration: 1000, part: failure() }],
      ended([...again, failure()], { state: 'error' }, { status: 2 }),
    ],
    [
      'with an active turn it is no change',
      { ...chat(broken()), activeTurn: { ...activeTurn(), id: 't2' } },
      [resume],
      'same',
    ],
    ['without any turn it is no change', chat(), [resume], 'same'],
    ['of an unknown turn it is no change', chat(turn('t0')), [resume], 'same'],
    ['of a turn that is not the last it is no change', chat(broken(), turn('t2')), [resume], 'same'],
    ['of a turn without error it is no change', chat(broken({ state: 'cancelled' })), [resume], 'same'],
    [
      'of an error that is not resumable it is no change',
      chat(broken({ responseParts: [failure(false)] })),
      [resume],
      'same',
    ],
    [
      'of an error that does not say so it is no change',
      chat(broken({ responseParts: [failure()] })),
      [resume],
      'same',
    ],
    [
      'of a turn whose last part is no error it is no change',
      chat(broken({ responseParts: [failure(true), markdown('m')] })),
      [resume],
      'same',
    ],
    ['of a turn without parts it is no change', chat(broken({ responseParts: [] })), [resume], 'same'],
  ]);
});

describe('history is cut and loaded (SHAPES 14.3, C-40)', () => {
  const three: ChatState = { ...idle, turns: [turn('a'), turn('b'), turn('c')], turnsNextCursor: 'x' };
  const cut = (turnId?: string) =>
    ({ type: 'chat/truncated', ...(turnId !== undefined && { turnId }) }) as const;
  const load = (turns: Turn[], turnsNextCursor?: string) =>
    ({ type: 'chat/turnsLoaded', turns, ...(turnsNextCursor && { turnsNextCursor }) }) as const;
  itReduces(reduceChat, [
    [
      'chat/truncated keeps through the turn, and the cursor',
      three,
      [cut('b')],
      { ...three, turns: [turn('a'), turn('b')] },
    ],
    ['chat/truncated without a turn drops all turns and the cursor', three, [cut()], idle],
    [
      'chat/truncated drops the active turn, recomputes the activity and leaves modifiedAt and IsRead',
      { ...three, status: 24 + 32, activeTurn: activeTurn(markdown('m')) },
      [cut('c')],
      { ...three, status: 1 + 32 },
    ],
    ['chat/truncated without a turn drops the active turn too', running([markdown('m')]), [cut()], idle],
    ['chat/truncated after the last turn of an idle chat is no change', three, [cut('c')], 'same'],
    [
      'chat/truncated at an unknown turn is no change, an active turn included',
      { ...three, status: 8, activeTurn: activeTurn() },
      [cut('z'), cut('t1')],
      'same',
    ],
    ['chat/truncated of an empty idle chat is no change', idle, [cut()], 'same'],
    [
      'chat/turnsLoaded prepends what is not there yet and takes the new cursor',
      three,
      [load([turn('y'), turn('z'), turn('a', { duration: 5 })], 'older')],
      { ...three, turns: [turn('y'), turn('z'), turn('a'), turn('b'), turn('c')], turnsNextCursor: 'older' },
    ],
    ['chat/turnsLoaded without a cursor clears it', { ...idle, turnsNextCursor: 'x' }, [load([])], idle],
    ['chat/turnsLoaded of nothing new is no change', three, [load([turn('b')], 'x')], 'same'],
  ]);
});
