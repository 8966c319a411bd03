// The keys of agents.toml and what they become. Checks words, never the machine: whether a command exists is
// looked up anew at every start of an agent, since it may be installed later.
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';

/** The names a colour may have (facts 9.3). */
const COLOURS = [
  'red',
  'orange',
  'amber',
  'yellow',
  'lime',
  'green',
  'teal',
  'cyan',
  'blue',
  'indigo',
  'violet',
  'magenta',
] as const;

/** What neither an argument nor a variable of a process can hold. */
const NUL = '\u0000';

const words = z.string().refine((text) => !text.includes(NUL), 'must not hold a NUL character');
const filled = words.refine((text) => text.trim() !== '', 'must not be empty');

/** Not a full path, and more than one word: about a program with its flags more is said than about a wrong name. */
export const isCommandLine = (text: string): boolean => /^[^/\s]+\s/.test(text);

const command = filled.refine(
  (text) => isAbsolute(text) || !text.includes('/') || isCommandLine(text),
  'must be a plain name, looked up in PATH, or a full path beginning with "/"',
);

const variable = words.refine(
  (name) => name !== '' && !name.includes('='),
  'a variable needs a name without "="',
);

const PROTO = '__proto__';

/** Texts by name. */
const texts = (name: z.ZodString) =>
  z
    .unknown()
    .refine((table) => typeof table !== 'object' || table === null || !Object.hasOwn(table, PROTO), {
      // A record passes over this one name in silence.
      error: 'cannot be used as a name here; remove it',
      path: [PROTO],
    })
    .pipe(z.record(name, words));

const folder = filled.refine(
  (path) => isAbsolute(path) || path === '~' || path.startsWith('~/'),
  'must be a full path beginning with "/" or "~/"',
);

const colour = z.enum(COLOURS).optional();

/** Names with a meaning to come: taken in any shape, and used by nothing yet. */
const RESERVED = ['dialogs', 'bridge', 'rules', 'audit'] as const;
const RESERVED_OF_AGENT = ['mcp', 'timeout', 'skip_configured_mcp', 'idle_timeout'] as const;

const anything = z.unknown().optional();

const agent = z.strictObject({
  id: filled,
  name: filled,
  description: z.string().default(''),
  command,
  args: z.array(words).default([]),
  env: texts(variable).default({}),
  model: filled.optional(),
  mode: filled.optional(),
  config: texts(z.string()).default({}),
  permissions: z.enum(['deny', 'allow', 'ask']).default('deny'),
  folder: folder.optional(),
  enter: z.array(words).default([]),
  enter_new: z.array(words).default([]),
  skills: z.literal([false, 'claude']).default(false),
  agent: filled.optional(),
  colour,
  color: colour,
  mcp: anything,
  timeout: anything,
  skip_configured_mcp: anything,
  idle_timeout: anything,
});

/** One file. What it does not set stays absent: the last file that sets it wins (facts 9.1). */
export const configFile = z.strictObject({
  terminal: z.array(words).optional(),
  default_agent: filled.optional(),
  idle_timeout: z
    .number()
    .refine((seconds) => Number.isSafeInteger(seconds) && seconds >= 0, 'expected whole seconds, 0 or more')
    .optional(),
  agents: z.array(agent).optional(),
  dialogs: anything,
  bridge: anything,
  rules: anything,
  audit: anything,
});

export const TOP_KEYS: readonly string[] = Object.keys(configFile.shape);
export const AGENT_KEYS: readonly string[] = Object.keys(agent.shape);

export type ConfigFile = z.output<typeof configFile>;
type AgentTable = z.output<typeof agent>;

/** One agent as configured; what is optional in the file and has a default has it here. */
export interface AgentConfig {
  id: string;
  name: string;
  description: string;
  command: string;
  /** May hold `{file:<path>}`, as may the values of `env`: see `expand`. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  model?: string;
  mode?: string;
  /** The agent's own session options. */
  config: Readonly<Record<string, string>>;
  permissions: 'deny' | 'allow' | 'ask';
  /** Absolute path. */
  folder?: string;
  /** The command that takes a session up in a terminal, with `{session}` and `{cwd}`. */
  enter: readonly string[];
  /** The same for a session without history; `enter` when empty. */
  enterNew: readonly string[];
  skills: false | 'claude';
  /** The plugin agent to run as. */
  agent?: string;
  colour?: string;
}

/** `table` under the names that the rest of the program uses, with `~/` of `folder` taken from `home`. */
export function agentOf(table: AgentTable, home: string): AgentConfig {
  const { model, mode, agent } = table;
  const colour = table.colour ?? table.color;
  const folder = table.folder?.replace(/^~(?=\/|$)/, home);
  return {
    id: table.id,
    name: table.name,
    description: table.description,
    command: table.command,
    args: table.args,
    env: table.env,
    config: table.config,
    permissions: table.permissions,
    enter: table.enter,
    enterNew: table.enter_new,
    skills: table.skills,
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(agent !== undefined && { agent }),
    ...(colour !== undefined && { colour }),
    ...(folder !== undefined && { folder: join(folder) }),
  };
}

/** The reserved names that `table` uses. */
export function reservedIn(table: object, of: 'file' | 'agent'): string[] {
  const names: readonly string[] = of === 'file' ? RESERVED : RESERVED_OF_AGENT;
  return names.filter((name) => name in table);
}
