// check-pin.mjs and sync-spec.sh on a copy of themselves, with an upstream that is a git repository on disk.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../scripts', import.meta.url));

let root: string;
let project: string;
let upstream: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'otto-spec-'));
  project = join(root, 'project');
  upstream = join(root, 'upstream');
  for (const name of ['check-pin.mjs', 'sync-spec.sh'])
    cpSync(join(SCRIPTS, name), join(project, 'scripts', name));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.test', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, '-C', upstream, ...args], { encoding: 'utf8' }).trim();
}

/** Fills an upstream repository and returns its commit. */
function makeUpstream(): string {
  write(join(upstream, 'schema/state.schema.json'), '{}');
  write(join(upstream, 'schema/notes.md'), 'not data');
  write(join(upstream, 'types/test-cases/reducers/001.json'), '{"a":1}');
  write(join(upstream, 'types/test-cases/round-trips/001.json'), '{"b":1}');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'data');
  return git('rev-parse', 'HEAD');
}

function writePin(pin: object): void {
  write(join(project, 'spec/pin.json'), JSON.stringify({ core: '1.0.0', repository: upstream, ...pin }));
}

function run(command: string, ...args: string[]) {
  const env = { ...process.env, HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const check = () => run(process.execPath, join(project, 'scripts/check-pin.mjs'));
const sync = (...args: string[]) => run('bash', join(project, 'scripts/sync-spec.sh'), ...args);

// The digest of one folder with one file `001.json` holding `{"a":1}`, computed with sha256sum.
const A_FILE = 'd660763b6434e39e2d69b68871fb3afd00ddd5cd1f30bcc3f83a583fb27766f9';

describe('check-pin.mjs (R-266)', () => {
  const fixture = () => join(root, 'shared/ahp/1.0.0/test-cases/reducers/001.json');

  it('has nothing to check where no copy is', () => {
    writePin({ data: {} });
    expect(check()).toEqual({
      status: 0,
      stdout: 'no copy of the AHP data present: nothing to check\n',
      stderr: '',
    });
  });

  it('agrees with a copy that has the pinned digests, and says what it looked at', () => {
    writePin({
      data: { '1.0.0': { commit: 'c', digests: { 'test-cases/reducers': { files: 1, sha256: A_FILE } } } },
    });
    write(fixture(), '{"a":1}');
    expect(check()).toMatchObject({
      status: 0,
      stdout: '../shared/ahp/1.0.0/test-cases/reducers: 1 files, as pinned\n',
    });
  });

  it.each<[string, (path: string) => void]>([
    ['one byte more', (path) => appendFileSync(path, ' ')],
    ['a file more', (path) => write(join(path, '../002.json'), '{}')],
    ['another name', (path) => renameSync(path, join(path, '../002.json'))],
    ['a folder more', (path) => write(join(path, '../../../schema/x.schema.json'), '{}')],
    ['nothing left', (path) => rmSync(join(path, '../..'), { recursive: true })],
  ])('fails for a copy with %s', (_what, change) => {
    writePin({
      data: { '1.0.0': { commit: 'c', digests: { 'test-cases/reducers': { files: 1, sha256: A_FILE } } } },
    });
    write(fixture(), '{"a":1}');
    change(fixture());
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('1.0.0/') });
  });
});

describe('sync-spec.sh', () => {
  it('copies schema and test cases of the pinned commit, and the check then agrees', () => {
    const commit = makeUpstream();
    writePin({ data: { '1.0.0': { commit, digests: {} } } });
    const result = sync();
    expect(result).toMatchObject({ status: 0, stderr: '' });
    expect(result.stdout).toContain(`spec/upstream/1.0.0 is commit ${commit}`);
    expect(readFileSync(join(project, 'spec/upstream/1.0.0/test-cases/reducers/001.json'), 'utf8')).toBe(
      '{"a":1}',
    );
    expect(readFileSync(join(project, 'spec/upstream/1.0.0/schema/state.schema.json'), 'utf8')).toBe('{}');
    expect(sync('--check')).toMatchObject({ status: 0, stderr: '' });
  });

  it('--check fails when the copy was changed, or the pin has moved on', () => {
    const commit = makeUpstream();
    writePin({ data: { '1.0.0': { commit, digests: {} } } });
    sync();
    writePin({ data: { '1.0.0': { commit: 'other', digests: {} } } });
    expect(sync('--check')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`is commit ${commit}`),
    });
    writePin({ data: { '1.0.0': { commit, digests: {} } } });
    appendFileSync(join(project, 'spec/upstream/1.0.0/test-cases/round-trips/001.json'), ' ');
    expect(sync('--check')).toMatchObject({ status: 1, stderr: expect.stringContaining('round-trips') });
  });

  it('--ref takes the tag of a release that is not pinned', () => {
    makeUpstream();
    git('tag', '-a', '-m', 'release', 'spec/v1.1.0');
    writePin({ data: {} });
    expect(sync('--ref', 'spec/v1.1.0')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('not pinned'),
    });
    expect(readFileSync(join(project, 'spec/upstream/1.1.0/SOURCE.json'), 'utf8')).toContain(
      git('rev-parse', 'HEAD'),
    );
  });

  it('says what is wrong when upstream cannot be reached, and leaves the copy that is there', () => {
    const commit = makeUpstream();
    writePin({ data: { '1.0.0': { commit, digests: {} } } });
    sync();
    rmSync(upstream, { recursive: true });
    expect(sync()).toMatchObject({ status: 1, stderr: expect.stringContaining('is there a network') });
    expect(sync('--check')).toMatchObject({ status: 0 });
  });

  it('refuses what it does not know with status 2, and explains itself', () => {
    writePin({ data: {} });
    expect(sync('--chekc')).toMatchObject({ status: 2, stderr: expect.stringContaining('--chekc') });
    expect(sync('--ref')).toMatchObject({ status: 2 });
    expect(sync('--ref', 'main')).toMatchObject({ status: 2, stderr: expect.stringContaining('main') });
    expect(sync('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('usage:') });
  });
});
