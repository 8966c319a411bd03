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
  /** The agent's own options with their current values; the complete list. */
  options?: readonly object[];
  /** Totals of the session. */
  usage?: object;
  /** How far the agent's plan is. */
  plan?: { done: number; total: number; current?: string };
  /** How somebody can sign in; there while the agent waits for it. */
  signIn?: { methods: readonly object[] };
  /** Updates of the newest turn that this program does not know. */
  updates?: readonly object[];
  /** What keeps the session from going on, in words for a person; gone with the next success. */
  problem?: { text: string };
  /** The client program that made the session, and the files it is about; copied from `createSession`. */
  app?: string;
  subject?: readonly string[];
}

/** On a tool call: what the dialog and clients need beside AHP's own fields. */
export interface OttoToolMeta {
  /** The agent's own words: ACP's kind, the tool's name, the title where it did not fit on one line. */
  tool?: { name?: string; kind?: string; title?: string };
  /** As the agent wrote them; lines count from 1. */
  locations?: readonly { path: string; line?: number }[];
  /** How many locations the call has beyond those. */
  locationsCut?: number;
  /** The diffs of the call as they came, while they are small. */
  diffs?: readonly { path: string; oldText: string | null; newText: string }[];
  /** The call that this one belongs to. */
  parent?: string;
  defaultOption?: string;
  optionKinds?: Record<string, string>;
  /** The question's title by its key in the catalogue; absent where the agent's own words are shown. */
  title?: { key: string; args: Record<string, string> };
  /** What the agent wants to be said beside the question; one line. */
  note?: string;
  decision?: { by: 'policy' | 'person' | 'unanswered' | 'agent'; allowed: boolean };
  /** How the agent's own terminal ended. */
  exit?: { code?: number; signal?: string };
  /** How many characters of the output were not kept. */
  cut?: number;
  plan?: { id: string; entries?: readonly object[]; markdown?: string; uri?: string };
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
