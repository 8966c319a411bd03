// ACP session updates become agent events: a table without policy, the same for every agent.
// Which turn an update belongs to is the host's knowledge. What goes nowhere is named in DROPPED_UPDATES.
import type { AgentCommand, AgentEvent, PlanBody, PlanEntry, TurnTokens } from '../../host/ports.ts';
import { messageText, thoughtText } from './content.ts';
import {
  asNumber,
  asObject,
  asString,
  asText,
  flattened,
  inside,
  type JsonObject,
  objectsOf,
} from './json.ts';
import { optionsOf } from './options.ts';
import { toolPatch } from './tool-patch.ts';

/**
 * Updates that are known and have no event: child sessions are not advertised. Of the others these are dropped:
 * pictures, sounds and resources in thoughts; blocks whose audience is not the user; `description` and `size` of a
 * link in a message; ids of terminals and `terminal_info`; base64 in `rawOutput`; `_meta.claudeCode.toolResponse`;
 * `updatedAt` and `_meta.codex.threadStatus` of the session; `_meta.quota` of a prompt's answer.
 */
export const DROPPED_UPDATES: ReadonlySet<string> = new Set([
  'subagent_update',
  'session_message',
  'session_message_chunk',
]);

/** Updates that say how things stand; all others are part of the conversation. */
export const STATE_UPDATES: ReadonlySet<string> = new Set([
  'available_commands_update',
  'current_mode_update',
  'config_option_update',
  'session_info_update',
  'usage_update',
]);

/** Summaries of compactions as far as they have come, by compaction; kept by the caller for one session. */
export type Summaries = Map<string, string>;

/** The events of one `update` of `session/update` (acp-to-ahp 2.1). */
export function translate(update: JsonObject, summaries: Summaries): readonly AgentEvent[] {
  const name = asString(update['sessionUpdate']) ?? '';
  switch (name) {
    case 'agent_message_chunk':
      return chunk(update, messageText, (text) => message(text, update));
    case 'agent_thought_chunk':
      return chunk(update, thoughtText, (text) => ({
        type: 'text',
        to: 'thought',
        text,
        ...messageId(update),
      }));
    case 'user_message_chunk':
      return chunk(update, messageText, (text) => ({ type: 'userText', text, ...messageId(update) }));
    case 'tool_call':
    case 'tool_call_update':
      return tool(update);
    case 'plan':
      return [{ type: 'plan', id: '', body: { entries: planEntries(update['entries']) } }];
    case 'plan_update':
      return planUpdate(inside(update, 'plan') ?? {});
    case 'plan_removed':
      return [{ type: 'plan', id: asString(update['planId']) ?? '', body: null }];
    case 'available_commands_update':
      return [{ type: 'commands', commands: objectsOf(update['availableCommands']).flatMap(command) }];
    case 'current_mode_update': {
      const current = asText(update['currentModeId']) ?? asText(update['modeId']);
      return current === undefined ? [] : [{ type: 'modes', current }];
    }
    case 'config_option_update':
      return optionsOf(update);
    case 'session_info_update': {
      const title = update['title'];
      return typeof title === 'string' || title === null ? [{ type: 'title', title }] : [];
    }
    case 'usage_update':
      return usage(update);
    case 'notice': {
      const title = asText(update['title']);
      const description = asText(update['description']);
      const severity = asText(update['severity']) ?? 'info';
      if (title === undefined) return [];
      return [{ type: 'notice', severity, title, ...(description !== undefined && { description }) }];
    }
    case 'compaction_update':
    case 'compaction_summary_chunk':
      return compaction(update, summaries);
    default:
      return DROPPED_UPDATES.has(name) ? [] : unknown(update);
  }
}

function unknown(update: JsonObject): AgentEvent[] {
  return [{ type: 'unknown', update: flattened(update) as JsonObject }];
}

function chunk(
  update: JsonObject,
  read: (block: JsonObject) => string | undefined,
  event: (text: string) => AgentEvent,
): AgentEvent[] {
  const text = read(inside(update, 'content') ?? {});
  if (text === undefined) return unknown(update);
  return text === '' ? [] : [event(text)];
}

function message(text: string, update: JsonObject): AgentEvent {
  // Claude's remarks about itself come as messages to whoever it believes cannot show notices.
  if (inside(update, '_meta', 'claudeCode')?.['kind'] === 'informational') {
    return { type: 'notice', severity: 'info', title: text };
  }
  return { type: 'text', to: 'message', text, ...messageId(update) };
}

function messageId(update: JsonObject): { messageId?: string } {
  const id = asText(update['messageId']);
  return id === undefined ? {} : { messageId: id };
}

