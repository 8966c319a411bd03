// The `otto` keys that the host puts into `_meta`, in one place (facts 4.10). Each key is set and removed on its
// own; an emptied `otto` disappears, an emptied `_meta` becomes absent. Foreign keys are never touched.
import type { Meta } from './state-common.ts';

/** A mode of the agent as clients show it: the current one and what can be chosen. */
export interface OttoModes {
  current: string;
  available: readonly { id: string; name: string; description: string | null }[];
}

export interface OttoSessionMeta {
  modes?: OttoModes;
  /** What keeps the session from going on, in words for a person; gone with the next success. */
  problem?: { text: string };
  /** The client program that made the session, and the files it is about; copied from `createSession`. */
  app?: string;
  subject?: readonly string[];
}

/** On a tool call: what the dialog and clients need beside AHP's own fields. */
export interface OttoToolMeta {
  tool?: { kind?: string };
  defaultOption?: string;
  optionKinds?: Record<string, string>;
  decision?: { by: 'policy' | 'person' | 'unanswered' | 'agent'; allowed: boolean };
}

/** Our part of a `_meta`, empty when there is none or it is not an object. */
export function ottoOf(meta: Meta | undefined): Record<string, unknown> {
  const otto = meta?.['otto'];
  return typeof otto === 'object' && otto !== null && !Array.isArray(otto) ? { ...otto } : {};
}

/** `meta` with some of our keys replaced; a value of undefined removes its key. */
export function withOtto(
  meta: Meta | undefined,
  changes: { readonly [K in keyof OttoSessionMeta]?: OttoSessionMeta[K] | undefined },
): Meta | undefined {
  const otto = ottoOf(meta);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete otto[key];
    else otto[key] = value;
  }
  const { otto: _old, ...rest } = meta ?? {};
  const next: Meta = Object.keys(otto).length === 0 ? rest : { ...rest, otto };
  return Object.keys(next).length === 0 ? undefined : next;
}
