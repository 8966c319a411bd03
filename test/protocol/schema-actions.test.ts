import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTIONS, type ActionType } from '../../src/protocol/actions.ts';
import { CLIENT_ACTIONS, parseAction } from '../../src/protocol/schema-actions.ts';

const user = { text: 'hello', origin: { kind: 'user' } };
const call = { turnId: 't', toolCallId: 'c' };
const annotation = {
  id: 'a',
  origin: { session: 's' },
  resource: 'file:///a',
  resolved: false,
  entries: [{ id: 'e', text: 'look' }],
};

/** One valid action of every type a client may dispatch, with every optional field that matters. */
const VALID: Record<string, object> = {
  'root/configChanged': { config: { a: null }, replace: true },
  'session/titleChanged': { title: '' },
  'session/activeClientSet': { activeClient: { clientId: 'c', tools: [] } },
  'session/activeClientRemoved': { clientId: 'c' },
  'session/workingDirectorySet': { directory: 'file:///a' },
  'session/workingDirectoryRemoved': { directory: 'file:///a' },
  'session/workingDirectoryReplaced': { directory: 'file:///a', replacement: 'file:///b' },
  'session/customizationToggled': { id: 'i', enablement: [{ kind: 'session', enabled: true }] },
  'session/mcpServerStartRequested': { id: 'i' },
  'session/mcpServerStopRequested': { id: 'i' },
  'session/mcpServerBackgroundRequested': { id: 'i' },
  'session/isReadChanged': { isRead: true },
  'session/isArchivedChanged': { isArchived: false },
  'session/configChanged': { config: {} },
  'chat/turnStarted': {
    turnId: 't',
    startedAt: '2026-09-23T00:00:00.000Z',
    message: user,
    queuedMessageId: 'q',
    _meta: {},
  },
  'chat/turnCancelled': { turnId: 't', duration: 0 },
  'chat/turnResume': { turnId: 't' },
  'chat/workingDirectorySet': { directory: 'file:///a' },
  'chat/workingDirectoryRemoved': { directory: 'file:///a' },
  'chat/toolCallConfirmed': { ...call, approved: true, confirmed: 'user-action', selectedOptionId: 'o' },
  'chat/toolCallComplete': {
    ...call,
    result: {
      success: false,
      pastTenseMessage: { markdown: '*did*' },
      content: [{ type: 'text', text: 'x' }],
      structuredContent: { a: null },
      error: { message: 'm', code: 'c' },
    },
    requiresResultConfirmation: false,
  },
  'chat/toolCallResultConfirmed': { ...call, approved: false },
  'chat/toolCallContentChanged': {
    ...call,
    content: [{ type: 'terminal', resource: 'r', title: 't', result: {} }],
  },
  'chat/pendingMessageSet': { kind: 'queued', id: 'q', message: user },
  'chat/pendingMessageRemoved': { kind: 'steering', id: 'q' },
  'chat/queuedMessagesReordered': { order: ['b', 'a'] },
  'chat/draftChanged': { draft: user },
  'chat/isReadChanged': { isRead: true },
  'chat/isArchivedChanged': { isArchived: true },
  'chat/inputAnswerChanged': {
    requestId: 'r',
    questionId: 'q',
    answer: { state: 'draft', value: { kind: 'selected-many', value: ['a'], freeformValues: ['b'] } },
  },
  'chat/inputCompleted': { requestId: 'r', response: 'accept', answers: { q: { state: 'skipped' } } },
  'chat/truncated': { turnId: 't' },
  'terminal/input': { data: '' },
  'terminal/resized': { cols: 80, rows: 24 },
  'terminal/claimed': { claim: { kind: 'session', session: 's', chat: 'c' } },
  'terminal/titleChanged': { title: 't' },
  'terminal/cleared': {},
  'changeset/filesReviewChanged': { files: ['f'], reviewed: true },
  'annotations/set': { annotation },
  'annotations/updated': { annotationId: 'a', resolved: true },
  'annotations/removed': { annotationId: 'a' },
  'annotations/entrySet': { annotationId: 'a', entry: { id: 'e', text: { markdown: 'm' } } },
  'annotations/entryRemoved': { annotationId: 'a', entryId: 'e' },
  'automation/createRequested': { resource: 'r', definition: {} },
  'automation/updateRequested': { resource: 'r', changes: {} },
  'automation/removed': { resource: 'r' },
  'automationRun/cancelRequested': {},
};

