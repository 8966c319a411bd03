import { describe } from 'vitest';
import { reduceSession } from '../../../src/protocol/reduce/session.ts';
import type {
  ChildCustomization,
  Customization,
  LeafCustomization,
  McpServerCustomization,
  McpServerState,
  PluginCustomization,
} from '../../../src/protocol/state-customization.ts';
import type { SessionState } from '../../../src/protocol/state-session.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const named = (id: string) => ({ id, uri: `file:///${id}`, name: id });
const plugin = (id: string, more: Partial<PluginCustomization> = {}): PluginCustomization => ({
  type: 'plugin',
  ...named(id),
  ...more,
});
const directory = (id: string, enabled: boolean): Customization => ({
  type: 'directory',
  ...named(id),
  enabled,
  contents: 'skill',
  writable: true,
});
const server = (id: string, state: McpServerState, more: Partial<McpServerCustomization> = {}) =>
  ({ type: 'mcpServer', ...named(id), state, ...more }) satisfies McpServerCustomization;
const skill = (id: string, more: Partial<LeafCustomization> = {}): ChildCustomization => ({
  type: 'skill',
  ...named(id),
  ...more,
});
const none: SessionState = {
  provider: 'echo',
  title: 'One',
  status: 1,
  lifecycle: 'ready',
  activeClients: [],
  chats: [],
};
const tree = (...customizations: Customization[]): SessionState => ({ ...none, customizations });
const off = [
  { kind: 'session', enabled: false },
  { kind: 'global', enabled: true },
] as const;
const toggle = (id: string, enablement: typeof off | [] = off) =>
  ({ type: 'session/customizationToggled', id, enablement }) as const;
const remove = (id: string) => ({ type: 'session/customizationRemoved', id }) as const;
const ready = { kind: 'ready' } as const;
const starting = { kind: 'starting' } as const;
const stopped = { kind: 'stopped' } as const;

describe('the tree (SHAPES 14.2, SE reducer)', () => {
  itReduces(reduceSession, [
    [
      'session/customizationsChanged replaces all of it',
      tree(plugin('a')),
      [{ type: 'session/customizationsChanged', customizations: [plugin('b')] }],
      tree(plugin('b')),
    ],
    [
      'session/customizationUpdated creates the list',
      none,
      [{ type: 'session/customizationUpdated', customization: plugin('a') }],
      tree(plugin('a')),
    ],
    [
      'session/customizationUpdated replaces an entry with its children and appends a new one',
      tree(plugin('a', { children: [skill('s')] })),
      [
        { type: 'session/customizationUpdated', customization: plugin('b') },
        { type: 'session/customizationUpdated', customization: plugin('a') },
      ],
      tree(plugin('a'), plugin('b')),
    ],
    [
      'session/customizationRemoved of a container',
      tree(plugin('a'), plugin('b')),
      [remove('a')],
      tree(plugin('b')),
    ],
    [
      'session/customizationRemoved of a child, in every container that has it',
      tree(
        plugin('a', { children: [skill('s')] }),
        plugin('b', { children: [skill('s'), skill('t')] }),
        plugin('c'),
      ),
      [remove('s')],
      tree(plugin('a', { children: [] }), plugin('b', { children: [skill('t')] }), plugin('c')),
    ],
    [
      'session/customizationRemoved of an unknown id is no change',
      tree(server('m', ready), plugin('a', { children: [skill('s')] })),
      [remove('z')],
      'same',
    ],
    ['session/customizationRemoved without a list is no change', none, [remove('z')], 'same'],
  ]);
});

