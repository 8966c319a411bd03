// State of a changeset channel and its entry in a catalogue (SHAPES 9).
import type { ErrorInfo, FileEdit, Meta, StringOrMarkdown } from './state-common.ts';

export interface Changeset {
  label: string;
  /** RFC 6570 with no variables, `{turnId}`, or `{originalTurnId}` and `{modifiedTurnId}`. */
  uriTemplate: string;
  changeKind: string;
  description?: string;
  capabilities?: { review?: Record<string, never> };
}

export interface ChangesetFile {
  id: string;
  edit: FileEdit;
  reviewed?: boolean;
  _meta?: Meta;
}

export type ChangesetStatus = 'computing' | 'recomputing' | 'ready' | 'error';
export type ChangesetOperationStatus = 'idle' | 'running' | 'error' | 'disabled';

export interface ChangesetOperation {
  id: string;
  label: string;
  scopes: readonly ('changeset' | 'resource' | 'range')[];
  status: ChangesetOperationStatus;
  description?: string;
  confirmation?: StringOrMarkdown;
  icon?: string;
  group?: string;
  error?: ErrorInfo;
}

export interface ChangesetState {
  status: ChangesetStatus;
  files: readonly ChangesetFile[];
  /** Present exactly when `status` is `error`. */
  error?: ErrorInfo;
  operations?: readonly ChangesetOperation[];
}
