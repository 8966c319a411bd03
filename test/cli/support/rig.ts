// The built command line in processes of its own, and services of this process for it to talk to, in a place of
// their own on disk. Nothing of the person who runs the tests is read or written.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Service, startService } from '../../../src/app/service.ts';
import { parseAddress } from '../../../src/client/address.ts';
import { Client } from '../../../src/client/client.ts';
import type { AgentBackend } from '../../../src/host/ports.ts';
import { compile } from '../../support/compile.ts';

const CLI = compile('src/cli.ts');

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** One running command. */
interface Running {
  readonly child: ChildProcess;
  /** Resolves when all of `text` has been written to stdout or stderr; rejects when the command ends without it. */
  until(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
}

interface Typing extends Running {
  /** Resolves when `text` is written behind what was waited for before; keys typed earlier may be thrown away. */
  next(text: string): Promise<void>;
  type(keys: string): void;
  /** Everything on the terminal so far, without the sequences that erase a line. */
  screen(): string;
}

export interface Place {
  /** A folder for whatever a test needs; the home directory is inside it. */
  readonly folder: string;
  readonly home: string;
  readonly env: Record<string, string>;
  start(args: readonly string[], options?: RunOptions): Running;
  /** The same on a terminal of its own; all that is written arrives as stdout. */
  terminal(args: readonly string[], options?: RunOptions): Typing;
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  serve(backend: AgentBackend, listen?: string): Promise<Service>;
  client(service: Service, clientId: string): Promise<Client>;
}

interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  stdin?: string;
}

/** A fresh place, gone when the test is finished; so are its services, clients and commands. */
export function place(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'otto-cli-'));
  const home = join(folder, 'home');
  const runtime = join(folder, 'run');
  mkdirSync(home);
  mkdirSync(runtime);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
  };
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

  const start: Place['start'] = (args, options = {}) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      env: { ...env, ...options.env },
      cwd: options.cwd ?? home,
    });
    child.stdin.end(options.stdin ?? '');
    onTestFinished(() => void child.kill('SIGKILL'));
    return running(child);
  };
  const terminal: Place['terminal'] = (args, options = {}) => {
    const command = [process.execPath, CLI, ...args]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ');
    const child = spawn('script', ['-qec', `stty cols 200; exec ${command}`, '/dev/null'], {
      env: { ...env, SHELL: '/bin/sh', TERM: 'xterm', ...options.env },
      cwd: options.cwd ?? home,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    let read = 0;
    let look = (): void => {};
    child.stdout.on('data', (data) => {
      text += data;
      look();
    });
    const watched = running(child);
    return {
      ...watched,
      next: (wanted) =>
        new Promise((resolve, reject) => {
          look = () => {
            const at = text.indexOf(wanted, read);
            if (at < 0) return;
            read = at + wanted.length;
            resolve();
          };
          look();
          void watched.ended.then(() =>
            reject(new Error(`no ${JSON.stringify(wanted)}: ${text.slice(read)}`)),
          );
        }),
      type: (keys) => void child.stdin.write(keys),
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
      screen: () => text.replace(/\r+\n/g, '\n').replace(/\u001b\[[0-9;?]*[A-Za-z]/g, ''),
    };
  };
  return {
    folder,
    home,
    env,
    start,
    terminal,
    run: (args, options) => start(args, options).ended,
    serve: async (backend, listen) => {
      const service = await startService({
        env,
        backend: () => backend,
        write: () => {},
        ...(listen === undefined ? {} : { listen }),
      });
      onTestFinished(() => service.stop());
      return service;
    },
    client: async (service, clientId) => {
      const client = await Client.connect({
        address: parseAddress(service.address),
        clientId,
        clientInfo: { name: 'test' },
      });
      onTestFinished(() => client.close());
      return client;
    },
  };
}

function running(child: ChildProcess): Running {
  let stdout = '';
  let stderr = '';
  const waiting: { text: string; resolve: () => void; reject: (error: Error) => void }[] = [];
  const look = (): void => {
    for (const one of waiting) if (stdout.includes(one.text) || stderr.includes(one.text)) one.resolve();
  };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  const ended = once(child, 'close').then(([code]) => {
    const message = `it ended with ${code}; stdout ${JSON.stringify(stdout)}, stderr ${JSON.stringify(stderr)}`;
    for (const one of waiting) one.reject(new Error(`no ${JSON.stringify(one.text)}: ${message}`));
    return { code: code as number | null, stdout, stderr };
  });
  return {
    child,
    ended,
    until: (text) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, resolve, reject });
        look();
      }),
  };
}
