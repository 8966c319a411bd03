// What a session waits for a person to say, as plain data taken from its state: permissions, forms, sign-ins; and
// what became of one that is no longer open. Knows nothing of how it is shown, and answers nothing.
import { type OttoToolMeta, ottoOf } from '../protocol/meta.ts';
import type {
  ChatInputAnswer,
  ChatInputQuestion,
  ChatInputRequest,
  ChatState,
} from '../protocol/state-chat.ts';
import type { FileEdit, StringOrMarkdown, Uri } from '../protocol/state-common.ts';
import type { SessionInputRequest, SessionState } from '../protocol/state-session.ts';
import type { ConfirmationOption, PendingToolCall, ToolInput } from '../protocol/state-tool.ts';
import { filePath } from '../protocol/uri.ts';

interface Asked {
  /** Unique among the open questions of a session. */
  id: string;
  session: Uri;
  /** The agent's name as configured. */
  agent: string;
}

export interface PermissionOption extends ConfirmationOption {
  /** The agent's word for the reach of the option, such as `allow_always`. */
  reach?: string;
}

export interface PermissionQuestion extends Asked {
  kind: 'permission';
  chat: Uri;
  turnId: string;
  toolCallId: string;
  title: string;
  /** What the call does, in the agent's words. */
  about: string;
  intention?: string;
  note?: string;
  /** The whole command, where the call has one. */
  command?: string;
  /** Everything else that is known of the input, by name. */
  input: Readonly<Record<string, unknown>>;
  paths: readonly string[];
  edits: readonly EditSummary[];
  options: readonly PermissionOption[];
  /** The option to start on; never one that allows more than this call. */
  start?: string;
}

export interface EditSummary {
  path: string;
  change: 'new' | 'deleted' | 'changed';
  added?: number;
  removed?: number;
}

export type FormField = ChatInputQuestion;
export type FieldAnswer = ChatInputAnswer;

export interface FormQuestion extends Asked {
  kind: 'form';
  chat: Uri;
  request: ChatInputRequest;
}

interface SignInMethod {
  id: string;
  name: string;
  description?: string;
  kind: 'agent' | 'terminal' | 'env';
  command?: readonly string[];
}

export interface SignInQuestion extends Asked {
  kind: 'signIn';
  methods: readonly SignInMethod[];
  /** Why the last attempt did not work. */
  problem?: string;
}

export type OpenQuestion = PermissionQuestion | FormQuestion | SignInQuestion;

/** `gone`: taken back by the agent, or over with its turn. */
export type Ending = 'allowed' | 'refused' | 'answered' | 'declined' | 'signedIn' | 'gone';

/** The open questions of a session in the order in which they were asked; a sign-in comes first. */
export function openQuestions(uri: Uri, session: SessionState, agent: string): OpenQuestion[] {
  const blocks = session.inputNeeded ?? [];
  const asked = blocks.flatMap((block) => blockQuestion(block, { id: block.id, session: uri, agent }));
  return [...signInQuestion(uri, session, agent), ...asked];
}

/** Whether two readings of one question would be shown alike; drafts of a form do not count. */
export function sameQuestion(one: OpenQuestion, other: OpenQuestion): boolean {
  if (one.session !== other.session || one.id !== other.id) return false;
  return one.kind === 'form' || JSON.stringify(one) === JSON.stringify(other);
}

/** What became of a question that is no longer open, as its chat tells it. */
export function endingOf(question: OpenQuestion, chat: ChatState | undefined): Ending {
  if (question.kind === 'signIn') return 'signedIn';
  const turns = [...(chat?.turns ?? []), ...(chat?.activeTurn === undefined ? [] : [chat.activeTurn])];
  for (const part of turns.toReversed().flatMap(({ responseParts }) => responseParts.toReversed())) {
    if (part.kind === 'toolCall' && question.kind === 'permission') {
      const call = part.toolCall;
      if (call.toolCallId !== question.toolCallId) continue;
      if (call.status === 'cancelled') return call.reason === 'denied' ? 'refused' : 'gone';
      return call.status === 'streaming' || call.status === 'pending-confirmation' ? 'gone' : 'allowed';
    }
    if (part.kind === 'inputRequest' && question.kind === 'form') {
      if (part.request.id !== question.request.id) continue;
      if (part.response === 'accept') return 'answered';
      return part.response === 'decline' ? 'declined' : 'gone';
    }
  }
  return 'gone';
}

