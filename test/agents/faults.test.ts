// Agents that misbehave as processes: each costs its own session a clear reason and leaves nothing behind.
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS, startLimit } from '../../src/agents/acp/limits.ts';
import { isThere, SCRIPTED_AGENT, startRig, tempFolder } from './acp-rig.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});

afterEach(() => {
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

const MODES = { currentModeId: 'a', availableModes: [{ id: 'a' }, { id: 'b' }] };
const FAST = { retry: 10 };

function executable(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

/** Resolves once `holds` does. */
async function appears(holds: () => boolean): Promise<void> {
  await new Promise<void>((done) => {
    const look = setInterval(() => {
      if (!holds()) return;
      clearInterval(look);
      done();
    }, 10);
  });
}

const childrenOf = (entries: Record<string, unknown>[]) =>
  entries.flatMap((entry) => ('child' in entry ? [entry['child'] as number] : []));

const pidOf = (entries: Record<string, unknown>[]) => entries[0]?.['pid'] as number;

describe('an agent that cannot be started', () => {
  it('names a missing folder, a missing program, and both, each in its own words (F-103)', async () => {
    const missing = join(tempFolder(), 'gone');
    const messages = [];
    for (const [command, cwd] of [
      [process.execPath, missing],
      ['no-such-agent', '/'],
      ['no-such-agent', missing],
    ] as const) {
      const rig = startRig({ agent: { command }, spec: { cwd }, limits: FAST });
      const { asked, error } = await rig.next('stopped');
      expect([asked, error?.kind]).toEqual([false, 'spawn']);
      messages.push(error?.message);
    }
    expect(messages[0]).toBe(`The folder ${missing} does not exist`);
    expect(messages[1]).toMatch(/^there is no program "no-such-agent" in PATH/);
    expect(messages[2]).toMatch(/^The folder .* does not exist; also, there is no program "no-such-agent"/);
  });

  it('names the program, the PATH searched and both remedies (F-100)', async () => {
    const path = `${tempFolder()}:/usr/bin`;
    const rig = startRig({ agent: { command: 'no-such-agent', env: { PATH: path } }, limits: FAST });
    const { error } = await rig.next('stopped');
    expect(error?.message).toBe(
      `there is no program "no-such-agent" in PATH (${path}); give its full path as the agent's command, ` +
        `or set PATH in the agent's env or in the service's unit`,
    );
  });

  it('is looked up on the PATH of its own env, in folders made later too (F-100, F-101)', async () => {
    const bin = join(tempFolder(), 'late', 'bin');
    const agent = { command: 'late-agent', env: { PATH: `${bin}:${process.env['PATH']}` } };
    const before = startRig({ agent, limits: FAST });
    expect((await before.next('stopped')).error?.kind).toBe('spawn');
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, join(bin, 'late-agent'));
    await startRig({ agent }).next('started');
  });

  it('is a file that may not be executed', async () => {
    const file = join(tempFolder(), 'agent');
    writeFileSync(file, '');
    const rig = startRig({ agent: { command: file } });
    expect((await rig.next('stopped')).error).toEqual({
      kind: 'spawn',
      message: `${file} is not executable; allow it with chmod +x`,
    });
  });

  it('is a script whose interpreter is missing, named with status 127 (F-102)', async () => {
    const file = executable(tempFolder(), 'agent', '#!/usr/bin/env nosuchnode\n');
    const { error } = await startRig({ agent: { command: file } }).next('stopped');
    expect(error?.kind).toBe('exit');
    expect(error?.message).toMatch(/status 127 .*interpreter.*nosuchnode/);

    const direct = executable(tempFolder(), 'agent', '#!/nowhere/nosuchnode\n');
    const second = await startRig({ agent: { command: direct }, limits: FAST }).next('stopped');
    expect(second.error).toEqual({
      kind: 'spawn',
      message: `Cannot run ${direct}: the interpreter /nowhere/nosuchnode was not found`,
    });
  });

  it('gets one delayed retry, which finds a program that was being replaced (F-034)', async () => {
    const file = join(tempFolder(), 'agent');
    const rig = startRig({ agent: { command: file }, limits: { retry: 300 } });
    // The first attempt comes before this timer, the second one after it.
    setTimeout(() => symlinkSync(process.execPath, file), 50);
    await rig.next('started');
    expect(rig.of('stopped')).toEqual([]);
    expect(LIMITS.retry).toBeGreaterThan(1000);
  });

  it('can be stopped while it waits for the retry', async () => {
    const rig = startRig({ agent: { command: 'no-such-agent' }, limits: { retry: 200 } });
    await new Promise((done) => setImmediate(done));
    rig.handle.stop();
    expect(await rig.next('stopped')).toEqual({ type: 'stopped', asked: true });
  });
});

describe('an agent that ends by itself', () => {
  it('is reported with its status and the end of its stderr (F-024, R-060)', async () => {
    const rig = startRig({ script: { start: ['err boom', 'exit 3'] } });
    expect(await rig.next('stopped')).toEqual({
      type: 'stopped',
      asked: false,
      error: { kind: 'exit', message: 'Process exited with status 3: boom' },
    });
  });

  it('shows the text of an installer that failed on one line (F-030)', async () => {
    const rig = startRig({
      script: {
        start: [
          'err npm error code EIDLETIMEOUT',
          'err "\\u001b[31mnpm error\\u001b[0m idle\\ttimeout"',
          'exit 1',
        ],
      },
    });
    expect((await rig.next('stopped')).error?.message).toBe(
      'Process exited with status 1: npm error code EIDLETIMEOUT · npm error idle timeout',
    );
  });

  it('is reported with the signal that ended it', async () => {
    const rig = startRig({ script: { start: ['kill SIGKILL'] } });
    expect((await rig.next('stopped')).error?.message).toBe('Process was ended by SIGKILL');
  });

  it('is told from one that closed its output, also when something outside its group keeps a pipe open', async () => {
    const rig = startRig({ script: { start: ['away 700', 'kill SIGKILL'] }, limits: { leave: 100 } });
    expect((await rig.next('stopped')).error).toEqual({
      kind: 'exit',
      message: 'Process was ended by SIGKILL',
    });
  });

  it.each(['initialize', 'session/new', 'session/load', 'session/prompt', 'session/set_mode'])(
    'during %s fails what was under way at once, without a stray rejection (F-028)',
    async (method) => {
      const rig = startRig({
        spec: method === 'session/load' ? { resume: 'old' } : {},
        script: {
          capabilities: { loadSession: true },
          session: { modes: MODES },
          on: { [method]: ['err last words', 'exit 4'] },
        },
      });
      let refusal: string | undefined;
      if (method === 'session/prompt' || method === 'session/set_mode') {
        await rig.next('started');
        if (method === 'session/prompt') rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
        else rig.handle.setMode('b', (reply) => (refusal = reply));
      }
      const { error } = await rig.next('stopped');
      expect(error).toEqual({ kind: 'exit', message: 'Process exited with status 4: last words' });
      expect(rig.of('turnEnded')).toEqual([]);
      if (method === 'session/set_mode') expect(refusal).toBe('Scripted ended');
    },
  );

  it('reports what it said before it left, then stopped', async () => {
    const rig = startRig({ script: { prompts: [['say first', 'fill 3000000', 'say last', 'exit 0']] } });
    await rig.next('started');
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    await rig.next('stopped');
    expect(rig.text()).toBe(`first${'x'.repeat(3_000_000)}last`);
    expect(rig.events.at(-1)?.type).toBe('stopped');
  });

  it.each([
    ['leaves', 'exit 0'],
    ['is killed', 'kill SIGKILL'],
  ])('takes what it started with it when it %s, also out of a session of its own (F-021)', async (_, how) => {
    const other = startRig({ script: { start: ['stray'] } });
    await other.next('started');
    const rig = startRig({ script: { prompts: [['child', 'stray', 'stray', how]] } });
    await rig.next('started');
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    await rig.next('stopped');
    const children = childrenOf(rig.entries());
    expect([children.length, children.filter(isThere)]).toEqual([3, []]);
    expect(childrenOf(other.entries()).map(isThere)).toEqual([true]);
  });
});

describe('an agent that does not answer', () => {
  it('to initialize is ended at the start budget with a hint (F-031)', async () => {
    const rig = startRig({
      agent: { command: 'sh', args: ['-c', 'cat > /dev/null'] },
      limits: { start: 150 },
    });
    const { error } = await rig.next('stopped');
    expect(error).toEqual({
      kind: 'timeout',
      message:
        'Scripted did not answer initialize within 0.15 s; its command sh may need an argument that makes it speak ACP',
    });
  });

  it.each(['session/new', 'session/load', 'session/set_mode'])(
    'to %s is ended and the method named, another of its kind goes on (F-032)',
    async (method) => {
      const script = { capabilities: { loadSession: true }, session: { modes: MODES } };
      const other = startRig({ script });
      await other.next('started');
      const rig = startRig({
        spec: method === 'session/load' ? { resume: 'old' } : {},
        script: { ...script, on: { [method]: ['swallow'] } },
        limits: { request: 200 },
      });
      let refusal: string | undefined;
      if (method === 'session/set_mode') {
        await rig.next('started');
        rig.handle.setMode('b', (reply) => (refusal = reply));
      }
      const { asked, error } = await rig.next('stopped');
      expect(asked).toBe(false);
      expect(error).toEqual({ kind: 'timeout', message: `Scripted did not answer ${method} within 0.2 s` });
      if (method === 'session/set_mode') expect(refusal).toBe(error?.message);
      expect(isThere(pidOf(rig.entries()))).toBe(false);
      expect(await other.prompt('still there?')).toEqual({ stop: 'end_turn' });
    },
  );

  it('in lines, but pretty-printed over many, fails inside the start budget (F-004)', async () => {
    const rig = startRig({
      script: { on: { initialize: ['line [info] x', 'pretty'] } },
      limits: { start: 300 },
    });
    expect((await rig.next('stopped')).error?.kind).toBe('timeout');
    expect(isThere(pidOf(rig.entries()))).toBe(false);
  });

  it('because it closed its output and stayed is ended', async () => {
    const rig = startRig({
      agent: { command: 'sh', args: ['-c', 'exec 1>&-; exec sleep 1000'] },
      limits: { leave: 50 },
    });
    expect((await rig.next('stopped')).error).toEqual({
      kind: 'exit',
      message: 'Scripted closed its output and kept running',
    });
  });

  it('gets minutes for its first answer only from a package runner (F-029)', () => {
    const limitOf = (line: string) => {
      const [command = '', ...args] = line.split(' ');
      return startLimit({ command, args });
    };
    const runners = [
      '/usr/bin/npx -y x',
      'bunx x',
      'uvx x',
      'pnpm dlx x',
      'npm exec x',
      'npm --yes exec x',
      'npm --prefix /opt x agent',
      'pnpm --silent dlx x',
      'uv --quiet tool run x',
      'env X=1 npx -y x',
      '/usr/bin/env -i -u Y A=b npm --yes exec x',
      'deno run -A npm:x',
    ];
    expect(runners.filter((line) => limitOf(line) !== 900_000)).toEqual([]);
    const others = [
      'claude-agent-acp',
      'pnpm start',
      'npm run exec',
      'npm --registry=x start exec',
      'env X=1 agent npx',
      'deno run agent.ts',
    ];
    expect(others.filter((line) => limitOf(line) !== 30_000)).toEqual([]);
  });

  it('says meanwhile what it is doing, and not any more once it has started (F-029)', async () => {
    const go = join(tempFolder(), 'go');
    const rig = startRig({
      script: {
        start: ['err "fetching\\u001b[2K \\u202eone"', `wait ${go}`],
        prompts: [['err later', 'say hi']],
      },
      limits: { activity: 10 },
    });
    expect((await rig.next('starting')).activity).toBe('fetching one');
    writeFileSync(go, '');
    await rig.next('started');
    await rig.prompt('x');
    expect(rig.of('starting')).toHaveLength(1);
  });
});

describe('an agent that does not want to go', () => {
  it('and ignores the end of stdin and TERM is killed (F-023)', async () => {
    const rig = startRig({ script: { ignore: ['eof', 'term'] } });
    await rig.next('started');
    rig.handle.stop();
    expect(await rig.next('stopped')).toEqual({ type: 'stopped', asked: true });
    expect(rig.entries().slice(-2)).toEqual([{ eof: true }, { signal: 'SIGTERM' }]);
    expect(isThere(pidOf(rig.entries()))).toBe(false);
  });

  it('behind a wrapper that swallows signals leaves neither behind (F-022)', async () => {
    const folder = tempFolder();
    const wrapper = executable(folder, 'wrapper', '#!/bin/sh\ntrap "" TERM\n"$@"\nexit 0\n');
    const script = join(folder, 'script.json');
    const log = join(folder, 'log');
    writeFileSync(script, JSON.stringify({ log, ignore: ['eof', 'term'], on: { initialize: ['child'] } }));
    const rig = startRig({
      agent: { command: wrapper, args: [process.execPath, SCRIPTED_AGENT, script] },
    });
    await rig.next('started');
    rig.handle.stop();
    await rig.next('stopped');
    const entries = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const pids = entries.flatMap((entry) => entry.pid ?? entry.child ?? []);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isThere)).toEqual([]);
  });

  it('and started a command in a session of its own leaves neither behind (F-021)', async () => {
    const rig = startRig({ script: { ignore: ['eof', 'term'], prompts: [['stray', 'hang']] } });
    await rig.next('started');
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    await appears(() => childrenOf(rig.entries()).length === 1);
    rig.handle.stop();
    await rig.next('stopped');
    expect(childrenOf(rig.entries()).filter(isThere)).toEqual([]);
  });

  it('and prints while it leaves causes no error (F-003)', async () => {
    const rig = startRig({ script: { end: [...Array(50).fill('line plain'), 'say late', 'raw {"half'] } });
    await rig.next('started');
    rig.handle.stop();
    expect(await rig.next('stopped')).toEqual({ type: 'stopped', asked: true });
    expect(rig.events.map(({ type }) => type)).toEqual(['started', 'stopped']);
  });

  it('has bounds of two and five seconds unless a test says otherwise', () => {
    expect(LIMITS.polite).toEqual({ term: 2000, kill: 5000 });
  });
});
