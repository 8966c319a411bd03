import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Listener, listen } from '../../src/server/listen.ts';
import { bindUnixSocket } from '../../src/server/unix-socket.ts';
import { handshake, keptLog, rawExchange, temporaryFolder, webSocket } from './support/sockets.ts';

const mode = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

async function listenOn(path: string): Promise<Listener> {
  const { log } = keptLog();
  const listener = await listen({ address: { kind: 'unix', path }, log, accept: () => {} });
  onTestFinished(() => listener.close());
  return listener;
}

/** A socket file that a dead process left: bound, and nobody behind it. */
async function leaveStaleSocket(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(`${path}.tmp`, resolve));
  renameSync(`${path}.tmp`, path);
  await new Promise((resolve) => server.close(resolve));
}

test('R-006 the socket is 0600 in a directory made 0700, and the address can be used as --url', async () => {
  const path = join(temporaryFolder(), 'a/b/agents.sock');
  const listener = await listenOn(path);
  expect(listener.address).toBe(`unix://${path}`);
  expect([mode(dirname(path)), mode(path)]).toEqual(['700', '600']);
  expect(await handshake(webSocket(listener.address))).toBe('open');
});

test('R-006 the same under umask 000', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  const before = process.umask(0);
  try {
    await listenOn(path);
  } finally {
    process.umask(before);
  }
  expect([mode(dirname(path)), mode(path)]).toEqual(['700', '600']);
});

test('R-006 a directory that was open to others is tightened before the socket appears', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  mkdirSync(dirname(path));
  chmodSync(dirname(path), 0o755);
  const { log, lines } = keptLog();
  const seen: string[] = [];
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  server.prependListener('listening', () => seen.push(mode(dirname(path))));
  await bindUnixSocket(server, path, log);
  expect(seen).toEqual(['700']);
  expect(mode(path)).toBe('600');
  expect(lines).toEqual([`info : tightened ${dirname(path)} to mode 0700`]);
});

test('R-008 a socket left by a dead run is replaced', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  await leaveStaleSocket(path);
  expect(await handshake(webSocket(`unix://${path}`))).toMatch(/ECONNREFUSED/);
  const listener = await listenOn(path);
  expect(await handshake(webSocket(listener.address))).toBe('open');
});

test('R-008 a live one is left alone, and the second start says so with exit code 3', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  const first = await listenOn(path);
  const inode = lstatSync(path).ino;
  await expect(listenOn(path)).rejects.toMatchObject({
    name: 'UserError',
    exitCode: 3,
    message: `otto-agents is already running: something answers on ${path}.`,
  });
  expect(lstatSync(path).ino).toBe(inode);
  expect(await handshake(webSocket(first.address))).toBe('open');
});

test('R-008 anything that accepts counts as live, even if it took no lock', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  mkdirSync(dirname(path));
  const other = createNetServer();
  await new Promise<void>((resolve) => other.listen(path, resolve));
  onTestFinished(() => void other.close());
  await expect(listenOn(path)).rejects.toMatchObject({ exitCode: 3 });
  expect(existsSync(path)).toBe(true);
});

test('R-020 a clean end removes the socket', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  const listener = await listenOn(path);
  await listener.close();
  expect(existsSync(path)).toBe(false);
  await listenOn(path);
});

test('F-133 an ending server removes only its own socket', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  const listener = await listenOn(path);
  renameSync(path, `${path}.old`);
  writeFileSync(path, 'somebody else');
  await listener.close();
  expect(readFileSync(path, 'utf8')).toBe('somebody else');
});

test('F-133 a start that meets an ending server waits for it and then serves', async () => {
  const path = join(temporaryFolder(), 'd/agents.sock');
  const old = await listenOn(path);
  old.refuse();
  expect(existsSync(path)).toBe(false);
  const next = listenOn(path);
  // It can only have the place once the old one has let go.
  await expect(rawExchange(`unix://${path}`, '')).rejects.toMatchObject({ code: 'ENOENT' });
  await old.close();
  expect(await handshake(webSocket((await next).address))).toBe('open');
});

test('R-006 a directory that is a symlink, shared by all, or a file is refused', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'real'), { mode: 0o700 });
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  mkdirSync(join(folder, 'shared'));
  chmodSync(join(folder, 'shared'), 0o1777);
  writeFileSync(join(folder, 'file'), '');
  for (const name of ['link', 'shared', 'file']) {
    await expect(listenOn(join(folder, name, 'agents.sock'))).rejects.toMatchObject({
      name: 'UserError',
      exitCode: 1,
    });
  }
  expect(statSync(join(folder, 'shared')).mode & 0o1777).toBe(0o1777);
  expect(existsSync(join(folder, 'real/agents.sock'))).toBe(false);
});

test('what is no socket under the name is refused and left alone', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file.sock'), 'mine');
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'link.sock'));
  for (const name of ['file.sock', 'link.sock']) {
    await expect(listenOn(join(folder, name))).rejects.toThrow(/is not a socket/);
  }
  expect(readFileSync(join(folder, 'file.sock'), 'utf8')).toBe('mine');
});

const root = process.getuid?.() === 0;

test.runIf(root)(
  'R-006 a directory or a socket of another user is refused (needs root to make one)',
  async () => {
    const folder = temporaryFolder();
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign, { mode: 0o700 });
    chownSync(foreign, 12_345, 12_345);
    await expect(listenOn(join(foreign, 'agents.sock'))).rejects.toThrow(/belongs to user 12345/);
    const path = join(folder, 'd/agents.sock');
    await leaveStaleSocket(path);
    chownSync(path, 12_345, 12_345);
    await expect(listenOn(path)).rejects.toThrow(/belongs to user 12345/);
    expect(lstatSync(path).uid).toBe(12_345);
  },
);

test('a path as long as a socket path can be works; one byte more is a clear error', async () => {
  const folder = temporaryFolder();
  const longest = join(folder, 'x'.repeat(107 - folder.length - 1));
  expect(Buffer.byteLength(longest)).toBe(107);
  const listener = await listenOn(longest);
  expect(await handshake(webSocket(listener.address))).toBe('open');
  await expect(listenOn(`${longest}x`)).rejects.toThrow(/longer than 107 bytes/);
});