function blockQuestion(block: SessionInputRequest, asked: Asked): OpenQuestion[] {
  if (block.kind === 'chatInput') {
    return [{ ...asked, kind: 'form', chat: block.chat, request: block.request }];
  }
  if (block.kind !== 'toolConfirmation' || block.toolCall.status !== 'pending-confirmation') return [];
  return [permissionQuestion(block.toolCall, block, asked)];
}

function permissionQuestion(
  call: PendingToolCall,
  { chat, turnId }: { chat: Uri; turnId: string },
  asked: Asked,
): PermissionQuestion {
  const otto = ottoOf(call._meta) as OttoToolMeta & { locations?: { path: string }[]; note?: string };
  const { rawInput, path } = inputOf(call.toolInput);
  const command = commandOf(rawInput);
  const { command: _command, description: _description, ...input } = rawInput;
  const locations = (otto.locations ?? []).map((location) => location.path);
  const edits = (call.edits?.items ?? []).map(editSummary);
  const shown = new Set(edits.map((edit) => edit.path));
  const paths = [...new Set([...(path === undefined ? [] : [path]), ...locations])];
  const options = (call.options ?? []).map((option): PermissionOption => {
    const reach = otto.optionKinds?.[option.id];
    return reach === undefined ? option : { ...option, reach };
  });
  const start = options.find(({ id }) => id === otto.defaultOption);
  const narrow = start?.kind === 'deny' || start?.reach === 'allow_once';
  return {
    ...asked,
    kind: 'permission',
    chat,
    turnId,
    toolCallId: call.toolCallId,
    title: textOf(call.confirmationTitle) ?? `${asked.agent} asks for permission`,
    about: textOf(call.invocationMessage) ?? call.displayName,
    ...(call.intention !== undefined && { intention: call.intention }),
    ...(otto.note !== undefined && { note: otto.note }),
    ...(command !== undefined && { command }),
    input: command === undefined ? { ...rawInput } : input,
    paths: paths.filter((each) => !shown.has(each)),
    edits,
    options,
    ...(start !== undefined && narrow && { start: start.id }),
  };
}

/** The input as our service writes it, `{path?, line?, rawInput?}`; anything else is shown as it is. */
function inputOf(toolInput: ToolInput | undefined): { rawInput: Record<string, unknown>; path?: string } {
  if (toolInput === undefined) return { rawInput: {} };
  if (typeof toolInput !== 'string') return { rawInput: { input: `too long to show: ${toolInput.uri}` } };
  const value = jsonObject(toolInput);
  if (value === undefined) return { rawInput: { input: toolInput } };
  const rawInput = value['rawInput'];
  const path = value['path'];
  return {
    rawInput: isObject(rawInput) ? rawInput : {},
    ...(typeof path === 'string' && { path }),
  };
}

function commandOf({ command }: Record<string, unknown>): string | undefined {
  if (typeof command === 'string') return command;
  if (!Array.isArray(command)) return undefined;
  return command.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

function editSummary({ before, after, diff }: FileEdit): EditSummary {
  const uri = after?.uri ?? before?.uri ?? '';
  const change = before === undefined ? 'new' : after === undefined ? 'deleted' : 'changed';
  return { path: filePath(uri) ?? uri, change, ...diff };
}

function signInQuestion(session: Uri, state: SessionState, agent: string): SignInQuestion[] {
  const { signIn, problem } = ottoOf(state._meta) as {
    signIn?: { methods: readonly SignInMethod[] };
    problem?: { text: string };
  };
  if (signIn === undefined) return [];
  const why = problem !== undefined && { problem: problem.text };
  return [{ id: 'sign-in', session, agent, kind: 'signIn', methods: signIn.methods, ...why }];
}

function textOf(text: StringOrMarkdown | undefined): string | undefined {
  return typeof text === 'object' ? text.markdown : text;
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
