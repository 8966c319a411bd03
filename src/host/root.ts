// The state that the root channel begins with: the agents and what belongs to them.
import type { RootState } from '../protocol/state-root.ts';
import type { AgentEntry } from './ports.ts';

/** Agents, and what Otto's clients want to know of them beside AHP's own fields (facts 4.10). */
export function rootState(entries: readonly AgentEntry[]): RootState {
  const of = (key: 'colour' | 'folder' | 'unavailable') =>
    Object.fromEntries(
      entries.flatMap((entry) => (entry[key] === undefined ? [] : [[entry.info.provider, entry[key]]])),
    );
  const keys = { colours: of('colour'), folders: of('folder'), unavailable: of('unavailable') };
  const otto = Object.fromEntries(Object.entries(keys).filter(([, value]) => Object.keys(value).length > 0));
  const agents = entries.map(({ info }) => info);
  return { agents, activeSessions: 0, ...(Object.keys(otto).length > 0 && { _meta: { otto } }) };
}
