// The agents of agents.toml behind the host's port; each start is one process that speaks ACP.
// Starts only what is configured; an unknown name is reported like any other failed start.
import type { Log } from '../base/log.ts';
import type { AgentConfig } from '../config/schema.ts';
import type { AgentBackend, AgentHandle } from '../host/ports.ts';
import { AcpAgent } from './acp/agent.ts';
import { LIMITS, type Limits } from './acp/limits.ts';

export interface AcpBackendOptions {
  agents: readonly AgentConfig[];
  /** Our own version, told to the agents. */
  version: string;
  log: Log;
  limits?: Partial<Limits>;
}

export function createAcpBackend(options: AcpBackendOptions): AgentBackend {
  const limits: Limits = { ...LIMITS, ...options.limits };
  const entries = options.agents.map(({ id, name, description, permissions }) => ({
    info: { provider: id, displayName: name, description, models: [] },
    permissions,
    forgets: false,
  }));
  return {
    agents: () => entries,
    start: (spec, report) => {
      const agent = options.agents.find(({ id }) => id === spec.provider);
      if (agent === undefined) {
        const message = `No agent "${spec.provider}" is configured`;
        setImmediate(() => report({ type: 'stopped', asked: false, error: { kind: 'spawn', message } }));
        return NO_AGENT;
      }
      const command = { command: agent.command, args: agent.args, env: agent.env, cwd: spec.cwd };
      const log = options.log.scope(agent.id);
      return new AcpAgent({ name: agent.name, command, spec, version: options.version, limits, log }, report);
    },
  };
}

const NO_AGENT: AgentHandle = { prompt() {}, cancel() {}, steer() {}, setMode() {}, stop() {} };