const valid = Object.entries(VALID).map(([type, rest]) => ({ type, ...rest }));
const problem = (type: string, rest: object) => parseAction({ type, ...rest });
const says = (text: RegExp) => ({ problem: expect.stringMatching(text) });

describe('the table of schemas', () => {
  it('has exactly the 47 actions that a client may dispatch (A-9)', () => {
    const clients = Object.entries(ACTIONS).filter(([, facts]) => facts.by === 'client');
    expect([...CLIENT_ACTIONS.keys()].sort()).toEqual(clients.map(([type]) => type).sort());
    expect(CLIENT_ACTIONS.size).toBe(47);
    expect(Object.keys(VALID).sort()).toEqual([...CLIENT_ACTIONS.keys()].sort());
  });
});

describe.each(valid)('$type', (action) => {
  const { type, ...rest } = action;

  it('is taken as the very object that came in, with everything unknown in it (A-31)', () => {
    const extended = { ...structuredClone(action), 'x-vendor': null, future: { deep: [null, 1] } };
    const copy = structuredClone(extended);
    const result = parseAction(extended);
    expect(result).toEqual({ action: copy });
    expect('action' in result && result.action).toBe(extended);
  });

  it.each(Object.keys(rest))('is refused with null for %s, which is never what absent means', (key) => {
    const result = parseAction({ ...action, [key]: null } as { type: string });
    expect(result).toEqual(says(new RegExp(`^${key}: `)));
  });
});

describe('what must be there', () => {
  const OPTIONAL: Record<string, string[]> = {
    'root/configChanged': ['replace'],
    'chat/turnStarted': ['queuedMessageId', '_meta'],
    'chat/toolCallConfirmed': ['selectedOptionId'],
    'chat/toolCallComplete': ['requiresResultConfirmation'],
    'chat/draftChanged': ['draft'],
    'chat/inputAnswerChanged': ['answer'],
    'chat/inputCompleted': ['answers'],
    'chat/truncated': ['turnId'],
    'annotations/updated': ['resolved'],
  };
  const cases = valid.flatMap(({ type, ...rest }) => Object.keys(rest).map((key) => [type, key] as const));

  it.each(cases)('%s without %s is taken only if that is optional', (type, key) => {
    const { [key]: _dropped, ...rest } = VALID[type] as Record<string, unknown>;
    const result = problem(type, rest);
    if (OPTIONAL[type]?.includes(key)) expect(result).toHaveProperty('action');
    else expect(result).toEqual(says(new RegExp(`^${key}: `)));
  });
});

const message = (more: object) => ({ kind: 'queued', id: 'q', message: { ...user, ...more } });
const content = (...blocks: object[]) => ({ ...call, content: blocks });
const answer = (value: unknown) => ({ requestId: 'r', questionId: 'q', answer: value });
const turn = (more: object) => ({ ...VALID['chat/turnStarted'], ...more });

