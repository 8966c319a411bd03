// Reducer of the root channel (SHAPES 14.1). The list of sessions is not in this state and never passes here.
import type { Action } from '../actions.ts';
import type { RootState } from '../state-root.ts';
import { merge, setKey } from './same.ts';

/** The root's state after `action`; the same object when nothing changed. */
export function reduceRoot(state: RootState, action: Action): RootState {
  switch (action.type) {
    case 'root/agentsChanged':
      return setKey(state, 'agents', action.agents);
    case 'root/activeSessionsChanged':
      return setKey(state, 'activeSessions', action.activeSessions);
    case 'root/terminalsChanged':
      return setKey(state, 'terminals', action.terminals);
    case 'root/configChanged': {
      if (!state.config) return state;
      const values = action.replace ? { ...action.config } : merge(state.config.values, action.config);
      return setKey(state, 'config', setKey(state.config, 'values', values));
    }
    default:
      return state;
  }
}
