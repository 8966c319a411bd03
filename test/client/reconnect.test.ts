import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEcho } from '../../src/agents/echo.ts';
import { type Service, startService } from '../../src/app/service.ts';
import { type Address, parseAddress } from '../../src/client/address.ts';
import { Client } from '../../src/client/client.ts';
import { Prompt, type PromptHooks } from '../../src/client/prompt.ts';
import type { AgentBackend } from '../../src/host/ports.ts';
import { agentInHand } from '../support/agent-in-hand.ts';
import { cuttingProxy } from './support/cutting-proxy.ts';

const SESSION = 'ahp-session:/s';
const CHUNKS = Array.from({ length: 150 }, (_, index) => `chunk ${index}, `);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'otto-reconnect-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function service(runtime: string, backend: AgentBackend): Promise<Service> {
  const started = await startService({
    env: { HOME: runtime, XDG_RUNTIME_DIR: runtime },
    backend: () => backend,
    write: () => {},
  });
  onTestFinished(() => started.stop());
  return started;
}

async function connected(address: Address, clientId: string, pauses = [0, 0, 0, 0]): Promise<Client> {
  const client = await Client.connect({ address, clientId, clientInfo: { name: 'test' }, pauses });
  onTestFinished(() => client.close());
  return client;
}

test('a client that is cut again and again ends with the state and the text of one that never was (F-110, R-022)', async () => {
  const runtime = folder();
  const hand = agentInHand();
  const address = parseAddress((await service(runtime, hand.backend)).address);
  const proxy = await cuttingProxy(address.kind === 'socket' ? address.path : '', 6_000);
  onTestFinished(() => proxy.close());

  const whole = await connected(address, 'whole');
  const workingDirectories = [`file://${runtime}`];
  await whole.request('createSession', { channel: SESSION, workingDirectories });
  const { defaultChat = '' } = await whole.subscribe('session', SESSION);
  let arrived = () => {};
  await whole.subscribe('chat', defaultChat, () => arrived());

  const cut = await connected(proxy.address, 'cut');
  let text = '';
  let sawEnd = () => {};
  const end = new Promise<void>((resolve) => {
    sawEnd = resolve;
  });
  const hooks: PromptHooks = {
    notice: () => {},
    text: (added) => {
      text += added;
    },
    moved: (session) => {
      if (session.title === 'the end') sawEnd();
    },
  };
  const prompt = new Prompt(cut, { session: SESSION, messageId: 'm', text: 'go' }, hooks);
  await prompt.start();
  await hand.prompted();
  for (const chunk of CHUNKS) {
    const next = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    hand.say(chunk);
    await next;
  }
  hand.endTurn();

  expect(await prompt.ended).toEqual({ kind: 'complete' });
  await whole.dispatch(SESSION, { type: 'session/titleChanged', title: 'the end' });
  await end;
  expect(proxy.cuts()).toBeGreaterThan(3);
  expect(text).toBe(CHUNKS.join(''));
  expect(cut.state('chat', defaultChat)).toEqual(whole.state('chat', defaultChat));
  expect(cut.state('session', SESSION)).toEqual(whole.state('session', SESSION));
});

test('a service that was started anew knows neither client nor session: the client is told so and goes on', async () => {
  const runtime = folder();
  const first = await service(runtime, createEcho());
  const client = await connected(parseAddress(first.address), 'stays', Array(100).fill(20));
  await client.subscribe('root', 'ahp-root://');
  await client.request('createSession', { channel: SESSION, workingDirectories: [`file://${runtime}`] });
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  await client.subscribe('session', SESSION, (event) => {
    if (event.type === 'gone') leave();
  });
  await first.stop();
  await service(runtime, createEcho());
  await gone;
  expect(client.state('session', SESSION)).toBeUndefined();
  expect(client.state('root', 'ahp-root://')?.activeSessions).toBe(0);
  expect(await client.request('listSessions', { channel: 'ahp-root://' })).toEqual({ items: [] });
});