const REFUSED: [string, object, RegExp][] = [
  ['chat/pendingMessageSet', message({ text: 5 }), /^message\.text: expected string, received number$/],
  [
    'chat/pendingMessageSet',
    message({ origin: {} }),
    /^message\.origin\.kind: expected string, but it is missing$/,
  ],
  ['chat/pendingMessageSet', message({ attachments: null }), /^message\.attachments: expected array/],
  ['chat/pendingMessageSet', message({ attachments: [{ label: 'x' }] }), /^message\.attachments\.0\.type: /],
  [
    'chat/pendingMessageSet',
    message({
      attachments: [
        { type: 'simple', label: 'x' },
        { type: 'resource', label: 'x' },
      ],
    }),
    /^message\.attachments\.1\.uri: expected string/,
  ],
  [
    'chat/pendingMessageSet',
    message({ model: { id: 'm', config: { a: {} } } }),
    /^message\.model\.config\.a: /,
  ],
  [
    'chat/pendingMessageSet',
    { ...message({}), kind: 'later' },
    /^kind: expected one of "steering"\|"queued"$/,
  ],
  ['chat/turnStarted', turn({ startedAt: 'yesterday' }), /^startedAt: expected an ISO 8601 time/],
  ['chat/turnStarted', turn({ startedAt: '1' }), /^startedAt: expected an ISO 8601 time/],
  [
    'chat/turnStarted',
    turn({ startedAt: '2026-02-31T00:00:00.000Z' }),
    /^startedAt: expected an ISO 8601 time/,
  ],
  ['chat/turnCancelled', { turnId: 't', duration: JSON.parse('1e999') }, /^duration: expected number/],
  ['chat/turnCancelled', { turnId: 't', duration: 1e300 }, /^duration: expected number to be <=/],
  ['chat/truncated', { turnId: null }, /^turnId: expected string, received null$/],
  ['chat/inputAnswerChanged', answer(null), /^answer: expected object, received null$/],
  [
    'chat/inputAnswerChanged',
    answer({ state: 'sent' }),
    /^answer\.state: expected 'draft' \| 'submitted' \| /,
  ],
  ['chat/inputAnswerChanged', answer({ state: 'submitted' }), /^answer\.value: expected object/],
  [
    'chat/inputAnswerChanged',
    answer({ state: 'draft', value: { kind: 'number', value: '3' } }),
    /^answer\.value\.value: expected number, received string$/,
  ],
  ['chat/inputCompleted', { requestId: 'r', response: 'yes' }, /^response: expected one of "accept"/],
  [
    'chat/inputCompleted',
    { requestId: 'r', response: 'accept', answers: { q: null } },
    /^answers\.q: expected object/,
  ],
  ['chat/toolCallConfirmed', { ...call, approved: 'yes' }, /^approved: expected/],
  ['chat/toolCallConfirmed', { ...call, approved: true }, /^confirmed: expected string/],
  ['chat/toolCallConfirmed', { ...call, approved: false }, /^reason: expected one of "denied"\|"skipped"/],
  [
    'chat/toolCallConfirmed',
    { ...call, approved: false, reason: 'denied', reasonMessage: 5 },
    /^reasonMessage: expected a string or/,
  ],
  [
    'chat/toolCallComplete',
    { ...call, result: { success: true } },
    /^result\.pastTenseMessage: expected a string or/,
  ],
  ['chat/toolCallContentChanged', content({ type: 'text' }), /^content\.0\.text: expected string/],
  [
    'chat/toolCallContentChanged',
    content({ type: 'fileEdit', before: { uri: 'u' } }),
    /^content\.0\.before\.content: /,
  ],
  ['chat/queuedMessagesReordered', { order: [1] }, /^order\.0: expected string/],
  ['terminal/claimed', { claim: { kind: 'session', session: 's' } }, /^claim\.chat: expected string/],
  ['terminal/claimed', { claim: { kind: 'nobody' } }, /^claim\.kind: expected 'client' \| 'session'$/],
  ['annotations/set', { annotation: { ...annotation, entries: [] } }, /^annotation\.entries: /],
  [
    'session/customizationToggled',
    { id: 'i', enablement: [{ kind: 'session' }] },
    /^enablement\.0\.enabled: /,
  ],
];

