// A service with one real agent, its scripted model and one client on the real socket. Everything a test started is
// gone after it, and no process of the agent may be left: each names the stage's folder in environment or arguments.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'smol-toml';
import { backendOf } from '../../../src/app/backend.ts';
import { type Service, startService } from '../../../src/app/service.ts';
import { parseAddress } from '../../../src/client/address.ts';
import { newSession } from '../../../src/client/agents.ts';
import { Client } from '../../../src/client/client.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { RawMessage } from './acp-log.ts';
import { type AgentName, type AgentSetup, setUp } from './agents.ts';
import { Talk } from './talk.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface StageOptions {
  /** Writes the raw ACP messages of both directions down; read with `rawMessages`. */
  tee?: boolean;
  /** Changes the agent's configuration. */
  change?: (setup: AgentSetup) => AgentSetup;
}

export interface Stage {
  /** The session's folder, empty at first. */
  folder: string;
  /** A new session in `folder`, subscribed to. */
  talk(): Promise<Talk>;
  /** Lines the agent and the service exchanged so far, parsed; `from` is who wrote the line. */
  rawMessages(): RawMessage[];
  /** Process ids of the agent and everything it started; of those with `word` in their command line, if it is given. */
  processes(word?: string): number[];
  /** The one of them that the service started. */
  agentProcess(): number;
  close(): Promise<void>;
}

/** Starts all of it; the caller closes it. */
export async function createStage(agent: AgentName, options: StageOptions = {}): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), `otto-${agent}-`));
  const [home, folder, raw] = [join(root, 'home'), join(root, 'work'), join(root, 'acp.jsonl')];
  mkdirSync(home);
  mkdirSync(folder);
  const model = await startModel();
  const clear = (): void => {
    model.process.kill();
    rmSync(root, { recursive: true, force: true });
  };
  try {
    const setup = (options.change ?? ((same) => same))(setUp(agent, home, model.address));
    const { service, client } = await serve(root, agent, options.tee ? teed(setup, raw) : setup);
    return {
      folder,
      talk: async () => {
        const session = await newSession(client, { id: randomUUID(), provider: agent, folder });
        return Talk.open(client, session);
      },
      rawMessages: () => readRaw(raw),
      processes: (word = '') => processesOf(root).filter((pid) => readProcess(pid, 'cmdline').includes(word)),
      agentProcess: () => {
        const found = processesOf(root).find((pid) => parentOf(pid) === process.pid);
        if (found === undefined) throw new Error('no agent runs');
        return found;
      },
      close: async () => {
        client.close();
        await service.stop();
        const left = processesOf(root);
        for (const pid of left) process.kill(pid, 'SIGKILL');
        clear();
        if (left.length > 0) throw new Error(`processes of the agent were left: ${left.join(', ')}`);
      },
    };
  } catch (error) {
    clear();
    throw error;
  }
}

/** A service whose only agent is this one, and a client connected to it. */
async function serve(
  root: string,
  id: AgentName,
  setup: AgentSetup,
): Promise<{ service: Service; client: Client }> {
  const configPath = join(root, 'agents.toml');
  writeFileSync(configPath, stringify({ agents: [{ id, permissions: 'ask', ...setup }] }));
  const service = await startService({
    env: { HOME: setup.env['HOME'], XDG_RUNTIME_DIR: root },
    backend: backendOf(loadConfig({ configPath, files: [] })),
    write: () => {},
  });
  const client = await Client.connect({
    address: parseAddress(service.address),
    clientId: randomUUID(),
    clientInfo: { name: 'real-agents', version: '0' },
  });
  return { service, client };
}

function teed(setup: AgentSetup, raw: string): AgentSetup {
  const args = [file('tee.mjs'), raw, setup.command, ...setup.args];
  return { ...setup, command: process.execPath, args };
}

function readRaw(path: string): RawMessage[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .map(({ from, line }) => ({ from, message: JSON.parse(line) }));
}

async function startModel(): Promise<{ address: string; process: ChildProcess }> {
  const server = spawn(process.execPath, [file('../model-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(server.stdout, 'data');
  return { address: String(line).trim(), process: server };
}

/** Every live process that has the folder `root` in its environment or its command line, in whichever group. */
function processesOf(root: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(
      (pid) => pid > 0 && (readProcess(pid, 'environ') + readProcess(pid, 'cmdline')).includes(`${root}/`),
    );
}

function readProcess(pid: number, name: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return '';
  }
}

function parentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
}
