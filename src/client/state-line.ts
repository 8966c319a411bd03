// What a session is doing right now, in a few words for a person who waits. Derived from state alone.
import type { ChatState } from '../protocol/state-chat.ts';
import type { SessionState } from '../protocol/state-session.ts';

/** One line without a newline, or undefined when there is nothing to wait for. Tool titles stay out of it. */
export function stateLine(agent: string, session: SessionState, chat?: ChatState): string | undefined {
  // While it starts, the activity already says of whom and how far it is.
  if (session.lifecycle === 'creating') return session.activity ?? `Starting ${agent}…`;
  const turn = chat?.activeTurn;
  if (turn === undefined) return chat?.queuedMessages === undefined ? undefined : `Waiting for ${agent}…`;
  const last = turn.responseParts.at(-1);
  switch (last?.kind) {
    case 'markdown':
      return `${agent} is writing…`;
    case 'toolCall':
      return last.toolCall.status === 'pending-confirmation'
        ? `${agent} waits for a permission…`
        : `${agent} is using a tool…`;
    case 'inputRequest':
      return last.response === undefined ? `${agent} waits for an answer…` : `${agent} is thinking…`;
    default:
      return `${agent} is thinking…`;
  }
}
