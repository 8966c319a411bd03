// The keys of agents.toml and what they become. Checks words, never the machine: whether a command exists is
// looked up anew at every start of an agent, since it may be installed later.
import { isAbsolute } from 'node:path';
import { z } from 'zod';

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty');

const command = filled.refine(
  (text) => isAbsolute(text) || !text.includes('/'),
  'must be a plain name, looked up in PATH, or a full path beginning with "/"',
);

const agent = z.strictObject({
  id: filled,
  name: filled,
  description: z.string().default(''),
  command,
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  permissions: z.enum(['deny', 'allow', 'ask']).default('deny'),
});

/** One file. `agents` stays absent when the file does not set it: the last file that sets it wins. */
export const configFile = z.strictObject({ agents: z.array(agent).optional() });

/** One agent as configured; what is optional in the file has its default here. */
export type AgentConfig = z.output<typeof agent>;
