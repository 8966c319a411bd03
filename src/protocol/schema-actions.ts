// zod for what a client may dispatch (SHAPES 14): one schema per type, built once. Checks shapes only; whether
// an action makes sense in the present state is the host's business. Refuses unknown and host-only types.
import { z } from 'zod';
import { type Action, isActionType, type UncheckedAction } from './actions.ts';
import {
  activeClient,
  answer,
  contentRefFields,
  enablement,
  mapOf,
  message,
  meta,
  openUnion,
  optionalString,
  problemOf,
  range,
  record,
  text,
} from './schema-common.ts';

const string = z.string();
const strings = z.array(string);
const number = z.number();
const boolean = z.boolean();
const optionalNumber = number.exactOptional();
const optionalBoolean = boolean.exactOptional();

// Reducers add durations to it (SHAPES 6.9), which throws for a time that cannot be parsed.
const startedAt = z.iso.datetime({
  offset: true,
  error: 'expected an ISO 8601 time such as 2026-01-31T12:00:00.000Z',
});
// A later end than this is no longer a date.
const duration = number.max(8e15);

const ofTurn = { turnId: string, _meta: meta };
const ofToolCall = { ...ofTurn, toolCallId: string };

const fileEditSide = z.looseObject({ uri: string, content: z.looseObject(contentRefFields) }).exactOptional();

const toolResultContent = z.array(
  openUnion('type', {
    text: z.looseObject({ text: string }),
    embeddedResource: z.looseObject({ data: string, contentType: string }),
    resource: z.looseObject(contentRefFields),
    fileEdit: z.looseObject({
      before: fileEditSide,
      after: fileEditSide,
      diff: z.looseObject({ added: optionalNumber, removed: optionalNumber }).exactOptional(),
    }),
    terminal: z.looseObject({
      resource: string,
      title: string,
      isPty: optionalBoolean,
      result: z
        .looseObject({ exitCode: optionalNumber, preview: optionalString, truncated: optionalBoolean })
        .exactOptional(),
    }),
    subagent: z.looseObject({
      resource: string,
      title: string,
      agentName: optionalString,
      description: optionalString,
    }),
  }),
);

const toolCallConfirmed = z.discriminatedUnion('approved', [
  z.looseObject({
    ...ofToolCall,
    approved: z.literal(true),
    confirmed: string,
    editedToolInput: optionalString,
    selectedOptionId: optionalString,
  }),
  z.looseObject({
    ...ofToolCall,
    approved: z.literal(false),
    reason: z.enum(['denied', 'skipped']),
    userSuggestion: message.exactOptional(),
    reasonMessage: text.exactOptional(),
    selectedOptionId: optionalString,
  }),
]);

const toolCallComplete = z.looseObject({
  ...ofToolCall,
  result: z.looseObject({
    success: boolean,
    pastTenseMessage: text,
    content: toolResultContent.exactOptional(),
    structuredContent: record.exactOptional(),
    error: z.looseObject({ message: string, code: optionalString }).exactOptional(),
  }),
  requiresResultConfirmation: optionalBoolean,
});

const terminalClaim = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('client'), clientId: string }),
  z.looseObject({
    kind: z.literal('session'),
    session: string,
    chat: string,
    turnId: optionalString,
    toolCallId: optionalString,
  }),
]);

const annotationOrigin = z.looseObject({ session: string, chat: optionalString, turnId: optionalString });
const annotationEntry = z.looseObject({ id: string, text, _meta: meta });

const annotation = z.looseObject({
  id: string,
  origin: annotationOrigin,
  resource: string,
  resolved: boolean,
  entries: z.array(annotationEntry).min(1),
  range: range.exactOptional(),
  _meta: meta,
});

const config = z.looseObject({ config: record, replace: optionalBoolean });
const byId = z.looseObject({ id: string });
const directory = z.looseObject({ directory: string });
const title = z.looseObject({ title: string });
const isRead = z.looseObject({ isRead: boolean });
const isArchived = z.looseObject({ isArchived: boolean });
const nothing = z.looseObject({});
const pendingKind = z.enum(['steering', 'queued']);

