import { describe } from 'vitest';
import { reduceRoot } from '../../../src/protocol/reduce/root.ts';
import type { AgentInfo, RootState } from '../../../src/protocol/state-root.ts';
import type { TerminalInfo } from '../../../src/protocol/state-terminal.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const agent: AgentInfo = { provider: 'echo', displayName: 'Echo', description: 'repeats', models: [] };
const terminal: TerminalInfo = {
  resource: 'ahp-terminal:/1',
  title: 'sh',
  claim: { kind: 'session', session: 'ahp-session:/1', chat: 'ahp-chat:/1' },
  lifecycle: { status: 'running' },
};
const bare: RootState = { agents: [] };
const schema = { type: 'object' as const, properties: {} };
const configured: RootState = { agents: [], config: { schema, values: { a: 1, b: { c: 2 } } } };

describe('SHAPES 14.1', () => {
  itReduces(reduceRoot, [
    [
      'root/agentsChanged replaces the agents',
      { agents: [agent] },
      [{ type: 'root/agentsChanged', agents: [] }],
      bare,
    ],
    [
      'root/activeSessionsChanged replaces the count',
      bare,
      [{ type: 'root/activeSessionsChanged', activeSessions: 2 }],
      { agents: [], activeSessions: 2 },
    ],
    [
      'the same count is no change',
      { agents: [], activeSessions: 2 },
      [{ type: 'root/activeSessionsChanged', activeSessions: 2 }],
      'same',
    ],
    [
      'root/terminalsChanged replaces the list',
      bare,
      [{ type: 'root/terminalsChanged', terminals: [terminal] }],
      { agents: [], terminals: [terminal] },
    ],
    [
      'root/configChanged merges one level deep (R-9)',
      configured,
      [{ type: 'root/configChanged', config: { b: { d: 3 }, e: null } }],
      { agents: [], config: { schema, values: { a: 1, b: { d: 3 }, e: null } } },
    ],
    [
      'root/configChanged with replace drops what is not named',
      configured,
      [{ type: 'root/configChanged', config: { z: 0 }, replace: true }],
      { agents: [], config: { schema, values: { z: 0 } } },
    ],
    [
      'root/configChanged of values that are set already is no change',
      configured,
      [{ type: 'root/configChanged', config: { a: 1 } }],
      'same',
    ],
    [
      'root/configChanged without a config is no change',
      bare,
      [{ type: 'root/configChanged', config: { a: 1 }, replace: true }],
      'same',
    ],
  ]);
});
