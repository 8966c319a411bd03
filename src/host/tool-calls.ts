// Tool calls of the running turn as actions: announced when their title is known, running as soon as no question can
// be meant any more, told again when they truly change (acp-to-ahp 2.2). What is known of a call is in its record.
import type {
  ToolCall,
  ToolCallContributor,
  ToolCallResult,
  ToolInput,
  ToolResultContent,
} from '../protocol/state-tool.ts';
import { cutOf, inFull } from './kept-text.ts';
import { closePart } from './parts.ts';
import { confirmationOptions, defaultOption, optionKinds } from './permission.ts';
import type { PermissionHints, PermissionOption, ToolPatch } from './ports.ts';
import { type Chat, type Core, later, type RunningTurn } from './session.ts';
import { oneLine } from './text.ts';
import { showRunning } from './tool-activity.ts';
import { outputOf, resultContent, runningContent } from './tool-content.ts';
import { fileEdits } from './tool-edits.ts';
import { toolMeta } from './tool-meta.ts';
import {
  forgetOutput,
  isOver,
  isReal,
  mergeTool,
  stopTimers,
  type ToolRecord,
  titleOf,
} from './tool-record.ts';
import { permissionTitle, toolNameOf, wordOf } from './words.ts';

/** For a real title, and then for a permission request, in milliseconds. */
const HOLD_MS = 250;
/** Between two tellings of a call's output. */
const OUTPUT_PAUSE_MS = 250;
/** The longest `toolInput` that is told as it is, in UTF-16 code units. */
const INPUT_LIMIT = 64 << 10;

/** Merges `patch` into the record of call `agentId` and brings out what it changes. */
export function updateTool(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  agentId: string,
  patch: ToolPatch,
): void {
  const record = mergeTool(turn, agentId, patch);
  if (record.state === 'finished') return;
  if (isOver(record)) finish(core, chat, turn, record);
  // What a person looks at stays as it was asked.
  else if (record.state !== 'pending') progress(core, chat, turn, record);
}

/** Puts a call in front of a person; the reduced call is returned for the session's list of open blocks. */
export function askTool(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  record: ToolRecord,
  options: readonly PermissionOption[],
  hints: PermissionHints,
): ToolCall | undefined {
  stopTimers(record);
  announce(core, chat, turn, record);
  const agent = chat.session.agent.info.displayName;
  const start = defaultOption(options, hints.defaultToNo);
  const { text, title } = permissionTitle(agent, record.kind);
  // The asker's name is ours and comes first: no agent passes its request off as somebody else's.
  const hinted = hints.title === undefined ? undefined : `${agent}: ${oneLine(hints.title)}`;
  const edits = fileEdits(core.contents, chat.session, record);
  core.sequencer.commit(chat.uri, {
    ...ready(core, chat, turn, record),
    confirmationTitle: hinted ?? text,
    ...(edits.length > 0 && { edits: { items: edits } }),
    options: confirmationOptions(options),
    _meta: toolMeta(record, {
      ...(start !== undefined && { defaultOption: start }),
      optionKinds: optionKinds(options),
      ...(hinted === undefined && { title }),
      ...(hints.description !== undefined && { note: oneLine(hints.description) }),
    }),
  });
  record.state = 'pending';
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
  stopTimers(record);
  announce(core, chat, turn, record);
  record.confirmed = 'setting';
  record.granted = allowed;
  record.decision = { by: 'policy', allowed };
  begin(core, chat, turn, record);
  tellSoon(core, chat, turn, record);
}

/** A person answered: the call runs, or is cancelled and over. */
export function confirmRecord(core: Core, chat: Chat, record: ToolRecord, approved: boolean): void {
  record.confirmed = 'user-action';
  record.granted = approved;
  record.state = approved ? 'running' : 'finished';
  // Asking erased the output so far; it is told again behind the answer.
  if (approved && chat.turn) tellSoon(core, chat, chat.turn, record);
}

/**
 * The turn is about to end: ends the calls that a policy refused and of which the agent said nothing more, and brings
 * out what is still held back of the others.
 */