const KEPT: [string, string, object][] = [
  ['attachment type', 'chat/pendingMessageSet', message({ attachments: [{ type: 'hologram', odd: null }] })],
  ['message origin', 'chat/turnStarted', turn({ message: { text: '', origin: { kind: 'integration' } } })],
  [
    'answer value kind',
    'chat/inputAnswerChanged',
    answer({ state: 'draft', value: { kind: 'colour', value: [] } }),
  ],
  ['tool result content', 'chat/toolCallContentChanged', content({ type: 'smell', strength: 3 })],
  ['enablement kind', 'session/customizationToggled', { id: 'i', enablement: [{ kind: 'galaxy' }] }],
  ['confirmation reason', 'chat/toolCallConfirmed', { ...call, approved: true, confirmed: 'by-mood' }],
];

describe('parseAction', () => {
  it.each(REFUSED)('refuses %s %j and says what was expected where', (type, rest, text) => {
    expect(problem(type, rest)).toEqual(says(text));
  });

  it.each(KEPT)('keeps an unknown %s, which a later version may bring (SHAPES 1.4)', (_what, type, rest) => {
    const action = { type, ...rest };
    const result = parseAction(action);
    expect('action' in result && result.action).toBe(action);
  });

  it('keeps nulls where any JSON may stand', () => {
    const nulls = { a: null, b: { c: [null] } };
    expect(problem('session/configChanged', { config: nulls })).toHaveProperty('action');
    expect(problem('chat/draftChanged', { draft: { ...user, _meta: nulls } })).toHaveProperty('action');
    expect(
      problem('chat/draftChanged', { draft: { ...user, model: { id: 'm', config: { a: null } } } }),
    ).toHaveProperty('action');
  });

  it.each(['2026-09-23T00:00:00Z', '2026-09-23T02:00:00.123456+02:00'])('takes the time %s', (startedAt) => {
    expect(problem('chat/turnStarted', turn({ startedAt }))).toHaveProperty('action');
  });

  it.each([0, -5, 8e15])('takes the duration %d, whose end is still a date (C-11)', (duration) => {
    expect(problem('chat/turnCancelled', { turnId: 't', duration })).toHaveProperty('action');
    const end = Date.parse('9999-12-31T23:59:59.999Z') + duration;
    expect(() => new Date(end).toISOString()).not.toThrow();
  });

  it('refuses every action that only the host may send (A-9)', () => {
    const hosts = (Object.keys(ACTIONS) as ActionType[]).filter((type) => ACTIONS[type].by === 'host');
    expect(hosts).toHaveLength(59);
    for (const type of hosts)
      expect(parseAction({ type })).toEqual({ problem: `only the host may send ${type}` });
  });

  it.each(['', 'chat/future', '__proto__', 'constructor', 'toString'])(
    'does not know the type %j',
    (type) => {
      expect(parseAction({ type })).toEqual({ problem: `unknown action type ${JSON.stringify(type)}` });
    },
  );

  it('keeps its complaint about a long type short', () => {
    expect(parseAction({ type: 'x'.repeat(1_000_000) })).toEqual(says(/^.{1,120}$/));
  });

  it('looks at a key named __proto__ as well', () => {
    const answers = JSON.parse('{"__proto__": null}');
    expect(problem('chat/inputCompleted', { requestId: 'r', response: 'accept', answers })).toEqual(
      says(/^answers\.__proto__: expected object/),
    );
  });

  it('never throws and never changes its input, whatever is dispatched', () => {
    const type = fc.constantFrom(...CLIENT_ACTIONS.keys());
    fc.assert(
      fc.property(type, fc.jsonValue(), fc.constantFrom(...valid), (name, junk, sample) => {
        const keys = Object.keys(sample).filter((key) => key !== 'type');
        const action = { ...sample, type: name, ...Object.fromEntries(keys.map((key) => [key, junk])) };
        const before = JSON.stringify(action);
        const result = parseAction(action);
        expect('action' in result ? result.action === (action as unknown) : result.problem !== '').toBe(true);
        expect(JSON.stringify(action)).toBe(before);
      }),
    );
  });
});
