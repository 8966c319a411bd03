// Text of the running turn: which part it goes to, and the merging of chunks before they are numbered. Chunk
// borders mean nothing in AHP; a part ends when another kind of output begins (acp-to-ahp 1.1).
import type { Meta, StringOrMarkdown } from '../protocol/state-common.ts';
import type { Chat, Core, OpenPart, RunningTurn } from './session.ts';
import { later } from './session.ts';

type Target = OpenPart['to'];

const PART = { message: 'markdown', thought: 'reasoning' } as const;
const GROWTH = { message: 'chat/delta', thought: 'chat/reasoning' } as const;

export function appendText(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  to: Target,
  text: string,
  messageId: string | undefined,
): void {
  if (text === '') return;
  const open = turn.openPart;
  if (open && (open.to !== to || open.messageId !== messageId)) closePart(core, chat, turn);
  turn.openPart ??= { to, messageId, partId: undefined, unsent: '', flush: undefined };
  const part = turn.openPart;
  part.unsent += text;
  if (part.partId === undefined) {
    // White space alone opens no part: it belongs to what follows, or to nothing.
    if (part.unsent.trim() !== '') openPart(core, chat, turn, part);
    return;
  }
  const wait = core.subscriptions.latencyMs(chat.uri);
  if (wait === 0) flush(core, chat, turn, part);
  else part.flush ??= later(core, wait, () => flush(core, chat, turn, part));
}

/** Numbers what is held back; every other commit of the turn comes after it. */
export function flushText(core: Core, chat: Chat, turn: RunningTurn): void {
  if (turn.openPart?.partId !== undefined) flush(core, chat, turn, turn.openPart);
}

/** Ends the open part: text that follows starts a new one. */
export function closePart(core: Core, chat: Chat, turn: RunningTurn): void {
  flushText(core, chat, turn);
  turn.openPart = undefined;
}

/** Appends a part of another kind behind the text so far. */
export function appendNotice(
  core: Core,
  chat: Chat,
  turn: RunningTurn,
  content: StringOrMarkdown,
  meta?: Meta,
): void {
  closePart(core, chat, turn);
  core.sequencer.commit(chat.uri, {
    type: 'chat/responsePart',
    turnId: turn.id,
    part: { kind: 'systemNotification', content, ...(meta && { _meta: meta }) },
  });
}

function openPart(core: Core, chat: Chat, turn: RunningTurn, part: OpenPart): void {
  const index = core.sequencer.chat(chat.uri).activeTurn?.responseParts.length ?? 0;
  part.partId = `${turn.id}:${index}`;
  const content = part.unsent;
  part.unsent = '';
  core.sequencer.commit(chat.uri, {
    type: 'chat/responsePart',
    turnId: turn.id,
    part: { kind: PART[part.to], id: part.partId, content },
  });
}

function flush(core: Core, chat: Chat, turn: RunningTurn, part: OpenPart): void {
  part.flush?.();
  part.flush = undefined;
  if (part.partId === undefined || part.unsent === '') return;
  const content = part.unsent;
  part.unsent = '';
  core.sequencer.commit(chat.uri, { type: GROWTH[part.to], turnId: turn.id, partId: part.partId, content });
}
