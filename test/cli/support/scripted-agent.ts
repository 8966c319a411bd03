// The scripted ACP agent, a process of its own, as the one agent of a service.
import { resolve } from 'node:path';
import { createAcpBackend } from '../../../src/agents/backend.ts';
import { createLog } from '../../../src/base/log.ts';
import type { AgentBackend, PermissionPolicy } from '../../../src/host/ports.ts';

const SCRIPTED = resolve(import.meta.dirname, '../../agents-bin/scripted-agent.mjs');

export function scriptedAgent(script: object, permissions: PermissionPolicy = 'deny'): AgentBackend {
  const env = { AGENT_SCRIPT: JSON.stringify(script) };
  const agent = {
    id: 'scripted',
    name: 'Scripted',
    description: '',
    args: [SCRIPTED],
    env,
    config: {},
    permissions,
  };
  return createAcpBackend({
    agents: [{ ...agent, command: process.execPath }],
    version: '0.0.0-test',
    log: createLog(() => {}),
  });
}
