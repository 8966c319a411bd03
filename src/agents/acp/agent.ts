// One running ACP agent as the host sees it: start, turns, and exactly one end.
// Turns whatever goes wrong into one `stopped` with a reason, and says nothing after it or once it is being ended.
import { setTimeout as pause } from 'node:timers/promises';
import { AgentError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AgentEvent, AgentFault, AgentHandle, AgentSpec } from '../../host/ports.ts';
import type { Message } from '../../protocol/state-chat.ts';
import type { Redact } from '../redact.ts';
import { AcpConnection, loadSdk } from './connection.ts';
import { type Limits, startLimit } from './limits.ts';
import { type AgentProcess, type Command, type Exit, startProcess, type Watch } from './process.ts';
import { ConnectionClosed, Refusal } from './requests.ts';
import type { Wanted } from './settings.ts';

export interface AcpAgentOptions {
  /** As in messages for people. */
  name: string;
  command: Command;
  /** What a session of this agent is to be set to. */
  wanted: Wanted;
  watch: Watch;
  spec: AgentSpec;
  /** Our own version, told to the agent. */
  version: string;
  limits: Limits;
  log: Log;
  /** Hides what was configured in confidence. */
  redact: Redact;
}

export class AcpAgent implements AgentHandle {
  readonly #options: AcpAgentOptions;
  readonly #report: (event: AgentEvent) => void;
  #phase: 'starting' | 'running' | 'ending' | 'gone' = 'starting';
  /** Why it is being ended; absent when it was asked to go or left by itself. */
  #fault: AgentFault | undefined;
  #asked = false;
  #process: AgentProcess | undefined;
  #connection: AcpConnection | undefined;
  #turn: string | undefined;
  /** Somebody has to sign in before the session can be opened. */
  #signInNeeded = false;
  #signingIn = false;
  #activityTimer: NodeJS.Timeout | undefined;
  #shown = '';

  constructor(options: AcpAgentOptions, report: (event: AgentEvent) => void) {
    this.#options = options;
    this.#report = report;
    // Not before the caller has the handle.
    setImmediate(() => {
      this.#start().catch((error) => this.#fail(error));
    });
  }

  prompt(turn: string, message: Message): void {
    if (this.#phase !== 'running' || this.#connection === undefined) return;
    this.#turn = turn;
    this.#connection.prompt(message).then(
      (outcome) => this.#endTurn({ type: 'turnEnded', turn, outcome }),
      (error) => {
        if (error instanceof ConnectionClosed) return;
        this.#askSignIn(error, 'prompt');
        this.#endTurn({ type: 'turnEnded', turn, outcome: { failed: this.#faultOf(error) } });
      },
    );
  }

  cancel(turn: string): void {
    if (this.#turn === turn && this.#phase === 'running') this.#connection?.cancel();
  }

  steer(message: Message, reply: (taken: boolean) => void): void {
    if (this.#phase === 'gone') return;
    if (this.#phase !== 'running' || this.#connection === undefined) {
      reply(false);
      return;
    }
    this.#connection.steer(message).then(reply, (error) => {
      this.#askSignIn(error, 'prompt');
      reply(false);
    });
  }

  setMode(mode: string, reply: Reply): void {
    this.#change(reply, (connection) => connection.setMode(mode));
  }

  setOption(id: string, value: string | boolean, reply: Reply): void {
    this.#change(reply, (connection) => connection.setOption(id, value));
  }

