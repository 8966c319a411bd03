// A service played by a test over real sockets: it answers requests as told, remembers what it was asked and sends
// what the test wants. For situations that a real host reaches only by chance.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Address } from '../../../src/client/address.ts';
import type { ActionEnvelope } from '../../../src/protocol/actions.ts';

export interface Asked {
  method: string;
  params: Record<string, unknown>;
}

/** What `answer` throws becomes a JSON-RPC error when it has a `code`. */
export interface StandIn {
  readonly address: Address;
  readonly upgrades: IncomingMessage[];
  readonly requests: Asked[];
  readonly notifications: Asked[];
  /** Sends to the newest connection. */
  send(method: string, params: unknown): void;
  act(envelope: ActionEnvelope): void;
  /** Ends the newest connection: abruptly, or with a close code. */
  cut(code?: number, reason?: string): void;
  /** Resolves with the next notification or request that fits. */
  next(method: string): Promise<Asked>;
  close(): Promise<void>;
}

export async function standIn(answer: (asked: Asked) => unknown, path?: string): Promise<StandIn> {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  const upgrades: IncomingMessage[] = [];
  const requests: Asked[] = [];
  const notifications: Asked[] = [];
  const waiting: { method: string; resolve: (asked: Asked) => void }[] = [];
  let newest: WebSocket | undefined;

  server.on('connection', (socket, upgrade) => {
    newest = socket;
    upgrades.push(upgrade);
    socket.on('message', (data) => {
      const { id, ...asked } = JSON.parse(String(data)) as Asked & { id?: number };
      if (id === undefined) notifications.push(asked);
      else {
        requests.push(asked);
        socket.send(JSON.stringify(reply(id, asked)));
      }
      const index = waiting.findIndex(({ method }) => method === asked.method);
      if (index >= 0) waiting.splice(index, 1)[0]?.resolve(asked);
    });
  });
  const reply = (id: number, asked: Asked): object => {
    try {
      return { jsonrpc: '2.0', id, result: answer(asked) };
    } catch (error) {
      const { code, message } = error as { code: number; message: string };
      return { jsonrpc: '2.0', id, error: { code, message } };
    }
  };

  http.listen(path === undefined ? { host: '127.0.0.1', port: 0 } : { path });
  await once(http, 'listening');
  const send = (method: string, params: unknown): void => {
    newest?.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  };
  return {
    address:
      path === undefined
        ? { kind: 'tcp', host: '127.0.0.1', port: (http.address() as AddressInfo).port }
        : { kind: 'socket', path },
    upgrades,
    requests,
    notifications,
    send,
    act: (envelope) => send('action', envelope),
    cut: (code, reason) => (code === undefined ? newest?.terminate() : newest?.close(code, reason)),
    next: (method) => new Promise((resolve) => waiting.push({ method, resolve })),
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      http.close();
      await once(http, 'close');
    },
  };
}
