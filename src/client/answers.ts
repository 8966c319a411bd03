// What a person said, as the actions and requests that tell the service. Judges no answer: the service does, and
// what it says of a refused one is handed on.
import type { Client, DispatchOutcome } from './client.ts';
import type { PermissionOption, PermissionQuestion } from './permission.ts';
import type { FieldAnswer, FormQuestion, SignInQuestion } from './questions.ts';

/** Answers with one of the agent's own options. */
export function pickOption(
  client: Client,
  { chat, turnId, toolCallId }: PermissionQuestion,
  { id: selectedOptionId, kind }: PermissionOption,
): Promise<DispatchOutcome> {
  const call = { type: 'chat/toolCallConfirmed', turnId, toolCallId, selectedOptionId } as const;
  return client.dispatch(
    chat,
    kind === 'approve'
      ? { ...call, approved: true, confirmed: 'user-action' }
      : { ...call, approved: false, reason: 'denied' },
  );
}

/** Refuses the call; what the person says besides reaches the agent as the next message. */
export function refuse(
  client: Client,
  { chat, turnId, toolCallId }: PermissionQuestion,
  reason: string,
): Promise<DispatchOutcome> {
  const said = reason !== '' && { userSuggestion: { text: reason, origin: { kind: 'user' } } };
  return client.dispatch(chat, {
    type: 'chat/toolCallConfirmed',
    turnId,
    toolCallId,
    approved: false,
    reason: 'denied',
    ...said,
  });
}

/** Tells one answer while the form is still open, which shows that somebody is at it. */
export function changeAnswer(
  client: Client,
  { chat, request }: FormQuestion,
  questionId: string,
  answer: FieldAnswer,
): Promise<DispatchOutcome> {
  return client.dispatch(chat, {
    type: 'chat/inputAnswerChanged',
    requestId: request.id,
    questionId,
    answer,
  });
}

export function completeForm(
  client: Client,
  { chat, request }: FormQuestion,
  response: 'accept' | 'decline' | 'cancel',
  answers: Readonly<Record<string, FieldAnswer>> = {},
): Promise<DispatchOutcome> {
  return client.dispatch(chat, {
    type: 'chat/inputCompleted',
    requestId: request.id,
    response,
    ...(response === 'accept' && { answers }),
  });
}

/**
 * Has the agent sign in with one of its methods, or look again after the person has signed in outside. What comes
 * of it shows in the session. Rejects with the service's ProtocolError.
 */
export async function signIn(
  client: Client,
  { session, methods }: SignInQuestion,
  methodId: string,
): Promise<void> {
  const method = methods.find(({ id }) => id === methodId);
  if (method?.kind === 'agent') await client.request('x-otto/signIn', { channel: session, methodId });
  else await client.request('x-otto/retry', { channel: session });
}
