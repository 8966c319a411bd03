// Where a service is, in the forms a person may write it. Knows the forms only: which address is the
// default and where an address comes from is the command line's business.
import { UserError } from '../base/errors.ts';

export type Address = { kind: 'socket'; path: string } | { kind: 'tcp'; host: string; port: number };

/**
 * Reads `unix:///path`, `unix:/path`, an absolute path or `ws://host:port`.
 * Anything else is a UserError with exit code 2 that names the forms.
 */
export function parseAddress(text: string): Address {
  const path = /^(?:unix:(?:\/\/)?)?(\/[^/].*)$/s.exec(text)?.[1];
  if (path !== undefined) return { kind: 'socket', path };
  const tcp = /^ws:\/\/(\[[0-9a-fA-F:.]+\]|[^\s/?#@:[\]]+):(\d{1,5})\/?$/.exec(text);
  const host = tcp?.[1];
  const port = Number(tcp?.[2]);
  if (host !== undefined && port >= 1 && port <= 65_535) return { kind: 'tcp', host, port };
  throw new UserError(
    `"${text}" is not the address of a service; write unix:///path, an absolute path or ws://host:port`,
    2,
  );
}

/** The address as it is shown to people; `parseAddress` reads it back. */
export function addressText(address: Address): string {
  return address.kind === 'socket' ? `unix://${address.path}` : `ws://${address.host}:${address.port}`;
}