export function finishRefused(core: Core, chat: Chat, turn: RunningTurn): void {
  for (const record of turn.tools.values()) {
    if (record.state === 'new' || record.state === 'streaming') {
      stopTimers(record);
      announce(core, chat, turn, record);
      begin(core, chat, turn, record);
    }
    if (record.state === 'running' && isRefused(record)) {
      record.status = 'failed';
      finish(core, chat, turn, record);
    }
  }
}

/** The turn is over, however it ended: nothing of its calls is told by itself any more. */
export function leaveTools(turn: RunningTurn): void {
  for (const record of turn.tools.values()) stopTimers(record);
  turn.activity.timer?.();
}

export function findCall(core: Core, chat: Chat, id: string): ToolCall | undefined {
  const parts = core.sequencer.chat(chat.uri).activeTurn?.responseParts ?? [];
  for (const part of parts.toReversed()) {
    if (part.kind === 'toolCall' && part.toolCall.toolCallId === id) return part.toolCall;
  }
  return undefined;
}

/** Whether a call runs, waits for a person, or is about to do either. */
export function hasRunningTool(turn: RunningTurn): boolean {
  return [...turn.tools.values()].some(
    ({ state, hold, flush }) => state === 'running' || state === 'pending' || hold || flush,
  );
}

function progress(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  if (record.state === 'new') {
    if (!isReal(record)) {
      record.hold ??= later(core, HOLD_MS, () => {
        record.hold = undefined;
        announce(core, chat, turn, record);
        tellTitle(core, chat, turn, record);
      });
      return;
    }
    announce(core, chat, turn, record);
  }
  const mayBeAsked = record.state === 'streaming' && record.status === 'pending' && isReal(record);
  if (mayBeAsked && !record.rested) {
    record.hold ??= later(core, HOLD_MS, () => {
      record.hold = undefined;
      record.rested = true;
      tell(core, chat, turn, record);
    });
  }
  tellSoon(core, chat, turn, record);
}

/** A request that follows within the delay of text is put to the person without the call having run (F-069). */
function tellSoon(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  record.flush ??= later(core, core.subscriptions.latencyMs(chat.uri), () => {
    record.flush = undefined;
    tell(core, chat, turn, record);
  });
}

function tell(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  const { state, status, rested, granted } = record;
  if (state === 'streaming' && status === 'pending' && !rested && !granted)
    tellTitle(core, chat, turn, record);
  else if (state === 'streaming' || state === 'running') run(core, chat, turn, record);
}

/** Shows the call, for the first time and once. */
function announce(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  if (record.state !== 'new') return;
  record.hold?.();
  record.hold = undefined;
  closePart(core, chat, turn);
  const { kind, name, intention } = record;
  const displayName = isReal(record) ? titleOf(record) : wordOf(kind, name);
  const contributor = contributorOf(core, chat, name);
  core.sequencer.commit(chat.uri, {
    type: 'chat/toolCallStart',
    turnId: turn.id,
    toolCallId: record.id,
    toolName: toolNameOf(kind),
    displayName,
    ...(intention !== undefined && { intention }),
    ...(contributor && { contributor }),
    _meta: toolMeta(record),
  });
  record.state = 'streaming';
  record.shown.title = displayName;
}

function tellTitle(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  const title = titleOf(record);
  if (record.shown.title === title) return;
  record.shown.title = title;
  core.sequencer.commit(chat.uri, {
    type: 'chat/toolCallDelta',
    turnId: turn.id,
    toolCallId: record.id,
    invocationMessage: title,
    _meta: toolMeta(record),
  });
}

/** The call as a running one, said again only when it is another, and its output. */
function run(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  const { state, shown, input } = record;
  if (state !== 'running' || shown.title !== titleOf(record) || shown.input !== input)
    begin(core, chat, turn, record);
  tellOutput(core, chat, turn, record);
  showRunning(core, chat, turn);
}

function begin(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  const { confirmed } = record;
  const _meta = toolMeta(record);
  core.sequencer.commit(chat.uri, { ...ready(core, chat, turn, record), confirmed, _meta });
  record.state = 'running';
}

