// What an edit changes, as lines for a terminal: the lines that go and those that come. What is the same at the
// beginning and the end is counted instead of shown.
import type { Edit } from '../client/edits.ts';
import { visibleLine, visibleLines } from './visible.ts';

/** `said`: texts that are shown elsewhere, which need not be shown again. */
export function editLines(edit: Edit, said: ReadonlySet<unknown>): string[] {
  const { path, change, added, removed } = edit;
  const counts = [added === undefined ? '' : `+${added}`, removed === undefined ? '' : `-${removed}`];
  const how = [change, ...counts].filter((word) => word !== '').join(' ');
  const lines = [`  File: ${visibleLine(path)} (${how})`];
  const [before, after] = [textOf(edit.before), textOf(edit.after)];
  if (after === undefined || (said.has(after) && (before === undefined || said.has(before)))) return lines;
  return [...lines, ...changedLines(before?.split('\n') ?? [], after.split('\n'))];
}

function changedLines(before: readonly string[], after: readonly string[]): string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return [
    ...unchanged(head),
    ...marked('-', before.slice(head, before.length - tail)),
    ...marked('+', after.slice(head, after.length - tail)),
    ...unchanged(tail),
  ];
}

function unchanged(count: number): string[] {
  return count === 0 ? [] : [`  | ⟨${count} unchanged ${count === 1 ? 'line' : 'lines'}⟩`];
}

function marked(mark: string, lines: readonly string[]): string[] {
  return visibleLines(lines.join('\n')).map((line) => `  | ${mark} ${line}`);
}

function textOf(side: Edit['after']): string | undefined {
  return side !== undefined && 'text' in side ? side.text : undefined;
}
