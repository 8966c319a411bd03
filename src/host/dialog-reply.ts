// Whether what a renderer replied can be used. Replies come from other programs: one that is none of ours, or does
// not fit its form, decides nothing.
import { messageOf } from '../base/errors.ts';
import type { ChatInputRequest } from '../protocol/state-chat.ts';
import { completionProblem } from './input.ts';
import type { DialogReply } from './ports.ts';

const REPLIES: readonly string[] = [
  'granted',
  'denied',
  'ended',
  'open',
  'unavailable',
] satisfies DialogReply['kind'][];

export function isReply(reply: unknown): reply is DialogReply {
  if (typeof reply !== 'object' || reply === null || !('kind' in reply)) return false;
  if (typeof reply.kind !== 'string' || !REPLIES.includes(reply.kind)) return false;
  const answers = 'answers' in reply ? reply.answers : undefined;
  return answers === undefined || (typeof answers === 'object' && answers !== null);
}

/** Why a form cannot be accepted with these answers, in words; answers of another shape are a reason too. */
export function acceptProblem(
  request: ChatInputRequest,
  { answers = {} }: Extract<DialogReply, { kind: 'granted' }>,
): string | undefined {
  try {
    return completionProblem(request, 'accept', answers);
  } catch (error) {
    return messageOf(error);
  }
}
