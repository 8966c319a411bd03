// What came of a tool call: lists of content, output of the agent's own terminal, and the raw output where there is
// neither (acp-to-ahp 2.3). Repeats are dropped here, long texts go to the content store.
import { isObject } from '../base/json.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { ToolCallResult, ToolResultContent } from '../protocol/state-tool.ts';
import type { ContentStore } from './content-store.ts';
import { append, follow, inFull, type KeptText, NO_TEXT, newest } from './kept-text.ts';
import type { TerminalOutput, ToolContent } from './ports.ts';
import { oneLine } from './text.ts';
import type { Diff, ToolRecord } from './tool-record.ts';

/** The longest text of a result that is told as it is, in UTF-16 code units. */
const INLINE_LIMIT = 64 << 10;
/** The longest JSON of a raw output that is told as it is. */
const STRUCTURED_LIMIT = 32 << 10;

/** The longest text that is compared with the intention. */
const REPEAT_LIMIT = 4 << 10;

/** Takes over a list of content: a new list replaces the earlier one of its kind. */
export function takeContent(record: ToolRecord, content: readonly ToolContent[], isResult: boolean): void {
  const diffs = content.filter((block) => block.type === 'diff');
  if (diffs.length > 0) record.diffs = diffs;
  if (!isResult) return;
  if (diffs.length > 0) record.edited = true;
  const list = joined(
    content.filter((block) => block.type !== 'diff'),
    record.intention,
  );
  const text = list.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n');
  record.listText = follow(record.listText, text);
  record.result = text.length <= INLINE_LIMIT ? list : list.filter(({ type }) => type !== 'text');
}

export function takeTerminal(record: ToolRecord, { append: more, replace, exit }: TerminalOutput): void {
  if (replace !== undefined) record.terminalText = follow(record.terminalText, replace);
  if (more !== undefined) record.terminalText = append(record.terminalText, more);
  if (exit) record.exit = exit;
}

/** The text of the result: of the list, else of the terminal, else of the raw output. */
export function outputOf({ listText, terminalText, exit, rawOutput }: ToolRecord): KeptText {
  if (listText.length > 0) return listText;
  if (terminalText.length > 0) return withExit(terminalText, exit);
  const raw = rawText(rawOutput);
  return raw === '' ? withExit(NO_TEXT, exit) : append(NO_TEXT, raw);
}

/** What `chat/toolCallContentChanged` carries while the call runs: the newest output; nothing without any. */
export function runningContent(record: ToolRecord): string {
  return newest(outputOf(record));
}

/** What `chat/toolCallComplete` carries, but for the edits. */
export function resultContent(
  store: ContentStore,
  session: Uri,
  record: ToolRecord,
): Pick<ToolCallResult, 'content' | 'structuredContent'> {
  const output = outputOf(record);
  const { listText, result, rawOutput } = record;
  // The list as it came keeps what stands between its texts in its place.
  const inPlace = listText.length > 0 && listText.length <= INLINE_LIMIT;
  const texts = inPlace ? [] : textContent(store, session, output);
  const content = [...texts, ...(result as Exclude<ToolContent, Diff>[])];
  const structured = output.length === 0 && isSmallObject(rawOutput) ? rawOutput : undefined;
  return {
    ...(content.length > 0 && { content }),
    ...(structured && { structuredContent: structured }),
  };
}

/** A text in full, or by reference with its newest part beside it. */
export function textContent(store: ContentStore, session: Uri, text: KeptText): ToolResultContent[] {
  if (text.length === 0) return [];
  const whole = inFull(text);
  if (whole.length <= INLINE_LIMIT) return [{ type: 'text', text: whole }];
  return [
    { type: 'resource', ...store.put(session, whole) },
    { type: 'text', text: newest(text) },
  ];
}

/** Neighbouring texts as one, without fences and without what repeats the intention. */
function joined(content: readonly ToolContent[], intention: string | undefined): ToolContent[] {
  const list: ToolContent[] = [];
  for (const block of content) {
    const last = list.at(-1);
    if (block.type !== 'text') list.push(block);
    else {
      const text = unfenced(block.text);
      if (text === '' || repeats(text, intention)) continue;
      if (last?.type === 'text') list[list.length - 1] = { type: 'text', text: `${last.text}\n${text}` };
      else list.push({ type: 'text', text });
    }
  }
  return list;
}

/** An intention is one line, so a long text is not looked at. */
function repeats(text: string, intention: string | undefined): boolean {
  return intention !== undefined && text.length <= REPEAT_LIMIT && oneLine(text) === intention;
}

/** The inside of a Markdown fence that wraps the whole text: results are not Markdown. */
function unfenced(text: string): string {
  const mark = /^\s*(`{3,}|~{3,})[^`\n]*\n/.exec(text);
  const fence = mark?.[1];
  if (!mark || fence === undefined) return text;
  // With the line break before it, so that an empty inside has one too.
  const body = text.slice(mark[0].length - 1).trimEnd();
  if (!body.endsWith(`\n${fence}`)) return text;
  const inside = body.slice(1, -fence.length - 1);
  return inside.startsWith(fence) || inside.includes(`\n${fence}`) ? text : inside;
}

/** A terminal that ended badly says so in its last line; the call itself may have gone well. */
function withExit(text: KeptText, exit: TerminalOutput['exit']): KeptText {
  const how = exit?.signal ?? exit?.code;
  if (how === undefined || how === 0) return text;
  const line = exit?.signal === undefined ? `exit ${how}` : `signal ${how}`;
  const lineBreak =
    text.length === 0 || text.tail.endsWith('\n') || (text.tail === '' && text.head.endsWith('\n'));
  return append(text, lineBreak ? line : `\n${line}`);
}

/** The text in a raw output: itself, or under one of the names that agents use. */
function rawText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  if (!isObject(raw)) return '';
  const { formatted_output, output, stdout, stderr } = raw;
  // Agents that send several of them send the same output several times.
  const whole = [formatted_output, output].find((each) => typeof each === 'string' && each !== '');
  if (typeof whole === 'string') return whole;
  return [stdout, stderr].filter((each) => typeof each === 'string' && each !== '').join('\n');
}

function isSmallObject(value: unknown): value is Record<string, unknown> {
  return isObject(value) && JSON.stringify(value).length <= STRUCTURED_LIMIT;
}
