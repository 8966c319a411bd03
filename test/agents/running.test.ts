// Nothing outlives its session or its service: agents and what they started are ended with them, and by the next
// service where the one before was killed (F-021). Only what is certainly an agent left behind is ever ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAcpBackend } from '../../src/agents/backend.ts';
import { endLeftBehind, recordRunning } from '../../src/agents/running.ts';
import { createLog } from '../../src/base/log.ts';
import { bootId, groupMembers, identityOf, variableOf } from '../../src/system/processes.ts';
import { collector, SCRIPTED_AGENT, tempFolder } from './acp-rig.ts';

const FAST = { polite: { term: 0, kill: 300 }, firm: { term: 0, kill: 300 } };

function captured() {
  const lines: string[] = [];
  return { lines, log: createLog((level, scope, text) => lines.push(`${level} ${scope}${text}`)) };
}

function agentWith(script: object) {
  const env = { AGENT_SCRIPT: JSON.stringify(script) };
  const rest = { name: 'A', description: '', config: {}, permissions: 'deny' as const };
  return { id: 'a', command: process.execPath, args: [SCRIPTED_AGENT], env, ...rest };
}

/** Resolves once `holds` does. */
async function until(holds: () => boolean): Promise<void> {
  await new Promise<void>((done) => {
    const look = setInterval(() => {
      if (!holds()) return;
      clearInterval(look);
      done();
    }, 10);
  });
}

describe('while a service runs', () => {
  it('each agent has a private record, which is gone when all of its group is', async () => {
    const folder = join(tempFolder(), 'state', 'deep');
    const { lines, log } = captured();
    const running = recordRunning(folder, log);
    const backend = createAcpBackend({ agents: [agentWith({})], version: '0', log, running, limits: FAST });
    const seen = collector();
    const handle = backend.start({ provider: 'a', cwd: '/' }, seen.report);
    await seen.next('started');
    const [name = ''] = readdirSync(join(folder, 'running'));
    const record = JSON.parse(readFileSync(join(folder, 'running', name), 'utf8'));
    const pid = Number.parseInt(name, 10);
    expect(record).toEqual({
      version: 1,
      agent: 'a',
      group: identityOf(pid),
      service: identityOf(process.pid),
      boot: bootId(),
      mark: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(variableOf(pid, 'OTTO_AGENTS_RUN')).toBe(record.mark);
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect([mode(join(folder, 'running')), mode(join(folder, 'running', name))]).toEqual([0o700, 0o600]);
    handle.stop();
    await seen.next('stopped');
    await until(() => readdirSync(join(folder, 'running')).length === 0);
    expect(lines).toEqual([]);
  });

  it('where no record can be kept, one warning says so and agents run all the same', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'running'), 'in the way');
    const { lines, log } = captured();
    const running = recordRunning(folder, log);
    const backend = createAcpBackend({ agents: [agentWith({})], version: '0', log, running, limits: FAST });
    for (const seen of [collector(), collector()]) {
      const handle = backend.start({ provider: 'a', cwd: '/' }, seen.report);
      await seen.next('started');
      handle.stop();
      await seen.next('stopped');
    }
    expect(lines).toEqual([expect.stringMatching(/^warn cannot note which agents run.*(EEXIST|ENOTDIR)/)]);
    await endLeftBehind(folder, log);
    expect(lines[1]).toMatch(/^warn cannot look for agents left behind/);
  });
});

/** A process that leads a group of its own and is no business of ours. */
function bystander(env: Record<string, string> = {}): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { detached: true, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child as ChildProcess & { pid: number };
}

