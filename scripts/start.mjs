// `npm start`: from a fresh clone to a running echo service. `npm start -- "hello"`: asks it, prints the answer and
// exits; where no service runs, one is started for this one question and stopped afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, checkNode, installPackages, PROJECT } from './prepare.mjs';

const CLI = join(PROJECT, 'dist/cli.js');
const words = process.argv.slice(2);

checkNode();
installPackages(PROJECT);
build();
process.exitCode = words.length === 0 ? await serve() : await ask(words.join(' '));

async function serve() {
  const service = spawn(process.execPath, [CLI, 'serve', '--echo'], {
    stdio: 'inherit',
  });
  // Ctrl+C reaches the service too, which stops by itself; this process only waits for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => service.kill(signal));
  const [code] = await once(service, 'exit');
  return code ?? 1;
}

async function ask(text) {
  if (spawnSync(process.execPath, [CLI, 'sessions'], { stdio: 'ignore' }).status === 0)
    return askAt([], text);
  const folder = mkdtempSync(join(tmpdir(), 'otto-agents-'));
  const socket = join(folder, 'agents.sock');
  const service = spawn(process.execPath, [CLI, 'serve', '--echo', '--listen', socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, OTTO_AGENTS_LOG: 'warn', OTTO_AGENTS_STATE_DIR: folder },
  });
  const ended = once(service, 'exit');
  try {
    // The first line is printed once the socket answers.
    const ready = await Promise.race([once(service.stdout, 'data'), ended.then(() => undefined)]);
    return ready === undefined ? 1 : askAt(['--url', socket], text);
  } finally {
    service.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

function askAt(options, text) {
  return spawnSync(process.execPath, [CLI, 'ask', ...options, '--', text], { stdio: 'inherit' }).status ?? 1;
}
