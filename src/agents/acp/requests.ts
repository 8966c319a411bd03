// Requests to an agent: one answer, one error or one end of the connection each, within a limit where there is one.
// Throws AgentError for what the agent did wrong and ConnectionClosed when it went away; retries nothing.
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { AgentError } from '../../base/errors.ts';
import { asObject, asString, asText, type JsonObject } from './json.ts';

export type Sdk = typeof import('@agentclientprotocol/sdk');

const SIGN_IN_NEEDED = -32000;

/** The agent answered with an error. `kind` is `auth` when it wants a sign-in first (ACP -32000). */
export class Refusal extends AgentError {
  readonly code: number;
  /** The agent's own word for the kind of error. */
  readonly detail: string | undefined;
  readonly data: JsonObject;

  constructor(said: string, code: number, data: JsonObject, cause: unknown) {
    super(code === SIGN_IN_NEEDED ? 'auth' : 'refused', said, { cause });
    this.code = code;
    this.data = data;
    this.detail = asText(data['errorKind']) ?? asText(data['startupFailureReason']);
  }
}

/** The connection went away; what became of the process says why. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** Sends one request; without `limit` (milliseconds) it may take for ever. Resolves with the answer's fields. */
export type Request = (method: string, params: JsonObject, limit?: number) => Promise<JsonObject>;

/** `name` and `program` are the agent's, as in messages for people. */
export function requester(
  connection: ClientConnection,
  sdk: Sdk,
  { name, program }: { name: string; program: string },
): Request {
  return async (method, params, limit) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      if (limit === undefined) return;
      timer = setTimeout(() => {
        const hint =
          method === 'initialize'
            ? `; its command ${program} may need an argument that makes it speak ACP`
            : '';
        fail(new AgentError('timeout', `${name} did not answer ${method} within ${limit / 1000} s${hint}`));
      }, limit);
    });
    try {
      return asObject(await Promise.race([connection.agent.request(method, params), late])) ?? {};
    } catch (error) {
      if (error instanceof AgentError) throw error;
      if (error instanceof sdk.RequestError) throw refusal(name, method, error);
      throw new ConnectionClosed(`the connection to ${name} closed during ${method}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

function refusal(name: string, method: string, error: InstanceType<Sdk['RequestError']>): Refusal {
  const data = asObject(error.data) ?? {};
  if (error.code === SIGN_IN_NEEDED) {
    return new Refusal(`${name} needs you to sign in first`, error.code, data, error);
  }
  const more = asString(data['details']) ?? asString(data['message']) ?? asString(error.data);
  const text =
    more === undefined || error.message.includes(more) ? error.message : `${error.message}: ${more}`;
  const said = method === 'session/prompt' ? text : `${name} refused ${method}: ${text}`;
  return new Refusal(said, error.code, data, error);
}
