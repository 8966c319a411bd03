// An open question as lines for a terminal: who asks, what exactly is asked, and what can be answered. The layout
// and the words around are ours; every word of the agent goes through `visible.ts`, and its text stands behind a
// bar, so that it cannot pass for ours.
import { aboutIsCommand, type PermissionOption, type PermissionQuestion } from '../client/permission.ts';
import type { FormField, FormQuestion, OpenQuestion, SignInQuestion } from '../client/questions.ts';
import { editLines } from './edit-lines.ts';
import { visibleLine, visibleLines } from './visible.ts';

const REACHES: Readonly<Record<string, string>> = {
  allow_once: 'allows it once',
  allow_always: 'allows it always',
  reject_once: 'refuses it once',
  reject_always: 'refuses it always',
};

/** `ids`: name what can be answered as the options of the command line name it, too. */
export function describe(question: OpenQuestion, { ids = false } = {}): string[] {
  switch (question.kind) {
    case 'permission':
      return [...permissionLines(question), ...numbered(question.options.map((one) => choice(one, ids)))];
    case 'form':
      return [
        ...formLines(question),
        ...(ids ? (question.request.questions ?? []).flatMap((field) => fieldLines(field, { ids })) : []),
      ];
    case 'signIn':
      return signInLines(question, ids);
  }
}

/** One question of a form. */
export function fieldLines(field: FormField, { ids = false } = {}): string[] {
  const title = field.title === undefined ? '' : `${visibleLine(field.title)}: `;
  const name = ids ? ` (${visibleLine(field.id)})` : '';
  const optional = field.required === true ? '' : ' (optional)';
  const [first = '', ...rest] = visibleLines(field.message);
  const lines = [`  ${title}${first}${name}${optional}`, ...rest.map((line) => `  | ${line}`)];
  if (field.kind !== 'single-select' && field.kind !== 'multi-select') return lines;
  const options = field.options.map(({ id, label, description }) => {
    const more = description === undefined ? '' : ` – ${visibleLine(description)}`;
    return `${visibleLine(label)}${ids && id !== label ? ` (${visibleLine(id)})` : ''}${more}`;
  });
  return [...lines, ...numbered(options)];
}

function permissionLines(question: PermissionQuestion): string[] {
  const { command, intention, note, hidden } = question;
  const lines = [visibleLine(question.title)];
  if (!aboutIsCommand(question)) lines.push(`  ${visibleLine(question.about)}`);
  if (intention !== undefined && intention !== question.about) lines.push(`  Why: ${visibleLine(intention)}`);
  if (command !== undefined) lines.push(...visibleLines(command).map((line) => `  | ${line}`));
  lines.push(...question.paths.map((path) => `  Path: ${visibleLine(path)}`));
  const said = new Set(Object.values(question.input));
  lines.push(...question.edits.flatMap((edit) => editLines(edit, said)));
  const paths = new Set<unknown>([...question.paths, ...question.edits.map(({ path }) => path)]);
  const input = Object.entries(question.input).filter(([, value]) => !paths.has(value));
  lines.push(...input.flatMap(([name, value]) => inputLines(name, value)));
  if (note !== undefined) lines.push(`  Note: ${visibleLine(note)}`);
  if (hidden !== undefined) lines.push(`  Not everything can be shown here: ${visibleLine(hidden)}`);
  return lines;
}

function inputLines(name: string, value: unknown): string[] {
  const [first = '', ...rest] = visibleLines(typeof value === 'string' ? value : JSON.stringify(value));
  const head = `  ${visibleLine(name)}:`;
  if (rest.length === 0) return [`${head} ${first}`];
  return [head, ...[first, ...rest].map((line) => `  | ${line}`)];
}

function choice({ id, label, kind, reach }: PermissionOption, ids: boolean): string {
  const does = REACHES[reach ?? ''] ?? (kind === 'approve' ? 'allows it' : 'refuses it');
  return `${visibleLine(label)}${ids ? ` (${visibleLine(id)})` : ''} – ${does}`;
}

function formLines({ agent, request }: FormQuestion): string[] {
  const lines = [`${visibleLine(agent)} asks`];
  if (request.message !== undefined) {
    lines.push(...visibleLines(request.message).map((line) => `  | ${line}`));
  }
  if (request.url !== undefined) lines.push(`  Address: ${visibleLine(request.url)}`);
  return lines;
}

function signInLines({ agent, methods, problem }: SignInQuestion, ids: boolean): string[] {
  const lines = [`${visibleLine(agent)} needs you to sign in`];
  if (problem !== undefined) lines.push(`  It did not work: ${visibleLine(problem)}`);
  const choices = methods.map(({ id, name, description }) => {
    const more = description === undefined ? '' : ` – ${visibleLine(description)}`;
    return `${visibleLine(name)}${ids ? ` (${visibleLine(id)})` : ''}${more}`;
  });
  return [...lines, ...numbered(choices)];
}

function numbered(texts: readonly string[]): string[] {
  return texts.map((text, index) => `  ${String(index + 1).padStart(2)}  ${text}`);
}
