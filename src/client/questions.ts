// What a session waits for a person to say, as plain data taken from its state: forms, sign-ins, permissions; and
// what became of one that is no longer open. Knows nothing of how it is shown, and answers nothing.
import { ottoOf } from '../protocol/meta.ts';
import type {
  ChatInputAnswer,
  ChatInputQuestion,
  ChatInputRequest,
  ChatState,
} from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { SessionInputRequest, SessionState } from '../protocol/state-session.ts';
import { type Asked, type PermissionQuestion, permissionQuestion } from './permission.ts';

export type FormField = ChatInputQuestion;
export type FieldAnswer = ChatInputAnswer;

export interface FormQuestion extends Asked {
  kind: 'form';
  chat: Uri;
  request: ChatInputRequest;
}

interface SignInMethod {
  id: string;
  name: string;
  description?: string;
  kind: 'agent' | 'terminal' | 'env';
  command?: readonly string[];
}

export interface SignInQuestion extends Asked {
  kind: 'signIn';
  methods: readonly SignInMethod[];
  /** Why the last attempt did not work. */
  problem?: string;
}

export type OpenQuestion = PermissionQuestion | FormQuestion | SignInQuestion;

/** `gone`: taken back by the agent, or over with its turn. */
export type Ending = 'allowed' | 'refused' | 'answered' | 'declined' | 'signedIn' | 'gone';

/** The open questions of a session in the order in which they were asked; a sign-in comes first. */
export function openQuestions(uri: Uri, session: SessionState, agent: string): OpenQuestion[] {
  const blocks = session.inputNeeded ?? [];
  const asked = blocks.flatMap((block) => blockQuestion(block, { id: block.id, session: uri, agent }));
  return [...signInQuestion(uri, session, agent), ...asked];
}

/** Whether two readings of one question would be shown alike; drafts of a form do not count. */
export function sameQuestion(one: OpenQuestion, other: OpenQuestion): boolean {
  if (one.session !== other.session || one.id !== other.id) return false;
  return one.kind === 'form' || JSON.stringify(one) === JSON.stringify(other);
}

/** What became of a question that is no longer open, as its chat tells it. */
export function endingOf(question: OpenQuestion, chat: ChatState | undefined): Ending {
  if (question.kind === 'signIn') return 'signedIn';
  const turns = [...(chat?.turns ?? []), ...(chat?.activeTurn === undefined ? [] : [chat.activeTurn])];
  for (const part of turns.toReversed().flatMap(({ responseParts }) => responseParts.toReversed())) {
    if (part.kind === 'toolCall' && question.kind === 'permission') {
      const call = part.toolCall;
      if (call.toolCallId !== question.toolCallId) continue;
      if (call.status === 'cancelled') return call.reason === 'denied' ? 'refused' : 'gone';
      return call.status === 'streaming' || call.status === 'pending-confirmation' ? 'gone' : 'allowed';
    }
    if (part.kind === 'inputRequest' && question.kind === 'form') {
      if (part.request.id !== question.request.id) continue;
      if (part.response === 'accept') return 'answered';
      return part.response === 'decline' ? 'declined' : 'gone';
    }
  }
  return 'gone';
}

function blockQuestion(block: SessionInputRequest, asked: Asked): OpenQuestion[] {
  if (block.kind === 'chatInput') {
    return [{ ...asked, kind: 'form', chat: block.chat, request: block.request }];
  }
  if (block.kind !== 'toolConfirmation' || block.toolCall.status !== 'pending-confirmation') return [];
  return [permissionQuestion(block.toolCall, block, asked)];
}

function signInQuestion(session: Uri, state: SessionState, agent: string): SignInQuestion[] {
  const { signIn, problem } = ottoOf(state._meta) as {
    signIn?: { methods: readonly SignInMethod[] };
    problem?: { text: string };
  };
  if (signIn === undefined) return [];
  const why = problem !== undefined && { problem: problem.text };
  return [{ id: 'sign-in', session, agent, kind: 'signIn', methods: signIn.methods, ...why }];
}
