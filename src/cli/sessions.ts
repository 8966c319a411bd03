// `sessions`: one line per session, newest first (facts 9.7).
import { homedir } from 'node:os';
import { folderOf, listSessions, shortId, statusWord } from '../client/sessions.ts';
import { type UrlOption, withClient } from './connection.ts';
import { plainLine, print } from './output.ts';

export interface SessionsOptions extends UrlOption {
  json?: boolean;
}

type Summary = Awaited<ReturnType<typeof listSessions>>[number];

export async function sessions(options: SessionsOptions): Promise<number> {
  const all = await withClient(options, listSessions);
  if (options.json === true) print(`${JSON.stringify(all, undefined, 2)}\n`);
  else if (all.length === 0) print('No sessions.\n');
  else print(sessionTable(all, Date.now(), homedir()));
  return 0;
}

/** The table; `now` is in Unix milliseconds. */
export function sessionTable(all: readonly Summary[], now: number, home: string): string {
  const rows = all.map((session) =>
    row(
      shortId(session.resource),
      statusWord(session.status),
      session.provider,
      age(session.modifiedAt, now),
      folderName(folderOf(session), home),
      plainLine(session.title) || '(untitled)',
    ),
  );
  return [row('ID', 'STATUS', 'AGENT', 'AGE', 'FOLDER', 'TITLE'), ...rows].join('');
}

/** The folder with the home directory as `~`, or `-`. */
export function folderName(path: string | undefined, home: string): string {
  if (path === undefined) return '-';
  if (path === home) return '~';
  return plainLine(path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

function row(
  id: string,
  status: string,
  agent: string,
  since: string,
  folder: string,
  title: string,
): string {
  const left = `${id.padEnd(8)} ${status.padEnd(12)} ${plainLine(agent).padEnd(10)} ${since.padStart(4)}`;
  return `${left}  ${folder.padEnd(32)} ${title}\n`;
}

function age(modifiedAt: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(modifiedAt)) / 1000));
  if (Number.isNaN(seconds)) return '?';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
