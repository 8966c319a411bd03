// ACP content blocks as text of a message, as text of a thought and as content of a tool call.
// Pictures, sounds and large resources have no file yet: they are named in the text and never passed on.
import type { ToolContent } from '../../host/ports.ts';
import { asNumber, asObject, asString, asText, inside, type JsonObject, objectsOf } from './json.ts';

const NO_PICTURE = '[picture not shown]';
const NO_SOUND = '[sound not shown]';
const NO_RESOURCE = '[resource not shown]';
/** Bytes of an embedded text that is shown in place. */
const RESOURCE_LIMIT = 16 * 1024;

/** The Markdown of a block in a message, empty when it is not for the user; `undefined` for an unknown type. */
export function messageText(block: JsonObject): string | undefined {
  const audience = inside(block, 'annotations')?.['audience'];
  if (Array.isArray(audience) && !audience.includes('user')) return '';
  switch (block['type']) {
    case 'text':
      return asString(block['text']) ?? '';
    case 'image':
      return NO_PICTURE;
    case 'audio':
      return NO_SOUND;
    case 'resource_link':
      return link(block);
    case 'resource':
      return embedded(inside(block, 'resource') ?? {});
    default:
      return undefined;
  }
}

/** The same for a thought: a link is its name, everything else but text is dropped (acp-to-ahp 2.1). */
export function thoughtText(block: JsonObject): string | undefined {
  if (block['type'] === 'resource_link') return asString(block['name']) ?? '';
  if (block['type'] === 'text') return messageText(block);
  return messageText(block) === undefined ? undefined : '';
}

/** A `content` list of a tool call. A terminal is the agent's own: its output comes as `_meta` of updates. */
export function toolContent(list: readonly unknown[]): ToolContent[] {
  return objectsOf(list).flatMap((entry): ToolContent[] => {
    if (entry['type'] === 'diff') return diff(entry);
    return entry['type'] === 'content' ? block(inside(entry, 'content') ?? {}) : [];
  });
}

function diff(entry: JsonObject): ToolContent[] {
  const path = asString(entry['path']);
  const newText = asString(entry['newText']);
  if (path === undefined || newText === undefined) return [];
  const oldText = asString(entry['oldText']);
  return [{ type: 'diff', path, ...(oldText !== undefined && { oldText }), newText }];
}

function block(content: JsonObject): ToolContent[] {
  const uri = asString(content['uri']);
  if (content['type'] === 'resource_link' && uri !== undefined) {
    const sizeHint = asNumber(content['size']);
    const contentType = asString(content['mimeType']);
    return [
      {
        type: 'resource',
        uri,
        ...(sizeHint !== undefined && { sizeHint }),
        ...(contentType !== undefined && { contentType }),
      },
    ];
  }
  const text =
    content['type'] === 'resource'
      ? (asString(asObject(content['resource'])?.['text']) ?? NO_RESOURCE)
      : messageText({ ...content, annotations: undefined });
  return text === undefined || text === '' ? [] : [{ type: 'text', text }];
}

function link(block: JsonObject): string {
  const uri = asString(block['uri']) ?? '';
  const label = asText(block['title']) ?? asText(block['name']) ?? uri;
  if (!/^(file|https?):/i.test(uri)) return asText(block['name']) ?? label;
  const escaped = label.replace(/[[\]\\]/g, '\\$&').replace(/\s+/g, ' ');
  return `[${escaped}](${uri.replace(/\s/g, '%20').replace(/[()\\]/g, '\\$&')})`;
}

function embedded(resource: JsonObject): string {
  const text = asString(resource['text']);
  if (text === undefined || Buffer.byteLength(text) > RESOURCE_LIMIT) return NO_RESOURCE;
  return `\n\n${fenced(asString(resource['uri']) ?? '', text)}\n\n`;
}

/** `text` as a fenced block under a caption line; the fence is longer than any inside. */
export function fenced(caption: string, text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${caption.replace(/\s+/g, ' ')}\n\n${fence}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}`;
}
