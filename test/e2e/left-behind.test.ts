// No process outlives its session, and none its service: what a killed service had to leave behind, the next one
// ends (F-021).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseAddress } from '../../src/client/address.ts';
import { newSession } from '../../src/client/agents.ts';
import { Client } from '../../src/client/client.ts';
import { isThere, SCRIPTED_AGENT } from '../agents/acp-rig.ts';
import { place } from '../cli/support/rig.ts';

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

/** A service of its own, whose only agent starts two grandchildren that never end by themselves, one of them in a session of its own. */
function rig(ignore: readonly string[] = []) {
  const { folder, home, env, start } = place();
  const log = join(folder, 'agent.log');
  const script = join(folder, 'script.json');
  const config = join(folder, 'agents.toml');
  const [command, args] = [process.execPath, [SCRIPTED_AGENT, script]].map((value) => JSON.stringify(value));
  writeFileSync(script, JSON.stringify({ log, ignore, start: ['child', 'stray'] }));
  writeFileSync(config, `[[agents]]\nid = "a"\nname = "A"\ncommand = ${command}\nargs = ${args}\n`);
  const entries = (): { pid?: number; child?: number; received?: { method?: string } }[] => {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  };
  const pids = () => entries().flatMap(({ pid, child }) => pid ?? child ?? []);
  const records = join(env['XDG_STATE_HOME'] ?? '', 'otto-agents', 'running');
  onTestFinished(() => {
    for (const pid of pids()) if (isThere(pid)) process.kill(pid, 'SIGKILL');
  });
  return {
    pids,
    alive: () => pids().filter(isThere),
    records: () => readdirSync(records),
    opened: () => entries().filter(({ received }) => received?.method === 'session/new').length,
    serve: () => start(['serve', '--config', config]),
    connect: async () => {
      const address = parseAddress(`unix://${env['XDG_RUNTIME_DIR']}/otto-agents/agents.sock`);
      const client = await Client.connect({ address, clientId: 'test', clientInfo: { name: 'test' } });
      onTestFinished(() => client.close());
      return { client, create: (id: string) => newSession(client, { id, provider: 'a', folder: home }) };
    },
  };
}

test('twenty sessions created and disposed leave no process and no record behind (F-021)', async () => {
  const { serve, connect, opened, pids, alive, records } = rig();
  await serve().until('Ask it something');
  const { client, create } = await connect();
  for (let round = 1; round <= 5; round++) {
    const ids = [1, 2, 3, 4].map((each) => `s${round}-${each}`);
    const sessions = await Promise.all(ids.map(create));
    await until(() => opened() === round * 4);
    expect(records()).toHaveLength(4);
    await Promise.all(sessions.map((channel) => client.request('disposeSession', { channel })));
    await until(() => alive().length === 0 && records().length === 0);
  }
  expect(pids()).toHaveLength(60);
});

test.each([
  ['that ignores everything', ['eof', 'term'], 'all of it'],
  ['whose leader left with the service', [], 'grandchildren'],
])('an agent %s is ended by the next service, with its grandchildren (F-021)', async (_, ignore, left) => {
  const { serve, connect, opened, pids, alive, records } = rig(ignore);
  const first = serve();
  await first.until('Ask it something');
  await (await connect()).create('s');
  await until(() => opened() === 1);
  const [leader = 0, ...grandchildren] = pids();
  expect([records(), grandchildren.length]).toEqual([[`${leader}.json`], 2]);

  first.child.kill('SIGKILL');
  await first.ended;
  await until(() => left === 'all of it' || !isThere(leader));
  expect(alive()).toEqual(left === 'all of it' ? [leader, ...grandchildren] : grandchildren);

  const second = serve();
  await second.until(`agent a was left running by a service that was killed; ending process group ${leader}`);
  await until(() => alive().length === 0 && records().length === 0);
  second.child.kill('SIGTERM');
  expect((await second.ended).code).toBe(0);
});
