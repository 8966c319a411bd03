// Emits a TypeScript entry as JavaScript, so that tests can run it in a process of its own on every Node we support.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Path of the emitted module of `entry`, which is given from the project's root. Types are not checked here;
 * it is gone after the last test of the file that asks for it at its top level.
 */
export function compile(entry: string): string {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const out = mkdtempSync(join(cache, 'otto-agents-test-'));
  afterAll(() => rmSync(out, { recursive: true, force: true }));
  const config = join(out, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: { noEmit: false, noCheck: true, rootDir: ROOT, outDir: out },
      files: [join(ROOT, entry)],
      include: [],
    }),
  );
  writeFileSync(join(out, 'package.json'), '{ "type": "module", "version": "0.0.0-test" }\n');
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config]);
  return join(out, entry.replace(/\.ts$/, '.js'));
}
