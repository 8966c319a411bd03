// zod for the params of every command and of the two client notifications (SHAPES 12, 13; J-4). Checks shapes
// only: whether a channel exists, a version fits or a folder is there is decided by who serves the command.
import { z } from 'zod';
import { ProtocolError } from '../base/errors.ts';
import type { UncheckedAction } from './actions.ts';
import type { CommandMap, Method, OnChannel } from './commands.ts';
import { INVALID_PARAMS } from './errors.ts';
import { activeClient, meta, optionalString, problemOf, record } from './schema-common.ts';

interface DispatchActionParams extends OnChannel {
  clientSeq: number;
  /** Only its type is checked here; the rest by `parseAction`, so that a wrong one can be echoed. */
  action: UncheckedAction;
}

type ParamsMap = { [M in Method]: CommandMap[M]['params'] } & {
  unsubscribe: OnChannel;
  dispatchAction: DispatchActionParams;
};

const strings = z.array(z.string());
const channelFields = { channel: z.string(), _meta: meta };
const onChannel = z.looseObject(channelFields);

const clientInfo = z.looseObject({ name: z.string(), version: optionalString, title: optionalString });

const configFields = {
  ...channelFields,
  provider: optionalString,
  workingDirectory: optionalString,
  config: record.exactOptional(),
};

export const PARAMS: { readonly [M in keyof ParamsMap]: z.ZodType<ParamsMap[M]> } = {
  initialize: z.looseObject({
    ...channelFields,
    protocolVersions: strings,
    clientId: z.string(),
    clientInfo: clientInfo.exactOptional(),
    initialSubscriptions: strings.exactOptional(),
    locale: optionalString,
    capabilities: z.looseObject({ mcpApps: record.exactOptional() }).exactOptional(),
  }),
  reconnect: z.looseObject({
    ...channelFields,
    clientId: z.string(),
    lastSeenServerSeq: z.number().min(0),
    subscriptions: strings,
  }),
  ping: onChannel,
  subscribe: z.looseObject({
    ...channelFields,
    delivery: z.looseObject({ maxLatencyMs: z.number().min(0).exactOptional() }).exactOptional(),
    view: z.looseObject({ turns: z.int().min(0).exactOptional() }).exactOptional(),
  }),
  listSessions: z.looseObject({
    ...channelFields,
    limit: z.int().min(1).exactOptional(),
    cursor: optionalString,
  }),
  createSession: z.looseObject({
    ...channelFields,
    provider: optionalString,
    workingDirectories: strings.exactOptional(),
    config: record.exactOptional(),
    activeClient: activeClient.exactOptional(),
    progressToken: optionalString,
  }),
  disposeSession: onChannel,
  fetchTurns: z.looseObject({ ...channelFields, cursor: optionalString }),
  'x-otto/releaseSession': onChannel,
  resolveSessionConfig: z.looseObject(configFields),
  sessionConfigCompletions: z.looseObject({ ...configFields, property: z.string(), query: optionalString }),
  resourceRead: z.looseObject({
    ...channelFields,
    uri: z.string(),
    encoding: z.enum(['base64', 'utf-8']).exactOptional(),
  }),
  completions: z.looseObject({
    ...channelFields,
    kind: z.string(),
    text: z.string(),
    offset: z.int().min(0),
  }),
  'x-otto/setOption': z.looseObject({
    ...channelFields,
    id: z.string(),
    value: z.union([z.string(), z.boolean()], {
      error: ({ input }) => `expected a string or boolean${input === undefined ? ', but it is missing' : ''}`,
    }),
  }),
  'x-otto/signIn': z.looseObject({ ...channelFields, methodId: z.string() }),
  'x-otto/setMode': z.looseObject({ ...channelFields, modeId: z.string() }),
  'x-otto/retry': onChannel,
  unsubscribe: onChannel,
  dispatchAction: z.looseObject({
    ...channelFields,
    clientSeq: z.number(),
    action: z.looseObject({ type: z.string() }),
  }),
};

/**
 * The params of `method`, the very object that came in, so unknown keys survive (VE-8).
 * Throws -32602 with the path and what was expected there.
 */
export function parseParams<M extends keyof ParamsMap>(method: M, params: unknown): ParamsMap[M] {
  const result = PARAMS[method].safeParse(params);
  if (!result.success) throw new ProtocolError(INVALID_PARAMS, problemOf(result.error, 'params'));
  return params as ParamsMap[M];
}
