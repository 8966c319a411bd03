// What `npm pack` would publish, held against what it should: the compiled program and what goes with it, and no
// test, source or stray file. Prints what is too much or missing; exit status 1 then.
import { execFileSync } from 'node:child_process';
import { PROJECT } from './prepare.mjs';

const WANTED = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^CHANGELOG\.md$/,
  /^resources\//,
  /^dist\/.+\.js$/,
];
const ALLOWED = [...WANTED, /^dist\/.+\.js\.map$/];

const packed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: PROJECT,
    encoding: 'utf8',
  }),
);
// npm 10 answers a list, npm 11 an object by package name.
const [{ files }] = Array.isArray(packed) ? packed : Object.values(packed);
const paths = files.map(({ path }) => path);
const tooMuch = paths.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)));
const missing = WANTED.filter((pattern) => !paths.some((path) => pattern.test(path)));
for (const path of tooMuch) console.error(`the package holds ${path}, which does not belong into it`);
for (const pattern of missing) console.error(`the package lacks ${pattern.source}`);
if (tooMuch.length + missing.length > 0) process.exitCode = 1;
else console.log(`the package holds ${paths.length} files, all of them expected`);
