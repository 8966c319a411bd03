// Which call of the host serves which method: a handler for every command or it does not compile. Knows the two
// plain names that came before the `x-otto/` ones. The handshake itself belongs to the connection.
import { ProtocolError } from '../base/errors.ts';
import type { Host } from '../host/host.ts';
import type { Subscriber } from '../host/subscriptions.ts';
import type { CommandMap, Method } from '../protocol/commands.ts';
import { INVALID_PARAMS, METHOD_NOT_FOUND } from '../protocol/errors.ts';
import { parseParams } from '../protocol/schema-commands.ts';

/** One connection after its handshake. */
export interface Caller {
  readonly host: Host;
  readonly subscriber: Subscriber;
}

/** The handshake and `ping` come before there is a caller: a connection serves them by itself. */
type Routed = Exclude<Method, 'initialize' | 'reconnect' | 'ping'>;

type Handlers = {
  readonly [M in Routed]: (caller: Caller, params: CommandMap[M]['params']) => CommandMap[M]['result'];
};

const HANDLERS: Handlers = {
  subscribe: ({ host, subscriber }, params) => host.subscribe(subscriber, params),
  listSessions: ({ host }, params) => host.listSessions(params),
  createSession: ({ host, subscriber }, params) => {
    host.createSession(subscriber, params);
    return null;
  },
  disposeSession: ({ host }, params) => {
    host.disposeSession(params.channel);
    return null;
  },
  fetchTurns: ({ host, subscriber }, params) => {
    host.fetchTurns(subscriber, params);
    return {};
  },
  resolveSessionConfig: ({ host }, params) => host.resolveSessionConfig(params),
  sessionConfigCompletions: ({ host }, params) => ({ items: host.sessionConfigCompletions(params) }),
  resourceRead: ({ host }, { uri, encoding = 'utf-8' }) => {
    const { text, contentType } = host.resourceRead(uri);
    const data = encoding === 'utf-8' ? text : Buffer.from(text).toString('base64');
    return { data, encoding, contentType };
  },
  completions: ({ host }, params) => host.completions(params),
  'x-otto/setOption': ({ host }, params) => {
    host.setOption(params);
    return null;
  },
  'x-otto/signIn': ({ host }, params) => {
    host.signIn(params);
    return null;
  },
  'x-otto/releaseSession': ({ host }, params) => {
    host.releaseSession(params.channel);
    return null;
  },
  'x-otto/setMode': ({ host }, params) => {
    host.setMode(params);
    return null;
  },
  'x-otto/retry': ({ host }, params) => {
    host.retry(params.channel);
    return null;
  },
};

/** Serves one request. Throws ProtocolError: -32601 for an unknown method, -32602 for params that do not fit. */
export function route(caller: Caller, method: string, params: unknown): unknown {
  if (method === 'releaseSession') return call(caller, 'x-otto/releaseSession', params);
  if (method === 'setMode') return call(caller, 'x-otto/setMode', modeParams(params));
  if (!Object.hasOwn(HANDLERS, method)) {
    throw new ProtocolError(METHOD_NOT_FOUND, `unknown method ${JSON.stringify(method.slice(0, 80))}`);
  }
  return call(caller, method as Routed, params);
}

function call<M extends Routed>(caller: Caller, method: M, params: unknown): CommandMap[M]['result'] {
  return HANDLERS[method](caller, parseParams(method, params));
}

/** The plain `setMode {session, modeId}` is the one method without a channel (facts 4.2). */
function modeParams(params: unknown): unknown {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return params;
  const { session, ...rest } = params as Record<string, unknown>;
  if (typeof session !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'params.session: expected the URI of a session');
  }
  return { ...rest, channel: session };
}
