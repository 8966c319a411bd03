// The endpoint: an HTTP server that knows nothing but the WebSocket upgrade, on a Unix socket or, for development,
// a loopback port. Refuses browsers and foreign host names on TCP; the socket's modes are the check otherwise.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { UserError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isLoopback, type ListenAddress } from './address.ts';
import { ALREADY_RUNNING, bindUnixSocket } from './unix-socket.ts';

/** The largest message a client may send, in bytes; a larger one closes its connection with 1009. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface Listener {
  /** Where clients find it: `unix:///path` or `ws://host:port` with the real port. */
  readonly address: string;
  /** No new connections from here on; the socket file is gone. The place stays taken until `close`. */
  refuse(): void;
  /** Frees the place. Connections that are still open are cut. */
  close(): Promise<void>;
}

export interface ListenOptions {
  address: ListenAddress;
  log: Log;
  /** One client that finished the WebSocket handshake, and the raw socket under it. */
  accept: (client: WebSocket, socket: Duplex) => void;
}

/** Starts listening. UserError 3 when somebody else has the place, 1 when the place is not fit to be used. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { address, log } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    clientTracking: false,
  });
  const server = createServer((_request, response) => {
    response.writeHead(426, { Connection: 'close', Upgrade: 'websocket', 'Content-Type': 'text/plain' });
    response.end('This is the WebSocket endpoint of otto-agents; connect to it as a WebSocket client.\n');
  });
  const open = new Set<Duplex>();
  let refusing = false;
  server.on('connection', (socket) => {
    if (refusing) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', (error) => log.debug(`a connection failed: ${error.message}`));
    const problem = address.kind === 'tcp' ? refusal(request) : undefined;
    if (problem !== undefined) {
      log.warn(`refused a connection: ${problem}`);
      forbid(socket, problem);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => options.accept(client, socket));
  });

  const place = await take(server, address, log);
  server.on('error', (error) => log.error(`the endpoint failed: ${error.message}`));
  log.info(`listening on ${place.address}`);
  return {
    address: place.address,
    refuse() {
      refusing = true;
      place.withdraw();
    },
    close() {
      refusing = true;
      place.withdraw();
      const closed = new Promise<void>((resolve) => {
        if (server.listening) server.close(() => resolve());
        else resolve();
      });
      for (const socket of open) socket.destroy();
      return closed;
    },
  };
}

interface Place {
  address: string;
  withdraw(): void;
}

async function take(server: Server, address: ListenAddress, log: Log): Promise<Place> {
  if (address.kind === 'unix') {
    const { withdraw } = await bindUnixSocket(server, address.path, log);
    return { address: `unix://${address.path}`, withdraw };
  }
  const { port } = await bindTcp(server, address.host, address.port);
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  log.warn(
    `port ${port} on ${host} is open to every process on this machine: any of them can drive the agents ` +
      'with your permissions. Use the Unix socket for anything but development.',
  );
  return { address: `ws://${host}:${port}`, withdraw: () => {} };
}

function bindTcp(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE';
      const why = taken ? `something else listens on ${host}:${port}` : `cannot listen on ${host}:${port}`;
      reject(
        new UserError(taken ? `${why}; choose another port.` : `${why}.`, taken ? ALREADY_RUNNING : 1, {
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve(server.address() as AddressInfo);
    });
  });
}

/**
 * Why an upgrade over TCP is not for us. Web pages always send `Origin`; a name that is not the loopback's was
 * made to point here by somebody else's DNS (R-016, F-130).
 */
function refusal(request: IncomingMessage): string | undefined {
  if (request.headers.origin !== undefined) return 'web pages may not connect (the request has an Origin).';
  const host = request.headers.host ?? '';
  if (!isLoopback(host.replace(/:\d*$/, ''))) return 'the Host of the request is not a loopback name.';
  return undefined;
}

function forbid(socket: Duplex, problem: string): void {
  const body = `Forbidden: ${problem}\n`;
  socket.end(
    'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Type: text/plain\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
