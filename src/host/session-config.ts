// An agent's options as AHP's session configuration (acp-to-ahp 2.9): a schema from the last list seen of that agent,
// frozen when a session is made, since no action changes a schema; values that follow the agent.
import { ProtocolError } from '../base/errors.ts';
import type { SessionAction } from '../protocol/actions-session.ts';
import type { ConfigCompletionsParams, ConfigItem, ResolveConfigParams } from '../protocol/commands.ts';
import { INVALID_PARAMS } from '../protocol/errors.ts';
import type { ConfigSchema, ConfigState, SessionConfigPropertySchema } from '../protocol/state-common.ts';
import { findOption, optionProblem } from './agent-lists.ts';
import { setOption } from './agent-options.ts';
import type { AgentOption } from './ports.ts';
import type { Chat, Core } from './session.ts';

type Config = ConfigState<SessionConfigPropertySchema>;
type Values = Record<string, unknown>;

/** The configuration a session of this agent can have, with what was asked for filled in; nothing when unknown. */
export function resolveConfig(core: Core, { provider, config = {} }: ResolveConfigParams): Config {
  const options = optionsOf(core, provider);
  return { schema: schemaOf(options), values: valuesOf(options, config) };
}

/** Values that begin or name themselves like `query`, from the newest list. */
export function configCompletions(core: Core, params: ConfigCompletionsParams): ConfigItem[] {
  const { provider, property, query = '' } = params;
  const option = optionsOf(core, provider).find(({ id }) => id === property);
  if (option?.type !== 'select') return [];
  const wanted = query.toLowerCase();
  return option.choices
    .filter(({ value, name }) => `${value}\n${name}`.toLowerCase().includes(wanted))
    .map(({ value, name, description }) => ({
      value,
      label: name,
      ...(description !== undefined && { description }),
    }));
}

/** The state of a new session's configuration: absent where nothing is known of the agent's options yet. */
export function initialConfig(core: Core, provider: string, asked: Values): Config | undefined {
  const options = core.knownOptions.get(provider);
  return options && { schema: schemaOf(options), values: valuesOf(options, asked) };
}

/** The agent told its options: they are remembered, and the session's values follow. */
export function followOptions(core: Core, chat: Chat, options: readonly AgentOption[]): void {
  const { uri, agent } = chat.session;
  core.knownOptions.set(agent.info.provider, options);
  const config = core.sequencer.session(uri).config;
  if (!config) return;
  const current = Object.fromEntries(options.map((option) => [option.id, option.current]));
  const moved = Object.keys(config.schema.properties).filter(
    (key) => Object.hasOwn(current, key) && current[key] !== config.values[key],
  );
  if (moved.length === 0) return;
  const values = Object.fromEntries(moved.map((key) => [key, current[key]]));
  core.sequencer.commit(uri, { type: 'session/configChanged', config: values });
}

/** What was asked for at creation is set as soon as the agent is there; what it does not offer is ignored. */
export function applyConfig(core: Core, chat: Chat): void {
  const { asked } = chat;
  chat.asked = {};
  for (const option of optionsOf(core, chat.session.agent.info.provider)) {
    const value = Object.hasOwn(asked, option.id) ? asked[option.id] : undefined;
    const fits = value !== undefined && optionProblem(option, value) === undefined;
    if (fits) setOption(core, chat, option.id, value as string | boolean);
  }
}

type ConfigChanged = Extract<SessionAction, { type: 'session/configChanged' }>;

/** Why a client's change is refused: an option the session has not, or a value the agent does not offer now. */
export function configProblem(
  core: Core,
  chat: Chat,
  { config, replace }: ConfigChanged,
): string | undefined {
  const state = core.sequencer.session(chat.session.uri).config;
  if (!state) return 'this session has no configuration';
  if (replace) return 'options are changed one by one, not replaced';
  if (chat.agent?.state !== 'ready') return 'the agent does not run; its options are set while it does';
  for (const [id, value] of Object.entries(config)) {
    if (!Object.hasOwn(state.schema.properties, id)) return `there is no option ${id}`;
    const problem = optionProblem(findOption(core, chat, id), value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A client's change was committed: the agent is told what differs, and what it refuses is taken back. */
export function changeConfig(core: Core, chat: Chat, { config }: ConfigChanged): void {
  for (const [id, value] of Object.entries(config)) setOption(core, chat, id, value as string | boolean);
}

function optionsOf(core: Core, provider: string | undefined): readonly AgentOption[] {
  const wanted = provider ?? core.backend.agents()[0]?.info.provider ?? '';
  return core.knownOptions.get(wanted) ?? [];
}

function schemaOf(options: readonly AgentOption[]): ConfigSchema<SessionConfigPropertySchema> {
  return {
    type: 'object',
    properties: Object.fromEntries(options.map((option) => [option.id, propertyOf(option)])),
  };
}

function propertyOf(option: AgentOption): SessionConfigPropertySchema {
  const { name: title, description } = option;
  const common = { title, ...(description !== undefined && { description }), sessionMutable: true };
  if (option.type === 'boolean') return { type: 'boolean', ...common };
  const { choices } = option;
  return {
    type: 'string',
    ...common,
    enum: choices.map(({ value }) => value),
    enumLabels: choices.map(({ name, group }) => (group === undefined ? name : `${group}: ${name}`)),
    enumDescriptions: choices.map((choice) => choice.description ?? ''),
    // The list may change while the schema cannot.
    enumDynamic: true,
  };
}

/** Current values with those asked for laid over; unknown keys are ignored, a value that does not fit is -32602. */
function valuesOf(options: readonly AgentOption[], asked: Values): Values {
  const values: Values = {};
  for (const option of options) {
    const value = Object.hasOwn(asked, option.id) ? asked[option.id] : option.current;
    const problem = optionProblem(option, value);
    if (problem !== undefined) throw new ProtocolError(INVALID_PARAMS, problem);
    values[option.id] = value;
  }
  return values;
}
