// Reads a picture file of a message for the agent. Only kinds that models take, known by what the file begins with.
// Refuses what is empty, too large, not there or no picture, so that a bad file does not cost a whole conversation.
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AgentError, messageOf } from '../../base/errors.ts';

const PICTURE_LIMIT = 10 * 1024 * 1024;

const KINDS: readonly { mimeType: string; extension: RegExp; begins: RegExp }[] = [
  { mimeType: 'image/png', extension: /\.png$/i, begins: /^\x89PNG\r\n/ },
  { mimeType: 'image/jpeg', extension: /\.jpe?g$/i, begins: /^\xff\xd8\xff/ },
  { mimeType: 'image/gif', extension: /\.gif$/i, begins: /^GIF8[79]a/ },
  { mimeType: 'image/webp', extension: /\.webp$/i, begins: /^RIFF[\s\S]{4}WEBP/ },
];

/** Whether the address is a local file that is sent as a picture, by its given type or else its name. */
export function isPicture(uri: string, contentType: string | undefined): boolean {
  if (!/^file:/i.test(uri)) return false;
  return KINDS.some(({ mimeType, extension }) =>
    contentType === undefined ? extension.test(uri) : contentType.toLowerCase() === mimeType,
  );
}

/** The bytes in base64 and the true type. Throws AgentError `prompt` with `label` and the reason. */
export async function readPicture(uri: string, label: string): Promise<{ data: string; mimeType: string }> {
  const bytes = await readBytes(uri, label);
  const start = bytes.toString('latin1', 0, 16);
  const kind = KINDS.find(({ begins }) => begins.test(start));
  if (kind === undefined)
    throw refuse(label, bytes.length === 0 ? 'is empty' : 'is no PNG, JPEG, GIF or WebP');
  return { data: bytes.toString('base64'), mimeType: kind.mimeType };
}

async function readBytes(uri: string, label: string): Promise<Buffer> {
  try {
    // Without waiting for a writer, should it be a pipe.
    const file = await open(fileURLToPath(uri), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const about = await file.stat();
      if (!about.isFile()) throw refuse(label, 'is no file');
      if (about.size > PICTURE_LIMIT) throw refuse(label, 'is larger than 10 MiB');
      return await file.readFile();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof AgentError) throw error;
    throw refuse(label, `cannot be read: ${messageOf(error)}`);
  }
}

function refuse(label: string, why: string): AgentError {
  return new AgentError('prompt', `The picture "${label}" ${why}`);
}
