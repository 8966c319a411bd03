// Setting the modes and options of an agent: what is configured at each opening, and what a client chooses.
// Nothing is set that is already so, and values are never logged.
import { AgentError } from '../../base/errors.ts';
import type { AgentEvent, AgentOption } from '../../host/ports.ts';
import type { JsonObject } from './json.ts';
import { type Options, optionsOf } from './options.ts';

/** What is configured for an agent. */
export interface Wanted {
  /** Only for a fresh session. */
  mode?: string;
  model?: string;
  /** The agent's own options by id; a boolean one is written `true` or `false`. */
  config: Readonly<Record<string, string>>;
}

type Refused = Extract<AgentEvent, { type: 'refused' }>;

export class Settings {
  readonly #name: string;
  readonly #options: Options;
  readonly #request: (method: string, params: JsonObject) => Promise<JsonObject>;
  readonly #report: (event: AgentEvent) => void;

  constructor(parts: {
    /** The agent's, as in messages for people. */
    name: string;
    options: Options;
    request: (method: string, params: JsonObject) => Promise<JsonObject>;
    report: (event: AgentEvent) => void;
  }) {
    this.#name = parts.name;
    this.#options = parts.options;
    this.#request = parts.request;
    this.#report = parts.report;
  }

  /**
   * Sets what is configured: the mode of a fresh session, the model before other options, since
   * the agent's list depends on it. Resolves with what was refused; throws for everything else that went wrong.
   */
  async apply({ mode, model, config }: Wanted, fresh: boolean): Promise<Refused[]> {
    const refusals: Refused[] = [];
    const attempt = async (what: Refused['what'], id: string, act: () => Promise<void>) => {
      try {
        await act();
      } catch (error) {
        if (!(error instanceof AgentError) || error.kind !== 'refused') throw error;
        refusals.push({ type: 'refused', what, id, message: error.message });
      }
    };
    if (fresh && mode !== undefined) {
      await attempt('mode', mode, () => this.setMode(mode));
    }
    if (model !== undefined) {
      const id = this.#options.byCategory('model')?.id ?? 'model';
      await attempt('option', id, () => this.#setText(id, model));
    }
    for (const [id, value] of Object.entries(config)) {
      await attempt('option', id, () => this.#setText(id, value));
    }
    return refusals;
  }

  /** By the option of category `mode` where there is one, else by `session/set_mode` (acp-to-ahp 2.9). */
  async setMode(mode: string): Promise<void> {
    if (this.#options.modes?.current === mode) return;
    const option = this.#options.byCategory('mode');
    if (option?.type === 'select' && option.choices.some(({ value }) => value === mode)) {
      return this.#set(option, mode);
    }
    if (this.#options.modes?.available.some(({ id }) => id === mode) !== true) {
      throw new AgentError('refused', `${this.#name} has no mode "${mode}"`);
    }
    await this.#request('session/set_mode', { modeId: mode });
    this.#report({ type: 'modes', current: mode });
  }

  async setOption(id: string, value: string | boolean): Promise<void> {
    const option = this.#option(id);
    if ((option.type === 'boolean') !== (typeof value === 'boolean')) {
      const fits = option.type === 'boolean' ? 'true or false' : 'one of its choices';
      throw new AgentError('refused', `The option ${id} of ${this.#name} is ${fits}`);
    }
    if (option.current !== value) await this.#set(option, value);
  }

  async #setText(id: string, text: string): Promise<void> {
    const isBoolean = this.#option(id).type === 'boolean' && /^(true|false)$/.test(text);
    await this.setOption(id, isBoolean ? text === 'true' : text);
  }

  #option(id: string): AgentOption {
    const option = this.#options.find(id);
    if (option !== undefined) return option;
    const known = this.#options.ids.join(', ') || 'none';
    throw new AgentError('refused', `${this.#name} has no option "${id}"; there are: ${known}`);
  }

  async #set(option: AgentOption, value: string | boolean): Promise<void> {
    const answer = await this.#request('session/set_config_option', {
      configId: option.id,
      ...(option.type === 'boolean' && { type: 'boolean' }),
      value,
    });
    const [list] = optionsOf(answer);
    if (list !== undefined) this.#report(list);
    else this.#report(this.#options.with(option.id, value));
  }
}
