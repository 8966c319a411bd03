// The composition root of `serve`: builds every part, in order, and says in which order they stop. Decides nothing.
import { createHash, randomUUID } from 'node:crypto';
import { createLog, type Log } from '../base/log.ts';
import { Host } from '../host/host.ts';
import type { AgentBackend, Clock } from '../host/ports.ts';
import { fileUri } from '../protocol/uri.ts';
import { defaultListen, parseListen } from '../server/address.ts';
import { startServer } from '../server/server.ts';
import { systemClock } from '../system/clock.ts';
import { journalSink } from '../system/journal.ts';
import { packageVersion } from '../system/version.ts';
import { home, runtimeDir } from '../system/xdg.ts';
import { withRest } from './backend-rest.ts';
import { folderProblem } from './folder.ts';
import { Lifecycle } from './lifecycle.ts';
import { noRenderer } from './no-renderer.ts';

export interface ServiceOptions {
  /** `OTTO_AGENTS_LISTEN`, `OTTO_AGENTS_LOG`, `HOME`, `XDG_RUNTIME_DIR` and `JOURNAL_STREAM` are read from it. */
  env: Readonly<Record<string, string | undefined>>;
  /** The value of `--listen`; it wins over the variable. */
  listen?: string;
  /** The value of `--state-dir`: where sessions are kept. */
  stateDir?: string;
  /** Makes the backend whose agents are offered. */
  backend: (parts: { log: Log; clock: Clock }) => AgentBackend;
  /** Takes whole lines of the log, each ending in a newline. */
  write: (line: string) => void;
}

export interface Service {
  /** Where clients find it, in a form that `--url` takes: `unix:///path` or `ws://host:port`. */
  readonly address: string;
  readonly log: Log;
  /** Stops everything within eight seconds; the socket file is gone when the call returns. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Starts the service and returns when clients can connect. UserError 2 for a wrong `--listen` or
 * `OTTO_AGENTS_LOG`, 3 when it is running already, 1 when there is no place for its socket.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { env } = options;
  const log = createLog(journalSink(env, options.write));
  const clock: Clock = systemClock;
  const named = options.listen ?? (env['OTTO_AGENTS_LISTEN'] || undefined);
  const listen = named === undefined ? defaultListen(runtimeDir(env)) : parseListen(named);

  const { backend, atRest } = withRest(options.backend({ log: log.scope('agents'), clock }));
  const host = new Host({
    clock,
    backend,
    renderer: noRenderer,
    log: log.scope('host'),
    newId: randomUUID,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    folderProblem,
  });
  const server = await startServer({
    listen,
    host,
    clock,
    log: log.scope('server'),
    about: {
      serverInfo: { name: 'otto-agents', version: packageVersion() },
      defaultDirectory: fileUri(home(env)),
    },
  });

  const lifecycle = new Lifecycle(clock, log);
  // Agents get five seconds before they are killed; clients hear of it while they wait.
  lifecycle.push({ name: 'agents', quiesce: atRest, limitMs: 5_500 });
  lifecycle.push({ name: 'host', quiesce: () => host.stop(), limitMs: 500 });
  lifecycle.push({
    name: 'server',
    quiesce: () => server.refuse(),
    close: () => server.close(),
    limitMs: 2_500,
  });
  return { address: server.address, log, stop: () => lifecycle.stop() };
}
