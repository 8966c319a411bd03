// A message becomes the content blocks of `session/prompt`, by what the agent can take (acp-to-ahp 5, R-055, R-101).
// What cannot be sent is refused by name; nothing is left out in silence. Files are read in picture.ts only.
import { AgentError } from '../../base/errors.ts';
import type { Message, MessageAttachment } from '../../protocol/state-chat.ts';
import { fenced } from './content.ts';
import { asText, inside, type JsonObject, wellFormed } from './json.ts';
import { isPicture, readPicture } from './picture.ts';

/** ACP `promptCapabilities`. */
export interface PromptAbilities {
  image: boolean;
  audio: boolean;
  embedded: boolean;
}

export type PromptBlock =
  | { type: 'text'; text: string }
  | {
      type: 'resource_link';
      uri: string;
      name: string;
      title?: string;
      mimeType?: string;
      size?: number;
    }
  | { type: 'image' | 'audio'; data: string; mimeType: string; uri?: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string } & ({ text: string } | { blob: string }) };

/** The agent may stop reading at 32 MiB a line; a prompt with this much in it still fits. */
const PROMPT_LIMIT = 24 * 1024 * 1024;

/** Blank text is left out. Throws AgentError `prompt` naming what cannot be sent and why. */
export async function promptBlocks(message: Message, can: PromptAbilities): Promise<PromptBlock[]> {
  const blocks: PromptBlock[] = [];
  const via = asText(inside(message, '_meta', 'otto', 'remote')?.['via']);
  if (via !== undefined) {
    blocks.push(text(`(The following message was written in ${via}, away from this computer.)`));
  }
  if (message.text.trim() !== '') blocks.push(text(message.text));
  // Whoever writes from elsewhere has no files here to point at.
  const attachments = via === undefined ? (message.attachments ?? []) : [];
  for (const [index, attachment] of attachments.entries()) {
    blocks.push(...(await attachmentBlocks(attachment, index, can)));
  }
  if (blocks.reduce((size, block) => size + sizeOf(block), 0) > PROMPT_LIMIT) {
    throw refuse('The message with its attachments is larger than 24 MiB; attach less');
  }
  return blocks;
}

async function attachmentBlocks(
  attachment: MessageAttachment,
  index: number,
  can: PromptAbilities,
): Promise<PromptBlock[]> {
  const { label } = attachment;
  switch (attachment.type) {
    case 'resource': {
      const { uri } = attachment;
      if (can.image && isPicture(uri, attachment.contentType)) {
        return [{ type: 'image', ...(await readPicture(uri, label)), uri }];
      }
      if (!/^(file|https?):/i.test(uri)) break;
      return [link(attachment)];
    }
    case 'embeddedResource':
      return [embedded(attachment, index, can)];
    case 'simple':
      // A command is in the text already.
      if (inside(attachment, '_meta', 'otto')?.['command'] !== undefined) return [];
      if (attachment.modelRepresentation === undefined) break;
      return [text(attachment.modelRepresentation)];
  }
  throw refuse(`The attachment "${label}" cannot be sent to this agent; attach a file or a web address`);
}

function link(attachment: Extract<MessageAttachment, { type: 'resource' }>): PromptBlock {
  const { uri, label, contentType, sizeHint, selection } = attachment;
  return {
    type: 'resource_link',
    uri,
    name: label,
    // The address stays as it is: agents open it as a path.
    ...(selection !== undefined && { title: `${label} (${linesOf(selection.range)})` }),
    ...(contentType !== undefined && { mimeType: contentType }),
    ...(sizeHint !== undefined && { size: sizeHint }),
  };
}

/** AHP counts lines from zero, people from one. */
function linesOf({ start, end }: { start: { line: number }; end: { line: number } }): string {
  return start.line === end.line ? `line ${start.line + 1}` : `lines ${start.line + 1}–${end.line + 1}`;
}

function embedded(
  { label, data, contentType }: Extract<MessageAttachment, { type: 'embeddedResource' }>,
  index: number,
  can: PromptAbilities,
): PromptBlock {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.startsWith('image/') || type.startsWith('audio/')) {
    const kind = type.startsWith('image/') ? 'image' : 'audio';
    if (!can[kind]) throw refuse(`The agent takes no ${kind}; remove the attachment "${label}"`);
    if (data === '') throw refuse(`The attachment "${label}" is empty`);
    return { type: kind, data, mimeType: type };
  }
  const uri = `attachment:///${index + 1}/${encodeURIComponent(wellFormed(label))}`;
  if (/^text\/|[/+](json|xml)$/.test(type)) {
    const words = Buffer.from(data, 'base64').toString('utf8');
    if (!can.embedded) return text(fenced(label, words));
    return { type: 'resource', resource: { uri, mimeType: contentType, text: words } };
  }
  if (!can.embedded) throw refuse(`The agent takes no ${type}; attach "${label}" as a file instead`);
  return { type: 'resource', resource: { uri, mimeType: contentType, blob: data } };
}

function text(words: string): PromptBlock {
  return { type: 'text', text: words };
}

function sizeOf(block: PromptBlock | JsonObject): number {
  return Object.values(block).reduce<number>((size, value) => {
    if (typeof value === 'string') return size + Buffer.byteLength(value);
    return typeof value === 'object' && value !== null ? size + sizeOf(value as JsonObject) : size;
  }, 0);
}

function refuse(message: string): AgentError {
  return new AgentError('prompt', message);
}