/** The actions a client may dispatch. Automations are not served, so their insides are not looked at. */
export const CLIENT_ACTIONS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['root/configChanged', config],

  ['session/titleChanged', title],
  ['session/activeClientSet', z.looseObject({ activeClient })],
  ['session/activeClientRemoved', z.looseObject({ clientId: string })],
  ['session/workingDirectorySet', directory],
  ['session/workingDirectoryRemoved', directory],
  ['session/workingDirectoryReplaced', z.looseObject({ directory: string, replacement: string })],
  ['session/customizationToggled', z.looseObject({ id: string, enablement })],
  ['session/mcpServerStartRequested', byId],
  ['session/mcpServerStopRequested', byId],
  ['session/mcpServerBackgroundRequested', byId],
  ['session/isReadChanged', isRead],
  ['session/isArchivedChanged', isArchived],
  ['session/configChanged', config],

  ['chat/turnStarted', z.looseObject({ ...ofTurn, startedAt, message, queuedMessageId: optionalString })],
  ['chat/turnCancelled', z.looseObject({ ...ofTurn, duration })],
  ['chat/turnResume', z.looseObject({ turnId: string })],
  ['chat/workingDirectorySet', directory],
  ['chat/workingDirectoryRemoved', directory],
  ['chat/toolCallConfirmed', toolCallConfirmed],
  ['chat/toolCallComplete', toolCallComplete],
  ['chat/toolCallResultConfirmed', z.looseObject({ ...ofToolCall, approved: boolean })],
  ['chat/toolCallContentChanged', z.looseObject({ ...ofToolCall, content: toolResultContent })],
  ['chat/pendingMessageSet', z.looseObject({ kind: pendingKind, id: string, message })],
  ['chat/pendingMessageRemoved', z.looseObject({ kind: pendingKind, id: string })],
  ['chat/queuedMessagesReordered', z.looseObject({ order: strings })],
  ['chat/draftChanged', z.looseObject({ draft: message.exactOptional() })],
  ['chat/isReadChanged', isRead],
  ['chat/isArchivedChanged', isArchived],
  [
    'chat/inputAnswerChanged',
    z.looseObject({ requestId: string, questionId: string, answer: answer.exactOptional() }),
  ],
  [
    'chat/inputCompleted',
    z.looseObject({
      requestId: string,
      response: z.enum(['accept', 'decline', 'cancel']),
      answers: mapOf(answer).exactOptional(),
    }),
  ],
  ['chat/truncated', z.looseObject({ turnId: optionalString })],

  ['terminal/input', z.looseObject({ data: string })],
  ['terminal/resized', z.looseObject({ cols: number, rows: number })],
  ['terminal/claimed', z.looseObject({ claim: terminalClaim })],
  ['terminal/titleChanged', title],
  ['terminal/cleared', nothing],

  ['changeset/filesReviewChanged', z.looseObject({ files: strings, reviewed: boolean })],

  ['annotations/set', z.looseObject({ annotation })],
  [
    'annotations/updated',
    z.looseObject({
      annotationId: string,
      origin: annotationOrigin.exactOptional(),
      resource: optionalString,
      range: range.exactOptional(),
      resolved: optionalBoolean,
    }),
  ],
  ['annotations/removed', z.looseObject({ annotationId: string })],
  ['annotations/entrySet', z.looseObject({ annotationId: string, entry: annotationEntry })],
  ['annotations/entryRemoved', z.looseObject({ annotationId: string, entryId: string })],

  ['automation/createRequested', z.looseObject({ resource: string, definition: record })],
  ['automation/updateRequested', z.looseObject({ resource: string, changes: record })],
  ['automation/removed', z.looseObject({ resource: string })],
  ['automationRun/cancelRequested', nothing],
]);

/**
 * Checks one dispatched action. `action` is the very object that came in, so keys we do not know reach the
 * other clients; `problem` is one short sentence for the rejection.
 */
export function parseAction(value: UncheckedAction): { action: Action } | { problem: string } {
  const schema = CLIENT_ACTIONS.get(value.type);
  if (schema === undefined) {
    return isActionType(value.type)
      ? { problem: `only the host may send ${value.type}` }
      : { problem: `unknown action type ${JSON.stringify(value.type.slice(0, 80))}` };
  }
  const result = schema.safeParse(value);
  return result.success ? { action: value as Action } : { problem: problemOf(result.error) };
}
