// Lists an agent publishes of itself: options, models, commands. Each new list replaces the one before; an equal
// one is dropped (acp-to-ahp 2.7, 2.9).
import type { PluginCustomization } from '../protocol/state-customization.ts';
import { ROOT_URI, type SessionModelInfo } from '../protocol/state-root.ts';
import type { AgentCommand, AgentOption } from './ports.ts';
import type { Chat, Core } from './session.ts';
import { publishOtto } from './session-meta.ts';
import { oneLine } from './text.ts';

const COMMANDS_LIMIT = 200;
const COMMANDS_ID = 'otto:commands';

export function setOptions(core: Core, chat: Chat, options: readonly AgentOption[]): void {
  publishOtto(core, chat.session.uri, { options: options.length > 0 ? options : undefined });
  const model = options.find((option) => option.category === 'model');
  if (model?.type === 'select') setModels(core, chat.session.agent.info.provider, model);
}

/** The option with this id as it stands, if the agent has it now. */
export function findOption(core: Core, chat: Chat, id: string): AgentOption | undefined {
  return optionsOf(core, chat).find((option) => option.id === id);
}

/** The agent's options as they stand. */
export function optionsOf(core: Core, chat: Chat): readonly AgentOption[] {
  const otto = core.sequencer.session(chat.session.uri)._meta?.['otto'] as
    | { options?: AgentOption[] }
    | undefined;
  return otto?.options ?? [];
}

/** Why the option cannot have this value, in words; undefined when it can. */
export function optionProblem(option: AgentOption | undefined, value: unknown): string | undefined {
  if (!option) return 'the agent has no such option';
  if (option.type === 'boolean')
    return typeof value === 'boolean' ? undefined : `${option.id} is true or false`;
  if (option.choices.some((choice) => choice.value === value)) return undefined;
  return `${option.id} is one of ${option.choices.map((choice) => choice.value).join(', ')}`;
}

function setModels(core: Core, provider: string, option: Extract<AgentOption, { type: 'select' }>): void {
  const models: SessionModelInfo[] = option.choices.map(({ value, name }) => ({ id: value, provider, name }));
  const { agents } = core.sequencer.root();
  const changed = agents.map((info) => {
    const same = info.provider !== provider || JSON.stringify(info.models) === JSON.stringify(models);
    return same ? info : { ...info, models };
  });
  if (changed.every((info, at) => info === agents[at])) return;
  core.sequencer.commit(ROOT_URI, { type: 'root/agentsChanged', agents: changed });
}

export function setCommands(core: Core, chat: Chat, commands: readonly AgentCommand[]): void {
  const { session } = chat;
  const { provider, displayName } = session.agent.info;
  const base = `x-otto-commands:/${provider}`;
  const customization: PluginCustomization = {
    type: 'plugin',
    id: COMMANDS_ID,
    uri: base,
    name: `${displayName}'s commands`,
    load: { kind: 'loaded' },
    children: commands.slice(0, COMMANDS_LIMIT).map(({ name, description, hint }) => ({
      type: 'prompt',
      id: `${COMMANDS_ID}/${name}`,
      uri: `${base}/${name}`,
      name,
      description: oneLine(description),
      ...(hint !== undefined && { _meta: { otto: { hint } } }),
    })),
  };
  const before = core.sequencer.session(session.uri).customizations?.find(({ id }) => id === COMMANDS_ID);
  if (JSON.stringify(before) === JSON.stringify(customization)) return;
  core.sequencer.commit(session.uri, { type: 'session/customizationUpdated', customization });
}

/** The agent's commands as they are typed; some agents already list theirs with a sign in front. */
export function commandNames(core: Core, chat: Chat): string[] {
  const found = core.sequencer.session(chat.session.uri).customizations?.find(({ id }) => id === COMMANDS_ID);
  const children = found?.type === 'plugin' ? (found.children ?? []) : [];
  return children.map(({ name }) => (name.startsWith('$') ? name : `/${name}`));
}
