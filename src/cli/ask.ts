// `ask`: one question in a session of its own, answered on stdout as it is written. The session stays. Ctrl+C
// cancels the turn and waits for its end; a second one leaves at once.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { UserError } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import { findAgent, newSession } from '../client/agents.ts';
import type { Client } from '../client/client.ts';
import { Prompt, type PromptOutcome } from '../client/prompt.ts';
import { shortId } from '../client/sessions.ts';
import { stateLine } from '../client/state-line.ts';
import { journalSink } from '../system/journal.ts';
import { type UrlOption, withClient } from './connection.ts';
import { complain, print, statusLine } from './output.ts';

const CANCELLED = 130;

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

export interface AskOptions extends UrlOption {
  agent?: string;
  cwd?: string;
}

/** Exit code 0 for an answer, 1 for a turn or an agent that failed, 130 when it was cancelled. */
export async function ask(words: readonly string[], options: AskOptions): Promise<number> {
  const text = await question(words);
  const interrupt = interruption();
  return await withClient(options, async (client) => {
    const agent = await findAgent(client, options.agent);
    const session = await newSession(client, {
      id: randomUUID(),
      provider: agent.provider,
      folder: resolve(options.cwd ?? '.'),
    });
    const { outcome, inLine } = await follow(client, { session, text, agent: agent.displayName, interrupt });
    if (inLine) print('\n');
    if (process.stderr.isTTY) process.stderr.write(`Show it again: otto-agents show ${shortId(session)}\n`);
    return exitCode(outcome);
  });
}

interface Following {
  session: string;
  text: string;
  agent: string;
  interrupt: Interruption;
}

/** `inLine`: the answer so far does not end its line. */
async function follow(
  client: Client,
  { session, text, agent, interrupt }: Following,
): Promise<{ outcome: PromptOutcome; inLine: boolean }> {
  const log = createLog(
    journalSink(process.env, (line) => process.stderr.write(line)),
    'ask',
  );
  const status = statusLine();
  let inLine = false;
  const prompt = new Prompt(
    client,
    { session, messageId: randomUUID(), text },
    {
      text: (added) => {
        status.clear();
        print(added);
        inLine = !added.endsWith('\n');
      },
      notice: (notice) => {
        status.clear();
        if (notice.kind === 'tool') log.debug(`tool: ${notice.title}`);
        else complain(`${agent} ${ASKED[notice.kind][notice.state]}`);
      },
      moved: (state, chat) => {
        // On a terminal an unfinished line of the answer must not be written over.
        const line = inLine && process.stdout.isTTY ? undefined : stateLine(agent, state, chat);
        if (line !== undefined) status.show(line);
      },
    },
  );
  interrupt.cancel = () => prompt.cancel();
  if (interrupt.pressed) prompt.cancel();
  const started = prompt.start();
  const outcome = await Promise.race([started.then(() => prompt.ended), prompt.ended, client.ended]);
  status.clear();
  return { outcome, inLine };
}

async function question(words: readonly string[]): Promise<string> {
  const fromInput = words.length === 0 ? !process.stdin.isTTY : words.length === 1 && words[0] === '-';
  const text = fromInput ? (await readAll(process.stdin)).trimEnd() : words.join(' ');
  if (text.trim() === '') {
    throw new UserError('there is nothing to ask; write `otto-agents ask "your question"` or pipe it in', 2);
  }
  return text;
}

interface Interruption {
  /** What Ctrl+C does the first time. */
  cancel: () => void;
  pressed: boolean;
}

function interruption(): Interruption {
  const interrupt: Interruption = { cancel: () => {}, pressed: false };
  process.on('SIGINT', () => {
    if (interrupt.pressed) process.exit(CANCELLED);
    interrupt.pressed = true;
    interrupt.cancel();
  });
  return interrupt;
}

function exitCode(outcome: PromptOutcome): number {
  if (outcome.kind === 'complete') return 0;
  if (outcome.kind === 'failed') {
    complain(outcome.message);
    return 1;
  }
  process.stderr.write('cancelled\n');
  return CANCELLED;
}