describe('session/customizationToggled (SHAPES 14.2)', () => {
  itReduces(reduceSession, [
    ['a plugin takes the list', tree(plugin('a')), [toggle('a')], tree(plugin('a', { enablement: off }))],
    [
      'an empty list removes it',
      tree(plugin('a', { enablement: off })),
      [toggle('a', [])],
      tree(plugin('a')),
    ],
    ['an empty list of a plugin without one is no change', tree(plugin('a')), [toggle('a', [])], 'same'],
    [
      'a server takes the list, at the top and as a child',
      tree(server('m', ready), plugin('a', { children: [server('n', ready)] })),
      [toggle('m'), toggle('n')],
      tree(
        server('m', ready, { enablement: off }),
        plugin('a', { children: [server('n', ready, { enablement: off })] }),
      ),
    ],
    [
      'a directory takes the first entry',
      tree(directory('d', true)),
      [toggle('d')],
      tree(directory('d', false)),
    ],
    [
      'another child takes the first entry, or true without one',
      tree(plugin('a', { children: [skill('s'), skill('t', { enabled: false })] })),
      [toggle('s'), toggle('t', [])],
      tree(plugin('a', { children: [skill('s', { enabled: false }), skill('t', { enabled: true })] })),
    ],
    ['the value it has is no change', tree(directory('d', false)), [toggle('d')], 'same'],
    [
      'a top-level entry hides a child of the same id',
      tree(plugin('a', { children: [skill('b')] }), plugin('b')),
      [toggle('b')],
      tree(plugin('a', { children: [skill('b')] }), plugin('b', { enablement: off })),
    ],
    [
      'only the first child of that id is toggled',
      tree(plugin('a'), plugin('b', { children: [skill('s')] }), plugin('c', { children: [skill('s')] })),
      [toggle('s')],
      tree(
        plugin('a'),
        plugin('b', { children: [skill('s', { enabled: false })] }),
        plugin('c', { children: [skill('s')] }),
      ),
    ],
    ['an unknown id is no change', tree(server('m', ready), plugin('a')), [toggle('z')], 'same'],
    ['an absent list is no change', none, [toggle('a')], 'same'],
  ]);
});

describe('MCP servers (SHAPES 14.2, MC-4)', () => {
  const start = (id: string) => ({ type: 'session/mcpServerStartRequested', id }) as const;
  const background = { type: 'session/mcpServerBackgroundRequested', id: 'm' } as const;
  const state = (id: string, channel?: string) =>
    ({ type: 'session/mcpServerStateChanged', id, state: ready, ...(channel && { channel }) }) as const;
  itReduces(reduceSession, [
    [
      'session/mcpServerStateChanged sets state and channel',
      tree(server('m', starting)),
      [state('m', 'mcp://m')],
      tree(server('m', ready, { channel: 'mcp://m' })),
    ],
    [
      'session/mcpServerStateChanged without a channel clears it, in a child too',
      tree(
        plugin('a'),
        plugin('b', { children: [skill('s'), server('m', starting, { channel: 'mcp://m' })] }),
      ),
      [state('m')],
      tree(plugin('a'), plugin('b', { children: [skill('s'), server('m', ready)] })),
    ],
    [
      'session/mcpServerStartRequested starts without blocking and without a channel',
      tree(server('m', stopped, { channel: 'mcp://m' })),
      [start('m')],
      tree(server('m', starting)),
    ],
    [
      'session/mcpServerStopRequested stops',
      tree(server('m', ready, { channel: 'mcp://m' })),
      [{ type: 'session/mcpServerStopRequested', id: 'm' }],
      tree(server('m', stopped)),
    ],
    [
      'session/mcpServerBackgroundRequested lets a blocking start go on behind and keeps the entry',
      tree(server('m', { kind: 'starting', blocking: true }, { channel: 'mcp://m' })),
      [background],
      tree(server('m', { kind: 'starting', blocking: false }, { channel: 'mcp://m' })),
    ],
    ['in the background already is no change', tree(server('m', starting)), [background], 'same'],
    ['a ready server has nothing to background', tree(server('m', ready)), [background], 'same'],
    [
      'a top-level entry that is no server ends the search',
      tree(plugin('m', { children: [server('m', ready)] })),
      [start('m'), state('m', 'c'), background],
      'same',
    ],
    [
      'a child that is no server is no change',
      tree(plugin('a', { children: [skill('m')] })),
      [start('m')],
      'same',
    ],
    ['an unknown id is no change', tree(server('m', ready)), [start('z')], 'same'],
    ['an absent list is no change', none, [start('m'), state('m'), background], 'same'],
  ]);
});
