// The agent's plan: a finished tool call for every change that matters, and how far it is on the session, for lists
// and islands (acp-to-ahp 2.6). A plan outlives turns; what is shown of it belongs to the turn it changed in.
import type { OttoToolMeta } from '../protocol/meta.ts';
import type { ToolResultContent } from '../protocol/state-tool.ts';
import { append, NO_TEXT } from './kept-text.ts';
import { closePart } from './parts.ts';
import type { PlanBody, PlanEntry } from './ports.ts';
import { type Chat, type Core, later, type PlanRecord, type RunningTurn } from './session.ts';
import { publishOtto } from './session-meta.ts';
import { oneLine } from './text.ts';
import { textContent } from './tool-content.ts';

/** Changes this close together are shown as one, in milliseconds. */
const HOLD_MS = 250;
const ENTRIES_LIMIT = 100;
const ID_PREFIX = 'otto-plan:';
/** The longest Markdown plan that is repeated in `_meta`, in UTF-16 code units. */
const META_LIMIT = 64 << 10;

/** Takes over what the agent says of plan `id`; null and an empty list end it. Outside a turn no part is shown. */
export function updatePlan(
  core: Core,
  chat: Chat,
  turn: RunningTurn | undefined,
  id: string,
  body: PlanBody | null,
): void {
  const plan = chat.plans.get(id) ?? { body: null, shown: '', timer: undefined };
  plan.body = body && 'entries' in body && body.entries.length === 0 ? null : body;
  // The plan that changed last is the last one.
  chat.plans.delete(id);
  chat.plans.set(id, plan);
  if (!turn) {
    publishProgress(core, chat);
    return;
  }
  plan.timer ??= later(core, HOLD_MS, () => {
    plan.timer = undefined;
    publishProgress(core, chat);
    if (chat.turn) show(core, chat, chat.turn, id, plan);
  });
}

/** Brings out what is still held back. */
export function showHeld(core: Core, chat: Chat, turn: RunningTurn): void {
  const held = [...chat.plans].filter(([, plan]) => plan.timer);
  for (const [id, plan] of held) {
    plan.timer?.();
    plan.timer = undefined;
    show(core, chat, turn, id, plan);
  }
  if (held.length > 0) publishProgress(core, chat);
}

/** The turn is about to end; a plan that is done is no longer news. */
export function closePlans(core: Core, chat: Chat, turn: RunningTurn): void {
  showHeld(core, chat, turn);
  const progress = progressOf(chat);
  const isDone = progress !== undefined && progress.done === progress.total;
  publishOtto(core, chat.session.uri, { plan: isDone ? undefined : progress });
}

function show(core: Core, chat: Chat, turn: RunningTurn, id: string, plan: PlanRecord): void {
  const { body } = plan;
  const state = body === null ? '' : stateOf(body);
  if (body === null) chat.plans.delete(id);
  if (state === plan.shown) return;
  plan.shown = state;
  closePart(core, chat, turn);
  const message = body === null ? 'Plan dropped' : titleOf(body);
  const content = body === null ? [] : contentOf(core, chat, body);
  const _meta = { otto: { plan: metaOf(id, body) } };
  const call = { turnId: turn.id, toolCallId: nextId(core, chat), _meta };
  core.sequencer.commit(chat.uri, {
    ...call,
    type: 'chat/toolCallStart',
    toolName: 'plan',
    displayName: 'Plan',
  });
  core.sequencer.commit(chat.uri, {
    ...call,
    type: 'chat/toolCallReady',
    invocationMessage: message,
    confirmed: 'not-needed',
  });
  core.sequencer.commit(chat.uri, {
    ...call,
    type: 'chat/toolCallComplete',
    result: { success: true, pastTenseMessage: message, ...(content.length > 0 && { content }) },
  });
}

/** What makes two plans different for a person: contents and statuses. */
function stateOf(body: PlanBody): string {
  if (!('entries' in body)) return JSON.stringify(body);
  return JSON.stringify(body.entries.map(({ content, status }) => [content, status]));
}

function titleOf(body: PlanBody): string {
  if (!('entries' in body)) return 'Plan';
  return `Plan: ${doneOf(body.entries)} of ${body.entries.length} done`;
}

function contentOf(core: Core, chat: Chat, body: PlanBody): ToolResultContent[] {
  if ('uri' in body) return [{ type: 'resource', uri: body.uri }];
  const text = 'markdown' in body ? body.markdown : body.entries.map(lineOf).join('\n');
  return textContent(core.contents, chat.session.uri, append(NO_TEXT, text));
}

const MARKS: ReadonlyMap<string, string> = new Map([
  ['completed', '[x]'],
  ['in_progress', '[>]'],
]);

function lineOf({ content, priority, status }: PlanEntry): string {
  return `${MARKS.get(status) ?? '[ ]'} ${priority === 'high' ? '! ' : ''}${oneLine(content)}`;
}

function metaOf(id: string, body: PlanBody | null): NonNullable<OttoToolMeta['plan']> {
  if (body === null) return { id };
  if ('entries' in body) return { id, entries: body.entries.slice(0, ENTRIES_LIMIT) };
  if ('uri' in body) return { id, uri: body.uri };
  return { id, ...(body.markdown.length <= META_LIMIT && { markdown: body.markdown }) };
}

/** Counts the parts of the turn, so that a turn that is resumed goes on counting. */
function nextId(core: Core, chat: Chat): string {
  const parts = core.sequencer.chat(chat.uri).activeTurn?.responseParts ?? [];
  const plans = parts.filter(
    (part) => part.kind === 'toolCall' && part.toolCall.toolCallId.startsWith(ID_PREFIX),
  );
  return `${ID_PREFIX}${plans.length + 1}`;
}

function publishProgress(core: Core, chat: Chat): void {
  publishOtto(core, chat.session.uri, { plan: progressOf(chat) });
}

/** How far the plan is that changed last. */
function progressOf(chat: Chat): { done: number; total: number; current?: string } | undefined {
  const body = [...chat.plans.values()]
    .map((plan) => plan.body)
    .findLast((each) => each && 'entries' in each);
  if (!body || !('entries' in body)) return undefined;
  const { entries } = body;
  const current = entries.find(({ status }) => status === 'in_progress');
  return {
    done: doneOf(entries),
    total: entries.length,
    ...(current && { current: oneLine(current.content) }),
  };
}

function doneOf(entries: readonly PlanEntry[]): number {
  return entries.filter(({ status }) => status === 'completed').length;
}
