// Tool calls of the running turn: patches are merged into one record per call, and actions are made from the
// record, so that the order in which pieces arrive does not matter (acp-to-ahp 2.2).
import type { OttoToolMeta } from '../protocol/meta.ts';
import type { ToolCall, ToolCallConfirmationReason, ToolResultContent } from '../protocol/state-tool.ts';
import { closePart } from './parts.ts';
import { confirmationOptions, defaultOption, optionKinds } from './permission.ts';
import type { PermissionOption, ToolPatch } from './ports.ts';
import { type Chat, type Core, type RunningTurn, setActivity } from './session.ts';

export interface ToolRecord {
  /** The id in the chat; the agent's own, with a suffix when the agent used it before in this turn. */
  readonly id: string;
  title: string;
  kind: string;
  input: string | undefined;
  content: readonly ToolResultContent[] | undefined;
  state: 'new' | 'pending' | 'running' | 'finished';
  confirmed: ToolCallConfirmationReason;
  decision: OttoToolMeta['decision'];
}

/** ACP's kinds under the names that clients pick icons by, and the words where there is no title. */
const KINDS: Readonly<Record<string, readonly [toolName: string, words: string]>> = {
  read: ['read', 'Read'],
  edit: ['edit', 'Edit'],
  delete: ['delete', 'Delete'],
  move: ['move', 'Move'],
  search: ['search', 'Search'],
  execute: ['execute', 'Run a command'],
  fetch: ['fetch', 'Fetch'],
  switch_mode: ['switch-mode', 'Change mode'],
};
const OTHER_KIND = ['tool', 'Use a tool'] as const;

/** One line of at most 200 characters: what an agent writes where a person reads a single line (facts 2.4). */
export function oneLine(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  const characters = [...line];
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : line;
}

/** Merges `patch` into the record of call `agentId` and commits what it changes. */
export function updateTool(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  agentId: string,
  patch: ToolPatch,
): ToolRecord {
  const record = mergeTool(turn, agentId, patch);
  if (patch.status === 'completed' || patch.status === 'failed')
    finish(core, chat, turn, record, patch.status);
  else if (record.state !== 'pending' && record.state !== 'finished') run(core, chat, turn, record, patch);
  return record;
}

/** Puts a call in front of a person; the reduced call is returned for the session's list of open blocks. */
export function askTool(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  record: ToolRecord,
  options: readonly PermissionOption[],
  defaultToNo: boolean,
): ToolCall | undefined {
  announce(core, chat, turn, record);
  const start = defaultOption(options, defaultToNo);
  record.state = 'pending';
  core.sequencer.commit(chat.uri, {
    ...ready(turn, record),
    confirmationTitle: `${chat.session.agent.info.displayName}: ${record.title}`,
    options: confirmationOptions(options),
    _meta: meta(record, {
      ...(start !== undefined && { defaultOption: start }),
      optionKinds: optionKinds(options),
    }),
  });
  return findCall(core, chat, record.id);
}

/** Records that a rule or policy answered; such a call is never seen waiting (F-069). */
export function decideTool(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  record: ToolRecord,
  allowed: boolean,
): void {
  announce(core, chat, turn, record);
  record.confirmed = 'setting';
  record.decision = { by: 'policy', allowed };
  core.sequencer.commit(chat.uri, { ...ready(turn, record), confirmed: 'setting', _meta: meta(record) });
  record.state = 'running';
}

/** A person answered: the call runs, or is cancelled and over. */
export function confirmRecord(record: ToolRecord, approved: boolean): void {
  record.state = approved ? 'running' : 'finished';
  record.confirmed = 'user-action';
}

/** Ends the calls that a policy refused and of which the agent said nothing more. */
export function finishRefused(core: Core, chat: Chat, turn: RunningTurn): void {
  for (const record of turn.tools.values()) {
    if (record.state === 'running' && record.decision?.allowed === false)
      finish(core, chat, turn, record, 'failed');
  }
}

