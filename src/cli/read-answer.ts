// What was typed, as the choice or the answer it means. Says what does not fit in words; bounds and formats are left
// to the service, which says it for every client alike.
import type { FieldAnswer, FormField } from '../client/questions.ts';
import { visibleLine } from './visible.ts';

interface Choice {
  label: string;
}

type Read<T> = { value: T } | { problem: string };
type Select = Extract<FormField, { kind: 'single-select' | 'multi-select' }>;

/**
 * What `name` is the id of, else what it is the label of: both as they are and as they are shown. Several are
 * returned when the name is not clear.
 */
export function named<T extends { id: string; label?: string }>(
  choices: readonly T[],
  name: string,
): readonly T[] {
  const means = (own: string | undefined) => own !== undefined && (own === name || visibleLine(own) === name);
  const exact = choices.filter(({ id }) => id === name);
  if (exact.length > 0) return exact;
  const shown = choices.filter(({ id }) => means(id));
  return shown.length > 0 ? shown : choices.filter(({ label }) => means(label));
}

/**
 * The one of `choices` that a number, a label or the start of one names, without regard to case. What fits several
 * names none. Ids are not shown at the keyboard, so none of them can turn a word into something else.
 */
export function readChoice<T extends Choice>(typed: string, choices: readonly T[]): Read<T> {
  const number = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
  if (number !== undefined) return { value: number };
  const word = typed.toLowerCase();
  const exact = choices.filter(({ label }) => label.toLowerCase() === word);
  const found =
    exact.length > 0 ? exact : choices.filter(({ label }) => label.toLowerCase().startsWith(word));
  const [only, ...others] = found;
  if (typed !== '' && only !== undefined && others.length === 0) return { value: only };
  const range = choices.length === 1 ? '1' : `1 to ${choices.length}`;
  return {
    problem:
      only === undefined || typed === ''
        ? `answer with a number, ${range}`
        : `"${typed}" fits several; give a number`,
  };
}

/** The answer to one question of a form. */
export function readField(typed: string, field: FormField): Read<FieldAnswer> {
  switch (field.kind) {
    case 'text':
      return submitted({ kind: 'text', value: typed });
    case 'number':
    case 'integer':
      return readNumber(typed, field.kind);
    case 'boolean': {
      const value = YES_NO.get(typed.toLowerCase());
      return value === undefined ? { problem: 'answer y or n' } : submitted({ kind: 'boolean', value });
    }
    case 'single-select':
    case 'multi-select':
      return readSelect(typed, field);
  }
}

/** What Enter alone means: the value that the form proposes. */
export function proposed(field: FormField): { answer: FieldAnswer; text: string } | undefined {
  if (field.kind === 'single-select' || field.kind === 'multi-select') {
    const options = field.options.filter(({ recommended }) => recommended === true);
    const [first] = options;
    if (first === undefined) return undefined;
    const text = options.map((option) => field.options.indexOf(option) + 1).join(',');
    const ids = options.map(({ id }) => id);
    return field.kind === 'single-select'
      ? {
          answer: { state: 'submitted', value: { kind: 'selected', value: first.id } },
          text: String(field.options.indexOf(first) + 1),
        }
      : { answer: { state: 'submitted', value: { kind: 'selected-many', value: ids } }, text };
  }
  if (field.defaultValue === undefined) return undefined;
  const text =
    typeof field.defaultValue === 'boolean' ? (field.defaultValue ? 'y' : 'n') : field.defaultValue;
  const read = readField(String(text), field);
  return 'value' in read ? { answer: read.value, text: String(text) } : undefined;
}

const YES_NO: ReadonlyMap<string, boolean> = new Map([
  ['y', true],
  ['yes', true],
  ['true', true],
  ['n', false],
  ['no', false],
  ['false', false],
]);

/** Decimals as people write them: nothing typed is no 0, and no digit is lost. */
function readNumber(typed: string, kind: 'number' | 'integer'): Read<FieldAnswer> {
  const value = Number(typed);
  if (!/^[+-]?(\d+(\.\d+)?|\.\d+)$/.test(typed) || !Number.isFinite(value)) {
    return { problem: typed.trim() === '' ? 'give a number' : `"${typed}" is not a number` };
  }
  if (kind === 'integer' && !Number.isInteger(value)) return { problem: `"${typed}" is not a whole number` };
  if (kind === 'integer' && !Number.isSafeInteger(value)) return { problem: `"${typed}" is too large` };
  return submitted({ kind: 'number', value });
}

/** Numbers or labels; where words of one's own are welcome, those, or both as `2: words`. */
function readSelect(typed: string, field: Select): Read<FieldAnswer> {
  const both = /^([\d\s,-]+):(.+)$/s.exec(typed);
  if (both !== null && field.allowFreeformInput === true) {
    const read = readPicks(both[1] ?? '', field);
    if ('problem' in read) return read;
    return submitted({ ...picked(field, read.value), freeformValues: [(both[2] ?? '').trim()] });
  }
  const read = readPicks(typed, field);
  if ('value' in read) return submitted(picked(field, read.value));
  const meansOption = /^[\d\s,-]+$/.test(typed) || isLabel(typed, field);
  if (field.allowFreeformInput !== true || meansOption) return read;
  return { value: { state: 'skipped', freeformValues: [typed] } };
}

function picked(field: Select, ids: readonly string[]) {
  return field.kind === 'single-select'
    ? ({ kind: 'selected', value: ids[0] ?? '' } as const)
    : ({ kind: 'selected-many', value: ids } as const);
}

function readPicks(typed: string, field: Select): Read<readonly string[]> {
  if (field.kind === 'multi-select' && /^[\d\s,-]+$/.test(typed)) return readRanges(typed, field);
  // Where own words are welcome, the start of a label may be one of them.
  const own = !isLabel(typed, field) && !/^\s*\d+\s*$/.test(typed);
  if (field.allowFreeformInput === true && own) return { problem: 'not an option' };
  const read = readChoice(typed.trim(), field.options);
  return 'problem' in read ? read : { value: [read.value.id] };
}

function isLabel(typed: string, { options }: Select): boolean {
  const word = typed.trim().toLowerCase();
  return options.some(({ label }) => label.toLowerCase() === word);
}

/** `1,3-5`, in the order of the options; `0` alone is none of them. */
function readRanges(typed: string, { options }: Select): Read<readonly string[]> {
  if (typed.trim() === '0') return { value: [] };
  const problem = `answer with numbers from 1 to ${options.length}, such as 1,3-4; 0 for none`;
  const numbers = new Set<number>();
  for (const piece of typed.split(/[\s,]+/).filter((each) => each !== '')) {
    const range = /^(\d+)(?:-(\d+))?$/.exec(piece);
    const from = Number(range?.[1]);
    const to = Number(range?.[2] ?? from);
    if (!(from >= 1 && from <= to && to <= options.length)) return { problem };
    for (let number = from; number <= to; number += 1) numbers.add(number);
  }
  if (numbers.size === 0) return { problem };
  return { value: options.filter((_, index) => numbers.has(index + 1)).map(({ id }) => id) };
}

function submitted(value: Extract<FieldAnswer, { state: 'submitted' | 'draft' }>['value']): {
  value: FieldAnswer;
} {
  return { value: { state: 'submitted', value } };
}
