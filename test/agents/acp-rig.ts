// One ACP agent played by the scripted agent in a folder of its own, and everything it reported.
// Waits for events, never for time; what a test leaves running is ended after it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Limits } from '../../src/agents/acp/limits.ts';
import { createAcpBackend } from '../../src/agents/backend.ts';
import { createLog } from '../../src/base/log.ts';
import type { AgentConfig } from '../../src/config/schema.ts';
import type { AgentEvent, AgentHandle, AgentSpec } from '../../src/host/ports.ts';
import type { Message } from '../../src/protocol/state-chat.ts';

export const SCRIPTED_AGENT = fileURLToPath(new URL('../agents-bin/scripted-agent.mjs', import.meta.url));

type Of<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;

/** Collects events; `next` resolves with the first one of a type that has not been taken yet. */
export function collector() {
  const events: AgentEvent[] = [];
  const taken = new Set<AgentEvent>();
  const waiting = new Set<() => void>();
  return {
    events,
    report: (event: AgentEvent) => {
      events.push(event);
      for (const look of [...waiting]) look();
    },
    next: <T extends AgentEvent['type']>(type: T): Promise<Of<T>> =>
      new Promise((done) => {
        const look = () => {
          const event = events.find((each) => each.type === type && !taken.has(each));
          if (event === undefined) return;
          taken.add(event);
          waiting.delete(look);
          done(event as Of<T>);
        };
        waiting.add(look);
        look();
      }),
    of: <T extends AgentEvent['type']>(type: T) =>
      events.filter((event): event is Of<T> => event.type === type),
    text: () => events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
  };
}

export function message(text: string, attachments?: Message['attachments']): Message {
  return { text, origin: { kind: 'user' }, ...(attachments !== undefined && { attachments }) };
}

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'otto-agents-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface RigOptions {
  script?: object;
  agent?: Partial<AgentConfig>;
  spec?: Partial<AgentSpec>;
  limits?: Partial<Limits>;
}

/** Starts the scripted agent through the backend. `folder` is the session's folder and holds script and log. */
export function startRig({ script = {}, agent = {}, spec = {}, limits = {} }: RigOptions = {}) {
  const folder = tempFolder();
  const logFile = join(folder, 'agent.log');
  const scriptFile = join(folder, 'script.json');
  writeFileSync(scriptFile, JSON.stringify({ log: logFile, ...script }));
  const logged: string[] = [];
  const backend = createAcpBackend({
    agents: [
      {
        id: 'scripted',
        name: 'Scripted',
        description: '',
        command: process.execPath,
        args: [SCRIPTED_AGENT, scriptFile],
        env: {},
        config: {},
        permissions: 'deny',
        ...agent,
      },
    ],
    version: '0',
    log: createLog((level, scope, text) => logged.push(`${level} ${scope} ${text}`)),
    limits: { polite: { term: 300, kill: 600 }, firm: { term: 0, kill: 300 }, ...limits },
  });
  const seen = collector();
  const handle: AgentHandle = backend.start({ provider: 'scripted', cwd: folder, ...spec }, seen.report);
  onTestFinished(async () => {
    if (seen.of('stopped').length > 0) return;
    handle.stop();
    await new Promise<void>((done) => {
      const look = setInterval(() => {
        if (seen.of('stopped').length === 0) return;
        clearInterval(look);
        done();
      }, 10);
    });
  });
  const entries = (): Record<string, unknown>[] =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    ...seen,
    handle,
    folder,
    logged,
    entries,
    /** Methods (or answers, as `answer`) the agent received, in order. */
    received: () =>
      entries().flatMap((entry) => {
        const got = entry['received'] as { method?: string } | undefined;
        return got === undefined ? [] : [got.method ?? 'answer'];
      }),
    /** Whole messages with this method that the agent received. */
    messages: (method: string) =>
      entries().flatMap((entry) => {
        const got = entry['received'] as { method?: string; id?: unknown; params?: unknown } | undefined;
        return got?.method === method ? [got] : [];
      }),
    prompt: async (text: string, turn = 'turn-1') => {
      handle.prompt(turn, message(text));
      return (await seen.next('turnEnded')).outcome;
    },
  };
}

/** Whether a process runs; one that is dead and only waits to be reaped does not. */
export function isThere(pid: number): boolean {
  try {
    const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
