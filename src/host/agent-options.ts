// What a client may set or look up of the agent's own lists: modes, options, commands. Refuses what the agent does
// not list now; an option that already has the value is not set again (F-121).
import { ProtocolError } from '../base/errors.ts';
import type { CompletionItem, CompletionsParams } from '../protocol/commands.ts';
import { INVALID_PARAMS } from '../protocol/errors.ts';
import { commandNames, findOption, optionProblem } from './agent-lists.ts';
import { tryFresh } from './agent-run.ts';
import { refused, switchMode, taken } from './modes.ts';
import type { Chat, Core } from './session.ts';
import { modesOf } from './session-meta.ts';
import type { Turns } from './turns.ts';

/** Switches the mode, starting the agent if needed; -32602 for a mode that is not offered. */
export function setMode(core: Core, turns: Turns, chat: Chat, modeId: string): void {
  const modes = modesOf(core, chat.session.uri);
  if (!modes?.available.some((mode) => mode.id === modeId)) {
    const known = modes?.available.map((mode) => mode.id).join(', ') || 'none';
    throw invalid(`${modeId} is not a mode of this session; there are: ${known}`);
  }
  chat.released = false;
  switchMode(core, chat, modeId);
  turns.wake(chat);
}

export function setOption(core: Core, chat: Chat, id: string, value: string | boolean): void {
  const option = findOption(core, chat, id);
  const problem = optionProblem(option, value);
  if (problem !== undefined) throw invalid(problem);
  if (option?.current === value) return;
  if (chat.agent?.state !== 'ready')
    throw invalid('the agent does not run; its options are set while it does');
  const { offers } = chat;
  chat.agent.handle.setOption(id, value, (refusal) =>
    core.tick(() => {
      if (chat.disposed) return;
      if (refusal === undefined) taken(core, chat, id);
      else if (chat.offers > offers) {
        // Nothing is wrong with the value: it is set again once somebody has signed in.
        chat.asked = { ...chat.asked, [id]: value };
        tryFresh(chat);
      } else optionRefused(core, chat, id, refusal);
    }),
  );
}

/** The old value stays, and a configuration that a client changed says so again. */
function optionRefused(core: Core, chat: Chat, id: string, message: string): void {
  const { uri } = chat.session;
  const current = findOption(core, chat, id)?.current;
  const shown = core.sequencer.session(uri).config?.values;
  if (shown && Object.hasOwn(shown, id) && shown[id] !== current) {
    core.sequencer.commit(uri, { type: 'session/configChanged', config: { [id]: current } });
  }
  refused(core, chat, { what: 'option', id, message });
}

/** The agent's commands, while the text up to the cursor is one word that begins like one. */
export function completions(core: Core, chat: Chat, { text, offset }: CompletionsParams): CompletionItem[] {
  const typed = text.slice(0, offset);
  if (!/^[/$]\S*$/.test(typed)) return [];
  return commandNames(core, chat)
    .filter((name) => name.startsWith(typed))
    .map((name) => ({
      insertText: `${name} `,
      rangeStart: 0,
      rangeEnd: offset,
      attachment: {
        type: 'simple',
        label: name,
        modelRepresentation: name,
        _meta: { otto: { command: name.replace(/^[/$]/, '') } },
      },
    }));
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}
