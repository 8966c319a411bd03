// What a new machine lacks, and how it is got: npm packages, Debian packages, the build. Every list of such things
// is in this file. Does nothing for what is there and current; says what it does, since it can take a while.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Programs that the tests run, and the Debian package that brings each. */
const TEST_PROGRAMS = { git: 'git', setsid: 'util-linux', ps: 'procps', script: 'bsdutils' };

const MINIMUM_NODE = [20, 19];

/** Ends with a sentence where Node is too old to go on. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  fail(`otto-agents needs Node ${MINIMUM_NODE.join('.')} or newer; this is ${process.versions.node}.`);
}

/** `npm ci` in `folder`, unless what is installed is what its lockfile says. Whether it is there afterwards. */
export function installPackages(folder, { optional = false } = {}) {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
  ) {
    return true;
  }
  say(`Installing npm packages of ${folder === PROJECT ? 'otto-agents' : folder.slice(PROJECT.length + 1)}…`);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const done = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (done.status === 0) return true;
    if (attempt === 1) say('npm ci failed; trying once more…');
  }
  if (!optional) fail(`npm ci failed in ${folder}; run it there by hand to see why.`);
  return false;
}

/** Compiles `src` to `dist` when something in it is newer. */
export function build() {
  const entry = join(PROJECT, 'dist/cli.js');
  if (existsSync(entry) && newestIn(join(PROJECT, 'src')) < statSync(entry).mtimeMs) return;
  say('Building…');
  run('npm', ['run', '--silent', 'build']);
}

/** Gets the programs that the tests need: as root with apt, otherwise it says which command brings them. */
export function installTestPrograms() {
  const missing = Object.entries(TEST_PROGRAMS).filter(([program]) => !onPath(program));
  if (missing.length === 0) return;
  const packages = [...new Set(missing.map(([, name]) => name))];
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    fail(`The tests need ${missing.map(([program]) => program).join(', ')}. Run as root: ${command}`);
  }
  say(`Installing ${packages.join(', ')}…`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (let attempt = 1; attempt <= 3; attempt++) {
    const done = spawnSync('sh', ['-c', `apt-get update -qq && ${command} -qq`], {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (done.status === 0) return;
  }
  fail(`apt could not install ${packages.join(', ')}; run it by hand to see why: ${command}`);
}

export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: PROJECT, stdio: 'inherit', ...options });
  if (done.status !== 0) process.exit(done.status ?? 1);
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  say(text);
  process.exit(1);
}

function onPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, program)));
}

function newestIn(folder) {
  const times = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs;
  });
  return Math.max(0, ...times);
}
