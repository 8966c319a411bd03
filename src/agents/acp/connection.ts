// The ACP conversation with one agent: initialize, one session, its prompts, its questions.
// Throws AgentError for everything the agent did wrong; decides nothing about the process. The SDK is loaded lazily,
// since loading it takes long and a service without a running agent never needs it.
import type { ClientConnection } from '@agentclientprotocol/sdk';
import { AgentError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AgentEvent, AgentSpec, SignInMethod, TurnTokens } from '../../host/ports.ts';
import type { Message } from '../../protocol/state-chat.ts';
import type { Asking } from './ask.ts';
import { askInput, DECLINED } from './elicitation.ts';
import { asObject, asString, asText, inside, type JsonObject } from './json.ts';
import { modesOf, Options, optionsOf } from './options.ts';
import { askPermission, CANCELLED } from './permission.ts';
import { type PromptAbilities, promptBlocks } from './prompt.ts';
import { Refusal, type Request, requester, type Sdk } from './requests.ts';
import { Settings, type Wanted } from './settings.ts';
import { signInMethods } from './sign-in.ts';
import { parentOf } from './tool-patch.ts';
import { STATE_UPDATES, type Summaries, translate, turnTokens } from './translate.ts';
import { openWire } from './wire.ts';

export function loadSdk(): Promise<Sdk> {
  return import('@agentclientprotocol/sdk');
}

/** The one version of ACP spoken here. */
const PROTOCOL_VERSION = 1;
/** Lines of one kind in the log for one connection. */
const LOGGED_LIMIT = 20;
const LOGGED_CHARACTERS = 64 * 1024;
/** Updates that may come before their time, and their bytes. */
const HELD_LIMIT = 10_000;
const HELD_BYTES_LIMIT = 16 * 1024 * 1024;

/** What is offered to agents: what is not here they must not use. */
const CAPABILITIES = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  auth: { terminal: true },
  elicitation: { form: {} },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
};

export interface ConnectionOptions {
  /** As in messages for people. */
  name: string;
  /** Our own version, told to the agent. */
  version: string;
  spec: AgentSpec;
  /** The agent's command, for a person who signs in with it. */
  command: readonly string[];
  wanted: Wanted;
  stdin: Parameters<typeof openWire>[0];
  stdout: Parameters<typeof openWire>[1];
  limits: { start: number; request: number; signIn: number; line: number };
  log: Log;
  report: (event: AgentEvent) => void;
  /** What it sent passed a ceiling: the agent cannot go on. */
  overflow: (error: AgentError) => void;
}

interface HeldUpdate {
  session: string;
  body: JsonObject;
  bytes: number;
}

function readUpdate(params: JsonObject, bytes: number): HeldUpdate {
  return { session: asString(params['sessionId']) ?? '', body: inside(params, 'update') ?? {}, bytes };
}

export class AcpConnection {
  readonly #options: ConnectionOptions;
  readonly #connection: ClientConnection;
  readonly #request: Request;
  /** Settles when all of the agent's stdout has been dealt with. */
  readonly drained: Promise<void>;
  readonly #agentOptions = new Options();
  readonly #settings: Settings;
  readonly #summaries: Summaries = new Map();
  #hello: JsonObject | undefined;
  #methods: readonly SignInMethod[] = [];
  #session: string | undefined;
  #started = false;
  /** Updates that came before their time, in order (F-012). */
  #held: HeldUpdate[] = [];
  #heldBytes = 0;
  #prompt: { sent: boolean; cancelled: boolean } | undefined;
  #questions = 0;
  #junk = 0;
  readonly #logged = new Set<string>();

