// Diffs of a tool call as AHP's typed edits, one per diff and in order (acp-to-ahp 2.4, F-066). The texts are in the
// content store. Agents often send fragments, so a text may be a part of the file; AHP has no word for that.
import type { FileEdit } from '../protocol/state-common.ts';
import { fileUri } from '../protocol/uri.ts';
import type { ContentStore } from './content-store.ts';
import { lineDiff } from './line-diff.ts';
import type { Session } from './session.ts';
import type { Diff, ToolRecord } from './tool-record.ts';

/** Above this the bare list is left out, in UTF-16 code units of its texts. */
const BARE_LIMIT = 64 << 10;

export function fileEdits(store: ContentStore, session: Session, { diffs, kind }: ToolRecord): FileEdit[] {
  return diffs.map(({ path, oldText, newText }) => {
    const uri = fileUri(absolutePath(session.cwd, path));
    const side = (text: string) => ({ uri, content: store.put(session.uri, text) });
    const isDelete = kind === 'delete' && newText === '' && oldText !== undefined;
    const counts = lineDiff(oldText ?? '', newText);
    return {
      ...(oldText !== undefined && { before: side(oldText) }),
      ...(!isDelete && { after: side(newText) }),
      ...(counts && { diff: counts }),
    };
  });
}

/** The diffs as they came, for clients that read them from `_meta.otto.diffs` (facts 2.5). */
export function bareDiffs(
  diffs: readonly Diff[],
): { path: string; oldText: string | null; newText: string }[] | undefined {
  let size = 0;
  for (const { path, oldText, newText } of diffs)
    size += path.length + (oldText?.length ?? 0) + newText.length;
  if (diffs.length === 0 || size > BARE_LIMIT) return undefined;
  return diffs.map(({ path, oldText, newText }) => ({ path, oldText: oldText ?? null, newText }));
}

/** A path of an agent, relative ones from the session's folder, without `.` and `..`. */
function absolutePath(cwd: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
