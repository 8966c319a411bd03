// zod for the shapes that both params and actions carry, and the sentence made of a failed check. Objects are
// loose and unions of open enums let unknown kinds through (SHAPES 1.1, 1.4); null where a key should be
// absent is refused. Checks only: what was checked is used as it came, never zod's copy.

import { z } from 'zod';
import { isObject } from '../base/json.ts';
import type { ChatInputAnswer, ChatInputAnswerValue, Message, MessageAttachment } from './state-chat.ts';
import type { JsonPrimitive, Meta, StringOrMarkdown, TextRange, ToolDefinition } from './state-common.ts';
import type {
  ChildCustomization,
  ClientPluginCustomization,
  CustomizationEnablement,
} from './state-customization.ts';
import type { SessionActiveClient } from './state-session.ts';

const MAX_PROBLEM = 300;

/** "path: what was expected", of the first thing that is wrong; `root` is put before the path. */
export function problemOf(error: z.ZodError, root = ''): string {
  const issue = error.issues[0];
  const path = [root, ...(issue?.path ?? [])].filter((step) => step !== '').join('.');
  const expected = (issue?.message ?? 'not understood')
    .replace(/^(?:Invalid|Too) [\w ]+[:.] /, '')
    .replace('received undefined', 'but it is missing');
  const text = `${path}: ${expected.charAt(0).toLowerCase()}${expected.slice(1)}`;
  return text.length > MAX_PROBLEM ? `${text.slice(0, MAX_PROBLEM)}…` : text;
}

/** Free-form JSON (`config`, `values`, `_meta`, …): any object, nulls inside allowed. */
export const record: z.ZodType<Meta> = z.looseObject({});

/** An object whose every value fits `item`. Unlike zod's own objects it looks at a `__proto__` key too. */
export function mapOf<T>(item: z.ZodType<T>): z.ZodType<Record<string, T>> {
  const entries = z.custom<Record<string, T>>(isObject, { error: 'expected an object', abort: true });
  return entries.superRefine((value, context) => {
    for (const [key, entry] of Object.entries(value)) addIssues(context, item.safeParse(entry), [key]);
  });
}

/** A union over an open enum: a known kind must fit its variant, an unknown one is kept untouched. */
export function openUnion<T>(key: string, variants: Record<string, z.ZodType>): z.ZodType<T> {
  const byKind = new Map(Object.entries(variants));
  return z.looseObject({ [key]: z.string() }).superRefine((value, context) => {
    const variant = byKind.get(value[key] as string);
    if (variant !== undefined) addIssues(context, variant.safeParse(value), []);
  }) as unknown as z.ZodType<T>;
}

function addIssues(context: z.RefinementCtx, result: z.ZodSafeParseResult<unknown>, at: PropertyKey[]) {
  if (result.success) return;
  for (const { message, path } of result.error.issues) {
    context.addIssue({ code: 'custom', message, path: [...at, ...path] });
  }
}

const string = z.string();
export const optionalString = string.exactOptional();
const optionalNumber = z.number().exactOptional();
const optionalBoolean = z.boolean().exactOptional();
export const meta = record.exactOptional();

export const text: z.ZodType<StringOrMarkdown> = z.union([string, z.looseObject({ markdown: string })], {
  error: 'expected a string or {"markdown": string}',
});

const position = z.looseObject({ line: z.number(), character: z.number() });
export const range: z.ZodType<TextRange> = z.looseObject({ start: position, end: position });
const selection = z.looseObject({ range }).exactOptional();

export const contentRefFields = {
  uri: string,
  sizeHint: optionalNumber,
  contentType: optionalString,
  nonce: optionalString,
};

const attachmentFields = {
  label: string,
  range: range.exactOptional(),
  displayKind: optionalString,
  _meta: meta,
};

const attachment = openUnion<MessageAttachment>('type', {
  simple: z.looseObject({ ...attachmentFields, modelRepresentation: optionalString }),
  embeddedResource: z.looseObject({ ...attachmentFields, data: string, contentType: string, selection }),
  resource: z.looseObject({ ...attachmentFields, ...contentRefFields, selection }),
  annotations: z.looseObject({
    ...attachmentFields,
    resource: string,
    annotationIds: z.array(string).exactOptional(),
  }),
  chat: z.looseObject({ ...attachmentFields, resource: string, endTurn: optionalString }),
});

