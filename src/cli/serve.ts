// `serve`: runs the service until a signal ends it. Never serves the echo unless it was asked to.
import { backendOf } from '../app/backend.ts';
import { stopWithProcess } from '../app/lifecycle.ts';
import { startService } from '../app/service.ts';
import { UserError } from '../base/errors.ts';
import { type Config, configFiles, loadConfig } from '../config/load.ts';
import { print } from './output.ts';

export interface ServeOptions {
  listen?: string;
  config?: string;
  stateDir?: string;
  echo?: boolean;
}

const EXAMPLE = `
    [[agents]]
    id = "claude"
    name = "Claude"
    command = "npx"
    args = ["-y", "@agentclientprotocol/claude-agent-acp@0.101.0"]
`;

/** Resolves with 0 once clients can connect; the process then lives until a signal stops it. */
export async function serve(options: ServeOptions): Promise<number> {
  const { env } = process;
  const chosen = options.echo === true ? 'echo' : configured(options.config);
  const service = await startService({
    env,
    backend: backendOf(chosen),
    write: (line) => process.stderr.write(line),
    ...(options.listen === undefined ? {} : { listen: options.listen }),
    ...(options.stateDir ? { stateDir: options.stateDir } : {}),
  });
  stopWithProcess(() => service.stop(), service.log);
  if (chosen === 'echo') service.log.info('agent echo (Echo)');
  else {
    for (const { id, name, command, args } of chosen.agents) {
      service.log.info(`agent ${id} (${name})`);
      service.log.debug(`agent ${id} runs ${[command, ...args].join(' ')}`);
    }
  }
  print(`otto-agents is listening on ${service.address}\n`);
  print(`Ask it something in another terminal: ${askCommand()}\n`);
  return 0;
}

/** The line that asks from where this was started: npm runs its `start` script under that name. */
function askCommand(): string {
  return process.env['npm_lifecycle_event'] === 'start' ? 'npm start -- "hello"' : 'otto-agents ask "hello"';
}

function configured(file: string | undefined): Config {
  const files = file ? [file] : configFiles(process.env);
  const config = loadConfig(file ? { configPath: file, files } : { files });
  if (config.agents.length > 0) return config;
  throw new UserError(
    `no agent is configured; looked in ${files.join(' and ')}. Write this there, for example:\n${EXAMPLE}\n` +
      'or run `otto-agents serve --echo` to try it with an agent that repeats what you write.',
  );
}
