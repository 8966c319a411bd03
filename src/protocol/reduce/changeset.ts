// Reducer of a changeset channel (SHAPES 14.6). `error` stands exactly beside the status `error` (CS-4), except
// that `changeset/contentChanged` leaves both alone.
import type { Action } from '../actions.ts';
import type { ChangesetFile, ChangesetState } from '../state-changeset.ts';
import type { ErrorInfo } from '../state-common.ts';
import { emptied, setKey, upsert, without } from './same.ts';

/** The changeset's state after `action`; the same object when nothing changed. */
export function reduceChangeset(state: ChangesetState, action: Action): ChangesetState {
  switch (action.type) {
    case 'changeset/statusChanged':
      return setKey(setKey(state, 'status', action.status), 'error', errorOf(action));
    case 'changeset/fileSet':
      return setKey(state, 'files', upsert(state.files, 'id', action.file));
    case 'changeset/fileRemoved':
      return setKey(
        state,
        'files',
        without(state.files, (file) => file.id === action.fileId),
      );
    case 'changeset/filesReviewChanged':
      return setKey(state, 'files', review(state.files, new Set(action.files), action.reviewed));
    case 'changeset/contentChanged': {
      const next = setKey(state, 'files', action.files);
      return action.operations ? setKey(next, 'operations', action.operations) : next;
    }
    case 'changeset/operationsChanged':
      return setKey(state, 'operations', action.operations);
    case 'changeset/operationStatusChanged': {
      const index = state.operations?.findIndex((operation) => operation.id === action.operationId) ?? -1;
      const old = state.operations?.[index];
      if (!old) return state;
      const next = setKey(setKey(old, 'status', action.status), 'error', errorOf(action));
      return next === old ? state : setKey(state, 'operations', state.operations?.with(index, next));
    }
    case 'changeset/cleared':
      return setKey(state, 'files', emptied(state.files));
    default:
      return state;
  }
}

function errorOf(action: { status: string; error?: ErrorInfo }): ErrorInfo | undefined {
  return action.status === 'error' ? action.error : undefined;
}

function review(
  files: readonly ChangesetFile[],
  ids: ReadonlySet<string>,
  reviewed: boolean,
): readonly ChangesetFile[] {
  const differs = (file: ChangesetFile) => ids.has(file.id) && (file.reviewed ?? false) !== reviewed;
  return files.some(differs) ? files.map((file) => (differs(file) ? { ...file, reviewed } : file)) : files;
}