  constructor(sdk: Sdk, options: ConnectionOptions) {
    this.#options = options;
    const wire = openWire(options.stdin, options.stdout, options.limits.line, {
      update: (params, bytes) => this.#update(readUpdate(asObject(params) ?? {}, bytes)),
      junk: (line) => {
        this.#junk += 1;
        if (this.#junk <= LOGGED_LIMIT) options.log.debug(`not a message: ${line}`);
      },
      overflow: () =>
        options.overflow(
          new AgentError('exit', `${options.name} sent a line of more than ${options.limits.line} bytes`),
        ),
    });
    this.drained = wire.drained;
    // Parsers of our own: the SDK's would reject or strip what it does not know.
    const raw = (params: unknown) => asObject(params) ?? {};
    this.#connection = sdk
      .client({ name: 'otto-agents' })
      .onRequest('session/request_permission', raw, ({ params, signal }) => this.#permission(params, signal))
      .onRequest('elicitation/create', raw, ({ params, signal }) => this.#input(params, signal))
      .connect(wire.stream);
    this.#request = requester(this.#connection, sdk, {
      name: options.name,
      program: options.command[0] ?? '',
    });
    this.#settings = new Settings({
      name: options.name,
      options: this.#agentOptions,
      request: (method, params) =>
        this.#ask(method, { sessionId: this.#session, ...params }, options.limits.request),
      report: (event) => this.#report(event),
    });
  }

  /** Settles when no more can be said or heard. */
  get closed(): Promise<void> {
    return this.#connection.closed;
  }

  /** The ways to sign in that the agent named last. */
  get methods(): readonly SignInMethod[] {
    return this.#methods;
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * `initialize`, then `session/load` or `session/new`, then what is configured; reports `started` and what the agent
   * said until then. Called again after a sign-in it goes on where it stopped.
   */
  async open(): Promise<void> {
    const { wanted, log, report } = this.#options;
    this.#hello ??= await this.#initialize();
    const resume = this.#resumed();
    this.#session ??= await this.#openSession(resume);
    const refusals = await this.#settings.apply(wanted, resume === undefined);
    this.#started = true;
    report({
      type: 'started',
      agentSession: this.#session,
      fresh: resume === undefined,
      can: { steer: this.#steers() },
    });
    for (const refusal of refusals) {
      log.warn(`the agent did not take the configured ${refusal.what} "${refusal.id}"`);
      report(refusal);
    }
    this.#applyHeld();
  }

  /** Resolves with the stop reason and what the turn used; a turn cancelled before it was sent is never sent. */
  async prompt(message: Message): Promise<{ stop: string; tokens?: TurnTokens }> {
    const running = { sent: false, cancelled: false };
    this.#prompt = running;
    const prompt = await promptBlocks(message, this.#abilities());
    if (running.cancelled) return { stop: 'cancelled' };
    running.sent = true;
    const answer = await this.#ask('session/prompt', { sessionId: this.#session, prompt });
    const tokens = turnTokens(answer);
    return { stop: asText(answer['stopReason']) ?? 'end_turn', ...(tokens !== undefined && { tokens }) };
  }

  /** Ends the newest prompt, as a notification (F-047). */
  cancel(): void {
    const prompt = this.#prompt;
    if (prompt === undefined) return;
    prompt.cancelled = true;
    if (!prompt.sent) return;
    // Answers given in the same turn take some promises longer to be written, and come first (F-048).
    setImmediate(() => {
      if (this.#prompt !== prompt) return;
      this.#connection.agent.notify('session/cancel', { sessionId: this.#session ?? '' }).catch(() => {});
    });
  }

  /** Puts a message into the running prompt; false when the agent does not do that or has none (acp-to-ahp 5). */
  async steer(message: Message): Promise<boolean> {
    if (!this.#steers()) return false;
    const prompt = await promptBlocks(message, this.#abilities());
    if (prompt.length === 0) return false;
    const params = {
      sessionId: this.#session,
      prompt,
      _meta: { steering: { idleBehavior: 'promptRequired' } },
    };
    const answer = await this.#ask('_session/steering', params, this.#options.limits.request);
    return answer['outcome'] !== 'promptRequired';
  }

  setMode(mode: string): Promise<void> {
    return this.#settings.setMode(mode);
  }

  setOption(id: string, value: string | boolean): Promise<void> {
    return this.#settings.setOption(id, value);
  }

  /** `authenticate`, and what the agent stopped at while it was opening, once (F-128). */
  async signIn(methodId: string): Promise<void> {
    await this.#request('authenticate', { methodId }, this.#options.limits.signIn);
    if (!this.#started) await this.open();
  }

  async #initialize(): Promise<JsonObject> {
    const { name, version, limits } = this.#options;
    const clientInfo = { name: 'otto-agents', version };
    const hello = await this.#ask(
      'initialize',
      { protocolVersion: PROTOCOL_VERSION, clientInfo, clientCapabilities: CAPABILITIES },
      limits.start,
    );
    if (hello['protocolVersion'] !== PROTOCOL_VERSION) {
      const theirs = JSON.stringify(hello['protocolVersion']) ?? 'none';
      throw new AgentError(
        'protocol',
        `${name} speaks version ${theirs} of ACP and otto-agents speaks ${PROTOCOL_VERSION}`,
      );
    }
    this.#learnMethods(hello);
    return hello;
  }

  async #openSession(resume: string | undefined): Promise<string> {
    const { name, spec, limits } = this.#options;
    const folder = { cwd: spec.cwd, mcpServers: [] };
    const answer =
      resume === undefined
        ? await this.#ask('session/new', folder, limits.request)
        : await this.#ask('session/load', { ...folder, sessionId: resume }, limits.request);
    const session = resume ?? asText(answer['sessionId']);
    if (session === undefined)
      throw new AgentError('protocol', `${name} answered session/new without a session id`);
    // Modes and options first: a client that is told the session is ready finds them there.
    for (const event of [...optionsOf(answer), ...modesOf(answer)]) this.#report(event);
    this.#session = session;
    this.#held = this.#held.filter((held) => held.session === session);
    this.#applyHeld();
    return session;
  }

  #resumed(): string | undefined {
    return inside(this.#hello, 'agentCapabilities')?.['loadSession'] === true
      ? this.#options.spec.resume
      : undefined;
  }

  #abilities(): PromptAbilities {
    const can = inside(this.#hello, 'agentCapabilities', 'promptCapabilities');
    return {
      image: can?.['image'] === true,
      audio: can?.['audio'] === true,
      embedded: can?.['embeddedContext'] === true,
    };
  }

  #steers(): boolean {
    return inside(this.#hello, '_meta', 'steering')?.['supported'] === true;
  }

  /** A request whose refusal may bring ways to sign in (acp-notes 3). */
  async #ask(method: string, params: JsonObject, limit?: number): Promise<JsonObject> {
    try {
      return await this.#request(method, params, limit);
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'auth') this.#learnMethods(error.data);
      throw error;
    }
  }

  #learnMethods(from: JsonObject): void {
    const methods = signInMethods(from['authMethods'], this.#options.command);
    if (methods.length > 0) this.#methods = methods;
  }

  #report(event: AgentEvent): void {
    for (const each of this.#agentOptions.hear(event)) this.#options.report(each);
  }

  #update(update: HeldUpdate): void {
    const { session, body } = update;
    const isState = STATE_UPDATES.has(asString(body['sessionUpdate']) ?? '');
    if (this.#session === undefined) {
      // What a load replays is history that the host still has; only what says how things stand is new.
      if (isState || this.#resumed() === undefined) this.#hold(update);
    } else if (session !== this.#session) this.#logOnce(`update of another session ${session}`);
    else if (isState || this.#started) this.#apply(body);
    else this.#hold(update);
  }

  #hold(update: HeldUpdate): void {
    this.#heldBytes += update.bytes;
    this.#held.push(update);
    if (this.#held.length <= HELD_LIMIT && this.#heldBytes <= HELD_BYTES_LIMIT) return;
    this.#held = [];
    const { name, overflow } = this.#options;
    const most = `${HELD_LIMIT} updates or ${HELD_BYTES_LIMIT} bytes of them`;
    overflow(new AgentError('protocol', `${name} sent more than ${most} before its session had started`));
  }

  /** How things stand is told as soon as the session is known, the rest once it has started. */
  #applyHeld(): void {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const update of held) this.#update(update);
  }

  #apply(update: JsonObject): void {
    try {
      for (const event of translate(update, this.#summaries)) {
        if (event.type === 'unknown') {
          this.#logOnce(`unknown update ${JSON.stringify(update['sessionUpdate'])}`);
        }
        this.#report(event);
      }
    } catch (error) {
      // One update must not end the reading of all that follow.
      this.#options.log.error(`an update could not be dealt with: ${messageOf(error)}`);
    }
  }

  #permission(params: JsonObject, signal: AbortSignal): ReturnType<typeof askPermission> {
    const asking = this.#asking('permission', params, signal);
    return asking === undefined ? Promise.resolve(CANCELLED) : askPermission(params, asking);
  }

  #input(params: JsonObject, signal: AbortSignal): ReturnType<typeof askInput> {
    const asking = this.#asking('input', params, signal);
    return asking === undefined ? Promise.resolve(DECLINED) : askInput(params, asking);
  }

  /** How to ask, or `undefined` while nobody can be asked or for a session that is not ours (acp-to-ahp 2.10). */
  #asking(kind: string, params: JsonObject, signal: AbortSignal): Asking | undefined {
    const session = asString(params['sessionId']);
    const parent = parentOf(params) ?? parentOf(inside(params, 'toolCall') ?? {});
    const isOurs = session === this.#session || (session !== undefined && parent !== undefined);
    if (!this.#started || !isOurs) {
      this.#logOnce(`${kind} request of another session ${session ?? '(none)'}`);
      return undefined;
    }
    this.#questions += 1;
    return {
      key: `${kind}-${this.#questions}`,
      signal,
      report: (event) => {
        // The signal fires for a closed connection too: that withdraws nothing, it ends everything.
        if (!this.#connection.signal.aborted) this.#report(event);
      },
    };
  }

  #logOnce(text: string): void {
    // It is remembered, so it must not be of any length; the log cuts it further.
    const message = text.slice(0, LOGGED_CHARACTERS);
    if (this.#logged.has(message) || this.#logged.size > LOGGED_LIMIT) return;
    this.#logged.add(message);
    this.#options.log.debug(message);
  }
}
