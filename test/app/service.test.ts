import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createEcho } from '../../src/agents/echo.ts';
import { type Service, startService } from '../../src/app/service.ts';
import { compile } from '../support/compile.ts';

const program = compile('test/app/support/service-process.ts');

function runtimeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'otto-service-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Process {
  child: ChildProcess;
  socket: string;
  output: () => string;
  errors: () => string;
  /** Resolves when stdout holds `text`. */
  said(text: string): Promise<void>;
  exited: Promise<{ code: number | null }>;
}

async function run(...args: string[]): Promise<Process> {
  const folder = runtimeFolder();
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const exited = once(child, 'close').then(([code]) => ({ code: code as number | null }));
  const said = async (text: string) => {
    while (!output.includes(text)) await once(child.stdout, 'data');
  };
  await said('\n');
  const socket = join(folder, 'otto-agents/agents.sock');
  return { child, socket, output: () => output, errors: () => errors, said, exited };
}

async function connect(socket: string): Promise<WebSocket> {
  const client = new WebSocket(`ws+unix://${socket}:/`);
  onTestFinished(() => client.terminate());
  await once(client, 'open');
  return client;
}

/** Makes a session, whose agent then runs. */
async function withAgent(client: WebSocket): Promise<void> {
  const request = async (id: number, method: string, params: object) => {
    client.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    for (;;) {
      const [data] = await once(client, 'message');
      const message = JSON.parse(String(data)) as { id?: number; error?: unknown };
      if (message.id === id) return expect(message.error).toBeUndefined();
    }
  };
  await request(1, 'initialize', { channel: 'ahp-root://', clientId: 'c', protocolVersions: ['1.0.0'] });
  await request(2, 'createSession', { channel: 'ahp-session:/s', workingDirectories: ['file:///'] });
}

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'R-020 %s ends clients with 1001 and agents, removes the socket and exits with 0',
  async (signal) => {
    const { child, socket, exited, output, errors } = await run();
    const client = await connect(socket);
    await withAgent(client);
    const closed = once(client, 'close');
    child.kill(signal);
    expect((await closed)[0]).toBe(1001);
    expect(await exited).toEqual({ code: 0 });
    expect(output()).toContain('asked to stop');
    expect(existsSync(socket)).toBe(false);
    expect(errors()).toContain(`info ${signal}: stopping`);
  },
);

test('a second signal ends at once what an agent holds up; the socket is gone already', async () => {
  const { child, socket, exited, said } = await run('stubborn');
  await withAgent(await connect(socket));
  child.kill('SIGTERM');
  await said('asked to stop');
  expect(existsSync(socket)).toBe(false);
  child.kill('SIGTERM');
  expect(await exited).toEqual({ code: 1 });
});

test.each([
  ['SIGUSR1', 'uncaught exception: Error: thrown on purpose'],
  ['SIGUSR2', 'unhandled rejection: Error: rejected on purpose'],
] as const)(
  'a fault that nobody caught (%s) is logged with its stack, the socket removed, exit 1',
  async (signal, line) => {
    const { child, socket, exited, errors } = await run();
    child.kill(signal);
    expect(await exited).toEqual({ code: 1 });
    expect(errors()).toContain(`error ${line}\\n    at `);
    expect(existsSync(socket)).toBe(false);
  },
);

async function start(env: Record<string, string>, listen?: string): Promise<Service & { lines: string[] }> {
  const lines: string[] = [];
  const service = await startService({
    env,
    backend: () => createEcho(),
    write: (line) => lines.push(line),
    ...(listen === undefined ? {} : { listen }),
  });
  onTestFinished(() => service.stop());
  return { ...service, lines };
}

test('R-005 the default is the socket under XDG_RUNTIME_DIR, made private', async () => {
  const folder = runtimeFolder();
  const service = await start({ XDG_RUNTIME_DIR: folder });
  expect(service.address).toBe(`unix://${folder}/otto-agents/agents.sock`);
  expect(lstatSync(join(folder, 'otto-agents')).mode & 0o777).toBe(0o700);
  await connect(join(folder, 'otto-agents/agents.sock'));
});

test('R-010 --listen wins over OTTO_AGENTS_LISTEN, which wins over the default', async () => {
  const folder = runtimeFolder();
  mkdirSync(join(folder, 'd'));
  const env = { XDG_RUNTIME_DIR: folder, OTTO_AGENTS_LISTEN: `unix:${folder}/d/variable.sock` };
  expect((await start(env)).address).toBe(`unix://${folder}/d/variable.sock`);
  expect((await start(env, `${folder}/d/flag.sock`)).address).toBe(`unix://${folder}/d/flag.sock`);
  await expect(start(env, '')).rejects.toMatchObject({ name: 'UserError', exitCode: 2 });
});

test('R-011 R-013 on TCP the bound port is reported and the log warns', async () => {
  const service = await start({}, '127.0.0.1:0');
  expect(service.address).toMatch(/^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
  expect(service.lines.join('')).toMatch(/ warn server: port \d+ on 127\.0\.0\.1 is open to every process/);
});

test('R-008 starting twice says so with exit code 3 and leaves the first alone', async () => {
  const folder = runtimeFolder();
  await start({ XDG_RUNTIME_DIR: folder });
  await expect(start({ XDG_RUNTIME_DIR: folder })).rejects.toMatchObject({ name: 'UserError', exitCode: 3 });
  await connect(join(folder, 'otto-agents/agents.sock'));
});

test('a wrong level of the log is a usage error before anything is started', async () => {
  const folder = runtimeFolder();
  await expect(start({ XDG_RUNTIME_DIR: folder, OTTO_AGENTS_LOG: 'loud' })).rejects.toMatchObject({
    exitCode: 2,
  });
  expect(existsSync(join(folder, 'otto-agents'))).toBe(false);
});
