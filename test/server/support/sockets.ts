// What tests of the endpoint share: a folder of their own, a log that is kept, and raw clients.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createLog, type Log } from '../../../src/base/log.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'otto-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  return { lines, log: createLog((level, scope, message) => lines.push(`${level} ${scope}: ${message}`)) };
}

/** Speaks WebSocket to `unix:///path` or `ws://host:port`. */
export function webSocket(
  address: string,
  options: { headers?: Record<string, string>; origin?: string } = {},
) {
  const url = address.startsWith('unix://') ? `ws+unix://${address.slice('unix://'.length)}:/` : address;
  const client = new WebSocket(url, { perMessageDeflate: false, ...options });
  onTestFinished(() => client.terminate());
  return client;
}

/** Whether the handshake succeeds, or with which HTTP status it does not. */
export function handshake(client: WebSocket): Promise<'open' | number | string> {
  return new Promise((resolve) => {
    client.once('open', () => resolve('open'));
    client.once('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    client.once('error', (error) => resolve(error.message));
  });
}

/** Sends `text` to the endpoint as it is and returns everything that comes back until the peer ends. */
export function rawExchange(address: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: Socket = address.startsWith('unix://')
      ? connect(address.slice('unix://'.length))
      : connect(Number(new URL(address).port), new URL(address).hostname.replace(/^\[|\]$/g, ''));
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
    socket.write(text);
  });
}

/** Local addresses, as hex of /proc/net/tcp, on which this process's network listens at `port`. */
export function listeningAddresses(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A' && fields[1]?.endsWith(`:${wanted}`))
      .map((fields) => fields[1]?.split(':')[0] ?? ''),
  );
}
