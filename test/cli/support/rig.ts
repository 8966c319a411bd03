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

export interface Place {
  /** A folder for whatever a test needs; the home directory is inside it. */
  readonly folder: string;
  readonly home: string;
  readonly env: Record<string, string>;
  start(args: readonly string[], options?: RunOptions): Running;
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
  return {
    folder,
    home,
    env,
    start,
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
