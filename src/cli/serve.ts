// `serve`: runs the service until a signal ends it. Never serves the echo unless it was asked to.
import { join, resolve } from 'node:path';
import { backendOf } from '../app/backend.ts';
import { stopWithProcess } from '../app/lifecycle.ts';
import { startService } from '../app/service.ts';
import type { Log } from '../base/log.ts';
import { type Config, configFiles, loadConfig } from '../config/load.ts';
import { stateDir } from '../system/xdg.ts';
import { print } from './output.ts';

export interface ServeOptions {
  listen?: string;
  config?: string;
  stateDir?: string;
  echo?: boolean;
}

/** Resolves with 0 once clients can connect; the process then lives until a signal stops it. */
export async function serve(options: ServeOptions): Promise<number> {
  const { env } = process;
  const files = options.config ? [options.config] : configFiles(env);
  const chosen =
    options.echo === true
      ? 'echo'
      : loadConfig({ files, ...(options.config ? { configPath: options.config } : {}) });
  const stateFolder = options.stateDir ? resolve(options.stateDir) : join(stateDir(env), 'otto-agents');
  const service = await startService({
    env,
    backend: backendOf(chosen, stateFolder),
    write: (line) => process.stderr.write(line),
    ...(options.listen === undefined ? {} : { listen: options.listen }),
    ...(options.stateDir ? { stateDir: options.stateDir } : {}),
  });
  stopWithProcess(() => service.stop(), service.log);
  if (chosen === 'echo') service.log.info('agent echo (Echo)');
  else sayAgents(service.log, chosen, files);
  print(`otto-agents is listening on ${service.address}\n`);
  print(`Ask it something in another terminal: ${askCommand()}\n`);
  return 0;
}

function sayAgents(log: Log, config: Config, files: readonly string[]): void {
  for (const warning of config.warnings) log.warn(warning);
  if (config.builtIn) {
    log.info(
      `no agent is configured in ${files.join(' or ')}: serving Claude, which comes with this program`,
    );
  }
  for (const { id, name, command, args } of config.agents) {
    log.info(`agent ${id} (${name})`);
    log.debug(`agent ${id} runs ${[command, ...args].join(' ')}`);
  }
}

/** The line that asks from where this was started: npm runs its `start` script under that name. */
function askCommand(): string {
  return process.env['npm_lifecycle_event'] === 'start' ? 'npm start -- "hello"' : 'otto-agents ask "hello"';
}
