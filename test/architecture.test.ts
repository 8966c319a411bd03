// The arrows between the rooms of the house, and the habits that keep the pure rooms pure. Each failure prints the
// line and the reason for its rule.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Which folders of ours a folder may import from; `host/ports` stands for that one file. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  base: [],
  protocol: ['base'],
  host: ['base', 'protocol'],
  system: ['base', 'host/ports'],
  server: ['base', 'protocol', 'host'],
  agents: ['base', 'protocol', 'system', 'config', 'plugins', 'host/ports'],
  desktop: ['base', 'protocol', 'i18n', 'host/ports'],
  store: ['base', 'protocol', 'host/ports'],
  config: ['base', 'system'],
  plugins: ['base', 'system'],
  i18n: ['base'],
  client: ['base', 'protocol'],
  facade: ['base', 'protocol', 'client'],
  app: [
    'base',
    'protocol',
    'host',
    'system',
    'server',
    'agents',
    'desktop',
    'store',
    'config',
    'plugins',
    'i18n',
  ],
  cli: ['base', 'protocol', 'system', 'config', 'plugins', 'client', 'facade', 'app'],
};

/** The one package of a matter, and the only folders that know it. */
const PACKAGES: Record<string, readonly string[]> = {
  zod: ['protocol', 'config', 'store'],
  ws: ['server', 'client'],
  '@agentclientprotocol/sdk': ['agents', 'facade'],
  'smol-toml': ['config'],
  commander: ['cli'],
};

const PURE = ['base', 'protocol', 'host'];
/** Folders with entries of their own at the top of `src`. */
const ENTRY = 'cli';

interface Source {
  path: string;
  folder: string;
  lines: string[];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(path);
    return /\.(ts|mjs)$/.test(entry.name) ? [path] : [];
  });
}

function sources(folder: string): Source[] {
  return filesBelow(join(ROOT, folder)).map((path) => {
    const inside = relative(join(ROOT, folder), path);
    const [first = ''] = inside.split('/');
    const lines = readFileSync(path, 'utf8').split('\n');
    return { path: relative(ROOT, path), folder: first.endsWith('.ts') ? ENTRY : first, lines };
  });
}

/** Every import of a file: module specifier and the line that holds it. */
function importsOf({ lines }: Source): { specifier: string; line: number }[] {
  return lines.flatMap((text, at) => {
    const found = /(?:from\s+|import\(\s*|^import\s+)'([^']+)'/.exec(text)?.[1];
    return found === undefined ? [] : [{ specifier: found, line: at + 1 }];
  });
}

function targetFolder(source: Source, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const target = relative(join(ROOT, 'src'), join(ROOT, source.path, '..', specifier));
  if (target === 'host/ports.ts') return 'host/ports';
  const [first = ''] = target.split('/');
  return first.endsWith('.ts') ? ENTRY : first;
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

it('every folder imports only what its layer may', () => {
  const broken = sources('src').flatMap((source) => {
    const allowed = MAY_IMPORT[source.folder];
    if (!allowed) return [`${source.path}: src/${source.folder} is no room of this house`];
    return importsOf(source).flatMap(({ specifier, line }) => {
      const target = targetFolder(source, specifier);
      if (target === undefined || target === source.folder) return [];
      const fine =
        allowed.includes(target) ||
        (target === 'host/ports' && (allowed.includes('host') || source.folder === 'host'));
      return fine
        ? []
        : [
            `${source.path}:${line}: ${source.folder} may not import ${specifier} (only ${allowed.join(', ') || 'nothing'})`,
          ];
    });
  });
  expect(broken).toEqual([]);
});

it('every package is known only where its matter is dealt with', () => {
  const broken = sources('src').flatMap((source) =>
    importsOf(source).flatMap(({ specifier, line }) => {
      if (specifier.startsWith('.')) return [];
      if (specifier.startsWith('node:')) {
        return PURE.includes(source.folder)
          ? [`${source.path}:${line}: ${source.folder} is pure, ${specifier} is Node`]
          : [];
      }
      const rooms = PACKAGES[packageOf(specifier)];
      return rooms?.includes(source.folder)
        ? []
        : [`${source.path}:${line}: ${specifier} does not belong into ${source.folder}`];
    }),
  );
  expect(broken).toEqual([]);
});

it('the host and the protocol never wait and never read a clock', () => {
  const broken = sources('src')
    .filter(({ folder }) => PURE.includes(folder))
    .flatMap(({ path, lines }) =>
      lines.flatMap((text, at) => {
        const code = text.replace(/\/\/.*|^\s*\*.*|'[^']*'/g, '');
        const found = /\b(await|async|Promise|Date\.now|setTimeout|performance)\b|new Date\(\)/.exec(
          code,
        )?.[0];
        return found === undefined
          ? []
          : [`${path}:${at + 1}: ${found} (time and slowness come in through the ports)`];
      }),
    );
  expect(broken).toEqual([]);
});

it('no file has more than 400 lines: a longer one has two words in it', () => {
  const long = [...sources('src'), ...sources('test'), ...sources('scripts')]
    .filter(({ lines }) => lines.length > 401)
    .map(({ path, lines }) => `${path}: ${lines.length - 1} lines`);
  expect(long).toEqual([]);
});

it('every source file says at its top what it owns', () => {
  const silent = sources('src')
    .filter(({ lines }) => !lines.find((line) => !line.startsWith('#!'))?.startsWith('// '))
    .map(({ path }) => path);
  expect(silent).toEqual([]);
});

it('editions are known only at the edge of the socket', () => {
  const broken = sources('src')
    .filter(({ path }) => !/^src\/(protocol\/editions|server)\//.test(path))
    .flatMap(({ path, lines }) =>
      lines.flatMap((text, at) => (/\bEdition\b/.test(text) ? [`${path}:${at + 1}`] : [])),
    );
  expect(broken).toEqual([]);
});

it('the top level holds the rooms that are expected (R-001)', () => {
  const entries = readdirSync(ROOT);
  for (const room of ['package.json', 'src', 'test', 'i18n', 'systemd', 'dbus', 'spec', 'resources']) {
    expect(entries).toContain(room);
  }
});
