// Opens the WebSocket to a service, over its socket or over TCP, with the same handshake on both.
// Turns what can go wrong while opening into sentences; what happens on an open connection is not its business.
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { messageOf, UserError } from '../base/errors.ts';
import { type Address, addressText } from './address.ts';

const HANDSHAKE_MS = 10_000;

/** An open WebSocket; rejects with a UserError that says where nothing answered and what to do. */
export function openSocket(address: Address): Promise<WebSocket> {
  const options = { perMessageDeflate: false, handshakeTimeout: HANDSHAKE_MS };
  const socket =
    address.kind === 'socket'
      ? new WebSocket('ws://localhost/', { ...options, createConnection: () => connect(address.path) })
      : new WebSocket(addressText(address), options);
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(connectError(address, error));
    socket.once('error', failed);
    socket.once('open', () => {
      socket.off('error', failed);
      resolve(socket);
    });
  });
}

function connectError(address: Address, cause: Error): UserError {
  const place = addressText(address);
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ECONNREFUSED':
      return new UserError(`the service is not running at ${place}; start it with \`otto-agents serve\``, 1, {
        cause,
      });
    case 'EACCES':
    case 'EPERM':
      return new UserError(`${place} belongs to somebody else; give your own with --url`, 1, { cause });
    default:
      return new UserError(`cannot connect to ${place}: ${messageOf(cause)}`, 1, { cause });
  }
}
