// What an agent said during a session, put together from the raw messages: pieces of text joined, updates of one call
// or one list laid over each other, later ones winning. Written apart from the adapter, so that the two can disagree.

type Fields = Record<string, unknown>;
export type RawMessage = { from: 'service' | 'agent'; message: Fields };

export interface AgentSaid {
  thought: string;
  message: string;
  /** Tool calls by id, in the order of their announcement. */
  calls: Map<string, Fields>;
  plan: Fields;
  usage: Fields;
  commands: Fields;
  options: Fields;
  mode: Fields;
  info: Fields;
  permissions: Fields[];
  forms: Fields[];
  promptResult: Fields;
  /** Names of updates that are none of these. */
  others: string[];
}

/** Whole updates replace each other in these fields. */
const LATEST: Record<string, 'plan' | 'usage' | 'commands' | 'options' | 'mode' | 'info'> = {
  plan: 'plan',
  usage_update: 'usage',
  available_commands_update: 'commands',
  config_option_update: 'options',
  current_mode_update: 'mode',
  session_info_update: 'info',
};

export function agentSaid(messages: readonly RawMessage[]): AgentSaid {
  const said: AgentSaid = {
    thought: '',
    message: '',
    calls: new Map(),
    plan: {},
    usage: {},
    commands: {},
    options: {},
    mode: {},
    info: {},
    permissions: [],
    forms: [],
    promptResult: {},
    others: [],
  };
  const asked = new Map(
    messages
      .filter(({ from, message }) => from === 'service' && message['method'] !== undefined)
      .map(({ message }) => [message['id'], message['method']]),
  );
  for (const { message } of messages.filter(({ from }) => from === 'agent')) {
    const params = (message['params'] ?? {}) as Fields;
    if (message['method'] === 'session/update') addUpdate(said, params['update'] as Fields);
    if (message['method'] === 'session/request_permission') {
      said.permissions.push(params);
      addCall(said, params['toolCall'] as Fields);
    }
    if (message['method'] === 'elicitation/create') said.forms.push(params);
    if (message['method'] !== undefined) continue;
    const result = (message['result'] ?? {}) as Fields;
    if (asked.get(message['id']) === 'session/prompt') said.promptResult = result;
    if (result['configOptions'] !== undefined) said.options = { configOptions: result['configOptions'] };
  }
  return said;
}

function addUpdate(said: AgentSaid, { sessionUpdate, ...update }: Fields): void {
  const kind = String(sessionUpdate);
  const latest = LATEST[kind];
  const text = String((update['content'] as Fields | undefined)?.['text']);
  if (kind === 'agent_thought_chunk') said.thought += text;
  else if (kind === 'agent_message_chunk') said.message += text;
  else if (kind === 'tool_call' || kind === 'tool_call_update') addCall(said, update);
  else if (latest !== undefined) said[latest] = { ...said[latest], ...update };
  else said.others.push(kind);
}

function addCall(said: AgentSaid, update: Fields): void {
  const id = String(update['toolCallId']);
  said.calls.set(id, { ...said.calls.get(id), ...update });
}

/** What stands in a turn, in order: texts by message, calls by id, lists that differ from the one before, forms. */
export type Outlined = [kind: 'thought' | 'message' | 'call' | 'plan' | 'form', what: unknown];

export function outline(messages: readonly RawMessage[]): Outlined[] {
  const seen: Outlined[] = [];
  let lastText: unknown;
  let lastPlan = '';
  const add = (kind: Outlined[0], what: unknown) => {
    lastText = undefined;
    seen.push([kind, what]);
  };
  for (const { message } of messages.filter(({ from }) => from === 'agent')) {
    if (message['method'] === 'elicitation/create') add('form', (message['params'] as Fields)['message']);
    const update = ((message['params'] as Fields | undefined)?.['update'] ?? {}) as Fields;
    const kind = update['sessionUpdate'];
    if (kind === 'tool_call') add('call', update['toolCallId']);
    if (kind === 'plan' && JSON.stringify(update['entries']) !== lastPlan) {
      lastPlan = JSON.stringify(update['entries']);
      add('plan', update['entries']);
    }
    if (kind !== 'agent_thought_chunk' && kind !== 'agent_message_chunk') continue;
    const to = kind === 'agent_thought_chunk' ? 'thought' : 'message';
    const { text } = update['content'] as { text: string };
    const last = seen.at(-1);
    if (last !== undefined && last[0] === to && lastText === update['messageId']) last[1] += text;
    else add(to, text);
    lastText = update['messageId'];
  }
  return seen;
}

/** Every string, number and boolean in `value` with its path; places in lists are written `[]`. */
export function leaves(value: unknown, path: string): { path: string; value: string | number | boolean }[] {
  if (Array.isArray(value)) return value.flatMap((each) => leaves(each, `${path}[]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, each]) => leaves(each, `${path}.${key}`));
  }
  if (value === null || value === undefined) return [];
  return [{ path, value: value as string | number | boolean }];
}
