import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACTIONS, type Action } from '../../../src/protocol/actions.ts';
import { reduceChat } from '../../../src/protocol/reduce/chat.ts';
import { idle } from '../../support/chat-states.ts';
import { fold } from '../../support/reduce-rows.ts';

// Few ids, so that most actions hit something and the rest are stale. `__proto__` is an id like any other.
const id = fc.constantFrom('a', 'b', '__proto__');
const text = fc.constantFrom('', 'x', 'yes');
const flag = fc.boolean();
const meta = fc.constantFrom({}, { otto: { mode: 'plan' } });
const duration = fc.constantFrom(-1, 0, 1500, 1e300);
const startedAt = fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00+09:00', 'no time');
const message = fc.record({ text, origin: fc.constant({ kind: 'user' }) });
const kind = fc.constantFrom('steering', 'queued');
const toolInput = fc.constantFrom('ls', { uri: 'file:///i' });
const contributor = fc.constantFrom(
  { kind: 'client', clientId: 'a' },
  { kind: 'client', clientId: 'b' },
  { kind: 'mcp', customizationId: 'm' },
);
const confirmed = fc.constantFrom('not-needed', 'user-action', 'setting');
const content = fc.array(fc.record({ type: fc.constant('text'), text }), { maxLength: 2 });
const options = fc.array(fc.record({ id, label: text, kind: fc.constantFrom('approve', 'deny') }), {
  maxLength: 2,
});
const answer = fc.record({
  state: fc.constantFrom('draft', 'submitted'),
  value: fc.record({ kind: fc.constant('text'), value: text }),
});
const answers = fc.dictionary(id, answer, { maxKeys: 2 });
const request = optional({ id }, { message: text, answers });
const errorPart = optional(
  { kind: fc.constant('error'), error: fc.constant({ errorType: 'e', message: 'm' }) },
  { resumable: flag },
);
const part = fc.oneof(
  fc.record({ kind: fc.constantFrom('markdown', 'reasoning', 'future'), id, content: text }),
  fc.record({ kind: fc.constant('inputRequest'), request }),
  errorPart,
);
const turn = optional(
  {
    id,
    message,
    responseParts: fc.array(part, { maxLength: 3 }),
    state: fc.constantFrom('complete', 'error'),
  },
  { startedAt },
);
const result = optional({ success: flag, pastTenseMessage: text }, { content });
const list = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 4 });

/** A record whose second half may be absent, key by key. */
function optional(must: Record<string, fc.Arbitrary<unknown>>, may: Record<string, fc.Arbitrary<unknown>>) {
  return fc.record({ ...must, ...may }, { requiredKeys: Object.keys(must) });
}

/** Payload of every chat action: what it must have, what it may have. */
const PAYLOADS: Record<string, [Parameters<typeof optional>[0], Parameters<typeof optional>[1]]> = {
  turnStarted: [{ turnId: id, startedAt, message }, { queuedMessageId: id }],
  delta: [{ turnId: id, partId: id, content: text }, {}],
  reasoning: [{ turnId: id, partId: id, content: text }, {}],
  responsePart: [{ turnId: id, part }, {}],
  usage: [{ turnId: id, usage: fc.constantFrom({}, { inputTokens: 1 }) }, {}],
  turnComplete: [{ turnId: id, duration }, {}],
  turnCancelled: [{ turnId: id, duration }, {}],
  error: [{ turnId: id, duration, part: errorPart }, {}],
  turnResume: [{ turnId: id }, {}],
  truncated: [{}, { turnId: id }],
  turnsLoaded: [{ turns: list(turn) }, { turnsNextCursor: text }],
  toolCallStart: [ofCall({ toolName: text, displayName: text }), { contributor, _meta: meta }],
  toolCallDelta: [ofCall({}), { content: text, invocationMessage: text, _meta: meta }],
  toolCallReady: [
    ofCall({ invocationMessage: text }),
    { toolInput, contributor, confirmed, options, editable: flag, intention: text },
  ],
  toolCallComplete: [ofCall({ result }), { requiresResultConfirmation: flag }],
  toolCallResultConfirmed: [ofCall({ approved: flag }), {}],
  toolCallContentChanged: [ofCall({ content }), { _meta: meta }],
  toolCallAuthRequired: [
    ofCall({ auth: fc.constant({ reason: 'required', resource: { resource: 'r' } }) }),
    {},
  ],
  toolCallAuthResolved: [ofCall({}), {}],
  inputRequested: [{ request }, {}],
  inputAnswerChanged: [{ requestId: id, questionId: id }, { answer }],
  inputCompleted: [{ requestId: id, response: fc.constantFrom('accept', 'cancel') }, { answers }],
  pendingMessageSet: [{ kind, id, message }, {}],
  pendingMessageRemoved: [{ kind, id }, {}],
  queuedMessagesReordered: [{ order: list(id) }, {}],
  activityChanged: [{}, { activity: text }],
  backgroundWorkSet: [{ work: fc.record({ id, label: text, kind: fc.constant('shell') }) }, {}],
  backgroundWorkRemoved: [{ id }, {}],
  movableChanged: [{ movable: flag }, {}],
  changesetsChanged: [{}, { changesets: fc.constant([]) }],
  canvasesChanged: [{}, { canvases: list(fc.record({ resource: id })) }],
  workingDirectorySet: [{ directory: id }, {}],
  workingDirectoryRemoved: [{ directory: id }, {}],
  draftChanged: [{}, { draft: message }],
  isReadChanged: [{ isRead: flag }, {}],
  isArchivedChanged: [{ isArchived: flag }, {}],
};

const approval = optional(ofCall({ approved: fc.constant(true), confirmed }), {
  editedToolInput: text,
  selectedOptionId: id,
});
const refusal = optional(
  ofCall({ approved: fc.constant(false), reason: fc.constantFrom('denied', 'skipped') }),
  { userSuggestion: message, reasonMessage: text, selectedOptionId: id },
);

function ofCall(more: Record<string, fc.Arbitrary<unknown>>) {
  return { turnId: id, toolCallId: id, ...more };
}

const action = fc
  .oneof(
    ...Object.entries(PAYLOADS).map(([name, [must, may]]) =>
      optional({ type: fc.constant(`chat/${name}`), ...must }, may),
    ),
    fc.oneof(approval, refusal).map((payload) => ({ type: 'chat/toolCallConfirmed', ...payload })),
    fc.record({ type: fc.constantFrom('chat/unknown', 'session/ready', 'terminal/cleared') }),
  )
  .map((payload) => overTheWire(payload as unknown as Action));

function overTheWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

it('the generator knows every chat action', () => {
  const known = Object.keys(PAYLOADS).map((name) => `chat/${name}`);
  const all = Object.keys(ACTIONS).filter((type) => type.startsWith('chat/'));
  expect([...known, 'chat/toolCallConfirmed'].sort()).toEqual(all.sort());
});

it('snapshot and replay from any cut give the state of the whole run, nothing throws, nothing is changed', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), fc.nat(60), (actions, at) => {
      // `fold` freezes every state and action, so a mutation throws; the wire would drop an undefined member.
      const whole = fold(reduceChat, idle, actions);
      const cut = fold(reduceChat, idle, actions.slice(0, at));
      expect(overTheWire(cut)).toStrictEqual(cut);
      const replayed = fold(reduceChat, overTheWire(cut), actions.slice(at));
      expect(JSON.stringify(replayed)).toBe(JSON.stringify(whole));
    }),
    { numRuns: 500 },
  );
});
