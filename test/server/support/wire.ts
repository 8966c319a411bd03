// A server with a real host and the echo behind it, and clients that speak raw frames over its socket.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import { createEcho } from '../../../src/agents/echo.ts';
import { noRenderer } from '../../../src/app/no-renderer.ts';
import { Host } from '../../../src/host/host.ts';
import { startServer } from '../../../src/server/server.ts';
import { type ManualClock, manualClock } from '../../support/manual-clock.ts';
import { handshake, keptLog, temporaryFolder, webSocket } from './sockets.ts';

export interface Message {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export interface Client {
  readonly socket: WebSocket;
  /** Everything that arrived, in order. */
  readonly received: Message[];
  /** Frames as they arrived, in order. */
  readonly frames: string[];
  readonly closed: Promise<{ code: number; reason: string }>;
  send(message: unknown): void;
  sendText(text: string): void;
  /** The next message that nobody asked for yet. */
  next(): Promise<Message>;
  /** The answer to a request of its own. Messages that come before it stay for `next`. */
  request(method: string, params?: unknown): Promise<Message>;
  initialize(more?: Record<string, unknown>): Promise<Message>;
}

export interface Wire {
  readonly host: Host;
  readonly clock: ManualClock;
  readonly address: string;
  readonly lines: string[];
  refuse(): void;
  close(): Promise<void>;
  connect(): Promise<Client>;
}

export const ROOT = 'ahp-root://';

/** `host` replaces the real one, where a test is about framing alone. */
export async function startWire(host?: (clock: ManualClock) => Host): Promise<Wire> {
  const clock = manualClock();
  const { log, lines } = keptLog();
  let ids = 0;
  const options = {
    clock,
    backend: createEcho(),
    renderer: noRenderer,
    log,
    newId: () => `id-${++ids}`,
    hash: (text: string) => createHash('sha256').update(text).digest('hex'),
  };
  const served = host?.(clock) ?? new Host({ ...options, folderProblem: () => undefined });
  const server = await startServer({
    listen: { kind: 'unix', path: join(temporaryFolder(), 'd/agents.sock') },
    host: served,
    clock,
    log,
    about: { serverInfo: { name: 'otto-agents', version: '1.2.3' }, defaultDirectory: 'file:///home/x' },
  });
  onTestFinished(() => server.close());
  return {
    host: served,
    clock,
    lines,
    address: server.address,
    refuse: () => server.refuse(),
    close: () => server.close(),
    connect: () => connectTo(server.address),
  };
}

export async function connectTo(address: string): Promise<Client> {
  const socket = webSocket(address);
  const received: Message[] = [];
  const frames: string[] = [];
  const unread: Message[] = [];
  const waiting: { fits: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  let ids = 0;
  socket.on('message', (data, isBinary) => {
    const message = JSON.parse(String(data)) as Message;
    frames.push(isBinary ? 'binary' : String(data));
    received.push(message);
    const index = waiting.findIndex(({ fits }) => fits(message));
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(message);
    else unread.push(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  const wait = (fits: (message: Message) => boolean) =>
    new Promise<Message>((resolve) => {
      const index = unread.findIndex(fits);
      const [found] = index >= 0 ? unread.splice(index, 1) : [];
      if (found === undefined) waiting.push({ fits, resolve });
      else resolve(found);
    });
  const sendText = (text: string) => socket.send(text);
  const request = (method: string, params: unknown = { channel: ROOT }) => {
    const id = `r${++ids}`;
    sendText(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return wait((message) => message.id === id);
  };
  if ((await handshake(socket)) !== 'open') throw new Error('no handshake');
  return {
    socket,
    received,
    frames,
    closed,
    sendText,
    send: (message) => sendText(JSON.stringify(message)),
    next: () => wait(() => true),
    request,
    initialize: (more = {}) =>
      request('initialize', { channel: ROOT, clientId: 'c1', protocolVersions: ['1.0.0'], ...more }),
  };
}
