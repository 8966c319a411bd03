// Reducer of a resource watch channel (SHAPES 14.8): its descriptor never changes. `resourceWatch/changed` is an
// event for its readers, not a change of state.
import type { Action } from '../actions.ts';
import type { ResourceWatchState } from '../state-resource-watch.ts';

/** Always the same object. */
export function reduceResourceWatch(state: ResourceWatchState, _action: Action): ResourceWatchState {
  return state;
}
