// `elicitation/create` and the port's input question, in both directions. Only forms are offered to agents.
// A form that cannot be answered and an address to open are declined with a notice that says so.
import { randomUUID } from 'node:crypto';
import type { InputReply } from '../../host/ports.ts';
import { type Asking, ask } from './ask.ts';
import { readForm } from './form.ts';
import { contentOf } from './form-answers.ts';
import { asString, type JsonObject } from './json.ts';

type Answer = { action: 'accept'; content: object } | { action: 'decline' | 'cancel' };

export const DECLINED: Answer = { action: 'decline' };
const GONE: Answer = { action: 'cancel' };

/** Reports the request as `inputAsked` and resolves with ACP's answer (acp-to-ahp 4). */
export function askInput(params: JsonObject, asking: Asking): Promise<Answer> {
  if ((params['mode'] ?? 'form') !== 'form') return decline(asking, unknownMode(params));
  const form = readForm(params, randomUUID());
  if ('unfit' in form) return decline(asking, form.unfit);
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

function decline(asking: Asking, why: string): Promise<Answer> {
  const title = `A question of the agent was declined: ${why}`;
  asking.report({ type: 'notice', severity: 'warning', title });
  return Promise.resolve(DECLINED);
}

/** Of an address only the host is named: nobody is to open it by a click (acp-to-ahp 4.1). */
function unknownMode({ mode, url }: JsonObject): string {
  if (mode !== 'url') return 'it is asked in a way that is not known here';
  const address = asString(url) ?? '';
  const host = URL.canParse(address) ? new URL(address).host : '';
  return `it asks to open an address${host === '' ? '' : ` at ${host}`}`;
}
