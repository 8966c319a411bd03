// A form at the keyboard: its questions one after the other. Each answer is told as it is given, so that others see
// that somebody is at it, and the service says at once what does not fit.
import { changeAnswer, completeForm } from '../client/answers.ts';
import type { FieldAnswer, FormField, FormQuestion } from '../client/questions.ts';
import { describe, fieldLines } from './describe.ts';
import type { Exchange } from './exchange.ts';
import { proposed, readField } from './read-answer.ts';
import { visibleLine } from './visible.ts';

const WORDS = '  /skip leaves out an optional answer, /decline refuses the form, /cancel takes it back';

type Given = { answer: FieldAnswer } | 'decline' | 'cancel' | undefined;

export async function answerForm(exchange: Exchange, question: FormQuestion): Promise<boolean> {
  exchange.say([...describe(question), WORDS]);
  for (;;) {
    const answers = await readAnswers(exchange, question);
    if (answers === undefined) return false;
    const sent =
      typeof answers === 'string'
        ? await exchange.send(() => completeForm(exchange.client, question, answers))
        : await exchange.send(() => completeForm(exchange.client, question, 'accept', answers));
    if (sent.kind !== 'rejected') return sent.kind === 'accepted';
    exchange.say([`${sent.reason}; once more`]);
  }
}

async function readAnswers(
  exchange: Exchange,
  question: FormQuestion,
): Promise<Record<string, FieldAnswer> | 'decline' | 'cancel' | undefined> {
  const fields = question.request.questions ?? [];
  const answers: [string, FieldAnswer][] = [];
  for (const field of fields) {
    const given = await readOne(exchange, question, field);
    if (typeof given !== 'object') return given;
    answers.push([field.id, given.answer]);
  }
  if (fields.length > 0) return Object.fromEntries(answers);
  return await readConsent(exchange);
}

/** Undefined when the form is gone or left open. */
async function readOne(exchange: Exchange, question: FormQuestion, field: FormField): Promise<Given> {
  const { client, say, read, send } = exchange;
  const proposal = proposed(field);
  say(fieldLines(field));
  for (;;) {
    const typed = await read(promptOf(field, proposal?.text));
    if (typed === undefined) return undefined;
    const response = /^\/(decline|cancel)$/.exec(typed)?.[1];
    if (response === 'decline' || response === 'cancel') return response;
    const answer = answerOf(typed, field, proposal?.answer);
    if ('problem' in answer) {
      say([answer.problem]);
      continue;
    }
    const sent = await send(() => changeAnswer(client, question, field.id, answer.value));
    if (sent.kind === 'gone') return undefined;
    if (sent.kind === 'accepted') return { answer: answer.value };
    say([sent.reason]);
  }
}

function answerOf(typed: string, field: FormField, proposal: FieldAnswer | undefined) {
  const skip = typed === '/skip' || (typed === '' && proposal === undefined);
  if (skip && field.required === true) return { problem: 'this one has to be answered' };
  if (skip) return { value: { state: 'skipped' } as const };
  return typed === '' && proposal !== undefined ? { value: proposal } : readField(typed, field);
}

function promptOf(field: FormField, proposal: string | undefined): string {
  const forms: Record<FormField['kind'], string> = {
    text: 'Text',
    number: 'Number',
    integer: 'Whole number',
    boolean: 'y/n',
    'single-select': 'Number',
    'multi-select': 'Numbers, such as 1,3-4',
  };
  const select = field.kind === 'single-select' || field.kind === 'multi-select';
  const own = select && field.allowFreeformInput === true ? ' or your own words' : '';
  return `${forms[field.kind]}${own}${proposal === undefined ? '' : ` [${visibleLine(proposal)}]`}: `;
}

async function readConsent({
  read,
  say,
}: Exchange): Promise<Record<string, never> | 'decline' | 'cancel' | undefined> {
  for (;;) {
    const typed = await read('Accept? y/n: ');
    if (typed === undefined) return undefined;
    if (/^y(es)?$/i.test(typed)) return {};
    if (/^(n|no|\/decline)$/i.test(typed)) return 'decline';
    if (typed === '/cancel') return 'cancel';
    say(['answer y or n']);
  }
}
