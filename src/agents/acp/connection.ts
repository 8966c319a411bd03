// The ACP conversation with one agent: initialize, one session, its prompts, its questions.
// Throws AgentError for everything the agent did wrong; decides nothing about the process. The SDK is loaded lazily,
// since loading it takes long and a service without a running agent never needs it.
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { AgentError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AgentEvent, AgentSpec } from '../../host/ports.ts';
import type { Message } from '../../protocol/state-chat.ts';
import { asList, asObject, asString, type JsonObject } from './json.ts';
import { askPermission } from './permission.ts';
import { promptBlocks } from './prompt.ts';
import { modesOf, translate } from './translate.ts';
import { openWire } from './wire.ts';

type Sdk = typeof import('@agentclientprotocol/sdk');

export function loadSdk(): Promise<Sdk> {
  return import('@agentclientprotocol/sdk');
}

/** The one version of ACP spoken here. */
const PROTOCOL_VERSION = 1;
const SIGN_IN_NEEDED = -32000;
const JUNK_LINES_LOGGED = 20;

export interface ConnectionOptions {
  /** As in messages for people. */
  name: string;
  spec: AgentSpec;
  stdin: Parameters<typeof openWire>[0];
  stdout: Parameters<typeof openWire>[1];
  limits: { start: number; request: number; line: number };
  log: Log;
  report: (event: AgentEvent) => void;
  /** A line passed the ceiling: the agent cannot go on. */
  overflow: (error: AgentError) => void;
}

