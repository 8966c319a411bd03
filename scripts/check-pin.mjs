// Checks whatever copy of the AHP data is present against spec/pin.json. Knows two places: `ahp/<version>` in a
// folder `shared` beside the project (a selection of the data, its digests are in the pin), and
// `spec/upstream/<version>` (complete, made by sync-spec.sh, which leaves commit and digests in SOURCE.json).
// Exit status: 0 everything agrees or nothing is there, 1 something differs.
// With `--record <folder> <commit>` it writes that SOURCE.json instead.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDERS = ['schema', 'test-cases/reducers', 'test-cases/round-trips'];

const project = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const pin = JSON.parse(readFileSync(join(project, 'spec/pin.json'), 'utf8'));

const [option, folder, commit] = process.argv.slice(2);
if (option === undefined) {
  process.exitCode = checkAll();
} else if (option === '--record' && folder !== undefined && commit !== undefined) {
  const source = { commit, digests: digestsOf(folder) };
  writeFileSync(join(folder, 'SOURCE.json'), `${JSON.stringify(source, null, 2)}\n`);
} else {
  console.error('usage: check-pin.mjs [--record <folder> <commit>]');
  process.exitCode = 2;
}

function checkAll() {
  const copies = [resolve(project, '../shared/ahp'), join(project, 'spec/upstream')]
    .filter((root) => existsSync(root))
    .flatMap((root) => versionsIn(root).map((version) => ({ version, at: join(root, version) })));
  if (copies.length === 0) {
    console.log('no copy of the AHP data present: nothing to check');
    return 0;
  }
  const wrong = copies.map(checkCopy).filter((agrees) => !agrees).length;
  if (wrong > 0) console.error('spec/pin.json and the data differ; see spec/README.md');
  return wrong > 0 ? 1 : 0;
}

function versionsIn(root) {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function checkCopy({ version, at }) {
  const name = relative(project, at);
  const pinned = pin.data[version];
  if (pinned === undefined) {
    console.log(`${name}: this version is not pinned, not checked`);
    return true;
  }
  const sourceFile = join(at, 'SOURCE.json');
  const source = existsSync(sourceFile) ? JSON.parse(readFileSync(sourceFile, 'utf8')) : undefined;
  if (source !== undefined && source.commit !== pinned.commit) {
    console.error(`${name}: is commit ${source.commit}, pinned is ${pinned.commit}`);
    return false;
  }
  const expected = source?.digests ?? pinned.digests;
  const found = digestsOf(at);
  const results = [...new Set([...Object.keys(expected), ...Object.keys(found)])].map((part) =>
    comparePart(`${name}/${part}`, expected[part], found[part]),
  );
  return results.every((agrees) => agrees);
}

function comparePart(name, expected, found) {
  if (found === undefined || expected === undefined) {
    console.error(`${name}: ${found === undefined ? 'missing' : 'present, but not pinned'}`);
    return false;
  }
  if (found.sha256 !== expected.sha256) {
    console.error(`${name}: ${found.files} files, sha256 ${found.sha256}`);
    console.error(`${' '.repeat(name.length)}  pinned are ${expected.files}, sha256 ${expected.sha256}`);
    return false;
  }
  console.log(`${name}: ${found.files} files, as pinned`);
  return true;
}

/** The digest of each folder that is there: SHA-256 over the sorted lines `relative path NUL SHA-256 of the file`. */
function digestsOf(copy) {
  const digests = {};
  for (const part of FOLDERS) {
    const root = join(copy, part);
    if (!existsSync(root)) continue;
    const lines = filesIn(root).map((file) => {
      const path = relative(root, file).split(sep).join('/');
      return `${path}\0${sha256(readFileSync(file))}\n`;
    });
    digests[part] = { files: lines.length, sha256: sha256(lines.sort().join('')) };
  }
  return digests;
}

function filesIn(root) {
  return readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function sha256(data) {
  return createHash('sha256').update(data).digest('hex');
}
