// Whether an answer fits its question, and whether a form may be accepted (acp-to-ahp 4.3, AHP C-24, C-25).
// Each function gives the reason for refusing in words, or undefined when all is well.
import type {
  ChatInputAnswer,
  ChatInputAnswers,
  ChatInputAnswerValue,
  ChatInputQuestion,
  ChatInputRequest,
  ChatInputResponse,
} from '../protocol/state-chat.ts';

type Select = Extract<ChatInputQuestion, { kind: 'single-select' | 'multi-select' }>;

const VALUE_KINDS: Record<ChatInputQuestion['kind'], ChatInputAnswerValue['kind']> = {
  text: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  'single-select': 'selected',
  'multi-select': 'selected-many',
};

/** Checks one changed answer. Drafts need only the right kind; what is submitted must fit its bounds too. */
export function answerProblem(
  request: ChatInputRequest,
  questionId: string,
  answer: ChatInputAnswer | undefined,
): string | undefined {
  const question = request.questions?.find((each) => each.id === questionId);
  if (!question) return `there is no question ${questionId}`;
  if (!answer) return undefined;
  if (answer.state === 'skipped') return freeformProblem(question, answer.freeformValues);
  if (answer.value?.kind !== VALUE_KINDS[question.kind]) {
    return `the answer to ${questionId} must be of kind ${VALUE_KINDS[question.kind]}`;
  }
  if (answer.state === 'draft') return undefined;
  const problem = valueProblem(question, answer.value);
  return problem && `the answer to ${questionId} ${problem}`;
}

/** Checks a completion; `answers` are the synced ones overlaid with those of the completing action (EL-3). */
export function completionProblem(
  request: ChatInputRequest,
  response: ChatInputResponse,
  answers: ChatInputAnswers,
): string | undefined {
  for (const [id, answer] of Object.entries(answers)) {
    const problem = answerProblem(request, id, answer);
    if (problem) return problem;
  }
  if (response !== 'accept') return undefined;
  const missing = request.questions?.find((question) => question.required && !isAnswered(question, answers));
  return missing && `the required question ${missing.id} has no submitted answer`;
}

function isAnswered(question: ChatInputQuestion, answers: ChatInputAnswers): boolean {
  const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
  // Text typed beside the options answers a select, also when no option was picked.
  if (answer?.state === 'skipped') return hasText(answer.freeformValues);
  if (answer?.state !== 'submitted') return false;
  const { value } = answer;
  if (value.kind !== 'selected-many' || !isSelect(question) || question.allowFreeformInput !== true)
    return true;
  // Nothing picked beside a text means an answer in words.
  return value.value.length > 0 || hasText(value.freeformValues);
}

function valueProblem(question: ChatInputQuestion, value: ChatInputAnswerValue): string | undefined {
  switch (value.kind) {
    case 'text':
      return question.kind === 'text' ? textProblem(question, value.value) : undefined;
    case 'number':
      return question.kind === 'number' || question.kind === 'integer'
        ? numberProblem(question, value.value)
        : undefined;
    case 'boolean':
      return undefined;
    case 'selected':
    case 'selected-many':
      return isSelect(question) ? selectProblem(question, value) : undefined;
  }
}

function textProblem(
  question: Extract<ChatInputQuestion, { kind: 'text' }>,
  text: string,
): string | undefined {
  const length = [...text].length;
  if (length === 0) return question.required ? 'is empty' : undefined;
  if (question.min !== undefined && length < question.min)
    return `is shorter than ${question.min} characters`;
  if (question.max !== undefined && length > question.max) return `is longer than ${question.max} characters`;
  const fits = question.format === undefined ? undefined : FORMATS[question.format];
  return fits && !fits(text) ? `is not a valid ${question.format}` : undefined;
}

/** Formats of the field that are checked; any other one is a hint for the client. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: isUri,
  date: isDate,
  'date-time': (text) => {
    const [date, time, ...rest] = text.split(/[Tt]/);
    return (
      rest.length === 0 &&
      isDate(date ?? '') &&
      /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(time ?? '')
    );
  },
};

/** A scheme and something after it; a `//` is followed by a host, or an IPv6 address in brackets, and a port. */
function isUri(text: string): boolean {
  const [, scheme = '', authority, path = ''] =
    /^([a-z][a-z0-9+.-]*):(?:\/\/([^/?#]*))?(\S*)$/i.exec(text) ?? [];
  if (scheme === '') return false;
  if (authority === undefined || authority === '') {
    return path !== '' && !/^(https?|wss?|ftp)$/i.test(scheme);
  }
  return /^([^\s<>"{}|\\^`[\]@]*@)?(\[[0-9a-f:.]+\]|[^\s<>"{}|\\^`[\]@:%]+)(:\d{0,5})?$/i.test(authority);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that does not exist is moved into the next month instead of being refused.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

function numberProblem(
  question: Extract<ChatInputQuestion, { kind: 'number' | 'integer' }>,
  value: number,
): string | undefined {
  if (!Number.isFinite(value)) return 'is not a number';
  if (question.kind === 'integer' && !Number.isInteger(value)) return 'is not a whole number';
  if (question.min !== undefined && value < question.min) return `is less than ${question.min}`;
  if (question.max !== undefined && value > question.max) return `is more than ${question.max}`;
  return undefined;
}

function selectProblem(
  question: Select,
  value: Extract<ChatInputAnswerValue, { kind: 'selected' | 'selected-many' }>,
): string | undefined {
  const picked = value.kind === 'selected' ? [value.value] : value.value;
  const ids = new Set(question.options.map((option) => option.id));
  const unknown = picked.find((id) => !ids.has(id));
  if (unknown !== undefined) return `names ${JSON.stringify(unknown)}, which is not an option`;
  if (new Set(picked).size < picked.length) return 'names an option twice';
  if (question.kind === 'multi-select') {
    if (question.min !== undefined && picked.length < question.min)
      return `needs at least ${question.min} options`;
    if (question.max !== undefined && picked.length > question.max)
      return `allows at most ${question.max} options`;
  }
  return freeformProblem(question, value.freeformValues);
}

function freeformProblem(
  question: ChatInputQuestion,
  texts: readonly string[] | undefined,
): string | undefined {
  if (!hasText(texts) || (isSelect(question) && question.allowFreeformInput === true)) return undefined;
  return 'has text where only the offered options can be picked';
}

function hasText(texts: readonly string[] | undefined): boolean {
  return (texts ?? []).some((text) => text.trim() !== '');
}

function isSelect(question: ChatInputQuestion): question is Select {
  return question.kind === 'single-select' || question.kind === 'multi-select';
}
