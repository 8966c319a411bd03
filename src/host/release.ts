// Letting a chat's agent go: for a terminal that takes over, for good, or because the service stops.
import { stopAgent } from './agent-run.ts';
import type { Chat, Core } from './session.ts';
import type { Turns } from './turns.ts';

/** Cancels the turn and asks the agent to leave; nothing is started by itself afterwards. */
export function quiesceChat(turns: Turns, chat: Chat): void {
  chat.held = true;
  turns.cancel(chat);
  chat.stopping?.timer();
  chat.backoff?.();
  chat.backoff = undefined;
  stopAgent(chat);
}

/** Hands the session to a terminal: the queue rests until somebody opens the chat again. */
export function releaseChat(turns: Turns, chat: Chat): void {
  quiesceChat(turns, chat);
  chat.released = true;
}

export function disposeChat(core: Core, turns: Turns, chat: Chat): void {
  quiesceChat(turns, chat);
  chat.disposed = true;
  core.amendments.forget(chat);
  core.chats.delete(chat.uri);
  core.sequencer.close(chat.uri);
  core.subscriptions.drop(chat.uri);
}
