// The agent's mode as a client wants it, and what a mode or option that the agent refuses leaves behind.
import { tryFresh } from './agent-run.ts';
import { appendNotice } from './parts.ts';
import type { AgentEvent } from './ports.ts';
import type { Chat, Core } from './session.ts';
import { setModes, setProblem, withdrawMode } from './session-meta.ts';
import { oneLine } from './text.ts';

/** Asks the agent for a mode, now or as soon as it is ready. Its acceptance moves `modes.current`. */
export function switchMode(core: Core, chat: Chat, mode: string): void {
  if (chat.agent?.state !== 'ready') {
    chat.wantedMode = mode;
    return;
  }
  chat.wantedMode = undefined;
  const { offers } = chat;
  const { uri } = chat.session;
  chat.agent.handle.setMode(mode, (refusal) =>
    core.tick(() => {
      if (chat.disposed) return;
      if (refusal === undefined) {
        setModes(core, uri, mode);
        taken(core, chat, 'mode');
        return;
      }
      // Nothing is wrong with the mode: it is asked for again once somebody has signed in.
      if (chat.offers > offers) {
        chat.wantedMode = mode;
        tryFresh(chat);
        return;
      }
      refused(core, chat, { what: 'mode', id: mode, message: refusal });
    }),
  );
}

/** A mode or option was not taken: said where it is read, and a mode is no longer offered (R-052, F-121). */
export function refused(core: Core, chat: Chat, { what, id, message }: Refusal): void {
  if (what === 'mode') withdrawMode(core, chat.session.uri, id);
  const text = `The ${what} ${id} was refused: ${oneLine(message)}`;
  if (chat.turn) {
    appendNotice(core, chat, chat.turn, text);
    return;
  }
  const setting = what === 'mode' ? what : id;
  chat.refusals = [...chat.refusals.filter((each) => each.text !== text), { setting, text }];
  sayRefusals(core, chat);
}

/** The agent took the mode, or this option: what it refused of it before is no problem any more. */
export function taken(core: Core, chat: Chat, setting: string): void {
  chat.refusals = chat.refusals.filter((each) => each.setting !== setting);
  sayRefusals(core, chat);
}

/** Several settings of one start may be refused: all of them are named. */
function sayRefusals(core: Core, { session, refusals }: Chat): void {
  const text = refusals.map((each) => each.text).join('\n');
  setProblem(core, session.uri, text === '' ? undefined : text);
}

type Refusal = Pick<Extract<AgentEvent, { type: 'refused' }>, 'what' | 'id' | 'message'>;
