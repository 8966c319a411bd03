// A chat as plain text, read piece by piece: prompts quoted, answers as they were written. What was read once is
// not read again, so the same reader prints a finished chat and follows a running one. Reasoning, tools and
// pictures are left out.
import type { ActiveTurn, ChatState, Message, ResponsePart, Turn } from '../protocol/state-chat.ts';

/** Gives, at each call with the parts of one turn, the answer text that was not there before. */
export function answerReader(): (parts: readonly ResponsePart[]) => string {
  const read: number[] = [];
  let begun = false;
  return (parts) => {
    let added = '';
    for (const [index, part] of parts.entries()) {
      const from = read[index] ?? 0;
      if (part.kind !== 'markdown' || part.content.length <= from) continue;
      if (from === 0 && begun) added += '\n\n';
      added += part.content.slice(from);
      read[index] = part.content.length;
      begun = true;
    }
    return added;
  };
}

export interface TranscriptReader {
  /** The text that is new since the last call. */
  read(chat: ChatState): string;
  /** Forgets the turns from `count` on: they were taken back and others will stand in their place. */
  rewind(count: number): void;
}

export function transcriptReader(): TranscriptReader {
  let finished = 0;
  let written = '';
  let prompt: Message | undefined;
  let answer = answerReader();

  const begin = (message?: Message): void => {
    prompt = message;
    written = '';
    answer = answerReader();
  };
  const readTurn = (turn: ActiveTurn | Turn): string => {
    let text = '';
    // Ids change when the agent's history is read in again; what was asked does not.
    if (prompt?.text !== turn.message.text) {
      const apart = prompt === undefined ? '' : newline(written);
      text = apart + (finished > 0 || prompt !== undefined ? '\n' : '') + quote(turn.message);
      begin(turn.message);
    }
    const added = answer(turn.responseParts);
    written += added;
    return text + added;
  };

  return {
    read: (chat) => {
      let text = '';
      for (const turn of chat.turns.slice(finished)) {
        text += readTurn(turn) + ending(turn, written);
        finished += 1;
        begin();
      }
      // While earlier turns are away, because history is being loaded, the running one is not next.
      if (chat.activeTurn !== undefined && chat.turns.length === finished) text += readTurn(chat.activeTurn);
      return text;
    },
    rewind: (count) => {
      if (count >= finished) return;
      finished = count;
      begin();
    },
  };
}

/** The messages that wait for their turns, one text each. */
export function queuedTexts(chat: ChatState): string[] {
  return (chat.queuedMessages ?? []).map(({ message }) => `[queued] ${message.text}`);
}

/** Why a turn failed, as its agent or the host put it. */
export function errorOf(turn: Turn): string {
  const part = turn.responseParts.findLast((candidate) => candidate.kind === 'error');
  return part?.error.message ?? 'the agent failed without saying why';
}

/** Whether a turn failed because somebody has to sign in; it goes on once that is done (acp-to-ahp 6.3). */
export function wantsSignIn(turn: Turn): boolean {
  const part = turn.responseParts.at(-1);
  return part?.kind === 'error' && part.error.errorType === 'authRequired';
}

function quote(message: Message): string {
  const labels = (message.attachments ?? []).map(({ label }) => label).join(', ');
  const text = message.text.trim() === '' ? labels : message.text.trimEnd();
  if (text === '') return '';
  const lines = text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  return `${lines.join('\n')}\n\n`;
}

function ending(turn: Turn, written: string): string {
  if (turn.state === 'complete') return newline(written);
  const mark = turn.state === 'cancelled' ? '[cancelled]' : `[error] ${errorOf(turn)}`;
  return `${newline(written)}${written === '' ? '' : '\n'}${mark}\n`;
}

/** What ends the last line of `written`. */
function newline(written: string): string {
  return written === '' || written.endsWith('\n') ? '' : '\n';
}
