// What a person who only reads the answer should hear of besides: tools that start, and questions of the agent
// that somebody has to answer or that were refused. Every notice of a turn comes once.
import { type OttoToolMeta, ottoOf } from '../protocol/meta.ts';
import type { ResponsePart } from '../protocol/state-chat.ts';
import type { ToolCall } from '../protocol/state-tool.ts';

export type PromptNotice =
  | { kind: 'tool'; title: string }
  /** `id`: of the tool call or the request. */
  | { kind: 'permission' | 'question'; state: 'pending' | 'refused'; id: string };

/** Gives, at each call with the parts of one turn, the notices that were not given before. */
export function turnNotices(): (parts: readonly ResponsePart[]) => PromptNotice[] {
  const given = new Set<string>();
  const once = (key: string, notice: PromptNotice): PromptNotice[] => {
    if (given.has(key)) return [];
    given.add(key);
    return [notice];
  };
  return (parts) => parts.flatMap((part) => partNotices(part, once));
}

function partNotices(
  part: ResponsePart,
  once: (key: string, notice: PromptNotice) => PromptNotice[],
): PromptNotice[] {
  if (part.kind === 'inputRequest') {
    const { id } = part.request;
    if (part.response === undefined) return once(`asked ${id}`, { kind: 'question', state: 'pending', id });
    if (part.response === 'accept') return [];
    return once(`refused ${id}`, { kind: 'question', state: 'refused', id });
  }
  if (part.kind !== 'toolCall') return [];
  const call = part.toolCall;
  const id = call.toolCallId;
  const notices = once(`tool ${id}`, { kind: 'tool', title: call.displayName });
  if (call.status === 'pending-confirmation') {
    notices.push(...once(`asked ${id}`, { kind: 'permission', state: 'pending', id }));
  }
  if (refused(call)) notices.push(...once(`refused ${id}`, { kind: 'permission', state: 'refused', id }));
  return notices;
}

/** By a person, or by the policy of the agent, which our service tells in `_meta` (the call then runs and fails). */
function refused(call: ToolCall): boolean {
  const otto = ottoOf(call._meta) as OttoToolMeta;
  if (otto.decision?.allowed === false) return true;
  return call.status === 'cancelled' && call.reason === 'denied';
}
