// One running ACP agent as the host sees it: start, turns, and exactly one end.
// Turns whatever goes wrong into one `stopped` with a reason, and says nothing after it or once it is being ended.
import { setTimeout as pause } from 'node:timers/promises';
import { AgentError, messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { AgentEvent, AgentFault, AgentHandle, AgentSpec } from '../../host/ports.ts';
import type { Message } from '../../protocol/state-chat.ts';
import { AcpConnection, ConnectionClosed, loadSdk } from './connection.ts';
import { type Limits, startLimit } from './limits.ts';
import { type AgentProcess, type Command, type Exit, startProcess } from './process.ts';

export interface AcpAgentOptions {
  /** As in messages for people. */
  name: string;
  command: Command;
  spec: AgentSpec;
  /** Our own version, told to the agent. */
  version: string;
  limits: Limits;
  log: Log;
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
      (stop) => this.#endTurn({ type: 'turnEnded', turn, outcome: { stop } }),
      (error) => {
        if (error instanceof ConnectionClosed) return;
        this.#endTurn({ type: 'turnEnded', turn, outcome: { failed: faultOf(error) } });
      },
    );
  }

  cancel(turn: string): void {
    if (this.#turn === turn && this.#phase === 'running') this.#connection?.cancel();
  }

  steer(_message: Message, reply: (taken: boolean) => void): void {
    if (this.#phase !== 'gone') reply(false);
  }

  setMode(mode: string, reply: (refusal?: string) => void): void {
    if (this.#phase === 'gone') return;
    if (this.#phase !== 'running' || this.#connection === undefined) {
      reply(`${this.#options.name} is not running`);
      return;
    }
    this.#connection.setMode(mode).then(
      () => reply(),
      (error) => {
        reply(error instanceof ConnectionClosed ? `${this.#options.name} ended` : messageOf(error));
        if (error instanceof AgentError && error.kind === 'timeout') this.#fail(error);
      },
    );
  }

  stop(): void {
    if (this.#phase === 'ending' || this.#phase === 'gone') return;
    this.#asked = true;
    this.#end(this.#options.limits.polite);
  }

  async #start(): Promise<void> {
    const { name, spec, limits, log, command } = this.#options;
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
      spec,
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
    await connection.open(this.#options.version);
  }

  /** The process, after one new attempt when the first says that may help; `undefined` when stopped meanwhile. */
  async #spawn(): Promise<AgentProcess | undefined> {
    const { command, limits } = this.#options;
    let started = await startProcess(command);
    if ('error' in started && started.again) {
      await pause(limits.retry);
      if (this.#phase !== 'starting') return undefined;
      started = await startProcess(command);
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
    this.#fault = faultOf(error);
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
      this.#fail(new AgentError('protocol', `${name} closed its output and kept running`));
    }, limits.leave);
    this.#process?.gone.finally(() => clearTimeout(timer)).catch(() => {});
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
}

function faultOf(error: unknown): AgentFault {
  if (error instanceof AgentError) return { kind: error.kind, message: error.message };
  return { kind: 'protocol', message: messageOf(error) };
}
