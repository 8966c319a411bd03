// claude-agent-acp as it is installed for people, on a scripted model: nothing here leaves the machine.
// Needs `npm ci` in this folder; without it the tests are skipped and say so.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAcpBackend } from '../../src/agents/backend.ts';
import { createLog } from '../../src/base/log.ts';
import { collector, message } from '../agents/acp-rig.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const CLAUDE = here('node_modules/.bin/claude-agent-acp');
const installed = existsSync(CLAUDE);
if (!installed) console.warn('Skipped: claude-agent-acp is not installed; run `npm ci` in test/real-agents');

describe.skipIf(!installed)('claude-agent-acp', () => {
  let model: ChildProcess;
  let address = '';

  beforeAll(async () => {
    const server = spawn(process.execPath, [here('model-server.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    model = server;
    const [line] = await once(server.stdout, 'data');
    address = String(line).trim();
  });

  afterAll(() => {
    model.kill();
  });

  async function started() {
    const home = mkdtempSync(join(tmpdir(), 'otto-claude-'));
    const backend = createAcpBackend({
      agents: [
        {
          id: 'claude',
          name: 'Claude',
          description: '',
          command: process.execPath,
          args: [CLAUDE],
          env: {
            HOME: home,
            IS_SANDBOX: '1',
            ANTHROPIC_BASE_URL: address,
            ANTHROPIC_API_KEY: 'dummy',
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            DISABLE_AUTOUPDATER: '1',
          },
          permissions: 'deny',
        },
      ],
      version: '0',
      log: createLog(() => {}),
    });
    const seen = collector();
    const handle = backend.start({ provider: 'claude', cwd: home }, (event) => {
      if (event.type === 'stopped' && event.error !== undefined) console.warn(event.error.message);
      seen.report(event);
    });
    onTestFinished(async () => {
      handle.stop();
      if (seen.of('stopped').length === 0) await seen.next('stopped');
      rmSync(home, { recursive: true, force: true });
    });
    await seen.next('started');
    return { ...seen, handle };
  }

  it('answers a plain prompt, streamed in several chunks, and leaves when asked', async () => {
    const claude = await started();
    expect(claude.of('modes')[0]?.available?.map(({ id }) => id)).toContain('default');
    claude.handle.prompt('a', message('slow 8 Good morning, this is the scripted model speaking.'));
    expect((await claude.next('turnEnded')).outcome).toEqual({ stop: 'end_turn' });
    expect(claude.text()).toContain('Good morning, this is the scripted model speaking.');
    expect(claude.of('text').length).toBeGreaterThan(3);
    claude.handle.stop();
    expect(await claude.next('stopped')).toEqual({ type: 'stopped', asked: true });
  }, 60_000);

  it('is cancelled in the middle of a turn and answers the next prompt', async () => {
    const claude = await started();
    claude.handle.prompt('a', message(`slow 4000 ${'word '.repeat(2000)}`));
    await claude.next('text');
    claude.handle.cancel('a');
    expect(await claude.next('turnEnded')).toEqual({
      type: 'turnEnded',
      turn: 'a',
      outcome: { stop: 'cancelled' },
    });
    claude.handle.prompt('b', message('hello'));
    expect((await claude.next('turnEnded')).outcome).toEqual({ stop: 'end_turn' });
    expect(claude.text()).toContain('Echo: hello');
  }, 60_000);

  it('is cancelled while the model says nothing', async () => {
    const claude = await started();
    claude.handle.prompt('a', message('hang'));
    claude.handle.cancel('a');
    expect((await claude.next('turnEnded')).outcome).toEqual({ stop: 'cancelled' });
  }, 60_000);
});
