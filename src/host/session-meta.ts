// What the host publishes in a session's `_meta.otto`: modes, and what keeps the session from going on.
import type { OttoModes, OttoSessionMeta } from '../protocol/meta.ts';
import { ottoOf, withOtto } from '../protocol/meta.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { AgentMode } from './ports.ts';
import type { Core } from './session.ts';

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
  publish(core, session, { modes });
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
  publish(core, session, { problem: text === undefined ? undefined : { text } });
}

function publish(
  core: Core,
  session: Uri,
  changes: { readonly [K in keyof OttoSessionMeta]?: OttoSessionMeta[K] | undefined },
): void {
  const { _meta } = core.sequencer.session(session);
  const next = withOtto(_meta, changes);
  if (JSON.stringify(next) === JSON.stringify(_meta)) return;
  core.sequencer.commit(session, { type: 'session/metaChanged', ...(next && { _meta: next }) });
}
