import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { folderProblem } from '../../src/app/folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'otto-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('R-033 an existing folder, or a link to one, has no problem', () => {
  symlinkSync(folder, join(folder, 'link'));
  expect(folderProblem(folder)).toBeUndefined();
  expect(folderProblem(join(folder, 'link'))).toBeUndefined();
});

test.each([
  ['relative/folder', /relative\/folder is not an absolute path/],
  [join(folder, 'missing'), /missing does not exist/],
  [join(folder, 'file'), /file is not a folder/],
  [join(folder, 'file/below'), /leads through something that is not a folder/],
  [`${folder}/${'x'.repeat(300)}`, /cannot be used \(ENAMETOOLONG\)/],
])('R-033 %s is refused in words that say why', (path, problem) => {
  writeFileSync(join(folder, 'file'), '');
  expect(folderProblem(path)).toMatch(problem);
});
