// `test/field-cases.md` names the tests that show each case; here it is checked that those tests exist and run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const TESTS = join(import.meta.dirname, '..');

interface Row {
  id: string;
  /** Each `file › name`, or nothing where the case is not shown yet. */
  shown: string[];
}

function rows(): Row[] {
  const page = readFileSync(join(TESTS, 'field-cases.md'), 'utf8');
  return page.split('\n').flatMap((line) => {
    const [, id, , cell] = line.split('|').map((text) => text.trim());
    if (!id || !/^F-\d{3}$/.test(id)) return [];
    return [{ id, shown: cell === 'not yet' ? [] : (cell ?? '').split('<br>').map((each) => each.trim()) }];
  });
}

/** The name of every test of a file as it stands in the source, and whether it is set aside. */
function testsOf(file: string): Map<string, boolean> {
  const source = readFileSync(join(TESTS, file), 'utf8');
  const found = new Map<string, boolean>();
  const name =
    /\b(?:it|test)((?:\.\w+)*)(?:<[^>]*>)?(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\(\s*(['`])((?:\\.|(?!\3).)*)\3/gs;
  for (const [, modifiers = '', , , title = ''] of source.matchAll(name)) {
    found.set(title.replace(/\\'/g, "'"), /\.(skip|todo|fails)/.test(modifiers));
  }
  for (const title of titlesOfEach(source)) if (!found.has(title)) found.set(title, false);
  return found;
}

/** Names behind a table: `it.each([…])('name'`, however long the table is. */
function titlesOfEach(source: string): string[] {
  return [...source.matchAll(/\]\)\(\s*(['`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , title = '']) =>
    title.replace(/\\'/g, "'"),
  );
}

it('lists each case once', () => {
  const ids = rows().map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids).toHaveLength(103);
});

it('names only tests that exist and are not skipped', () => {
  const wrong = rows().flatMap(({ id, shown }) =>
    shown.flatMap((entry) => {
      const [file = '', title = ''] = entry.split(' › ');
      const tests = testsOf(file);
      if (!tests.has(title)) return [`${id}: ${file} has no test "${title}"`];
      return tests.get(title) ? [`${id}: "${title}" is skipped`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

it('names every test that carries the id of a case', () => {
  const listed = new Map(rows().map(({ id, shown }) => [id, shown.join('\n')]));
  const missing = filesBelow('').flatMap((file) =>
    [...testsOf(file).keys()].flatMap((title) =>
      (title.match(/\bF-\d{3}\b/g) ?? []).flatMap((id) =>
        listed.get(id)?.includes(`${file} › ${title}`) ? [] : [`${id}: ${file} › ${title}`],
      ),
    ),
  );
  expect(missing).toEqual([]);
});

function filesBelow(folder: string): string[] {
  return readdirSync(join(TESTS, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return entry.name.endsWith('.test.ts') || folder === 'contract' ? [path] : [];
  });
}
