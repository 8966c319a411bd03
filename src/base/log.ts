// The log as a value: four levels and scopes. Where lines go is decided by whoever makes the root log.
// Commands, paths and titles of tools belong to `debug`; values of agent options belong nowhere.

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogSink = (level: LogLevel, scope: string, message: string) => void;

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
  /** A log whose lines carry `name`, under this one's own scope. */
  scope(name: string): Log;
}

export function createLog(sink: LogSink, scope = ''): Log {
  return {
    debug: (message) => sink('debug', scope, message),
    info: (message) => sink('info', scope, message),
    warn: (message) => sink('warn', scope, message),
    error: (message) => sink('error', scope, message),
    scope: (name) => createLog(sink, scope === '' ? name : `${scope}.${name}`),
  };
}
