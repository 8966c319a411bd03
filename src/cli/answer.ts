// `answer`: what agents wait for in any session, or in one: lists it, or answers it, at the keyboard or as the
// options say. Chooses nothing by itself.
import { UserError } from '../base/errors.ts';
import type { Client } from '../client/client.ts';
import { readWhole } from '../client/permission.ts';
import { endingOf, type OpenQuestion } from '../client/questions.ts';
import { shortId } from '../client/sessions.ts';
import { Waiting } from '../client/waiting.ts';
import { type AnswerFlags, answerAsTold, hasAnswer } from './answer-flags.ts';
import { type UrlOption, withClient } from './connection.ts';
import { describe } from './describe.ts';
import { interruption } from './interruption.ts';
import { isAtKeyboard } from './keyboard.ts';
import { CANCELLED, complain, print } from './output.ts';
import { TerminalQuestions } from './questions.ts';
import { visibleLine } from './visible.ts';

export interface AnswerOptions extends UrlOption, AnswerFlags {
  list?: boolean;
  json?: boolean;
}

/**
 * Exit code 0 when nothing is left open of what was meant, 1 when an answer was not taken or something was left
 * open, 2 when it is not said what to answer, 130 after Ctrl+C.
 */
export async function answer(query: string | undefined, options: AnswerOptions): Promise<number> {
  const { list, json } = options;
  const only = list === true || json === true;
  if (only && hasAnswer(options)) throw new UserError('--list and --json only list; leave out the answer', 2);
  return await withClient(options, async (client) => {
    const waiting = await Waiting.open(client, query);
    const open = waiting.open();
    if (json === true) print(`${JSON.stringify(await inFull(client, open), undefined, 2)}\n`);
    else if (open.length === 0) print('Nothing waits for an answer.\n');
    else if (list === true) print(listing(await inFull(client, open)));
    else if (hasAnswer(options)) return await answerAsTold(client, waiting, options);
    else if (isAtKeyboard()) return await answerHere(client, waiting);
    else {
      print(listing(await inFull(client, open)));
      throw new UserError('say what to answer: --option, --refuse, --set, --accept or --decline', 2);
    }
    return 0;
  });
}

async function answerHere(client: Client, waiting: Waiting): Promise<number> {
  const interrupt = interruption();
  await waiting.watch();
  let done: () => void = () => {};
  const finished = new Promise<void>((resolve) => {
    done = resolve;
  });
  const questions = new TerminalQuestions(client, {
    shown: () => {},
    hidden: () => done(),
    left: leaving,
    ending: (question) => endingOf(question, waiting.chatOf(question)),
  });
  const cancelled = new Promise<'cancelled'>((resolve) => {
    interrupt.cancel = () => resolve('cancelled');
  });
  waiting.onChange = () => questions.update(waiting.open());
  waiting.onChange();
  try {
    const end = await Promise.race([finished, cancelled, client.ended]);
    if (end === 'cancelled') return CANCELLED;
    if (questions.left === 0) return 0;
    complain(`${questions.left} not answered`);
    return 1;
  } finally {
    await questions.close();
  }
}

/** This command is about to go, and with it perhaps the last one who looks on. */
function leaving({ kind, session }: OpenQuestion): string {
  const again = `\`otto-agents answer ${shortId(session)}\` shows it again`;
  if (kind !== 'permission') return `Not answered; ${again} while it is open.`;
  return `Not answered. If nobody else watches, it is refused when this command ends; else ${again}.`;
}

function inFull(client: Client, open: readonly OpenQuestion[]): Promise<OpenQuestion[]> {
  return Promise.all(open.map((one) => (one.kind === 'permission' ? readWhole(client, one) : one)));
}

function listing(open: readonly OpenQuestion[]): string {
  return open
    .map((question) => {
      const head = `${shortId(question.session)}  ${visibleLine(question.agent)}  --request ${visibleLine(question.id)}\n`;
      const lines = describe(question, { ids: true });
      return `${head}${lines.map((line) => `  ${line}\n`).join('')}`;
    })
    .join('\n');
}
