// The model that a message asks for, and that model's options: set before the message is sent, one after the other,
// and what the agent does not take is said in the turn (acp-to-ahp 5). What is recorded is what is true (C-16).
import type { Message } from '../protocol/state-chat.ts';
import { findOption, optionProblem, optionsOf } from './agent-lists.ts';
import { tryFresh } from './agent-run.ts';
import { appendNotice } from './parts.ts';
import type { AgentOption } from './ports.ts';
import type { Chat, Core, RunningTurn } from './session.ts';
import { oneLine } from './text.ts';

type Wish = readonly [id: string, value: unknown];

/**
 * True when all that `message` asks for has been tried. Otherwise the next setting is on its way, and `goOn` runs once
 * nothing is left; an agent that wants a sign-in first holds the chat.
 */
export function prepare(core: Core, chat: Chat, message: Message, goOn: () => void): boolean {
  if (chat.preparing?.message === message) return chat.preparing.done;
  chat.preparing = undefined;
  if (!message.model) return true;
  chat.preparing = { message, done: false, refusals: [] };
  const model = modelOf(core, chat);
  const config = Object.entries(message.model.config ?? {});
  if (model) return setNext(core, chat, [[model.id, message.model.id], ...config], goOn);
  refuse(chat, `${chat.session.agent.info.displayName} has no choice of models`);
  return setNext(core, chat, config, goOn);
}

/** What the prompt's turn has to say of settings that were not taken. */
export function sayRefusals(core: Core, chat: Chat, turn: RunningTurn): void {
  const refusals = chat.preparing?.refusals ?? [];
  chat.preparing = undefined;
  for (const refusal of refusals) appendNotice(core, chat, turn, refusal);
}

/** `message` with the model that is truly used; without one where the agent does not say. */
export function withTrueModel(core: Core, chat: Chat, message: Message): Message {
  const { model: asked, ...rest } = message;
  const model = modelOf(core, chat);
  if (!asked || !model) return rest;
  const config = Object.keys(asked.config ?? {}).flatMap((id) => {
    const option = findOption(core, chat, id);
    return option ? [[id, option.current] as const] : [];
  });
  return {
    ...rest,
    model: { id: String(model.current), ...(config.length > 0 && { config: Object.fromEntries(config) }) },
  };
}

/** False when the agent has been asked for something; whatever is left then follows its answer. */
function setNext(core: Core, chat: Chat, wishes: readonly Wish[], goOn: () => void): boolean {
  const { preparing, agent } = chat;
  if (!preparing || !agent) return false;
  const [wish, ...rest] = wishes;
  if (!wish) {
    preparing.done = true;
    return true;
  }
  const [id, value] = wish;
  const option = findOption(core, chat, id);
  if (!option || option.current === value) return setNext(core, chat, rest, goOn);
  const problem = optionProblem(option, value);
  if (problem !== undefined) {
    refuse(chat, `The option ${id} was not set: ${problem}`);
    return setNext(core, chat, rest, goOn);
  }
  const { offers } = chat;
  agent.handle.setOption(id, value as AgentOption['current'], (refusal) =>
    core.tick(() => {
      if (chat.disposed || chat.agent !== agent || chat.preparing !== preparing) return;
      if (refusal !== undefined && chat.offers > offers) {
        chat.preparing = undefined;
        chat.held = true;
        tryFresh(chat);
        return;
      }
      if (refusal !== undefined) refuse(chat, `The option ${id} was refused: ${oneLine(refusal)}`);
      if (setNext(core, chat, rest, goOn)) goOn();
    }),
  );
  return false;
}

function refuse({ preparing }: Chat, text: string): void {
  if (preparing) preparing.refusals = [...preparing.refusals, text];
}

function modelOf(core: Core, chat: Chat): AgentOption | undefined {
  return optionsOf(core, chat).find(({ category, type }) => category === 'model' && type === 'select');
}