export function findCall(core: Core, chat: Chat, id: string): ToolCall | undefined {
  const parts = core.sequencer.chat(chat.uri).activeTurn?.responseParts ?? [];
  for (const part of parts.toReversed()) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === id) return part.toolCall;
  }
  return undefined;
}

export function hasRunningTool(turn: RunningTurn): boolean {
  return [...turn.tools.values()].some((record) => record.state === 'running' || record.state === 'pending');
}

/** The call's record with `patch` merged in; nothing is committed. */
export function mergeTool(turn: RunningTurn, agentId: string, patch: ToolPatch): ToolRecord {
  const known = turn.tools.get(agentId);
  // An id that is used again after its call finished names another call.
  const again = known?.state === 'finished' && patch.status === 'running';
  const record = known && !again ? known : newRecord(known ? `${known.id}#2` : agentId);
  turn.tools.set(agentId, record);
  if (patch.kind !== undefined) record.kind = patch.kind;
  if (patch.title !== undefined && patch.title.trim() !== '') record.title = oneLine(patch.title);
  if (record.title === '') record.title = words(record.kind);
  if (patch.input !== undefined) record.input = patch.input;
  if (patch.content !== undefined) record.content = patch.content;
  return record;
}

function newRecord(id: string): ToolRecord {
  return {
    id,
    title: '',
    kind: 'other',
    input: undefined,
    content: undefined,
    state: 'new',
    confirmed: 'not-needed',
    decision: undefined,
  };
}

function words(kind: string): string {
  return (KINDS[kind] ?? OTHER_KIND)[1];
}

function announce(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  if (record.state !== 'new') return;
  closePart(core, chat, turn);
  core.sequencer.commit(chat.uri, {
    type: 'chat/toolCallStart',
    turnId: turn.id,
    toolCallId: record.id,
    toolName: (KINDS[record.kind] ?? OTHER_KIND)[0],
    displayName: record.title,
    _meta: meta(record),
  });
}

function run(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord, patch: ToolPatch): void {
  announce(core, chat, turn, record);
  const call = findCall(core, chat, record.id);
  const moved =
    call?.status !== 'running' || call.invocationMessage !== record.title || call.toolInput !== record.input;
  if (moved) {
    core.sequencer.commit(chat.uri, {
      ...ready(turn, record),
      confirmed: record.confirmed,
      _meta: meta(record),
    });
  }
  record.state = 'running';
  // Getting ready erases content, so it is said again.
  if (record.content && (moved || patch.content)) {
    core.sequencer.commit(chat.uri, {
      type: 'chat/toolCallContentChanged',
      turnId: turn.id,
      toolCallId: record.id,
      content: record.content,
    });
  }
  setActivity(core, chat, record.title);
}

function finish(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  record: ToolRecord,
  status: 'completed' | 'failed',
): void {
  if (record.state === 'finished') return;
  if (record.state === 'new') run(core, chat, turn, record, {});
  // A call that a person refused is cancelled already, and the reducer leaves it so.
  record.state = 'finished';
  const refused = record.decision?.by === 'policy' && !record.decision.allowed;
  const error = refused
    ? { code: 'denied', message: 'Refused by the permissions setting' }
    : { message: `${record.title} failed` };
  core.sequencer.commit(chat.uri, {
    type: 'chat/toolCallComplete',
    turnId: turn.id,
    toolCallId: record.id,
    result: {
      success: status === 'completed',
      pastTenseMessage: record.title,
      ...(record.content && { content: record.content }),
      ...(status === 'failed' && { error }),
    },
  });
  setActivity(core, chat, undefined);
}

function ready(turn: RunningTurn, record: ToolRecord) {
  return {
    type: 'chat/toolCallReady' as const,
    turnId: turn.id,
    toolCallId: record.id,
    invocationMessage: record.title,
    ...(record.input !== undefined && { toolInput: record.input }),
  };
}

/** The whole of our `_meta` on a call: tool actions replace it every time. */
function meta(record: ToolRecord, more: OttoToolMeta = {}): { otto: OttoToolMeta } {
  const decision = record.decision && { decision: record.decision };
  return { otto: { tool: { kind: record.kind }, ...decision, ...more } };
}