/** The newest output, if it is another and not told a moment ago (F-094, F-095). */
function tellOutput(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  const { shown } = record;
  const text = runningContent(record);
  if (record.state !== 'running' || record.outputPause || text === '' || text === shown.output) return;
  const wait = shown.outputAt + OUTPUT_PAUSE_MS - core.clock.now();
  if (wait > 0) {
    record.outputPause = later(core, wait, () => {
      record.outputPause = undefined;
      tellOutput(core, chat, turn, record);
    });
    return;
  }
  shown.output = text;
  shown.outputAt = core.clock.now();
  core.sequencer.commit(chat.uri, {
    type: 'chat/toolCallContentChanged',
    turnId: turn.id,
    toolCallId: record.id,
    content: [{ type: 'text', text }],
  });
}

function finish(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord): void {
  stopTimers(record);
  announce(core, chat, turn, record);
  const { state, shown, input } = record;
  if (state === 'streaming' || (state === 'running' && shown.input !== input))
    begin(core, chat, turn, record);
  record.state = 'finished';
  const cut = cutOf(outputOf(record));
  core.sequencer.commit(chat.uri, {
    type: 'chat/toolCallComplete',
    turnId: turn.id,
    toolCallId: record.id,
    result: resultOf(core, chat, record),
    _meta: toolMeta(record, { ...(cut > 0 && { cut }) }),
  });
  forgetOutput(record);
  const question = state === 'pending' ? core.questions.find(chat, record.id) : undefined;
  // It went ahead without the answer, which nobody needs any more.
  if (question) core.questions.withdrawn(chat, question.asked.key);
  showRunning(core, chat, turn);
}

function resultOf(core: Core, chat: Chat, record: ToolRecord): ToolCallResult {
  const success = record.status === 'completed';
  const { content, structuredContent } = resultContent(core.contents, chat.session.uri, record);
  // What a failed call wanted to edit it has not edited, unless it says so.
  const edits = success || record.edited ? fileEdits(core.contents, chat.session, record) : [];
  const all: ToolResultContent[] = [
    ...(content ?? []),
    ...edits.map((edit) => ({ type: 'fileEdit' as const, ...edit })),
  ];
  return {
    success,
    pastTenseMessage: titleOf(record),
    ...(all.length > 0 && { content: all }),
    ...(structuredContent && { structuredContent }),
    ...(!success && { error: errorOf(record) }),
  };
}

function errorOf(record: ToolRecord): { message: string; code?: string } {
  if (isRefused(record)) return { code: 'denied', message: 'Refused by the permissions setting' };
  const [first = ''] = inFull(outputOf(record)).trimStart().split('\n', 1);
  return { message: oneLine(first) || `${titleOf(record)} failed` };
}

function isRefused({ decision }: ToolRecord): boolean {
  return decision?.by === 'policy' && !decision.allowed;
}

/** The parts of `chat/toolCallReady` that both a running and an asked call have; it erases what was shown before. */
function ready(core: Core, chat: Chat, turn: RunningTurn, record: ToolRecord) {
  const { intention, input } = record;
  record.shown = { title: titleOf(record), input, output: '', outputAt: Number.NEGATIVE_INFINITY };
  return {
    type: 'chat/toolCallReady' as const,
    turnId: turn.id,
    toolCallId: record.id,
    invocationMessage: titleOf(record),
    ...(intention !== undefined && { intention }),
    ...(input !== undefined && { toolInput: inputOf(core, chat, input) }),
  };
}

function inputOf(core: Core, chat: Chat, input: string): ToolInput {
  if (input.length <= INPUT_LIMIT) return input;
  return { ...core.contents.put(chat.session.uri, input), contentType: 'application/json' };
}

/** The MCP server that a tool's name speaks of, where the session lists it. */
function contributorOf(core: Core, chat: Chat, name: string | undefined): ToolCallContributor | undefined {
  const server = name === undefined ? undefined : /^mcp__(.+?)__./.exec(name)?.[1];
  if (server === undefined) return undefined;
  const top = core.sequencer.session(chat.session.uri).customizations ?? [];
  const all = top.flatMap((each) => (each.type === 'mcpServer' ? each : [each, ...(each.children ?? [])]));
  const found = all.find((each) => each.type === 'mcpServer' && each.name === server);
  return found && { kind: 'mcp', customizationId: found.id };
}