/** The connection went away; what became of the process says why. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

export class AcpConnection {
  readonly #options: ConnectionOptions;
  readonly #sdk: Sdk;
  readonly #connection: ClientConnection;
  /** Settles when all of the agent's stdout has been dealt with. */
  readonly drained: Promise<void>;
  #session: string | undefined;
  /** Events of updates that came before the session was known, in order (F-012). */
  #held: { session: string; event: AgentEvent }[] = [];
  #resumed: string | undefined;
  #signIn: string[] = [];
  #modes: ReadonlySet<string> = new Set();
  #questions = 0;
  #junk = 0;
  readonly #logged = new Set<string>();

  constructor(sdk: Sdk, options: ConnectionOptions) {
    this.#sdk = sdk;
    this.#options = options;
    const wire = openWire(options.stdin, options.stdout, options.limits.line, {
      update: (params) => this.#update(asObject(params) ?? {}),
      junk: (line) => {
        this.#junk += 1;
        if (this.#junk <= JUNK_LINES_LOGGED) options.log.debug(`not a message: ${line}`);
      },
      overflow: () =>
        options.overflow(
          new AgentError('protocol', `${options.name} sent a line of more than ${options.limits.line} bytes`),
        ),
    });
    this.drained = wire.drained;
    this.#connection = sdk
      .client({ name: 'otto-agents' })
      .onRequest(
        'session/request_permission',
        (params: unknown) => asObject(params) ?? {},
        ({ params, signal }) => this.#permission(params, signal),
      )
      .connect(wire.stream);
  }

  /** Settles when no more can be said or heard. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  close(): void {
    this.#connection.close();
  }

  /** `initialize`, then `session/load` or `session/new`; reports `started` and what the agent said until then. */
  async open(version: string): Promise<void> {
    const { name, spec, limits, report } = this.#options;
    const hello = await this.#request(
      'initialize',
      {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'otto-agents', version },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      },
      limits.start,
    );
    if (hello['protocolVersion'] !== PROTOCOL_VERSION) {
      const theirs = JSON.stringify(hello['protocolVersion']) ?? 'none';
      throw new AgentError(
        'protocol',
        `${name} speaks version ${theirs} of ACP and otto-agents speaks ${PROTOCOL_VERSION}`,
      );
    }
    this.#signIn = namesOf(hello['authMethods']);
    const loads = asObject(hello['agentCapabilities'])?.['loadSession'] === true;
    const resumed = loads ? spec.resume : undefined;
    this.#resumed = resumed;
    const folder = { cwd: spec.cwd, mcpServers: [] };
    const answer =
      resumed === undefined
        ? await this.#request('session/new', folder, limits.request)
        : await this.#request('session/load', { ...folder, sessionId: resumed }, limits.request);
    const session = resumed ?? asString(answer['sessionId']);
    if (session === undefined)
      throw new AgentError('protocol', `${name} answered session/new without a session id`);
    this.#session = session;
    // Modes first: a client that is told the session is ready finds them there.
    const modes = modesOf(answer);
    if (modes !== undefined) this.#report(modes);
    report({ type: 'started', agentSession: session, fresh: resumed === undefined, can: { steer: false } });
    const held = this.#held.filter((update) => update.session === session);
    this.#held = [];
    for (const { event } of held) this.#report(event);
  }

  /** Resolves with the stop reason. */
  async prompt(message: Message): Promise<string> {
    const prompt = promptBlocks(message);
    const answer = await this.#request('session/prompt', { sessionId: this.#session, prompt });
    return asString(answer['stopReason']) ?? 'end_turn';
  }

  cancel(): void {
    this.#connection.agent.notify('session/cancel', { sessionId: this.#session ?? '' }).catch(() => {});
  }

  async setMode(modeId: string): Promise<void> {
    const { name, limits } = this.#options;
    if (!this.#modes.has(modeId)) throw new AgentError('refused', `${name} has no mode "${modeId}"`);
    await this.#request('session/set_mode', { sessionId: this.#session, modeId }, limits.request);
    this.#report({ type: 'modes', current: modeId });
  }

  #report(event: AgentEvent): void {
    if (event.type === 'modes' && event.available !== undefined) {
      this.#modes = new Set(event.available.map(({ id }) => id));
    }
    this.#options.report(event);
  }

  #update(params: JsonObject): void {
    const session = asString(params['sessionId']) ?? '';
    if (this.#session !== undefined && session !== this.#session) {
      this.#logOnce(`update of another session ${session}`);
      return;
    }
    const update = asObject(params['update']) ?? {};
    const events = translate(update);
    if (events === undefined) this.#logOnce(`unknown update ${JSON.stringify(update['sessionUpdate'])}`);
    for (const event of events ?? []) {
      if (this.#session !== undefined) this.#report(event);
      // What a load replays is history the host still has; only what says how things stand is new.
      else if (this.#resumed === undefined || isState(event)) this.#held.push({ session, event });
    }
  }

  #permission(request: JsonObject, signal: AbortSignal): ReturnType<typeof askPermission> {
    this.#questions += 1;
    const key = `permission-${this.#questions}`;
    // Before the session is there nobody can be asked.
    if (this.#session === undefined) return Promise.resolve({ outcome: { outcome: 'cancelled' } });
    return askPermission(request, key, signal, (event) => {
      // The signal fires for a closed connection too: that withdraws nothing, it ends everything.
      if (!this.#connection.signal.aborted) this.#report(event);
    });
  }

  #logOnce(message: string): void {
    if (this.#logged.has(message) || this.#logged.size > JUNK_LINES_LOGGED) return;
    this.#logged.add(message);
    this.#options.log.debug(message.slice(0, 200));
  }

  /** One request; without `limit` it may take for ever. Throws AgentError, or ConnectionClosed. */
  async #request(method: string, params: JsonObject, limit?: number): Promise<JsonObject> {
    const { name } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, fail) => {
      if (limit === undefined) return;
      timer = setTimeout(() => {
        const hint =
          method === 'initialize' ? '; its command may need an argument that makes it speak ACP' : '';
        fail(new AgentError('timeout', `${name} did not answer ${method} within ${limit / 1000} s${hint}`));
      }, limit);
    });
    try {
      return asObject(await Promise.race([this.#connection.agent.request(method, params), late])) ?? {};
    } catch (error) {
      if (error instanceof AgentError) throw error;
      if (error instanceof this.#sdk.RequestError) throw this.#refusal(method, error);
      throw new ConnectionClosed(`the connection to ${name} closed during ${method}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** What the agent answered in place of a result (codes: acp-notes; sign-in is asked for by any method). */
  #refusal(method: string, error: InstanceType<Sdk['RequestError']>): AgentError {
    const { name } = this.#options;
    const data = asObject(error.data);
    if (error.code === SIGN_IN_NEEDED) {
      const offered = namesOf(data?.['authMethods']);
      const methods = (offered.length > 0 ? offered : this.#signIn).join(', ');
      const ways = methods === '' ? '' : ` (${methods})`;
      return new AgentError('auth', `${name} needs you to sign in first${ways}`, { cause: error });
    }
    const more = asString(data?.['details']) ?? asString(data?.['message']) ?? asString(error.data);
    const text =
      more === undefined || error.message.includes(more) ? error.message : `${error.message}: ${more}`;
    const said = method === 'session/prompt' ? text : `${name} refused ${method}: ${text}`;
    return new AgentError('refused', said, { cause: error });
  }
}

function isState(event: AgentEvent): boolean {
  return event.type === 'modes' || event.type === 'title';
}

function namesOf(methods: unknown): string[] {
  return asList(methods).flatMap((entry) => {
    const method = asObject(entry);
    const name = asString(method?.['name']) ?? asString(method?.['id']);
    return name === undefined ? [] : [name];
  });
}