  signIn(method: string, reply: Reply): void {
    const { name } = this.#options;
    const connection = this.#connection;
    if (this.#phase === 'gone') return;
    const refusal = this.#signInProblem(method);
    if (connection === undefined || refusal !== undefined) {
      reply(refusal ?? `${name} is not running`);
      return;
    }
    this.#signingIn = true;
    const done = (problem?: string) => {
      this.#signingIn = false;
      reply(problem);
    };
    connection.signIn(method).then(
      () => done(),
      (error) => done(this.#problem(error)),
    );
  }

  stop(): void {
    if (this.#phase === 'ending' || this.#phase === 'gone') return;
    this.#asked = true;
    this.#end(this.#options.limits.polite);
  }

  async #start(): Promise<void> {
    const { name, version, spec, wanted, limits, log, command } = this.#options;
    // Meanwhile the process starts; a failure to load is met where the result is awaited.
    const loading = loadSdk();
    loading.catch(() => {});
    const child = await this.#spawn();
    if (child === undefined) return;
    this.#process = child;
    child.onStderr(() => this.#showActivity());
    child.gone.then((exit) => this.#gone(exit)).catch((error) => log.error(messageOf(error)));
    const sdk = await loading;
    const connection = new AcpConnection(sdk, {
      name,
      version,
      spec,
      command: [command.command, ...command.args],
      wanted,
      stdin: child.stdin,
      stdout: child.stdout,
      limits: { ...limits, start: limits.start ?? startLimit(command) },
      log,
      report: (event) => this.#tell(event),
      overflow: (error) => this.#fail(error),
    });
    this.#connection = connection;
    connection.closed.then(() => this.#closed()).catch((error) => log.error(messageOf(error)));
    if (this.#phase !== 'starting') return;
    await connection.open().catch((error) => {
      if (!this.#askSignIn(error, 'open')) throw error;
    });
  }

  /** One change of the agent's own settings; an agent that does not answer is of no use any more. */
  #change(reply: Reply, change: (connection: AcpConnection) => Promise<void>): void {
    if (this.#phase === 'gone') return;
    if (this.#phase !== 'running' || this.#connection === undefined) {
      reply(`${this.#options.name} is not running`);
      return;
    }
    change(this.#connection).then(
      () => reply(),
      (error) => {
        this.#askSignIn(error, 'prompt');
        reply(this.#problem(error));
        if (error instanceof AgentError && error.kind === 'timeout') this.#fail(error);
      },
    );
  }

  /** Why `method` cannot be used now; `undefined` when it can. */
  #signInProblem(method: string): string | undefined {
    const { name } = this.#options;
    if (this.#phase === 'ending') return `${name} is not running`;
    const offered = this.#connection?.methods.find(({ id }) => id === method);
    if (offered === undefined) return `${name} has no sign-in method "${method}"`;
    if (offered.kind !== 'agent') return `"${offered.name}" is done outside, not by ${name} itself`;
    return this.#signingIn ? `${name} is already signing in` : undefined;
  }

  /** Says that somebody has to sign in, if that is what `error` is about (ACP -32000; F-127). */
  #askSignIn(error: unknown, during: 'open' | 'prompt'): boolean {
    if (!(error instanceof Refusal) || error.kind !== 'auth') return false;
    if (during === 'open') this.#signInNeeded = true;
    this.#tell({ type: 'signInNeeded', methods: this.#connection?.methods ?? [], during });
    return true;
  }

  #problem(error: unknown): string {
    return error instanceof ConnectionClosed ? `${this.#options.name} ended` : this.#faultOf(error).message;
  }

  /** The process, after one new attempt when the first says that may help; `undefined` when stopped meanwhile. */
  async #spawn(): Promise<AgentProcess | undefined> {
    const { command, watch, limits, redact } = this.#options;
    let started = await startProcess(command, watch, redact);
    if ('error' in started && started.again) {
      await pause(limits.retry);
      if (this.#phase !== 'starting') return undefined;
      started = await startProcess(command, watch, redact);
    }
    if ('error' in started) throw started.error;
    if (this.#phase === 'starting') return started.process;
    started.process.end(limits.firm);
    return undefined;
  }

  /** Reports `event` unless the end has begun. */
  #tell(event: AgentEvent): void {
    if (this.#phase === 'ending' || this.#phase === 'gone') return;
    if (event.type === 'started') {
      this.#phase = 'running';
      clearTimeout(this.#activityTimer);
    }
    this.#report(event);
  }

  #endTurn(event: AgentEvent & { type: 'turnEnded' }): void {
    if (this.#turn === event.turn) this.#turn = undefined;
    this.#tell(event);
  }

  /** The newest line of stderr, at most one per `limits.activity`, until the agent has started. */
  #showActivity(): void {
    if (this.#phase !== 'starting' || this.#activityTimer !== undefined) return;
    // What it waits for is a person, until one signs in.
    if (this.#signInNeeded && !this.#signingIn) return;
    const activity = this.#process?.stderr.newest() ?? '';
    if (activity === '' || activity === this.#shown) return;
    this.#shown = activity;
    this.#tell({ type: 'starting', activity });
    this.#activityTimer = setTimeout(() => {
      this.#activityTimer = undefined;
      this.#showActivity();
    }, this.#options.limits.activity);
  }

  #fail(error: unknown): void {
    if (error instanceof ConnectionClosed || this.#phase === 'ending' || this.#phase === 'gone') return;
    this.#fault = this.#faultOf(error);
    this.#end(this.#options.limits.firm);
  }

  #end(ladder: Limits['polite']): void {
    this.#phase = 'ending';
    if (this.#process === undefined) setImmediate(() => this.#finish());
    else this.#process.end(ladder);
  }

  /** No more can be heard. Usually the process is leaving; one that stays is of no use any more. */
  #closed(): void {
    const { name, limits } = this.#options;
    const timer = setTimeout(() => {
      this.#fail(new AgentError('exit', `${name} closed its output and kept running`));
    }, limits.leave);
    this.#process?.left.finally(() => clearTimeout(timer)).catch(() => {});
  }

  async #gone(exit: Exit): Promise<void> {
    await this.#connection?.drained;
    if (!this.#asked) this.#fault ??= this.#exitFault(exit);
    this.#finish();
  }

  #exitFault({ code, signal }: Exit): AgentFault {
    const how = signal === null ? `exited with status ${code}` : `was ended by ${signal}`;
    const missing =
      code === 126 || code === 127 ? ' (a program or interpreter was not found or may not run)' : '';
    const said = this.#process?.stderr.reason() ?? '';
    return { kind: 'exit', message: `Process ${how}${missing}${said === '' ? '' : `: ${said}`}` };
  }

  #finish(): void {
    this.#phase = 'gone';
    clearTimeout(this.#activityTimer);
    this.#connection?.close();
    this.#report({
      type: 'stopped',
      asked: this.#asked,
      ...(this.#fault !== undefined && { error: this.#fault }),
    });
  }

  #faultOf(error: unknown): AgentFault {
    if (!(error instanceof AgentError)) return { kind: 'protocol', message: messageOf(error) };
    const { kind, message } = error;
    if (!(error instanceof Refusal)) return { kind, message };
    const { code, detail } = error;
    const names = (this.#connection?.methods ?? []).map((method) => method.name);
    const ways = kind === 'auth' && names.length > 0 ? ` (${names.join(', ')})` : '';
    return { kind, message: `${message}${ways}`, code, ...(detail !== undefined && { detail }) };
  }
}

type Reply = (refusal?: string) => void;
