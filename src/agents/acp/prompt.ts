// A message becomes the content blocks of `session/prompt`: text, and a link for each file.
// Refuses attachments that cannot be sent as a link; reads no file.
import { AgentError } from '../../base/errors.ts';
import type { Message } from '../../protocol/state-chat.ts';

export type PromptBlock =
  | { type: 'text'; text: string }
  | { type: 'resource_link'; uri: string; name: string };

/** Blank text is left out. Throws AgentError `prompt` naming an attachment that cannot be sent. */
export function promptBlocks({ text, attachments = [] }: Message): PromptBlock[] {
  const blocks: PromptBlock[] = [];
  // A lone surrogate has no UTF-8 form; strict readers would reject the whole prompt.
  if (text.trim() !== '') blocks.push({ type: 'text', text: text.replace(/\p{Surrogate}/gu, '\uFFFD') });
  for (const attachment of attachments) {
    if (attachment.type !== 'resource' || !/^(file|https?):/i.test(attachment.uri)) {
      throw new AgentError(
        'prompt',
        `The attachment "${attachment.label}" cannot be sent to this agent; attach a file or a web address`,
      );
    }
    blocks.push({ type: 'resource_link', uri: attachment.uri, name: attachment.label });
  }
  return blocks;
}
