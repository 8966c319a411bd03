// State of a session's annotations channel (SHAPES 10).
import type { Meta, StringOrMarkdown, TextRange, Uri } from './state-common.ts';

export interface AnnotationOrigin {
  session: Uri;
  chat?: Uri;
  turnId?: string;
}

export interface AnnotationEntry {
  id: string;
  text: StringOrMarkdown;
  _meta?: Meta;
}

/** Has at least one entry (AN-3). */
export interface Annotation {
  id: string;
  origin: AnnotationOrigin;
  resource: Uri;
  resolved: boolean;
  entries: readonly AnnotationEntry[];
  range?: TextRange;
  _meta?: Meta;
}

export interface AnnotationsState {
  annotations: readonly Annotation[];
}