/** Numbers of a process that is gone. */
async function gone(): Promise<{ pid: number; started: string }> {
  const child = bystander();
  const identity = identityOf(child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  if (identity === undefined) throw new Error('it was never there');
  return identity;
}

interface Change {
  group?: { pid: number; started: string };
  service?: { pid: number; started: string };
  boot?: string;
  mark?: string;
}

/** A record of `pid` by a service that is gone, written into a fresh folder. */
async function recorded(pid: number, change: Change = {}) {
  const folder = tempFolder();
  mkdirSync(join(folder, 'running'));
  const file = join(folder, 'running', `${pid}.json`);
  const about = { version: 1, agent: 'a', group: identityOf(pid), service: await gone(), boot: bootId() };
  writeFileSync(file, JSON.stringify({ ...about, mark: 'mark', ...change }));
  return { folder, file };
}

describe('at the start of a service', () => {
  it('a recorded group is ended and said, its record removed (F-021)', async () => {
    const child = bystander();
    const { folder, file } = await recorded(child.pid);
    const { lines, log } = captured();
    const exited = once(child, 'exit');
    await endLeftBehind(folder, log);
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect(existsSync(file)).toBe(false);
    expect(lines).toEqual([
      `warn agent a was left running by a service that was killed; ending process group ${child.pid}`,
    ]);
  });

  it('what left the group of an agent that is gone is ended and said, its record removed (F-021)', async () => {
    const [stray, other] = [bystander({ OTTO_AGENTS_RUN: 'mark' }), bystander({ OTTO_AGENTS_RUN: 'mark 2' })];
    const exited = once(stray, 'exit');
    const identity = await gone();
    const { folder, file } = await recorded(identity.pid, { group: identity });
    const { lines, log } = captured();
    await endLeftBehind(folder, log);
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect([existsSync(file), groupMembers(other.pid)]).toEqual([false, [other.pid]]);
    expect(lines).toEqual([
      'warn agent a was left running by a service that was killed; ending what it started',
    ]);
  });

  it.each([
    ['its number is that of another process', { started: '1' }, {}, false],
    ['the machine was started anew', {}, { boot: 'another' }, false],
    ['its service still runs', {}, { service: identityOf(process.pid) }, true],
  ])('a group is left alone when %s', async (_, group, change, kept) => {
    const child = bystander({ OTTO_AGENTS_RUN: 'not the mark' });
    const identity = identityOf(child.pid);
    if (identity === undefined) throw new Error('it is not there');
    const { folder, file } = await recorded(child.pid, {
      group: { ...identity, ...group },
      ...(change as Change),
    });
    const { lines, log } = captured();
    await endLeftBehind(folder, log);
    expect(groupMembers(child.pid)).toEqual([child.pid]);
    expect([existsSync(file), lines]).toEqual([kept, []]);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"version":2}',
    '{"version":1,"agent":"a","group":{"pid":1,"started":"1"}}',
  ])('the record %j is passed over with a warning, and others are not', async (text) => {
    const child = bystander();
    const { folder } = await recorded(child.pid);
    const broken = join(folder, 'running', '7.json');
    writeFileSync(broken, text);
    const { lines, log } = captured();
    const exited = once(child, 'exit');
    await endLeftBehind(folder, log);
    await exited;
    expect(lines).toContain(
      `warn ${broken} is no record of a running agent and is passed over; it can be deleted`,
    );
    expect(readdirSync(join(folder, 'running'))).toEqual(['7.json']);
  });

  it('a record without a mark ends nobody', async () => {
    const child = bystander({ OTTO_AGENTS_RUN: '' });
    const { folder, file } = await recorded((await gone()).pid, { group: await gone(), mark: '' });
    const { log } = captured();
    await endLeftBehind(folder, log);
    expect([groupMembers(child.pid), existsSync(file)]).toEqual([[child.pid], true]);
  });

  it.each([-1, 0, 1])('a record of the process group %j ends nobody', async (pid) => {
    const child = bystander();
    const started = identityOf(1)?.started ?? '';
    const { folder, file } = await recorded(child.pid, { group: { pid, started } });
    const { lines, log } = captured();
    await endLeftBehind(folder, log);
    expect([groupMembers(child.pid), existsSync(file)]).toEqual([[child.pid], true]);
    expect(lines).toHaveLength(1);
  });

  it('without any record nothing is said', async () => {
    const { lines, log } = captured();
    await endLeftBehind(join(tempFolder(), 'none'), log);
    expect(lines).toEqual([]);
  });
});
