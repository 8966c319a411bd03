// Messages as content blocks, by what an agent can take; pictures are real files.
import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { promptBlocks } from '../../src/agents/acp/prompt.ts';
import type { Message, MessageAttachment } from '../../src/protocol/state-chat.ts';
import { tempFolder } from './acp-rig.ts';

const NOTHING = { image: false, audio: false, embedded: false };
const ALL = { image: true, audio: true, embedded: true };
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const message = (attachments: MessageAttachment[], more: Partial<Message> = {}): Message => ({
  text: 'look',
  origin: { kind: 'user' },
  attachments,
  ...more,
});
const blocksOf = async (attachment: MessageAttachment, can = ALL) =>
  (await promptBlocks(message([attachment]), can)).slice(1);
const base64 = (text: string) => Buffer.from(text).toString('base64');

function picture(name: string, bytes: Buffer | string): MessageAttachment & { type: 'resource' } {
  const file = join(tempFolder(), name);
  writeFileSync(file, bytes);
  return { type: 'resource', label: name, uri: pathToFileURL(file).href };
}

describe('a prompt', () => {
  it('begins with a note and leaves attachments out when it was written elsewhere (R-107)', async () => {
    const file = { type: 'resource' as const, label: 'a', uri: 'file:///a' };
    const remote = message([file], { _meta: { otto: { remote: { via: 'Telegram' } } } });
    expect(await promptBlocks(remote, ALL)).toEqual([
      { type: 'text', text: expect.stringContaining('Telegram') },
      { type: 'text', text: 'look' },
    ]);
    const blank = message([file], { _meta: { otto: { remote: { via: ' ' } } } });
    expect(await promptBlocks(blank, ALL)).toHaveLength(2);
  });

  it('of more than 24 MiB is refused', async () => {
    const large = { type: 'embeddedResource' as const, label: 'a', contentType: 'text/plain', data: '' };
    const attachments = [1, 2].map(() => ({ ...large, data: base64('x'.repeat(13 * 1024 * 1024)) }));
    await expect(promptBlocks(message(attachments), ALL)).rejects.toThrow('larger than 24 MiB');
  });
});

describe('an attached file', () => {
  it('is a link with all that is known of it, and a selection only in its title', async () => {
    const range = { start: { line: 2, character: 0 }, end: { line: 6, character: 4 } };
    expect(
      await blocksOf({
        type: 'resource',
        label: 'a.ts',
        uri: 'file:///a.ts',
        contentType: 'text/plain',
        sizeHint: 12,
        selection: { range },
      }),
    ).toEqual([
      {
        type: 'resource_link',
        uri: 'file:///a.ts',
        name: 'a.ts',
        title: 'a.ts (lines 3–7)',
        mimeType: 'text/plain',
        size: 12,
      },
    ]);
  });

  it('that is a picture is sent as one, with its true type, where the agent takes pictures', async () => {
    const attachment = picture('wrong name.jpg', PNG);
    const { uri } = attachment;
    expect(await blocksOf(attachment)).toEqual([
      { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png', uri },
    ]);
    const link = [{ type: 'resource_link', uri, name: 'wrong name.jpg' }];
    expect(await blocksOf(attachment, NOTHING)).toEqual(link);
    expect(await blocksOf({ ...attachment, contentType: 'text/plain' })).toMatchObject(link);
  });

  it('that should be a picture and is not is refused with the reason (F-125)', async () => {
    await expect(blocksOf(picture('a.png', ''))).rejects.toThrow('The picture "a.png" is empty');
    await expect(blocksOf(picture('a.png', '<html>'))).rejects.toThrow('is no PNG, JPEG, GIF or WebP');
    const large = picture('a.png', PNG);
    truncateSync(new URL(large.uri), 10 * 1024 * 1024 + 1);
    await expect(blocksOf(large)).rejects.toThrow('is larger than 10 MiB');
    const gone = { type: 'resource' as const, label: 'a.png', uri: 'file:///no/such/a.png' };
    await expect(blocksOf(gone)).rejects.toThrow('cannot be read');
    const pipe = join(tempFolder(), 'pipe.png');
    execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
    const blocked = { type: 'resource' as const, label: 'pipe.png', uri: pathToFileURL(pipe).href };
    await expect(blocksOf(blocked)).rejects.toMatchObject({ kind: 'prompt', message: /is no file/ });
  });

  it('of exactly 10 MiB still passes as a picture', async () => {
    const attachment = picture('a.png', PNG);
    truncateSync(new URL(attachment.uri), 10 * 1024 * 1024);
    expect(await blocksOf(attachment)).toMatchObject([{ type: 'image' }]);
  });
});

describe('an embedded attachment', () => {
  const embedded = (contentType: string, data: string, label = 'a b.txt') =>
    ({ type: 'embeddedResource', label, contentType, data }) as const;

  it.each(['text/plain; charset=utf-8', 'application/json', 'image/svg+xml'])(
    'of type %s is text or a picture, never bytes',
    async (type) => {
      const [block] = await blocksOf(embedded(type, base64('é')));
      if (type.startsWith('image/'))
        expect(block).toEqual({ type: 'image', data: base64('é'), mimeType: type });
      else {
        const uri = 'attachment:///1/a%20b.txt';
        expect(block).toEqual({ type: 'resource', resource: { uri, mimeType: type, text: 'é' } });
      }
    },
  );

  it('of text is fenced under its label where the agent takes no resources', async () => {
    expect(await blocksOf(embedded('text/plain', base64('body')), NOTHING)).toEqual([
      { type: 'text', text: 'a b.txt\n\n```\nbody\n```' },
    ]);
  });

  it('of bytes goes as bytes, or is refused by name', async () => {
    const bytes = embedded('application/pdf', 'JVBE');
    expect(await blocksOf(bytes)).toEqual([
      {
        type: 'resource',
        resource: { uri: 'attachment:///1/a%20b.txt', mimeType: 'application/pdf', blob: 'JVBE' },
      },
    ]);
    await expect(blocksOf(bytes, NOTHING)).rejects.toThrow('attach "a b.txt" as a file');
  });

  it('of a picture or a sound needs an agent that takes it', async () => {
    expect(await blocksOf(embedded('audio/wav', 'AAAA'))).toEqual([
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    ]);
    await expect(blocksOf(embedded('audio/wav', 'AAAA'), NOTHING)).rejects.toThrow('takes no audio');
    await expect(blocksOf(embedded('image/png', 'AAAA'), NOTHING)).rejects.toThrow('takes no image');
    await expect(blocksOf(embedded('image/png', ''))).rejects.toThrow('is empty');
  });
});

describe('another attachment', () => {
  it('that is simple is its words, or nothing when it stands for a command in the text', async () => {
    const simple = { type: 'simple' as const, label: '/plan', modelRepresentation: 'words' };
    expect(await blocksOf(simple)).toEqual([{ type: 'text', text: 'words' }]);
    expect(await blocksOf({ ...simple, _meta: { otto: { command: 'plan' } } })).toEqual([]);
  });

  it.each<MessageAttachment>([
    { type: 'annotations', label: 'Notes', resource: 'x:/' },
    { type: 'chat', label: 'Chat', resource: 'ahp-chat:/x' },
    { type: 'simple', label: 'Bare' },
    { type: 'resource', label: 'Elsewhere', uri: 'x-other:/thing' },
  ])('of type $type is refused by name, not left out', async (attachment) => {
    await expect(blocksOf(attachment)).rejects.toMatchObject({
      kind: 'prompt',
      message: expect.stringContaining(attachment.label),
    });
  });
});
