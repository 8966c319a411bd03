// What a client sees of a configured agent before it was ever started.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAcpBackend } from '../../src/agents/backend.ts';
import { createLog } from '../../src/base/log.ts';
import { tempFolder } from './acp-rig.ts';

const BASE = { name: 'A', description: 'd', args: [], config: {}, permissions: 'ask' as const };

it('is its colour, its folder, and why it cannot be started as things stand', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'present'), '');
  writeFileSync(join(folder, 'blocked'), '');
  chmodSync(join(folder, 'present'), 0o755);
  const lines: string[] = [];
  const log = createLog((level, _, text) => lines.push(`${level} ${text}`));
  const env = { PATH: folder };
  const agents = [
    { ...BASE, id: 'fine', command: 'present', env, colour: 'teal', folder: '/srv/a b' },
    { ...BASE, id: 'missing', command: 'private-program', env },
    { ...BASE, id: 'blocked', command: join(folder, 'blocked'), env: {} },
  ];
  const entries = createAcpBackend({ agents, version: '0', log }).agents();
  const info = { displayName: 'A', description: 'd', models: [] };
  const missing =
    `there is no program "private-program" in PATH (${folder}); give its full path as the agent's command, ` +
    `or set PATH in the agent's env or in the service's unit`;
  const blocked = `${join(folder, 'blocked')} is not executable; allow it with chmod +x`;
  const shared = { permissions: 'ask', forgets: false };
  expect(entries).toEqual([
    { info: { provider: 'fine', ...info }, ...shared, colour: 'teal', folder: 'file:///srv/a%20b' },
    { info: { provider: 'missing', ...info }, ...shared, unavailable: missing },
    { info: { provider: 'blocked', ...info }, ...shared, unavailable: blocked },
  ]);
  const said = 'cannot be started as things stand: its program was not found or may not run';
  expect(lines).toEqual([
    `warn agent missing ${said}`,
    `debug agent missing: ${missing}`,
    `warn agent blocked ${said}`,
    `debug agent blocked: ${blocked}`,
  ]);
});

it('is the same where PATH names a file among its folders, and a program is found all the same', () => {
  const folder = tempFolder();
  const file = join(folder, 'present');
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  const log = createLog(() => {});
  const env = { PATH: `${file}:${folder}` };
  const agents = [
    { ...BASE, id: 'fine', command: 'present', env },
    { ...BASE, id: 'below a file', command: join(file, 'agent'), env },
  ];
  const [fine, below] = createAcpBackend({ agents, version: '0', log }).agents();
  expect(fine?.unavailable).toBeUndefined();
  expect(below?.unavailable).toContain(`there is no program ${join(file, 'agent')}`);
});
