// What a tool call is about to change in files: both texts of each edit, with the call or fetched by reference.
// Compares nothing and shows nothing.
import type { OttoToolMeta } from '../protocol/meta.ts';
import type { FileEdit, Uri } from '../protocol/state-common.ts';
import { ROOT_URI } from '../protocol/state-root.ts';
import { filePath } from '../protocol/uri.ts';
import type { Client } from './client.ts';

type Side = { text: string } | { uri: Uri };

export interface Edit {
  path: string;
  change: 'new' | 'deleted' | 'changed';
  added?: number;
  removed?: number;
  /** What stands there now, and what will; a reference until `readEdit` has fetched it. */
  before?: Side;
  after?: Side;
}

/** `bare`: the same edit as the agent wrote it, where it is small. */
export function editOf(
  { before, after, diff }: FileEdit,
  bare: NonNullable<OttoToolMeta['diffs']>[number] | undefined,
): Edit {
  const uri = after?.uri ?? before?.uri ?? '';
  const [from, to] = [sideOf(before, bare?.oldText), sideOf(after, bare?.newText)];
  return {
    path: filePath(uri) ?? uri,
    change: before === undefined ? 'new' : after === undefined ? 'deleted' : 'changed',
    ...diff,
    ...(from && { before: from }),
    ...(to && { after: to }),
  };
}

/** The edit with its texts; those of a file that goes away are not needed. Rejects when one cannot be had. */
export async function readEdit(client: Client, edit: Edit): Promise<Edit> {
  const { before, after } = edit;
  if (after === undefined) return edit;
  const old = before && { before: { text: await sideText(client, before) } };
  return { ...edit, ...old, after: { text: await sideText(client, after) } };
}

/** A text that the state only refers to (AHP `resourceRead`); rejects with the reason. */
export async function readText(client: Client, uri: Uri): Promise<string> {
  const params = { channel: ROOT_URI, uri, encoding: 'utf-8' } as const;
  const { data, encoding } = await client.request('resourceRead', params);
  if (encoding !== 'utf-8') throw new Error(`it came as ${encoding}`);
  return data;
}

function sideOf(side: FileEdit['before'], text: string | null | undefined): Side | undefined {
  if (side === undefined) return undefined;
  return typeof text === 'string' ? { text } : { uri: side.content.uri };
}

function sideText(client: Client, side: Side): string | Promise<string> {
  return 'text' in side ? side.text : readText(client, side.uri);
}
