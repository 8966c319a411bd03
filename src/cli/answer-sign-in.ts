// A sign-in at the keyboard: offers the agent's methods and chooses none by itself (acp-to-ahp 6.3). The question is
// over when the session says that the agent is content, so it stays up until then.
import { messageOf, ProtocolError } from '../base/errors.ts';
import { signIn } from '../client/answers.ts';
import type { SignInQuestion } from '../client/questions.ts';
import { describe } from './describe.ts';
import type { Exchange } from './exchange.ts';
import { readChoice } from './read-answer.ts';
import { visibleLine } from './visible.ts';

export async function answerSignIn(exchange: Exchange, question: SignInQuestion): Promise<false> {
  const { client, say, read } = exchange;
  const choices = question.methods.map((method) => ({ ...method, label: method.name }));
  for (;;) {
    say(describe(question));
    const typed = await read('Sign in with: ');
    if (typed === undefined) return false;
    const choice = readChoice(typed, choices);
    if ('problem' in choice) {
      say([choice.problem]);
      continue;
    }
    const { id, kind, command = [] } = choice.value;
    if (kind !== 'agent') {
      say(
        kind === 'terminal'
          ? ['Run this in another terminal:', `  ${commandLine(command)}`]
          : ['Set what it asks for in the environment of the agent (`env` in agents.toml).'],
      );
      if ((await read('Press Enter when that is done: ')) === undefined) return false;
    }
    try {
      await signIn(client, question, id);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      say([messageOf(error)]);
      continue;
    }
    if ((await read('Signing in… Enter chooses again: ')) === undefined) return false;
  }
}

/** A command as a shell reads it. */
function commandLine(words: readonly string[]): string {
  const quoted = words.map((word) =>
    /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  return visibleLine(quoted.join(' '));
}
