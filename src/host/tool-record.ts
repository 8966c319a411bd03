// What is known of one tool call: patches are merged into one record, so that the order in which pieces arrive does
// not matter (acp-to-ahp 2.2). Commits nothing; actions are made from the record in `tool-calls.ts`.
import type { Disposable } from '../base/dispose.ts';
import type { OttoToolMeta } from '../protocol/meta.ts';
import type { ToolCallConfirmationReason } from '../protocol/state-tool.ts';
import { type KeptText, NO_TEXT } from './kept-text.ts';
import type { TerminalOutput, ToolContent, ToolPatch } from './ports.ts';
import type { RunningTurn } from './session.ts';
import { collapsed, oneLine } from './text.ts';
import { takeContent, takeTerminal } from './tool-content.ts';
import { wordOf } from './words.ts';

export type Diff = Extract<ToolContent, { type: 'diff' }>;

export interface ToolRecord {
  /** The id in the chat; the agent's own, with a suffix when the agent used it before in this turn. */
  readonly id: string;
  /** How many calls of this turn had the agent's id so far. */
  readonly serial: number;
  /** What clients have seen. `new`: nothing. `pending`: it waits for a person. `finished`: nothing more will follow. */
  state: 'new' | 'streaming' | 'pending' | 'running' | 'finished';
  /** What the agent says; it only moves on. */
  status: NonNullable<ToolPatch['status']>;
  /** One line; empty until there is one. */
  title: string;
  /** The whole title, where the line shows only a part of it. */
  wholeTitle: string | undefined;
  /** The title from before the call was real. */
  stockTitle: string | undefined;
  name: string | undefined;
  kind: string | undefined;
  parent: string | undefined;
  rawInput: unknown;
  intention: string | undefined;
  locations: readonly { path: string; line?: number }[];
  locationsCut: number;
  /** AHP's `toolInput` in full. */
  input: string | undefined;
  /** A person was asked, or is. */
  asked: boolean;
  /** A person or a rule let it run. */
  granted: boolean;
  confirmed: ToolCallConfirmationReason;
  decision: OttoToolMeta['decision'];
  /** The newest diffs, of the invocation or of the result. */
  diffs: readonly Diff[];
  /** Whether `diffs` came with the result. */
  edited: boolean;
  /** Texts and resources of the newest list that came while it ran; without the texts when they are long. */
  result: readonly ToolContent[];
  /** The texts of that list, and the output of the agent's own terminal. */
  listText: KeptText;
  terminalText: KeptText;
  exit: TerminalOutput['exit'];
  rawOutput: unknown;
  shown: Shown;
  /** For its real title, or for the question that may follow. */
  hold: Disposable | undefined;
  /** For more of it to be told together. */
  flush: Disposable | undefined;
  /** For output to be told again. */
  outputPause: Disposable | undefined;
  /** The pause in which a question could have come is over. */
  rested: boolean;
}

/** What clients have been told last. */
interface Shown {
  title: string;
  input: string | undefined;
  /** The tail of the output; empty when it was erased or never told. */
  output: string;
  /** When it was told, in Unix milliseconds. */
  outputAt: number;
}

const ORDER: readonly ToolRecord['status'][] = ['pending', 'running', 'completed'];
const LOCATIONS_LIMIT = 50;
/** Of a title that does not fit on its line, in characters. */
const TITLE_LIMIT = 4096;

/**
 * The call's record with `patch` merged in. `asks`: the patch came with a permission request, so the call is not
 * running whatever it says, and a request for a call that is over is about another call.
 */
export function mergeTool(turn: RunningTurn, agentId: string, patch: ToolPatch, asks = false): ToolRecord {
  const record = recordFor(turn, agentId, patch, asks);
  const stock = !isReal(record);
  if (asks) record.asked = true;
  if (patch.name !== undefined) record.name = patch.name;
  if (patch.kind !== undefined) record.kind = patch.kind;
  if (patch.parent !== undefined) record.parent = patch.parent;
  takeInput(record, patch);
  takeStatus(record, patch.status);
  takeTitle(record, patch.title, stock && !isReal(record));
  if (patch.content) takeContent(record, patch.content, !asks && hasRun(record));
  if (patch.terminal) takeTerminal(record, patch.terminal);
  if (patch.rawOutput !== undefined) record.rawOutput = patch.rawOutput;
  return record;
}

/** Whether what is known is more than the stock announcement some agents begin with (acp-to-ahp 2.2). */
export function isReal(record: ToolRecord): boolean {
  return record.asked || record.status !== 'pending' || record.rawInput !== undefined;
}

/** Whether the agent has said how it ended. */
export function isOver({ status }: ToolRecord): boolean {
  return status === 'completed' || status === 'failed';
}

