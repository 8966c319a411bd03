import { createServer as createNetServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../src/server/listen.ts';
import {
  handshake,
  keptLog,
  listeningAddresses,
  rawExchange,
  temporaryFolder,
  webSocket,
} from './support/sockets.ts';

async function listenOnTcp(host = '127.0.0.1', port = 0) {
  const { log, lines } = keptLog();
  const listener = await listen({ address: { kind: 'tcp', host, port }, log, accept: () => {} });
  onTestFinished(() => listener.close());
  return { ...listener, lines, port: Number(new URL(listener.address).port) };
}

const upgrade = (headers: string) =>
  `GET / HTTP/1.1\r\n${headers}Connection: Upgrade\r\nUpgrade: websocket\r\n` +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

test('R-013 the port that was bound is reported, on the loopback and nowhere else', async () => {
  const { address, port } = await listenOnTcp();
  expect(address).toBe(`ws://127.0.0.1:${port}`);
  expect(port).toBeGreaterThan(0);
  expect(listeningAddresses(port)).toEqual(['0100007F']);
  expect(await handshake(webSocket(address))).toBe('open');
});

test('R-011 listening on TCP warns that every local process can drive the agents', async () => {
  const { lines, port } = await listenOnTcp();
  expect(lines.filter((line) => line.startsWith('warn'))).toEqual([
    expect.stringMatching(new RegExp(`port ${port} .*every process on this machine.*drive the agents`)),
  ]);
});

test('a port that is taken is an error of its own', async () => {
  const other = createNetServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  await expect(listenOnTcp('127.0.0.1', port)).rejects.toMatchObject({ name: 'UserError', exitCode: 3 });
});

test.each([
  { origin: 'https://evil.test', host: undefined, outcome: 403 },
  { origin: 'http://evil.test:4800', host: 'evil.test:4800', outcome: 403 },
  { origin: 'null', host: undefined, outcome: 403 },
  { origin: 'http://127.0.0.1', host: undefined, outcome: 403 },
  { origin: undefined, host: 'evil.test:4800', outcome: 403 },
  { origin: undefined, host: '127.0.0.1.evil.test', outcome: 403 },
  { origin: undefined, host: '192.168.0.1:4800', outcome: 403 },
  { origin: undefined, host: '[::2]:4800', outcome: 403 },
  { origin: undefined, host: undefined, outcome: 'open' as const },
  { origin: undefined, host: '127.0.0.1', outcome: 'open' as const },
  { origin: undefined, host: 'localhost', outcome: 'open' as const },
  { origin: undefined, host: 'LocalHost:1', outcome: 'open' as const },
  { origin: undefined, host: '[::1]:4800', outcome: 'open' as const },
])(
  'R-016 F-130 upgrade with Origin $origin and Host $host ends with $outcome',
  async ({ origin, host, outcome }) => {
    const { address } = await listenOnTcp();
    const client = webSocket(address, {
      ...(origin === undefined ? {} : { origin }),
      ...(host === undefined ? {} : { headers: { host } }),
    });
    expect(await handshake(client)).toBe(outcome);
  },
);

test('R-016 F-130 an empty Origin is an Origin, and no Host or two of them are no loopback name', async () => {
  const { address } = await listenOnTcp();
  expect(await rawExchange(address, upgrade('Host: 127.0.0.1\r\nOrigin:\r\n'))).toMatch(/^HTTP\/1.1 403 /);
  expect(await rawExchange(address, upgrade('Host:\r\n'))).toMatch(/^HTTP\/1.1 403 /);
  expect(await rawExchange(address, upgrade(''))).toMatch(/^HTTP\/1.1 40[03] /);
});

test('a plain request is told what lives here, on both transports', async () => {
  const { address } = await listenOnTcp();
  const { log } = keptLog();
  const path = `${temporaryFolder()}/agents.sock`;
  const unix = await listen({ address: { kind: 'unix', path }, log, accept: () => {} });
  onTestFinished(() => unix.close());
  for (const endpoint of [address, unix.address]) {
    const answer = await rawExchange(endpoint, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 426 /);
    expect(answer).toContain('This is the WebSocket endpoint of otto-agents');
  }
});

test('R-015 on a Unix socket the nominal host is localhost and no Origin or path is looked at', async () => {
  const { log } = keptLog();
  const path = `${temporaryFolder()}/agents.sock`;
  const unix = await listen({ address: { kind: 'unix', path }, log, accept: () => {} });
  onTestFinished(() => unix.close());
  expect(await handshake(webSocket(unix.address))).toBe('open');
  expect(await handshake(webSocket(unix.address, { origin: 'https://app.test' }))).toBe('open');
});

test('what is no HTTP at all costs nobody else anything', async () => {
  const { address } = await listenOnTcp();
  expect(await rawExchange(address, '\x00\x01garbage\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
  expect(await handshake(webSocket(address))).toBe('open');
});
