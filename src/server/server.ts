// The server as a whole: an endpoint, the connections on it and what they share. Owns every connection.
import type { Log } from '../base/log.ts';
import type { Host } from '../host/host.ts';
import type { Clock } from '../host/ports.ts';
import type { ListenAddress } from './address.ts';
import { Clients } from './clients.ts';
import { Connection, type ConnectionContext } from './connection.ts';
import { envelopeEncoder } from './frames.ts';
import { listen } from './listen.ts';
import { GOING_AWAY } from './outbox.ts';

export interface ServerOptions {
  listen: ListenAddress;
  host: Host;
  clock: Clock;
  log: Log;
  about: ConnectionContext['about'];
}

export interface Server {
  /** `unix:///path` or `ws://host:port`. */
  readonly address: string;
  /** Removes the socket file; takes neither new connections nor new commands. */
  refuse(): void;
  /** Sends what is queued, ends every connection with 1001 and frees the place. */
  close(): Promise<void>;
}

/** Starts serving `host`. UserError 3 when somebody else has the place, 1 when the place is not fit to be used. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { host, clock, log, about } = options;
  const context: ConnectionContext = {
    host,
    clock,
    log,
    about,
    clients: new Clients(clock, (clientId) => host.forget(clientId)),
    encodeEnvelope: envelopeEncoder(),
  };
  const connections = new Map<Connection, Promise<void>>();
  const listener = await listen({
    address: options.listen,
    log,
    accept(client, socket) {
      const connection = new Connection(client, socket, context);
      const gone = new Promise<void>((resolve) => client.once('close', () => resolve()));
      connections.set(
        connection,
        gone.then(() => void connections.delete(connection)),
      );
    },
  });
  const refuse = () => {
    listener.refuse();
    for (const connection of connections.keys()) connection.refuse();
  };
  return {
    address: listener.address,
    refuse,
    async close() {
      refuse();
      for (const connection of connections.keys()) connection.close(GOING_AWAY, 'otto-agents is stopping');
      await Promise.all(connections.values());
      await listener.close();
    },
  };
}
