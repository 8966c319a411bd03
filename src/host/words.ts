// The words of the service's own language that stand in shared state about tool calls, by their keys in the
// catalogue (facts 2.4), and the closed list of names that clients pick icons by.

const ENGLISH = {
  'agents-permission-title': '{agent} wants to {action}',
  'agents-permission-read': 'read a file',
  'agents-permission-edit': 'edit a file',
  'agents-permission-delete': 'delete a file',
  'agents-permission-move': 'move a file',
  'agents-permission-search': 'search',
  'agents-permission-execute': 'run a command',
  'agents-permission-fetch': 'get something from the internet',
  'agents-permission-switch-mode': 'change how it works',
  'agents-permission-tool': 'use a tool',
} as const;

type Key = keyof typeof ENGLISH;

interface Kind {
  /** AHP's `toolName`. */
  readonly toolName: string;
  readonly action: Key;
  /** Stands where the agent gave no title. */
  readonly word: string;
}

/** ACP's kinds of tool calls; a kind that is missing here is `OTHER`. */
const KINDS: ReadonlyMap<string | undefined, Kind> = new Map([
  ['read', { toolName: 'read', action: 'agents-permission-read', word: 'Read' }],
  ['edit', { toolName: 'edit', action: 'agents-permission-edit', word: 'Edit' }],
  ['delete', { toolName: 'delete', action: 'agents-permission-delete', word: 'Delete' }],
  ['move', { toolName: 'move', action: 'agents-permission-move', word: 'Move' }],
  ['search', { toolName: 'search', action: 'agents-permission-search', word: 'Search' }],
  ['execute', { toolName: 'execute', action: 'agents-permission-execute', word: 'Run a command' }],
  ['fetch', { toolName: 'fetch', action: 'agents-permission-fetch', word: 'Fetch' }],
  ['switch_mode', { toolName: 'switch-mode', action: 'agents-permission-switch-mode', word: 'Change mode' }],
]);
const OTHER: Kind = { toolName: 'tool', action: 'agents-permission-tool', word: 'Use a tool' };

export function toolNameOf(kind: string | undefined): string {
  return (KINDS.get(kind) ?? OTHER).toolName;
}

/** What stands for a call without a title: the word of its kind, else its tool's name made readable. */
export function wordOf(kind: string | undefined, name: string | undefined): string {
  const known = KINDS.get(kind);
  if (known) return known.word;
  return (name !== undefined && readable(name)) || OTHER.word;
}

/** The question put to a person, with the catalogue's key and arguments for clients with words of their own. */
export function permissionTitle(agent: string, kind: string | undefined) {
  const { action } = KINDS.get(kind) ?? OTHER;
  const key: Key = 'agents-permission-title';
  const text = ENGLISH[key].replace(/\{(\w+)\}/g, (_, name) => (name === 'agent' ? agent : ENGLISH[action]));
  return { text, title: { key, args: { agent, action } } };
}

/** `TodoWrite` → `Todo write`, `mcp__files__read_text` → `Files: read text`. */
function readable(name: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  const words = (server === undefined ? name : `${server}: ${tool}`)
    .replace(/([a-z0-9])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/[\s_-]+/g, ' ')
    .trim();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
