// What a session is called: by its first prompt, by its agent, or by a client, whose word is the last (R-042; acp-to-ahp
// 2.8). The title of the chat does not follow.
import type { Message } from '../protocol/state-chat.ts';
import type { Chat, Core } from './session.ts';
import { oneLine } from './text.ts';

const TITLE_LENGTH = 80;

/** The first prompt names an untitled session. */
export function titleByPrompt(core: Core, chat: Chat, message: Message): void {
  const { uri } = chat.session;
  if (core.sequencer.session(uri).title === '') setTitle(core, chat, promptTitle(message));
}

/** The agent's own title counts unless it only repeats the prompt; null brings back the one of the first prompt. */
export function titleByAgent(core: Core, chat: Chat, text: string | null): void {
  if (chat.session.renamed) return;
  const { turns } = core.sequencer.chat(chat.uri);
  const prompts = [...turns.map(({ message }) => message), ...(chat.turn ? [chat.turn.message] : [])];
  if (text === null) {
    setTitle(core, chat, prompts.map(promptTitle).find((title) => title !== '') ?? '');
    return;
  }
  const title = [...oneLine(text)].slice(0, TITLE_LENGTH).join('');
  if (title !== '' && !oneLine(prompts[0]?.text ?? '').startsWith(title)) setTitle(core, chat, title);
}

/** The first line that says something, or the names of what is attached. */
function promptTitle(message: Message): string {
  const line = message.text.split('\n').find((each) => each.trim() !== '');
  const labels = (message.attachments ?? []).map(({ label }) => label).join(', ');
  return [...(line ?? labels).trim()].slice(0, TITLE_LENGTH).join('');
}

function setTitle(core: Core, chat: Chat, title: string): void {
  const { uri } = chat.session;
  if (core.sequencer.session(uri).title !== title)
    core.sequencer.commit(uri, { type: 'session/titleChanged', title });
}
