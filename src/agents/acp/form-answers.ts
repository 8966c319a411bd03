// The answers to a form as the content that ACP sends back (acp-to-ahp 4.2). Pure.
// Only what was submitted counts, and no default is ever filled in for the person.
import type {
  ChatInputAnswer,
  ChatInputAnswers,
  ChatInputAnswerValue,
  ChatInputQuestion,
} from '../../protocol/state-chat.ts';
import type { Form } from './form.ts';

type Value = string | number | boolean | readonly string[];

/** The content of an accepted form: field name to value. */
export function contentOf({ request, typed }: Form, answers: ChatInputAnswers): Record<string, Value> {
  const content: [string, Value][] = [];
  for (const question of request.questions ?? []) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    if (answer === undefined || answer.state === 'draft') continue;
    const pair = typed.get(question.id);
    const text = pair === undefined ? '' : typedText(answer);
    const value = answer.state === 'skipped' ? undefined : picked(question, answer.value, text !== '');
    const sent = value ?? (text === '' ? undefined : standIn(question, pair?.alone));
    if (sent !== undefined) content.push([question.id, sent]);
    if (pair !== undefined && text !== '') content.push([pair.field, text]);
  }
  // Also right for a field called `__proto__`.
  return Object.fromEntries(content);
}

/** The value of a select that was answered in words alone; a required one needs some (F-071). */
function standIn({ kind, required }: ChatInputQuestion, alone: string | undefined): Value | undefined {
  if (kind !== 'multi-select') return alone;
  if (alone !== undefined) return [alone];
  return required === true ? [] : undefined;
}

function picked(
  question: ChatInputQuestion,
  value: ChatInputAnswerValue,
  hasText: boolean,
): Value | undefined {
  switch (value.kind) {
    case 'text':
      return value.value === '' && question.required !== true ? undefined : value.value;
    case 'number':
    case 'boolean':
      return value.value;
    case 'selected':
      return optionIds(question).find((id) => id === value.value);
    case 'selected-many': {
      const chosen = optionIds(question).filter((id) => value.value.includes(id));
      // Nothing picked and something typed is an answer in words alone.
      return chosen.length === 0 && hasText ? undefined : chosen;
    }
  }
}

function optionIds(question: ChatInputQuestion): string[] {
  return question.kind === 'single-select' || question.kind === 'multi-select'
    ? question.options.map(({ id }) => id)
    : [];
}

function typedText(answer: ChatInputAnswer): string {
  const from = answer.state === 'skipped' ? answer : answer.value;
  const texts = 'freeformValues' in from ? (from.freeformValues ?? []) : [];
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .join('\n');
}
