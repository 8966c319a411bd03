// What the host publishes in a session's `_meta.otto`: modes, and what keeps the session from going on.
import type { OttoModes, OttoSessionMeta } from '../protocol/meta.ts';
import { ottoOf, withOtto } from '../protocol/meta.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { AgentMode } from './ports.ts';
import type { Chat, Core, RunningTurn } from './session.ts';

export function modesOf(core: Core, session: Uri): OttoModes | undefined {
  return ottoOf(core.sequencer.session(session)._meta)['modes'] as OttoModes | undefined;
}

/** Takes over what the agent says of its modes; what it does not say stays (F-119). */
export function setModes(core: Core, session: Uri, current?: string, available?: readonly AgentMode[]): void {
  const before = modesOf(core, session);
  const modes = {
    current: current ?? before?.current ?? '',
    available: available ?? before?.available ?? [],
  };
  publishOtto(core, session, { modes });
}

/** The agent refused this mode: it is no longer offered. */
export function withdrawMode(core: Core, session: Uri, id: string): void {
  const modes = modesOf(core, session);
  if (modes)
    setModes(
      core,
      session,
      modes.current,
      modes.available.filter((mode) => mode.id !== id),
    );
}

/** What keeps the session from going on, in words for a person; undefined when nothing does. */
export function setProblem(core: Core, session: Uri, text: string | undefined): void {
  publishOtto(core, session, { problem: text === undefined ? undefined : { text } });
}

/** Unknown updates of the newest turn, the newest ones up to a bound (acp-to-ahp 2.1). */
const UPDATES_LIMIT = 64 << 10;

export function publishUpdates(core: Core, chat: Chat, turn: RunningTurn): void {
  let size = 0;
  const kept = turn.updates.findLastIndex((update) => {
    size += JSON.stringify(update).length;
    return size > UPDATES_LIMIT;
  });
  const updates = turn.updates.slice(kept + 1).map((update) => ({ turn: turn.id, update }));
  publishOtto(core, chat.session.uri, { updates: updates.length > 0 ? updates : undefined });
}

/** Replaces some of our keys in the session's `_meta`; undefined removes one. Says nothing when nothing differs. */
export function publishOtto(
  core: Core,
  session: Uri,
  changes: { readonly [K in keyof OttoSessionMeta]?: OttoSessionMeta[K] | undefined },
): void {
  const { _meta } = core.sequencer.session(session);
  const next = withOtto(_meta, changes);
  if (JSON.stringify(next) === JSON.stringify(_meta)) return;
  core.sequencer.commit(session, { type: 'session/metaChanged', ...(next && { _meta: next }) });
}
