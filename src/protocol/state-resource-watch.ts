// State of a resource watch channel; it never changes (SHAPES 11).
import type { Uri } from './state-common.ts';

export interface ResourceChange {
  uri: Uri;
  type: string;
}

export interface ResourceWatchState {
  root: Uri;
  recursive: boolean;
  excludes?: { items: readonly string[] };
  includes?: { items: readonly string[] };
}
