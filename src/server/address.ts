// What `--listen` may say, and what it means when nobody says anything. Refuses every form that would
// open a port to other machines (R-010, F-131).
import { isIP } from 'node:net';
import { UserError } from '../base/errors.ts';

export type ListenAddress = { kind: 'unix'; path: string } | { kind: 'tcp'; host: string; port: number };

const FORMS = 'Write an absolute path, unix:/path, 127.0.0.1:port or [::1]:port.';

/**
 * Reads `/path`, `unix:/path`, `unix:///path`, `host:port` or `[::1]:port`. Only loopback hosts are taken: the
 * protocol has no authentication. Everything else is a UserError (2) that says what to write.
 */
export function parseListen(value: string): ListenAddress {
  const refuse = (why: string) =>
    new UserError(`Cannot listen on ${JSON.stringify(value)}: ${why} ${FORMS}`, 2);
  if (value.startsWith('unix:') || value.startsWith('/')) {
    const path = value.replace(/^unix:/, '').replace(/^\/{2,}/, '/');
    if (!path.startsWith('/') || path.endsWith('/')) throw refuse('it names no absolute path of a socket.');
    if (path.includes('\0')) throw refuse('a path holds no NUL.');
    return { kind: 'unix', path };
  }
  const colon = value.lastIndexOf(':');
  const host = value.slice(0, Math.max(0, colon));
  const port = value.slice(colon + 1);
  if (colon < 0) throw refuse('it is neither a path nor host:port.');
  if (host.trim() === '') throw refuse('the host is missing, which would mean every interface.');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw refuse('the port is not a number up to 65535.');
  if (!isLoopback(host)) throw refuse('the host is not this machine’s loopback.');
  return { kind: 'tcp', host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Whether `host`, as it stands before `:port`, is a name or address of the loopback: localhost, 127.x, [::1]. */
export function isLoopback(host: string): boolean {
  return (
    host.toLowerCase() === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))
  );
}

/** The socket under `runtimeDir`; without such a directory port 4800 of the loopback. */
export function defaultListen(runtimeDir: string | undefined): ListenAddress {
  if (runtimeDir === undefined) return { kind: 'tcp', host: '127.0.0.1', port: 4800 };
  return { kind: 'unix', path: `${runtimeDir.replace(/\/+$/, '')}/otto-agents/agents.sock` };
}
