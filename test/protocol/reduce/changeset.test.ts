import { describe } from 'vitest';
import { reduceChangeset } from '../../../src/protocol/reduce/changeset.ts';
import type {
  ChangesetFile,
  ChangesetOperation,
  ChangesetState,
} from '../../../src/protocol/state-changeset.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const error = { errorType: 'git', message: 'broken' };
const file = (id: string, more: Partial<ChangesetFile> = {}): ChangesetFile => ({ id, edit: {}, ...more });
const operation = (more: Partial<ChangesetOperation> = {}): ChangesetOperation => ({
  id: 'o1',
  label: 'Undo',
  scopes: ['changeset'],
  status: 'idle',
  ...more,
});
const base: ChangesetState = { status: 'ready', files: [file('a'), file('b')] };
const failed: ChangesetState = { ...base, status: 'error', error };
const operable: ChangesetState = { ...base, operations: [operation(), operation({ id: 'o2' })] };

describe('SHAPES 14.6', () => {
  itReduces(reduceChangeset, [
    [
      'changeset/statusChanged to error carries the error',
      base,
      [{ type: 'changeset/statusChanged', status: 'error', error }],
      failed,
    ],
    [
      'changeset/statusChanged away from error drops it and keeps the files, also while recomputing',
      failed,
      [{ type: 'changeset/statusChanged', status: 'recomputing' }],
      { ...base, status: 'recomputing' },
    ],
    [
      'changeset/statusChanged takes no error for another status (CS-4)',
      base,
      [{ type: 'changeset/statusChanged', status: 'ready', error }],
      'same',
    ],
    [
      'changeset/fileSet replaces in place',
      base,
      [{ type: 'changeset/fileSet', file: file('a', { reviewed: true }) }],
      { ...base, files: [file('a', { reviewed: true }), file('b')] },
    ],
    [
      'changeset/fileSet appends a new file',
      base,
      [{ type: 'changeset/fileSet', file: file('c') }],
      { ...base, files: [file('a'), file('b'), file('c')] },
    ],
    [
      'changeset/fileRemoved',
      base,
      [{ type: 'changeset/fileRemoved', fileId: 'a' }],
      { ...base, files: [file('b')] },
    ],
    [
      'changeset/fileRemoved of an unknown file is no change',
      base,
      [{ type: 'changeset/fileRemoved', fileId: 'z' }],
      'same',
    ],
    [
      'changeset/filesReviewChanged marks the listed files that are there',
      base,
      [{ type: 'changeset/filesReviewChanged', files: ['b', 'z'], reviewed: true }],
      { ...base, files: [file('a'), file('b', { reviewed: true })] },
    ],
    [
      'changeset/filesReviewChanged takes absent for false',
      base,
      [{ type: 'changeset/filesReviewChanged', files: ['a'], reviewed: false }],
      'same',
    ],
    [
      'changeset/contentChanged replaces the files and leaves error, status and operations alone',
      { ...failed, operations: [operation()] },
      [{ type: 'changeset/contentChanged', files: [] }],
      { ...failed, files: [], operations: [operation()] },
    ],
    [
      'changeset/contentChanged replaces operations where they are given',
      operable,
      [{ type: 'changeset/contentChanged', files: [], operations: [] }],
      { status: 'ready', files: [], operations: [] },
    ],
    [
      'changeset/operationsChanged sets the list',
      base,
      [{ type: 'changeset/operationsChanged', operations: [] }],
      { ...base, operations: [] },
    ],
    ['changeset/operationsChanged removes it', operable, [{ type: 'changeset/operationsChanged' }], base],
    [
      'changeset/operationStatusChanged sets status and error of one operation',
      operable,
      [{ type: 'changeset/operationStatusChanged', operationId: 'o1', status: 'error', error }],
      { ...base, operations: [operation({ status: 'error', error }), operation({ id: 'o2' })] },
    ],
    [
      'changeset/operationStatusChanged drops the error with the status',
      { ...base, operations: [operation({ status: 'error', error })] },
      [{ type: 'changeset/operationStatusChanged', operationId: 'o1', status: 'idle' }],
      { ...base, operations: [operation()] },
    ],
    [
      'changeset/operationStatusChanged of the status it has is no change',
      operable,
      [{ type: 'changeset/operationStatusChanged', operationId: 'o1', status: 'idle' }],
      'same',
    ],
    [
      'changeset/operationStatusChanged of an unknown operation is no change',
      operable,
      [{ type: 'changeset/operationStatusChanged', operationId: 'o9', status: 'running' }],
      'same',
    ],
    [
      'changeset/operationStatusChanged without operations is no change',
      base,
      [{ type: 'changeset/operationStatusChanged', operationId: 'o1', status: 'running' }],
      'same',
    ],
    [
      'changeset/cleared empties the files and keeps the rest (CS-20)',
      operable,
      [{ type: 'changeset/cleared' }],
      { ...operable, files: [] },
    ],
    [
      'changeset/cleared of nothing is no change',
      { ...base, files: [] },
      [{ type: 'changeset/cleared' }],
      'same',
    ],
  ]);
});
