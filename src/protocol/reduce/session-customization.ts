// The customization tree of a session: toggles, updates and the states of MCP servers (SHAPES 14.2). Two levels:
// containers and bare MCP servers on top, everything else as children (CU-1).
import type { SessionAction } from '../actions-session.ts';
import type {
  ChildCustomization,
  Customization,
  CustomizationEnablement,
  McpServerCustomization,
  McpServerState,
} from '../state-customization.ts';
import { absentIfEmpty, setKey, upsert, without } from './same.ts';

type CustomizationAction = Extract<
  SessionAction,
  { type: `session/customization${string}` | `session/mcpServer${string}` }
>;
type Tree = readonly Customization[] | undefined;

/** The tree after `action`; the same list when nothing changed, an absent one where nothing can be found. */
export function reduceCustomization(tree: Tree, action: CustomizationAction): Tree {
  switch (action.type) {
    case 'session/customizationsChanged':
      return action.customizations;
    case 'session/customizationToggled':
      return toggle(tree, action.id, action.enablement);
    case 'session/customizationUpdated':
      return upsert(tree, 'id', action.customization);
    case 'session/customizationRemoved':
      return remove(tree, action.id);
    case 'session/mcpServerStateChanged':
      return updateServer(tree, action.id, (server) => withState(server, action.state, action.channel));
    case 'session/mcpServerStartRequested':
      return updateServer(tree, action.id, (server) => withState(server, { kind: 'starting' }));
    case 'session/mcpServerStopRequested':
      return updateServer(tree, action.id, (server) => withState(server, { kind: 'stopped' }));
    case 'session/mcpServerBackgroundRequested':
      return updateServer(tree, action.id, (server) =>
        server.state.kind === 'starting' && server.state.blocking === true
          ? setKey(server, 'state', setKey(server.state, 'blocking', false))
          : server,
      );
  }
}

function toggle(tree: Tree, id: string, enablement: readonly CustomizationEnablement[]): Tree {
  if (!tree) return tree;
  const top = tree.findIndex((entry) => entry.id === id);
  const entry = tree[top];
  if (entry) return replace(tree, top, toggled(entry, enablement));
  return updateChild(
    tree,
    (child) => child.id === id,
    (child) => toggled(child, enablement),
  );
}

function toggled<T extends Customization | ChildCustomization>(
  given: T,
  enablement: readonly CustomizationEnablement[],
): T {
  const entry: Customization | ChildCustomization = given;
  if (entry.type === 'plugin' || entry.type === 'mcpServer') {
    return setKey(entry, 'enablement', absentIfEmpty(enablement)) as T;
  }
  return setKey(entry, 'enabled', enablement[0]?.enabled ?? true) as T;
}

function remove(tree: Tree, id: string): Tree {
  const rest = without(tree, (entry) => entry.id === id);
  if (!tree || rest !== tree) return rest;
  const pruned = tree.map((entry) => {
    if (entry.type === 'mcpServer') return entry;
    return setKey(
      entry,
      'children',
      without(entry.children, (child) => child.id === id),
    );
  });
  return pruned.some((entry, index) => entry !== tree[index]) ? pruned : tree;
}

function withState(server: McpServerCustomization, state: McpServerState, channel?: string) {
  return setKey(setKey(server, 'state', state), 'channel', channel);
}

function updateServer(
  tree: Tree,
  id: string,
  change: (server: McpServerCustomization) => McpServerCustomization,
): Tree {
  if (!tree) return tree;
  const top = tree.findIndex((entry) => entry.id === id);
  const entry = tree[top];
  // A top-level hit of another type ends the search; its children are not looked at.
  if (entry) return entry.type === 'mcpServer' ? replace(tree, top, change(entry)) : tree;
  return updateChild(
    tree,
    (child) => child.type === 'mcpServer' && child.id === id,
    (child) => (child.type === 'mcpServer' ? change(child) : child),
  );
}

/** Changes the first child that `wanted` names, in the order of the containers. */
function updateChild(
  tree: readonly Customization[],
  wanted: (child: ChildCustomization) => boolean,
  change: (child: ChildCustomization) => ChildCustomization,
): readonly Customization[] {
  for (const [index, entry] of tree.entries()) {
    if (entry.type === 'mcpServer' || !entry.children) continue;
    const at = entry.children.findIndex(wanted);
    const child = entry.children[at];
    if (child)
      return replace(tree, index, { ...entry, children: replace(entry.children, at, change(child)) });
  }
  return tree;
}

function replace<T>(list: readonly T[], index: number, item: T): readonly T[] {
  return list[index] === item ? list : list.with(index, item);
}
