// What an agent says about itself rather than as its answer: notices, compactions, words of a user that came in
// another way, pictures and sounds, and updates nobody knows (acp-to-ahp 2.1).
import { appendNotice, closePart } from './parts.ts';
import type { AgentEvent } from './ports.ts';
import { type Chat, type Core, type RunningTurn, setActivity } from './session.ts';
import { showSteered } from './steering.ts';

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** The longest summary of a compaction that is kept, in characters. */
const SUMMARY_LIMIT = 16 << 10;
/** Unknown updates kept for one turn; their size is bounded when they are published. */
const UPDATES_KEPT = 200;

export function showNotice(core: Core, chat: Chat, turn: RunningTurn, event: EventOf<'notice'>): void {
  const { title, description, severity } = event;
  const content = description === undefined ? title : `${title}\n\n${description}`;
  appendNotice(core, chat, turn, content, { otto: { notice: { severity } } });
}

export function showCompaction(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  event: EventOf<'compaction'>,
): void {
  const { id, status, summary, error } = event;
  if (status === 'in_progress') {
    setActivity(core, chat, 'Compacting…');
    return;
  }
  setActivity(core, chat, undefined);
  if (status !== 'completed' && status !== 'failed') return;
  const content =
    status === 'completed'
      ? 'The conversation was summarised to make room'
      : `The conversation could not be summarised${error === undefined ? '' : `: ${error}`}`;
  const kept = summary !== undefined && { summary: summary.slice(0, SUMMARY_LIMIT) };
  appendNotice(core, chat, turn, content, { otto: { compaction: { id, status, ...kept } } });
}

/** An agent may repeat the prompt to us; only what a user said beyond it is shown (F-077). */
export function showUserText(core: Core, chat: Chat, turn: RunningTurn, { text }: EventOf<'userText'>): void {
  if (text === '') return;
  if (turn.echo.startsWith(text)) turn.echo = turn.echo.slice(text.length);
  else showSteered(core, chat, turn, text);
}

/** A file of the agent's, once per turn. */
export function showMedia(core: Core, chat: Chat, turn: RunningTurn, { ref }: EventOf<'media'>): void {
  const parts = core.sequencer.chat(chat.uri).activeTurn?.responseParts ?? [];
  if (parts.some((part) => part.kind === 'contentRef' && part.uri === ref.uri)) return;
  closePart(core, chat, turn);
  const part = { kind: 'contentRef', ...ref } as const;
  core.sequencer.commit(chat.uri, { type: 'chat/responsePart', turnId: turn.id, part });
}

export function keepUnknown(chat: Chat, { update }: EventOf<'unknown'>): void {
  const updates = chat.turn?.updates;
  if (!updates) return;
  updates.push(update);
  if (updates.length > UPDATES_KEPT) updates.shift();
}
