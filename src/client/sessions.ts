// The list of sessions as a client reads it: all pages, one word of status, and how a person names one of them.
import { UserError } from '../base/errors.ts';
import {
  type SessionStatus,
  STATUS_ERROR,
  STATUS_IN_PROGRESS,
  STATUS_INPUT_NEEDED,
  type Uri,
} from '../protocol/state-common.ts';
import { ROOT_URI } from '../protocol/state-root.ts';
import type { SessionSummary } from '../protocol/state-session.ts';
import { filePath, sessionId } from '../protocol/uri.ts';
import type { Client } from './client.ts';

/** Every session of the service, the one that changed last first. */
export async function listSessions(client: Client): Promise<SessionSummary[]> {
  const all: SessionSummary[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? { channel: ROOT_URI } : { channel: ROOT_URI, cursor };
    const page = await client.request('listSessions', params);
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}

/**
 * The session that `query` names: a URI, an id or the start of one; without a query the newest.
 * None or several are a UserError (facts 9.7).
 */
export function findSession(sessions: readonly SessionSummary[], query?: string): SessionSummary {
  const newest = sessions[0];
  if (newest === undefined) throw new UserError('there are no sessions; begin one with `otto-agents ask`');
  if (query === undefined) return newest;
  const exact = sessions.find(({ resource }) => resource === query || sessionId(resource) === query);
  if (exact !== undefined) return exact;
  const found = sessions.filter(({ resource }) => query !== '' && sessionId(resource).startsWith(query));
  const only = found[0];
  if (only === undefined)
    throw new UserError(`no session is called "${query}"; see \`otto-agents sessions\``);
  if (found.length > 1) {
    throw new UserError(`${found.length} sessions begin with "${query}"; write more of the id`);
  }
  return only;
}

/** What a session is doing, the most pressing first. */
export function statusWord(status: SessionStatus): 'needs input' | 'working' | 'error' | 'idle' {
  if ((status & STATUS_INPUT_NEEDED) === STATUS_INPUT_NEEDED) return 'needs input';
  if ((status & STATUS_IN_PROGRESS) !== 0) return 'working';
  return (status & STATUS_ERROR) !== 0 ? 'error' : 'idle';
}

/** The first 8 characters of a session's id, which is what tables show and people type. */
export function shortId(session: Uri): string {
  return sessionId(session).slice(0, 8);
}

/** The path of a session's first folder, or undefined when it has none on this machine. */
export function folderOf(session: { workingDirectories?: readonly Uri[] }): string | undefined {
  const folder = session.workingDirectories?.[0];
  return folder === undefined ? undefined : filePath(folder);
}
