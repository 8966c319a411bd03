// Simultaneous starts as real processes, each round on top of what the killed winner of the last one left.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compile } from '../support/compile.ts';
import { temporaryFolder, webSocket } from './support/sockets.ts';

const program = compile('test/server/support/listener-process.ts');

interface Start {
  child: ChildProcess;
  outcome: 'ready' | number | null;
}

/** Resolves when the process listens or has given up. */
async function start(path: string): Promise<Start> {
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ready = new Promise<'ready'>((resolve) => child.stdout.once('data', () => resolve('ready')));
  const gone = once(child, 'exit').then(([code]) => code as number | null);
  return { child, outcome: await Promise.race([ready, gone]) };
}

/** The pid that answers on the socket. */
async function whoAnswers(path: string): Promise<number> {
  const client = webSocket(`unix://${path}`);
  const [message] = await once(client, 'message');
  client.terminate();
  return Number(String(message));
}

async function race(path: string, starters: number, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const starts = await Promise.all(Array.from({ length: starters }, () => start(path)));
    const winners = starts.filter(({ outcome }) => outcome === 'ready');
    const losers = starts.filter(({ outcome }) => outcome !== 'ready').map(({ outcome }) => outcome);
    expect({ round, winners: winners.length, losers }).toEqual({
      round,
      winners: 1,
      losers: Array.from({ length: starters - 1 }, () => 3),
    });
    const winner = winners[0]?.child;
    expect(await whoAnswers(path)).toBe(winner?.pid);
    winner?.kill('SIGKILL');
    if (winner !== undefined) await once(winner, 'exit');
    expect(existsSync(path)).toBe(true);
  }
}

test('R-009 F-133 fifty pairs of simultaneous starts end with one server each', {
  timeout: 120_000,
}, async () => {
  await race(join(temporaryFolder(), 'd/agents.sock'), 2, 50);
});

test('R-009 F-133 six at once, twenty rounds: exactly one is alive and reachable', {
  timeout: 120_000,
}, async () => {
  await race(join(temporaryFolder(), 'd/agents.sock'), 6, 20);
});