const jsonPrimitive: z.ZodType<JsonPrimitive> = z.union([string, z.number(), z.boolean(), z.null()], {
  error: 'expected a string, number, boolean or null',
});

/** Who may have said it (C-9) is the host's business: `origin.kind` is an open enum. */
export const message: z.ZodType<Message> = z.looseObject({
  text: string,
  origin: z.looseObject({ kind: string }),
  attachments: z.array(attachment).exactOptional(),
  model: z.looseObject({ id: string, config: mapOf(jsonPrimitive).exactOptional() }).exactOptional(),
  agent: z.looseObject({ uri: string }).exactOptional(),
  _meta: meta,
});

const freeformValues = z.array(string).exactOptional();

const answerValue = openUnion<ChatInputAnswerValue>('kind', {
  text: z.looseObject({ value: string }),
  number: z.looseObject({ value: z.number() }),
  boolean: z.looseObject({ value: z.boolean() }),
  selected: z.looseObject({ value: string, freeformValues }),
  'selected-many': z.looseObject({ value: z.array(string), freeformValues }),
});

export const answer: z.ZodType<ChatInputAnswer> = z.discriminatedUnion('state', [
  z.looseObject({ state: z.enum(['draft', 'submitted']), value: answerValue }),
  z.looseObject({ state: z.literal('skipped'), freeformValues }),
]);

export const enablement: z.ZodType<CustomizationEnablement[]> = z.array(
  openUnion<CustomizationEnablement>('kind', {
    session: z.looseObject({ enabled: z.boolean() }),
    workspace: z.looseObject({ uri: string, enabled: z.boolean() }),
    global: z.looseObject({ enabled: z.boolean() }),
  }),
);

const toolSchema = z
  .looseObject({
    type: z.literal('object'),
    properties: mapOf(record).exactOptional(),
    required: z.array(string).exactOptional(),
  })
  .exactOptional();

const tool: z.ZodType<ToolDefinition> = z.looseObject({
  name: string,
  title: optionalString,
  description: optionalString,
  inputSchema: toolSchema,
  outputSchema: toolSchema,
  annotations: z
    .looseObject({
      title: optionalString,
      readOnlyHint: optionalBoolean,
      destructiveHint: optionalBoolean,
      idempotentHint: optionalBoolean,
      openWorldHint: optionalBoolean,
    })
    .exactOptional(),
  _meta: meta,
});

const icon = z.looseObject({
  src: string,
  contentType: optionalString,
  sizes: z.array(string).exactOptional(),
  theme: z.enum(['light', 'dark']).exactOptional(),
});

const customizationFields = {
  id: string,
  uri: string,
  name: string,
  icons: z.array(icon).exactOptional(),
  range: range.exactOptional(),
  _meta: meta,
};

const leaf = z.looseObject({
  ...customizationFields,
  enabled: optionalBoolean,
  description: optionalString,
  model: optionalString,
  tools: z.array(string).exactOptional(),
  disableModelInvocation: optionalBoolean,
  disableUserInvocation: optionalBoolean,
  alwaysApply: optionalBoolean,
  globs: z.array(string).exactOptional(),
});

const child = openUnion<ChildCustomization>('type', {
  agent: leaf,
  skill: leaf,
  prompt: leaf,
  rule: leaf,
  hook: leaf,
  mcpServer: z.looseObject({
    ...customizationFields,
    enablement: enablement.exactOptional(),
    state: z.looseObject({ kind: string }),
    channel: optionalString,
    mcpApp: z.looseObject({ capabilities: record }).exactOptional(),
  }),
});

const load = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.enum(['loading', 'loaded']) }),
  z.looseObject({ kind: z.enum(['degraded', 'error']), message: string }),
]);

const clientPlugin: z.ZodType<ClientPluginCustomization> = z.looseObject({
  ...customizationFields,
  type: z.literal('plugin'),
  clientId: optionalString,
  load: load.exactOptional(),
  children: z.array(child).exactOptional(),
  enablement: enablement.exactOptional(),
  version: optionalString,
  nonce: optionalString,
  childEnablement: mapOf(enablement).exactOptional(),
});

export const activeClient: z.ZodType<SessionActiveClient> = z.looseObject({
  clientId: string,
  displayName: optionalString,
  tools: z.array(tool),
  customizations: z.array(clientPlugin).exactOptional(),
});
