// A message put into the running turn: offered to the agent, shown where it was taken, and moved to the head of the
// queue where it was not (AHP C-34, C-35; acp-to-ahp 5).
import type { PendingMessage } from '../protocol/state-chat.ts';
import { appendNotice } from './parts.ts';
import type { Chat, Core, RunningTurn } from './session.ts';

/** Offers the chat's steering message, if there is one and a turn it can go into; `settled` runs after the answer. */
export function offerSteering(core: Core, chat: Chat, settled: () => void): void {
  const { turn, agent } = chat;
  const steering = core.sequencer.chat(chat.uri).steeringMessage;
  if (!steering || !turn?.sent || !agent) return;
  const { id, message } = steering;
  agent.handle.steer(message, (taken) =>
    core.tick(() => {
      if (chat.disposed || core.sequencer.chat(chat.uri).steeringMessage?.id !== id) return;
      core.sequencer.commit(chat.uri, { type: 'chat/pendingMessageRemoved', kind: 'steering', id });
      if (!taken) toQueueHead(core, chat, steering);
      else if (chat.turn === turn) showSteered(core, chat, turn, message.text);
      settled();
    }),
  );
}

/** What a user said in the middle of a turn, as a part of it. */
export function showSteered(core: Core, chat: Chat, turn: RunningTurn, text: string): void {
  const markdown = text.replace(/^/gm, '> ');
  appendNotice(core, chat, turn, { markdown }, { otto: { steered: { text } } });
}

export function toQueueHead(core: Core, chat: Chat, { id, message }: PendingMessage): void {
  const others = (core.sequencer.chat(chat.uri).queuedMessages ?? []).map((queued) => queued.id);
  core.sequencer.commit(chat.uri, { type: 'chat/pendingMessageSet', kind: 'queued', id, message });
  core.sequencer.commit(chat.uri, { type: 'chat/queuedMessagesReordered', order: [id, ...others] });
}
