// Which agents a service offers: the echo when it was asked for, else those of agents.toml.
import { createAcpBackend } from '../agents/backend.ts';
import { createEcho } from '../agents/echo.ts';
import type { Config } from '../config/load.ts';
import { packageVersion } from '../system/version.ts';
import type { ServiceOptions } from './service.ts';

export function backendOf(chosen: 'echo' | Config): ServiceOptions['backend'] {
  if (chosen === 'echo') return () => createEcho();
  return ({ log }) => createAcpBackend({ agents: chosen.agents, version: packageVersion(), log });
}
