// The agent that is served when none is configured: Claude Code through its ACP adapter, fetched by npx at a version
// that was tried. It uses the login the person already has.
import type { AgentConfig } from './schema.ts';

export const BUILT_IN: AgentConfig = {
  id: 'claude',
  name: 'Claude',
  description: "Anthropic's coding agent (Claude Code)",
  command: 'npx',
  args: ['-y', '@agentclientprotocol/claude-agent-acp@0.101.0'],
  env: {},
  config: {},
  permissions: 'deny',
  enter: ['claude', '--resume', '{session}'],
  enterNew: ['claude', '--session-id', '{session}'],
  skills: 'claude',
};
