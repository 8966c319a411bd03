// `elicitation/create` and the port's input question, in both directions. Only forms are offered to agents.
// A form that cannot be answered is declined with a notice; an address to open is declined without one.
import { randomUUID } from 'node:crypto';
import type { InputReply } from '../../host/ports.ts';
import { type Asking, ask } from './ask.ts';
import { readForm } from './form.ts';
import { contentOf } from './form-answers.ts';
import type { JsonObject } from './json.ts';

type Answer = { action: 'accept'; content: object } | { action: 'decline' | 'cancel' };

export const DECLINED: Answer = { action: 'decline' };
const GONE: Answer = { action: 'cancel' };

/** Reports the request as `inputAsked` and resolves with ACP's answer (acp-to-ahp 4). */
export function askInput(params: JsonObject, asking: Asking): Promise<Answer> {
  if ((params['mode'] ?? 'form') !== 'form') return Promise.resolve(DECLINED);
  const form = readForm(params, randomUUID());
  if ('unfit' in form) {
    const title = `A question of the agent was declined: ${form.unfit}`;
    asking.report({ type: 'notice', severity: 'warning', title });
    return Promise.resolve(DECLINED);
  }
  return ask(asking, GONE, (reply) => ({
    type: 'inputAsked',
    key: asking.key,
    request: form.request,
    reply: ({ response, answers = {} }: InputReply) => {
      if (response === 'accept') reply({ action: 'accept', content: contentOf(form, answers) });
      else reply(response === 'decline' ? DECLINED : GONE);
    },
  }));
}
