// Which processes are found by a variable they were started with: real ones, and never this one.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { processesWith } from '../../src/system/processes.ts';

it('a process is found by the whole value of its variable for as long as it runs', async () => {
  const value = randomUUID();
  const start = (env: Record<string, string>) => {
    const child = spawn('/bin/sh', ['-c', 'echo; read -r _'], { env, detached: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const children = [start({ MARK: value }), start({ MARK: `${value}0` }), start({ OTHER: value })];
  for (const child of children) await once(child.stdout, 'data');
  const [marked] = children;
  expect(processesWith('MARK', value)).toEqual([marked?.pid]);
  marked?.stdin.end();
  if (marked !== undefined) await once(marked, 'exit');
  expect(processesWith('MARK', value)).toEqual([]);
});

it('this process is not among those that are found', () => {
  const path = process.env['PATH'] ?? '';
  expect(processesWith('PATH', path)).not.toContain(process.pid);
});
