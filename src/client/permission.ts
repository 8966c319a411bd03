// A permission that an agent asks for, as plain data taken from its tool call: everything that is known of what it
// wants to do. What a person has not been shown in full has no option to start on. Answers nothing.

import { messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { type OttoToolMeta, ottoOf } from '../protocol/meta.ts';
import type { StringOrMarkdown, Uri } from '../protocol/state-common.ts';
import type { ConfirmationOption, PendingToolCall } from '../protocol/state-tool.ts';
import type { Client } from './client.ts';
import { type Edit, editOf, readEdit, readText } from './edits.ts';

export interface Asked {
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
  /** Where the input is while it is not here; `readWhole` fetches it. */
  inputUri?: Uri;
  paths: readonly string[];
  edits: readonly Edit[];
  options: readonly PermissionOption[];
  /** How many more paths there are, of which only the number is known. */
  pathsCut?: number;
  /** The option to start on; never one that allows more than this call. */
  start?: string;
  /** What of the question is not here, in words; nobody is offered an option to start on then. */
  hidden?: string;
}

/** The question as the state tells it; it is not shown before `readWhole` has completed it. */
export function permissionQuestion(
  call: PendingToolCall,
  { chat, turnId }: { chat: Uri; turnId: string },
  asked: Asked,
): PermissionQuestion {
  const otto = ottoOf(call._meta) as OttoToolMeta;
  const edits = (call.edits?.items ?? []).map((edit, index) => editOf(edit, otto.diffs?.[index]));
  const options = (call.options ?? []).map((option): PermissionOption => {
    const reach = otto.optionKinds?.[option.id];
    return reach === undefined ? option : { ...option, reach };
  });
  const start = options.find(({ id }) => id === otto.defaultOption);
  const narrow = start?.kind === 'deny' || start?.reach === 'allow_once';
  const question: PermissionQuestion = {
    ...asked,
    kind: 'permission',
    chat,
    turnId,
    toolCallId: call.toolCallId,
    title: textOf(call.confirmationTitle) ?? `${asked.agent} asks for permission`,
    // The line is cut where the agent's own title did not fit on it.
    about: otto.tool?.title ?? textOf(call.invocationMessage) ?? call.displayName,
    ...(call.intention !== undefined && { intention: call.intention }),
    ...(otto.note !== undefined && { note: otto.note }),
    input: {},
    paths: withoutEdited(
      (otto.locations ?? []).map(({ path }) => path),
      edits,
    ),
    ...(otto.locationsCut !== undefined && { pathsCut: otto.locationsCut }),
    edits,
    options,
    ...(start !== undefined && narrow && { start: start.id }),
  };
  const { toolInput } = call;
  if (typeof toolInput === 'object') return { ...question, inputUri: toolInput.uri };
  return toolInput === undefined ? question : withInput(question, toolInput);
}

/**
 * The question with everything that can be known of it, what is too long for the state among it. `hidden` says what is missing nevertheless. Never rejects.
 */
export async function readWhole(client: Client, question: PermissionQuestion): Promise<PermissionQuestion> {
  const { inputUri, ...known } = question;
  let whole: PermissionQuestion = known;
  try {
    if (inputUri !== undefined) whole = withInput(whole, await readText(client, inputUri));
    const edits = await Promise.all(question.edits.map((edit) => readEdit(client, edit)));
    whole = { ...whole, edits };
  } catch (error) {
    return hiding(whole, `it is too long to come with the question: ${messageOf(error)}`);
  }
  const { title, about, note } = whole;
  const words = [title, ...(aboutIsCommand(whole) ? [] : [about]), ...(note === undefined ? [] : [note])];
  if (whole.pathsCut !== undefined)
    return hiding(whole, `${whole.pathsCut} more paths, which are too many to come with it`);
  return words.some(isCut) ? hiding(whole, 'what the agent says of it was too long and is cut') : whole;
}

/** Whether what the call is said to do is its command on one line, or the start of it. */
export function aboutIsCommand({ about, command }: PermissionQuestion): boolean {
  if (command === undefined) return false;
  const [line, whole] = [onOneLine(about), onOneLine(command)];
  return line === whole || (isCut(about) && whole.startsWith(line.slice(0, -1)));
}

function hiding({ start: _start, ...rest }: PermissionQuestion, hidden: string): PermissionQuestion {
  return { ...rest, hidden };
}

/** The service ends a line that it cut, at 200 characters or more, with an ellipsis. */
function isCut(text: string): boolean {
  return text.length > 200 && text.endsWith('…');
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function withInput(question: PermissionQuestion, text: string): PermissionQuestion {
  const { path, ...parts } = inputOf(text);
  const { command, ...input } = parts.input;
  const written = commandOf(parts.command ?? command);
  const known: Record<string, unknown> = written === undefined || 'command' in parts ? parts.input : input;
  const { description, ...others } = known;
  const paths = [...new Set([...(path === undefined ? [] : [path]), ...question.paths])];
  return {
    ...question,
    ...(written !== undefined && { command: written }),
    // The intention is made of it, and then it need not be said twice.
    input: description !== undefined && description === question.intention ? others : known,
    paths: withoutEdited(paths, question.edits),
  };
}

interface Input {
  command?: unknown;
  input: Readonly<Record<string, unknown>>;
  path?: string;
}

/** The input as our service writes it, `{path?, line?, rawInput?}`; anything else is shown as it is. */
function inputOf(text: string): Input {
  const value = jsonObject(text);
  if (value === undefined) return { input: { input: text } };
  const { path, line: _line, rawInput, ...rest } = value;
  const parts = {
    input: { ...(typeof path !== 'string' && path !== undefined && { path }), ...rest },
    ...(typeof path === 'string' && { path }),
  };
  if (rawInput === undefined) return parts;
  if (isObject(rawInput)) return { ...parts, input: { ...parts.input, ...rawInput } };
  if (commandOf(rawInput) !== undefined) return { ...parts, command: rawInput };
  return { ...parts, input: { ...parts.input, input: rawInput } };
}

/** A command line, or a list of words as one. */
function commandOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  if (!value.every((word) => typeof word === 'string')) return undefined;
  return value.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

function withoutEdited(paths: readonly string[], edits: readonly Edit[]): string[] {
  const edited = new Set(edits.map(({ path }) => path));
  return paths.filter((path) => !edited.has(path));
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
