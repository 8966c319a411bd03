// One message of `ask` from the queue to the end of its turn: the answer to stdout, what the agent asks back to the
// terminal, and one line about what is being waited for. Answers nothing by itself.
import { randomUUID } from 'node:crypto';
import { createLog } from '../base/log.ts';
import type { Client } from '../client/client.ts';
import type { PromptNotice } from '../client/notices.ts';
import { Prompt, type PromptHooks, type PromptOutcome } from '../client/prompt.ts';
import { endingOf, openQuestions } from '../client/questions.ts';
import { shortId } from '../client/sessions.ts';
import { stateLine } from '../client/state-line.ts';
import { journalSink } from '../system/journal.ts';
import type { Interruption } from './interruption.ts';
import { isAtKeyboard } from './keyboard.ts';
import { complain, print, statusLine } from './output.ts';
import { TerminalQuestions } from './questions.ts';

const ASKED = {
  permission: {
    pending: 'asks for permission and waits for an answer from another client',
    refused: 'asked for permission and was refused',
  },
  question: {
    pending: 'asks a question and waits for an answer from another client',
    refused: 'asked a question and got no answer',
  },
};

interface Following {
  session: string;
  text: string;
  agent: string;
  mode?: string;
  interrupt: Interruption;
}

type Moved = Parameters<PromptHooks['moved']>;

/** `inLine`: the answer does not end its line. */
export async function follow(
  client: Client,
  { session, text, agent, mode, interrupt }: Following,
): Promise<{ outcome: PromptOutcome; inLine: boolean }> {
  const log = createLog(
    journalSink(process.env, (line) => process.stderr.write(line)),
    'ask',
  );
  const here = isAtKeyboard();
  const status = statusLine();
  const page = answerPage(status.clear);
  let chat: Moved[1];
  let signInTold = false;
  const questions = new TerminalQuestions(client, {
    shown: page.hold,
    hidden: page.release,
    // This command goes on looking, so it stays open.
    left: () => `Left open; \`otto-agents answer ${shortId(session)}\` shows it again.`,
    ending: (question) => endingOf(question, chat),
  });

  const notice = (told: PromptNotice): void => {
    if (told.kind === 'tool') log.debug(`tool: ${told.title}`);
    else if (!(here && told.state === 'pending') && !questions.answered(told.id)) {
      page.remark(`${agent} ${ASKED[told.kind][told.state]}`);
    }
  };
  const moved = (...[sessionState, chatState]: Moved): void => {
    chat = chatState;
    const open = openQuestions(session, sessionState, agent);
    if (here) questions.update(open);
    else if (!signInTold && open.some(({ kind }) => kind === 'signIn')) {
      signInTold = true;
      complain(`${agent} needs a sign-in; \`otto-agents answer ${shortId(session)}\` offers it`);
    }
    // On a terminal an unfinished line of the answer must not be written over.
    const free = !page.held() && !(page.inLine() && process.stdout.isTTY);
    const line = free ? stateLine(agent, sessionState, chatState) : undefined;
    if (line !== undefined) status.show(line);
  };

  const asked = { session, messageId: randomUUID(), text, staysForSignIn: here };
  const prompt = new Prompt(
    client,
    { ...asked, ...(mode !== undefined && { mode }) },
    { text: page.write, notice, moved },
  );
  interrupt.cancel = () => {
    void questions.close();
    prompt.cancel();
  };
  if (interrupt.pressed) interrupt.cancel();
  try {
    const started = prompt.start();
    const outcome = await Promise.race([started.then(() => prompt.ended), prompt.ended, client.ended]);
    await questions.close();
    return { outcome, inLine: page.inLine() };
  } finally {
    await questions.close();
    status.clear();
  }
}

/** The answer on stdout. While it is held nothing moves on a terminal; what comes then follows at its release. */
function answerPage(clearStatus: () => void) {
  let inLine = false;
  let holds = false;
  let waiting: (() => void)[] = [];
  const write = (text: string): void => {
    clearStatus();
    print(text);
    inLine = !text.endsWith('\n');
  };
  const later = (run: () => void): void => {
    if (holds) waiting.push(run);
    else run();
  };
  return {
    write: (text: string) => (process.stdout.isTTY ? later(() => write(text)) : write(text)),
    /** A sentence of ours on stderr. */
    remark: (text: string) =>
      later(() => {
        clearStatus();
        complain(text);
      }),
    hold: () => {
      clearStatus();
      if (!holds && inLine && process.stdout.isTTY) process.stderr.write('\n');
      holds = true;
    },
    release: () => {
      holds = false;
      const runs = waiting;
      waiting = [];
      for (const run of runs) run();
    },
    held: () => holds,
    /** Whether the last line of the answer is unfinished. */
    inLine: () => inLine,
  };
}
