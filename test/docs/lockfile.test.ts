import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, LockedPackage> };

/** Whether Node would find `name` from the package at `folder`: in its own `node_modules` or an ancestor's. */
function found(folder: string, name: string): boolean {
  const parts = folder.split('/node_modules/');
  const ancestors = parts.map((_, depth) => `${parts.slice(0, depth + 1).join('/node_modules/')}/`);
  return ['', ...ancestors].some((at) => `${at === '/' ? '' : at}node_modules/${name}` in packages);
}

describe('the lockfile', () => {
  it('has an entry for every dependency it names, so that any npm can install from it', () => {
    const missing = Object.entries(packages).flatMap(([folder, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter((name) => !found(folder, name))
        .map((name) => `${folder} needs ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
