// A permission at the keyboard: the agent's options by number or label, or a refusal with a word to the agent.
import { pickOption, refuse } from '../client/answers.ts';
import { type PermissionQuestion, readWhole } from '../client/permission.ts';
import { describe } from './describe.ts';
import type { Exchange } from './exchange.ts';
import { readChoice } from './read-answer.ts';

export async function answerPermission(exchange: Exchange, asked: PermissionQuestion): Promise<boolean> {
  const { client, say, read, send } = exchange;
  const question = await readWhole(client, asked);
  const start = question.options.findIndex(({ id }) => id === question.start);
  say([...describe(question), '   r  Refuse; what you write behind it is told to the agent']);
  const prompt = start < 0 ? 'Answer: ' : `Answer [${start + 1}]: `;
  for (;;) {
    const line = await read(prompt);
    if (line === undefined) return false;
    const typed = line === '' && start >= 0 ? String(start + 1) : line;
    // Before the labels: none of them may turn a refusal into something else.
    const refusal = /^r(?:\s+(.*))?$/is.exec(typed);
    const choice = refusal === null ? readChoice(typed, question.options) : undefined;
    if (choice !== undefined && 'problem' in choice) {
      say([choice.problem]);
      continue;
    }
    const sent = await send(() =>
      choice === undefined
        ? refuse(client, question, refusal?.[1]?.trim() ?? '')
        : pickOption(client, question, choice.value),
    );
    if (sent.kind !== 'rejected') return sent.kind === 'accepted';
    say([sent.reason]);
  }
}
