// Reducer of an annotations channel (SHAPES 14.7). That an annotation keeps at least one entry is the host's
// check (AN-3); the reducer removes the last one too.
import type { Action } from '../actions.ts';
import type { Annotation, AnnotationsState } from '../state-annotations.ts';
import { setKey, upsert, without } from './same.ts';

/** The annotations after `action`; the same object when nothing changed. */
export function reduceAnnotations(state: AnnotationsState, action: Action): AnnotationsState {
  switch (action.type) {
    case 'annotations/set':
      return setKey(state, 'annotations', upsert(state.annotations, 'id', action.annotation));
    case 'annotations/updated':
      return change(state, action.annotationId, (old) => {
        const anchored = setKey(old, 'origin', action.origin ?? old.origin);
        const located = setKey(anchored, 'resource', action.resource ?? old.resource);
        const ranged = setKey(located, 'range', action.range ?? old.range);
        return setKey(ranged, 'resolved', action.resolved ?? old.resolved);
      });
    case 'annotations/removed': {
      const rest = without(state.annotations, (annotation) => annotation.id === action.annotationId);
      return setKey(state, 'annotations', rest);
    }
    case 'annotations/entrySet':
      return change(state, action.annotationId, (old) =>
        setKey(old, 'entries', upsert(old.entries, 'id', action.entry)),
      );
    case 'annotations/entryRemoved':
      return change(state, action.annotationId, (old) =>
        setKey(
          old,
          'entries',
          without(old.entries, (entry) => entry.id === action.entryId),
        ),
      );
    default:
      return state;
  }
}

function change(
  state: AnnotationsState,
  id: string,
  edit: (annotation: Annotation) => Annotation,
): AnnotationsState {
  const index = state.annotations.findIndex((annotation) => annotation.id === id);
  const old = state.annotations[index];
  if (!old) return state;
  const next = edit(old);
  return next === old ? state : setKey(state, 'annotations', state.annotations.with(index, next));
}
