// Which agents a service offers: the echo when it was asked for, else those of agents.toml.
import { createAcpBackend } from '../agents/backend.ts';
import { createEcho } from '../agents/echo.ts';
import { endLeftBehind, recordRunning } from '../agents/running.ts';
import type { Config } from '../config/load.ts';
import { packageVersion } from '../system/version.ts';
import type { ServiceOptions } from './service.ts';

/** With a `stateFolder` it is noted there which agents run, and those of a service that was killed are ended. */
export function backendOf(
  chosen: 'echo' | Pick<Config, 'agents'>,
  stateFolder?: string,
): ServiceOptions['backend'] {
  if (chosen === 'echo') return () => createEcho();
  return ({ log }) => {
    const options = { agents: chosen.agents, version: packageVersion(), log };
    if (stateFolder === undefined) return createAcpBackend(options);
    void endLeftBehind(stateFolder, log);
    return createAcpBackend({ ...options, running: recordRunning(stateFolder, log) });
  };
}
