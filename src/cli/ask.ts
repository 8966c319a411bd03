// `ask`: one question in a session of its own, answered on stdout as it is written. The session stays. What the agent
// asks back is answered on the terminal. Ctrl+C cancels the turn and waits for its end; a second one leaves at once.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { UserError } from '../base/errors.ts';
import { findAgent, newSession } from '../client/agents.ts';
import type { PromptOutcome } from '../client/prompt.ts';
import { shortId } from '../client/sessions.ts';
import { type UrlOption, withClient } from './connection.ts';
import { follow } from './follow.ts';
import { interruption } from './interruption.ts';
import { CANCELLED, complain, print } from './output.ts';

export interface AskOptions extends UrlOption {
  agent?: string;
  cwd?: string;
  mode?: string;
}

/** Exit code 0 for an answer, 1 for a turn or an agent that failed, 130 when it was cancelled. */
export async function ask(words: readonly string[], options: AskOptions): Promise<number> {
  const { mode } = options;
  const text = await question(words);
  const interrupt = interruption();
  return await withClient(options, async (client) => {
    const agent = await findAgent(client, options.agent);
    const session = await newSession(client, {
      id: randomUUID(),
      provider: agent.provider,
      folder: resolve(options.cwd ?? '.'),
    });
    const { displayName } = agent;
    const asking = { session, text, agent: displayName, interrupt, ...(mode !== undefined && { mode }) };
    const { outcome, inLine } = await follow(client, asking);
    if (inLine) print('\n');
    if (process.stderr.isTTY) process.stderr.write(`Show it again: otto-agents show ${shortId(session)}\n`);
    return exitCode(outcome);
  });
}

async function question(words: readonly string[]): Promise<string> {
  const fromInput = words.length === 0 ? !process.stdin.isTTY : words.length === 1 && words[0] === '-';
  const text = fromInput ? (await readAll(process.stdin)).trimEnd() : words.join(' ');
  if (text.trim() === '') {
    throw new UserError('there is nothing to ask; write `otto-agents ask "your question"` or pipe it in', 2);
  }
  return text;
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