function tool(update: JsonObject): AgentEvent[] {
  const id = asText(update['toolCallId']);
  if (id === undefined) return unknown(update);
  const patch = toolPatch(update);
  const says = update['sessionUpdate'] === 'tool_call' || Object.keys(patch).length > 0;
  return says ? [{ type: 'tool', id, patch }] : [];
}

function planEntries(list: unknown): PlanEntry[] {
  return objectsOf(list).flatMap((entry) => {
    const content = asText(entry['content']);
    if (content === undefined) return [];
    const priority = asText(entry['priority']);
    const status = asText(entry['status']) ?? 'pending';
    return [{ content, ...(priority !== undefined && { priority }), status }];
  });
}

function planUpdate(plan: JsonObject): AgentEvent[] {
  const id = asString(plan['planId']) ?? '';
  const markdown = asString(plan['content']);
  const uri = asText(plan['uri']);
  let body: PlanBody | undefined;
  if (plan['type'] === 'items') body = { entries: planEntries(plan['entries']) };
  else if (plan['type'] === 'markdown' && markdown !== undefined) body = { markdown };
  else if (plan['type'] === 'file' && uri !== undefined) body = { uri };
  return body === undefined ? unknown({ sessionUpdate: 'plan_update', plan }) : [{ type: 'plan', id, body }];
}

function command(entry: JsonObject): AgentCommand[] {
  const name = asText(entry['name']);
  if (name === undefined) return [];
  const hint = asText(inside(entry, 'input')?.['hint']);
  return [{ name, description: asString(entry['description']) ?? '', ...(hint !== undefined && { hint }) }];
}

function usage(update: JsonObject): AgentEvent[] {
  const used = asNumber(update['used']);
  const size = asNumber(update['size']);
  const amount = asNumber(inside(update, 'cost')?.['amount']);
  const currency = asText(inside(update, 'cost')?.['currency']);
  const model = asText(inside(update, '_meta')?.['_claude/model']);
  const event = {
    ...(used !== undefined && size !== undefined && { context: { used, size } }),
    ...(amount !== undefined && currency !== undefined && { cost: { amount, currency } }),
    ...(model !== undefined && { model }),
  };
  return Object.keys(event).length === 0 ? [] : [{ type: 'usage', ...event }];
}

/** Characters of a summary that are kept, and how many summaries. */
const SUMMARY_LIMIT = 16 * 1024;
const SUMMARIES_LIMIT = 20;

function compaction(update: JsonObject, summaries: Summaries): AgentEvent[] {
  const id = asText(update['compactionId']) ?? '';
  const before = summaries.get(id);
  const [oldest] = summaries.keys();
  if (summaries.size > SUMMARIES_LIMIT && oldest !== undefined) summaries.delete(oldest);
  if (update['sessionUpdate'] === 'compaction_summary_chunk') {
    const text = (before ?? '') + (messageText(inside(update, 'content') ?? {}) ?? '');
    summaries.set(id, text.slice(0, SUMMARY_LIMIT));
    return before === undefined ? [{ type: 'compaction', id, status: 'in_progress' }] : [];
  }
  const blocks = update['summary'];
  const summary = Array.isArray(blocks)
    ? objectsOf(blocks)
        .map((block) => messageText(block) ?? '')
        .join('')
        .slice(0, SUMMARY_LIMIT)
    : (before ?? '');
  summaries.set(id, summary);
  const error = asText(update['error']);
  return [
    {
      type: 'compaction',
      id,
      status: asText(update['status']) ?? 'in_progress',
      ...(summary !== '' && { summary }),
      ...(error !== undefined && { error }),
    },
  ];
}

/** The `usage` of a prompt's answer; `undefined` when it says nothing (acp-to-ahp 2.1). */
export function turnTokens(answer: JsonObject): TurnTokens | undefined {
  const usage = asObject(answer['usage']) ?? {};
  const tokens: TurnTokens = {};
  for (const [to, from] of TOKENS) {
    const count = asNumber(usage[from]);
    if (count !== undefined) tokens[to] = count;
  }
  return Object.keys(tokens).length === 0 ? undefined : tokens;
}

const TOKENS: readonly (readonly [keyof TurnTokens, string])[] = [
  ['inputTokens', 'inputTokens'],
  ['outputTokens', 'outputTokens'],
  ['cacheReadTokens', 'cachedReadTokens'],
  ['cacheWrite', 'cachedWriteTokens'],
  ['thought', 'thoughtTokens'],
  ['total', 'totalTokens'],
];
