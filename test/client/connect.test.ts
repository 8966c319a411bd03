import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSocket } from '../../src/client/connect.ts';
import { standIn } from './support/stand-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'otto-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the handshake is the same on socket and TCP but for the host, which is localhost on a socket (R-015)', async () => {
  const onSocket = await standIn(() => null, join(folder, 'a b:c.sock'));
  const onTcp = await standIn(() => null);
  const seen: object[] = [];
  for (const service of [onSocket, onTcp]) {
    const socket = await openSocket(service.address);
    const upgrade = service.upgrades[0];
    const { host, 'sec-websocket-key': key, ...headers } = upgrade?.headers ?? {};
    expect(key).toBeDefined();
    expect(headers.origin).toBeUndefined();
    expect(headers['sec-websocket-extensions']).toBeUndefined();
    seen.push({ method: upgrade?.method, url: upgrade?.url, headers });
    expect(host).toBe(service.address.kind === 'socket' ? 'localhost' : `127.0.0.1:${service.address.port}`);
    socket.terminate();
    await service.close();
  }
  expect(seen[0]).toEqual(seen[1]);
});

test('nothing at the address is an error that says how to start the service', async () => {
  const path = join(folder, 'none.sock');
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const gone = await standIn(() => null);
  await gone.close();
  const addresses = [
    [{ kind: 'socket', path }, `unix://${path}`],
    [{ kind: 'socket', path: file }, `unix://${file}`],
    [{ kind: 'socket', path: join(file, 'x.sock') }, `unix://${file}/x.sock`],
    [gone.address, `ws://127.0.0.1:${gone.address.kind === 'tcp' ? gone.address.port : ''}`],
  ] as const;
  for (const [address, place] of addresses) {
    await expect(openSocket(address)).rejects.toThrow(
      expect.objectContaining({
        name: 'UserError',
        exitCode: 1,
        message: `the service is not running at ${place}; start it with \`otto-agents serve\``,
      }),
    );
  }
});

test('what answers without speaking WebSocket is named with its place', async () => {
  const path = join(folder, 'web.sock');
  const web = createServer((_, response) => response.end('hello'));
  await new Promise<void>((resolve) => web.listen(path, resolve));
  await expect(openSocket({ kind: 'socket', path })).rejects.toThrow(
    `cannot connect to unix://${path}: Unexpected server response: 200`,
  );
  web.closeAllConnections();
  web.close();
});
