// An answer given by options of the command line instead of at the keyboard. It is for exactly one open question,
// and for one of the right kind; anything else is said, and nothing is answered.
import { UserError } from '../base/errors.ts';
import { changeAnswer, completeForm, pickOption, refuse, signIn } from '../client/answers.ts';
import type { Client, DispatchOutcome } from '../client/client.ts';
import type { FieldAnswer, FormField, FormQuestion, OpenQuestion } from '../client/questions.ts';
import type { Waiting } from '../client/waiting.ts';
import { complain, print } from './output.ts';
import { named, readField } from './read-answer.ts';
import { visibleLine } from './visible.ts';

export interface AnswerFlags {
  request?: string;
  option?: string;
  /** True without a reason. */
  refuse?: string | true;
  accept?: true;
  decline?: true;
  /** `question=value`, in the order given. */
  set?: readonly string[];
}

export function hasAnswer({ request, option, refuse: no, accept, decline, set }: AnswerFlags): boolean {
  return [request, option, no, accept, decline, set].some((flag) => flag !== undefined);
}

/** Exit code 0 when the answer was taken, 1 when not. */
export async function answerAsTold(client: Client, waiting: Waiting, flags: AnswerFlags): Promise<number> {
  const question = meant(waiting.open(), flags.request);
  const act = actOf(client, question, flags);
  await waiting.watch();
  const outcome = await act();
  if (outcome === undefined || outcome.kind === 'accepted') {
    print('Answered.\n');
    return 0;
  }
  complain(
    outcome.kind === 'rejected' ? outcome.reason : 'the connection was lost before the answer arrived',
  );
  return 1;
}

function meant(open: readonly OpenQuestion[], request: string | undefined): OpenQuestion {
  const found = request === undefined ? open : named(open, request);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only;
  const ids = idsOf(open);
  throw new UserError(
    only === undefined
      ? `nothing is open under "${request}"; open: ${ids}`
      : request === undefined
        ? `several wait for an answer; name one with --request: ${ids}`
        : `several are open under "${request}", in several sessions; name the session, too`,
  );
}

type Act = () => Promise<DispatchOutcome | undefined>;

function actOf(client: Client, question: OpenQuestion, flags: AnswerFlags): Act {
  const { option, refuse: no, accept, decline, set } = flags;
  const kinds = [option, no, decline, accept ?? set].filter((flag) => flag !== undefined);
  if (kinds.length !== 1) {
    throw new UserError('give one answer: --option, --refuse, --decline, or --set and --accept', 2);
  }
  if (question.kind === 'permission' && no !== undefined) {
    return () => refuse(client, question, no === true ? '' : no);
  }
  if (question.kind === 'permission' && option !== undefined) {
    const found = pick(question.options, option);
    return () => pickOption(client, question, found);
  }
  if (question.kind === 'signIn' && option !== undefined) {
    const { id } = pick(
      question.methods.map(({ id, name }) => ({ id, label: name })),
      option,
    );
    return async () => {
      await signIn(client, question, id);
      return undefined;
    };
  }
  if (question.kind === 'form' && decline === true) return () => completeForm(client, question, 'decline');
  if (question.kind === 'form' && (accept ?? set) !== undefined) {
    const answers = setAnswers(question, set ?? []);
    return () => fill(client, question, answers);
  }
  const fitting = {
    permission: '--option or --refuse',
    form: '--set, --accept or --decline',
    signIn: '--option',
  };
  throw new UserError(`${question.id} is answered with ${fitting[question.kind]}`, 2);
}

/** The answers one by one first: each that does not fit is then refused by its name. */
async function fill(
  client: Client,
  question: FormQuestion,
  answers: Readonly<Record<string, FieldAnswer>>,
): Promise<DispatchOutcome> {
  for (const [id, answer] of Object.entries(answers)) {
    const outcome = await changeAnswer(client, question, id, answer);
    if (outcome.kind !== 'accepted') return outcome;
  }
  return await completeForm(client, question, 'accept', answers);
}

function setAnswers({ request }: FormQuestion, set: readonly string[]): Record<string, FieldAnswer> {
  const fields = request.questions ?? [];
  const typed = new Map<string, string[]>();
  for (const text of set) {
    const at = text.indexOf('=');
    const id = text.slice(0, Math.max(at, 0));
    if (at < 0 || !fields.some((field) => field.id === id)) {
      const ids = idsOf(fields) || 'none';
      throw new UserError(`--set ${text}: write question=value; the questions are: ${ids}`, 2);
    }
    typed.set(id, [...(typed.get(id) ?? []), text.slice(at + 1)]);
  }
  const given = fields.flatMap((field): [string, FieldAnswer][] => {
    const values = typed.get(field.id);
    return values === undefined ? [] : [[field.id, fieldAnswer(field, values)]];
  });
  return Object.fromEntries(given);
}

/** Options of a select by id, else by label; several values are several options. */
function fieldAnswer(field: FormField, values: readonly string[]): FieldAnswer {
  if (field.kind === 'single-select' || field.kind === 'multi-select') {
    const picks = values.map((value) => named(field.options, value));
    const unclear = values.find((_, index) => (picks[index]?.length ?? 0) > 1);
    if (unclear !== undefined) {
      throw new UserError(
        `--set ${field.id}=${unclear}: several are called that; give one of ${idsOf(field.options)}`,
        2,
      );
    }
    const ids = picks.flatMap((pick) => pick.map(({ id }) => id));
    const own = values.filter((_, index) => picks[index]?.length === 0);
    const [firstOwn] = own;
    if (firstOwn !== undefined && field.allowFreeformInput !== true) {
      throw new UserError(`--set ${field.id}=${firstOwn}: it is one of ${idsOf(field.options)}`, 2);
    }
    const freeform = own.length > 0 && { freeformValues: own };
    const [first] = ids;
    if (first === undefined) return { state: 'skipped', ...freeform };
    if (field.kind === 'multi-select') {
      return { state: 'submitted', value: { kind: 'selected-many', value: ids, ...freeform } };
    }
    if (ids.length === 1) {
      return { state: 'submitted', value: { kind: 'selected', value: first, ...freeform } };
    }
  }
  const [value = '', ...more] = values;
  if (more.length > 0) throw new UserError(`--set ${field.id}: it takes one value`, 2);
  const read = field.kind === 'text' ? { value: textAnswer(value) } : readField(value, field);
  if ('problem' in read) throw new UserError(`--set ${field.id}=${value}: ${read.problem}`, 2);
  return read.value;
}

function textAnswer(value: string): FieldAnswer {
  return { state: 'submitted', value: { kind: 'text', value } };
}

function pick<T extends { id: string; label: string }>(choices: readonly T[], option: string): T {
  const [only, ...others] = named(choices, option);
  if (only !== undefined && others.length === 0) return only;
  const many = only === undefined ? 'it is' : 'several are called that; give';
  throw new UserError(`--option ${option}: ${many} one of ${idsOf(choices)}`, 2);
}

function idsOf(choices: readonly { id: string }[]): string {
  return choices.map(({ id }) => visibleLine(id)).join(', ');
}
