// ACP session updates become agent events: a pure table without policy. An update it does not carry yields nothing.
// Which turn an update belongs to is the host's knowledge.
import type { AgentEvent, AgentMode, ToolPatch } from '../../host/ports.ts';
import { asList, asObject, asString, type JsonObject } from './json.ts';

/** Known updates that have no event: they are dropped by name. Everything in no table is dropped as unknown. */
export const DROPPED_UPDATES: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'plan',
  'available_commands_update',
  'config_option_update',
  'usage_update',
  'notice',
  'compaction_update',
  'compaction_summary_chunk',
  'plan_update',
  'plan_removed',
  'subagent_update',
  'session_message',
  'session_message_chunk',
]);

/** The events of one `update` of `session/update`; `undefined` when its `sessionUpdate` is not known at all. */
export function translate(update: JsonObject): readonly AgentEvent[] | undefined {
  const name = asString(update['sessionUpdate']) ?? '';
  switch (name) {
    case 'agent_message_chunk':
      return textOf('message', update);
    case 'agent_thought_chunk':
      return textOf('thought', update);
    case 'tool_call':
    case 'tool_call_update': {
      const id = asString(update['toolCallId']);
      return id === undefined ? [] : [{ type: 'tool', id, patch: toolPatch(update) }];
    }
    case 'current_mode_update': {
      const current = asString(update['currentModeId']) ?? asString(update['modeId']);
      return current === undefined ? [] : [{ type: 'modes', current }];
    }
    case 'session_info_update': {
      const title = asString(update['title']);
      return title === undefined ? [] : [{ type: 'title', title }];
    }
    default:
      return DROPPED_UPDATES.has(name) ? [] : undefined;
  }
}

function textOf(to: 'message' | 'thought', update: JsonObject): readonly AgentEvent[] {
  const content = asObject(update['content']);
  const text = content?.['type'] === 'text' ? asString(content['text']) : undefined;
  if (text === undefined || text === '') return [];
  const messageId = asString(update['messageId']);
  return [{ type: 'text', to, text, ...(messageId !== undefined && { messageId }) }];
}

const STATUS: ReadonlyMap<unknown, 'running' | 'completed' | 'failed'> = new Map([
  ['pending', 'running'],
  ['in_progress', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
]);

/** What a `tool_call`, a `tool_call_update` or the `toolCall` of a permission request says about a call. */
export function toolPatch(call: JsonObject): ToolPatch {
  const title = asString(call['title']);
  const kind = asString(call['kind']);
  const status = STATUS.get(call['status']);
  const rawInput = asObject(call['rawInput']);
  const input =
    rawInput !== undefined && Object.keys(rawInput).length > 0 ? JSON.stringify(rawInput) : undefined;
  return {
    ...(title !== undefined && { title }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(input !== undefined && { input }),
  };
}

/** The `modes` of a session's answer; nothing when the agent has none. */
export function modesOf(answer: JsonObject): (AgentEvent & { type: 'modes' }) | undefined {
  const modes = asObject(answer['modes']);
  if (modes === undefined) return undefined;
  const available = asList(modes['availableModes']).flatMap((entry): AgentMode[] => {
    const mode = asObject(entry);
    const id = asString(mode?.['id']);
    if (mode === undefined || id === undefined) return [];
    return [{ id, name: asString(mode['name']) ?? id, description: asString(mode['description']) ?? null }];
  });
  const current = asString(modes['currentModeId']);
  return { type: 'modes', available, ...(current !== undefined && { current }) };
}
