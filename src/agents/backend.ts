// The agents of agents.toml behind the host's port; each start is one process that speaks ACP.
// Starts only what is configured; an unknown name is reported like any other failed start.
import type { Log } from '../base/log.ts';
import { expand } from '../config/expand.ts';
import type { AgentConfig } from '../config/schema.ts';
import type { AgentBackend, AgentEntry, AgentHandle } from '../host/ports.ts';
import { fileUri } from '../protocol/uri.ts';
import { home } from '../system/xdg.ts';
import { AcpAgent } from './acp/agent.ts';
import { LIMITS, type Limits } from './acp/limits.ts';
import { lookUp } from './acp/lookup.ts';
import { type Redact, redactedEvent, redactedHandle, redactedLog, redactor } from './redact.ts';
import type { Running } from './running.ts';

/** What running an agent takes of its configuration. */
type Agent = Omit<AgentConfig, 'enter' | 'enterNew' | 'skills' | 'agent'>;

export interface AcpBackendOptions {
  agents: readonly Agent[];
  /** Our own version, told to the agents. */
  version: string;
  log: Log;
  /** Where it is noted which processes run; nowhere when absent. */
  running?: Running;
  limits?: Partial<Limits>;
}

export function createAcpBackend(options: AcpBackendOptions): AgentBackend {
  const limits: Limits = { ...LIMITS, ...options.limits };
  const entries = options.agents.map((agent) => entryOf(agent, options.log));
  return {
    agents: () => entries,
    start: (spec, report) => {
      const agent = options.agents.find(({ id }) => id === spec.provider);
      if (agent === undefined) {
        const message = `No agent "${spec.provider}" is configured`;
        setImmediate(() => report({ type: 'stopped', asked: false, error: { kind: 'spawn', message } }));
        return NO_AGENT;
      }
      const log = options.log.scope(agent.id);
      const { args, env, redact } = expanded(agent, log);
      const { running } = options;
      const handle = new AcpAgent(
        {
          name: agent.name,
          command: { command: agent.command, args, env, cwd: spec.cwd },
          wanted: agent,
          watch: (pid, mark) => running?.started(agent.id, pid, mark) ?? (() => {}),
          spec,
          version: options.version,
          limits,
          log: redactedLog(log, redact),
          redact,
        },
        (event) => report(redactedEvent(event, redact)),
      );
      return redactedHandle(handle, redact);
    },
  };
}

function entryOf(agent: Agent, log: Log): AgentEntry {
  const { id, name, description, permissions, colour, folder } = agent;
  // The folder of a session is not known yet; this one is always there.
  const found = lookUp(agent.command, '/', { ...process.env, ...agent.env });
  if ('reason' in found) {
    log.warn(`agent ${id} cannot be started as things stand: its program was not found or may not run`);
    log.debug(`agent ${id}: ${found.reason}`);
  }
  return {
    info: { provider: id, displayName: name, description, models: [] },
    permissions,
    forgets: false,
    ...(colour !== undefined && { colour }),
    ...(folder !== undefined && { folder: fileUri(folder) }),
    ...('reason' in found && { unavailable: found.reason }),
  };
}

interface Expanded {
  args: string[];
  env: Record<string, string>;
  redact: Redact;
}

/** Arguments and variables as the process gets them, from files as they are now. */
function expanded({ args, env, config }: Agent, log: Log): Expanded {
  const texts: string[] = [];
  const fill = (where: string, text: string) =>
    expand(text, {
      home: home(process.env),
      warn: (message) => log.warn(`${where}: ${message}`),
      found: (found) => texts.push(found),
    });
  const filledEnv = Object.entries(env).map(([name, text]) => [name, fill(`env.${name}`, text)] as const);
  const filledArgs = args.map((text, index) => fill(`args[${index}]`, text));
  // Where programs are looked for is no secret, and part of the message when one is not there (F-100).
  const values = filledEnv.flatMap(([name, text]) => (name === 'PATH' ? [] : [text]));
  return {
    args: filledArgs,
    env: Object.fromEntries(filledEnv),
    redact: redactor([...values, ...Object.values(config), ...texts]),
  };
}

const NO_AGENT: AgentHandle = {
  prompt() {},
  cancel() {},
  steer() {},
  setMode() {},
  setOption() {},
  signIn() {},
  stop() {},
};