export function titleOf({ title, kind, name }: ToolRecord): string {
  return title === '' ? wordOf(kind, name) : title;
}

/** Nothing of it is told by itself any more. */
export function stopTimers(record: ToolRecord): void {
  record.hold?.();
  record.flush?.();
  record.outputPause?.();
  record.hold = undefined;
  record.flush = undefined;
  record.outputPause = undefined;
}

/** The call is over and has been told in full. */
export function forgetOutput(record: ToolRecord): void {
  record.diffs = [];
  record.result = [];
  record.listText = NO_TEXT;
  record.terminalText = NO_TEXT;
  record.rawOutput = undefined;
}

function recordFor(turn: RunningTurn, agentId: string, patch: ToolPatch, asks: boolean): ToolRecord {
  const known = turn.tools.get(agentId);
  if (known && !(known.state === 'finished' && (asks || isAnother(known, patch)))) return known;
  const serial = (known?.serial ?? 0) + 1;
  const record = newRecord(serial === 1 ? agentId : `${agentId}#${serial}`, serial);
  turn.tools.set(agentId, record);
  return record;
}

/** Whether the id of a finished call is used again: it begins anew, and not with what it was. */
function isAnother(record: ToolRecord, { status, title, rawInput }: ToolPatch): boolean {
  if (status !== 'pending' && status !== 'running') return false;
  const titleDiffers = title !== undefined && oneLine(title) !== record.title;
  return titleDiffers || (rawInput !== undefined && !sameInput(rawInput, record.rawInput));
}

function takeInput(record: ToolRecord, { rawInput, locations }: ToolPatch): void {
  const told = saysSomething(rawInput) && !sameInput(rawInput, record.rawInput);
  if (!told && !locations) return;
  if (told) {
    record.rawInput = rawInput;
    // Also of a text or a list, which simply have neither.
    const { description, justification } = rawInput as { description?: unknown; justification?: unknown };
    const why = [description, justification].find((each) => typeof each === 'string' && each.trim() !== '');
    record.intention = why === undefined ? undefined : oneLine(why as string);
  }
  if (locations) {
    record.locations = locations.slice(0, LOCATIONS_LIMIT);
    record.locationsCut = locations.length - record.locations.length;
  }
  const input = {
    ...record.locations[0],
    ...(record.rawInput !== undefined && { rawInput: record.rawInput }),
  };
  record.input = Object.keys(input).length > 0 ? JSON.stringify(input) : undefined;
}

/** An empty object, list or text is what agents begin with before they know the input. */
function saysSomething(rawInput: unknown): boolean {
  if (rawInput === undefined || rawInput === null || rawInput === '') return false;
  return typeof rawInput !== 'object' || Object.keys(rawInput).length > 0;
}

function sameInput(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function takeStatus(record: ToolRecord, status: ToolPatch['status']): void {
  if (status === undefined || isOver(record)) return;
  if (status === 'failed' || ORDER.indexOf(status) > ORDER.indexOf(record.status)) record.status = status;
}

function takeTitle(record: ToolRecord, title: string | undefined, stock: boolean): void {
  if (title === undefined || title.trim() === '') return;
  const line = oneLine(title);
  if (stock) record.stockTitle = line;
  else if (line === record.stockTitle && record.title !== '') return;
  record.title = line;
  const whole = collapsed(title);
  const told = whole.length > TITLE_LIMIT ? `${whole.slice(0, TITLE_LIMIT)}…` : whole;
  record.wholeTitle = whole === line ? undefined : told;
}

/** Before it runs, what an agent lists is what it wants to do; afterwards, what came of it (acp-to-ahp 2.3). */
function hasRun(record: ToolRecord): boolean {
  return record.granted || record.status !== 'pending';
}

function newRecord(id: string, serial: number): ToolRecord {
  return {
    id,
    serial,
    state: 'new',
    status: 'pending',
    title: '',
    wholeTitle: undefined,
    stockTitle: undefined,
    name: undefined,
    kind: undefined,
    parent: undefined,
    rawInput: undefined,
    intention: undefined,
    locations: [],
    locationsCut: 0,
    input: undefined,
    asked: false,
    granted: false,
    confirmed: 'not-needed',
    decision: undefined,
    diffs: [],
    edited: false,
    result: [],
    listText: NO_TEXT,
    terminalText: NO_TEXT,
    exit: undefined,
    rawOutput: undefined,
    shown: { title: '', input: undefined, output: '', outputAt: Number.NEGATIVE_INFINITY },
    hold: undefined,
    flush: undefined,
    outputPause: undefined,
    rested: false,
  };
}
