// Log lines on stderr: with journald's priority prefixes under systemd, with time and level elsewhere.
// One call is one line: control characters of whatever is logged are made visible, so nobody forges a line.
import { UserError } from '../base/errors.ts';
import { LOG_LEVELS, type LogLevel, type LogSink } from '../base/log.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Priorities of syslog(3), which journald reads from `<N>` (sd-daemon(3)). */
const PRIORITY: Readonly<Record<LogLevel, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

/** Control characters, line and paragraph separators, and what reorders text on a terminal. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** The level of `OTTO_AGENTS_LOG`, `info` when unset or empty. A UserError (2) when it is no level. */
export function logLevel(env: Environment): LogLevel {
  const value = env['OTTO_AGENTS_LOG'];
  if (value === undefined || value === '') return 'info';
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) {
    throw new UserError(
      `OTTO_AGENTS_LOG is ${JSON.stringify(value)}; write one of ${LOG_LEVELS.join(', ')}.`,
      2,
    );
  }
  return level;
}

/** A sink that hands whole lines, each ending in a newline, to `write`; lines below the level are dropped. */
export function journalSink(
  env: Environment,
  write: (line: string) => void,
  now: () => number = Date.now,
): LogSink {
  const least = LOG_LEVELS.indexOf(logLevel(env));
  const journal = env['JOURNAL_STREAM'] !== undefined && env['JOURNAL_STREAM'] !== '';
  return (level, scope, message) => {
    if (LOG_LEVELS.indexOf(level) < least) return;
    const text = visible(scope === '' ? message : `${scope}: ${message}`);
    if (journal) write(`<${PRIORITY[level]}>${text}\n`);
    else write(`${new Date(now()).toISOString()} ${level} ${text}\n`);
  };
}

function visible(text: string): string {
  return text.replace(UNSEEN, (mark) => {
    if (mark === '\n') return '\\n';
    return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
