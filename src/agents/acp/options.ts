// The modes and options of an agent session as ACP lists them, and the last word on each.
// Reads and remembers; asks the agent for nothing. A new list replaces the old one, never merges with it.
import type { AgentEvent, AgentMode, AgentOption } from '../../host/ports.ts';
import { asString, asText, inside, type JsonObject, objectsOf } from './json.ts';

type ModesEvent = Extract<AgentEvent, { type: 'modes' }>;
type Choice = Extract<AgentOption, { type: 'select' }>['choices'][number];

/** The `modes` of a session's answer; nothing when the agent has none. */
export function modesOf(answer: JsonObject): ModesEvent[] {
  const modes = inside(answer, 'modes');
  if (modes === undefined) return [];
  const available = objectsOf(modes['availableModes']).flatMap((mode): AgentMode[] => {
    const id = asText(mode['id']);
    if (id === undefined) return [];
    return [{ id, name: asText(mode['name']) ?? id, description: asText(mode['description']) ?? null }];
  });
  const current = asString(modes['currentModeId']);
  return [{ type: 'modes', available, ...(current !== undefined && { current }) }];
}

/** The `configOptions` of an answer or an update; nothing when it has no such list (acp-to-ahp 2.9). */
export function optionsOf(answer: JsonObject): Extract<AgentEvent, { type: 'options' }>[] {
  const list = answer['configOptions'];
  return Array.isArray(list) ? [{ type: 'options', options: objectsOf(list).flatMap(readOption) }] : [];
}

/** An option of an unknown type, or without a value of its type, is left out. */
function readOption(option: JsonObject): AgentOption[] {
  const id = asText(option['id']);
  if (id === undefined) return [];
  const description = asText(option['description']);
  const category = asText(option['category']);
  const common = {
    id,
    name: asText(option['name']) ?? id,
    ...(description !== undefined && { description }),
    ...(category !== undefined && { category }),
  };
  const current = option['currentValue'];
  if (option['type'] === 'boolean' && typeof current === 'boolean') {
    return [{ ...common, type: 'boolean', current }];
  }
  if (option['type'] !== 'select' || typeof current !== 'string') return [];
  const choices = objectsOf(option['options']).flatMap((entry): Choice[] => {
    if (!Array.isArray(entry['options'])) return readChoice(entry);
    const group = asText(entry['name']) ?? asText(entry['group']);
    return objectsOf(entry['options'])
      .flatMap(readChoice)
      .map((choice) => ({ ...choice, ...(group !== undefined && { group }) }));
  });
  return [{ ...common, type: 'select', current, choices }];
}

function readChoice(entry: JsonObject): Choice[] {
  const value = asString(entry['value']);
  if (value === undefined) return [];
  const description = asText(entry['description']);
  return [{ value, name: asText(entry['name']) ?? value, ...(description !== undefined && { description }) }];
}

/** Keeps what the agent last said, and keeps its modes and its mode option telling the same. */
export class Options {
  #modes: { current: string | undefined; available: readonly AgentMode[] } | undefined;
  #options: readonly AgentOption[] = [];
  /** Whether the agent lists `modes`; else they are those of the mode option. */
  #listed = false;

  get modes(): { current: string | undefined; available: readonly AgentMode[] } | undefined {
    return this.#modes;
  }

  find(id: string): AgentOption | undefined {
    return this.#options.find((option) => option.id === id);
  }

  byCategory(category: string): AgentOption | undefined {
    return this.#options.find((option) => option.category === category);
  }

  get ids(): string[] {
    return this.#options.map(({ id }) => id);
  }

  /** `event` and what follows from it. */
  hear(event: AgentEvent): AgentEvent[] {
    if (event.type === 'modes') return [event, ...this.#hearModes(event)];
    if (event.type === 'options') return [event, ...this.#hearOptions(event.options)];
    return [event];
  }

  /** The list with one value changed; of use when the agent took it and does not answer with the list. */
  with(id: string, value: string | boolean): Extract<AgentEvent, { type: 'options' }> {
    const options = this.#options.map((option) =>
      option.id === id ? ({ ...option, current: value } as AgentOption) : option,
    );
    return { type: 'options', options };
  }

  #hearModes({ current, available }: ModesEvent): AgentEvent[] {
    if (available !== undefined) this.#listed = true;
    this.#modes = {
      available: available ?? this.#modes?.available ?? [],
      current: current ?? this.#modes?.current,
    };
    const option = this.byCategory('mode');
    if (option?.type !== 'select' || current === undefined || option.current === current) return [];
    if (!option.choices.some(({ value }) => value === current)) return [];
    this.#options = this.#options.map((each) => (each === option ? { ...option, current } : each));
    return [{ type: 'options', options: this.#options }];
  }

  #hearOptions(options: readonly AgentOption[]): AgentEvent[] {
    this.#options = options;
    const option = this.byCategory('mode');
    if (option?.type !== 'select') return [];
    const { current, choices } = option;
    if (this.#listed) {
      const known = this.#modes?.available.some(({ id }) => id === current) === true;
      if (!known || this.#modes === undefined || this.#modes.current === current) return [];
      this.#modes = { ...this.#modes, current };
      return [{ type: 'modes', current }];
    }
    const available = choices.map(({ value, name, description }) => ({
      id: value,
      name,
      description: description ?? null,
    }));
    this.#modes = { current, available };
    return [{ type: 'modes', current, available }];
  }
}
