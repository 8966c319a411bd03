// agents.toml: which file decides, and what is said about a wrong one.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { configFiles, loadConfig } from '../../src/config/load.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'otto-config-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function errorOf(run: () => unknown): UserError {
  try {
    run();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const agent = (id: string, more = '') => `[[agents]]\nid = "${id}"\nname = "N"\ncommand = "c"\n${more}\n`;

describe('agents.toml', () => {
  it('is read from /etc and then from the XDG folder, which counts only when absolute', () => {
    expect(configFiles({ HOME: '/home/me', XDG_CONFIG_HOME: '/x' })).toEqual([
      '/etc/otto/agents.toml',
      '/x/otto/agents.toml',
    ]);
    for (const env of [{}, { XDG_CONFIG_HOME: '' }, { XDG_CONFIG_HOME: 'rel' }]) {
      expect(configFiles({ HOME: '/home/me', ...env })[1]).toBe('/home/me/.config/otto/agents.toml');
    }
  });

  it('gives an agent its defaults', () => {
    const path = file('a.toml', agent('claude'));
    expect(loadConfig({ files: [path] })).toEqual({
      agents: [
        { id: 'claude', name: 'N', description: '', command: 'c', args: [], env: {}, permissions: 'deny' },
      ],
    });
  });

  it('takes every key', () => {
    const path = file(
      'a.toml',
      '[[agents]]\nid = "x"\nname = "X"\ndescription = "d"\ncommand = "/opt/x"\nargs = ["--acp", "a b"]\n' +
        'env = { KEY = "v" }\npermissions = "ask"\n',
    );
    expect(loadConfig({ files: [path] }).agents).toEqual([
      {
        id: 'x',
        name: 'X',
        description: 'd',
        command: '/opt/x',
        args: ['--acp', 'a b'],
        env: { KEY: 'v' },
        permissions: 'ask',
      },
    ]);
  });

  it('is decided by the last file that sets agents; files that are not there are passed over', () => {
    const system = file('system.toml', agent('a') + agent('b'));
    const silent = file('silent.toml', '# nothing\n');
    const own = file('own.toml', agent('c'));
    const ids = (...files: string[]) => loadConfig({ files }).agents.map(({ id }) => id);
    expect(ids(system, join(folder, 'missing'), silent)).toEqual(['a', 'b']);
    expect(ids(system, own)).toEqual(['c']);
    expect(ids(system, file('none.toml', 'agents = []\n'))).toEqual([]);
    expect(ids(join(folder, 'missing'))).toEqual([]);
  });

  it('named on the command line is the only one read, and must be there', () => {
    const own = file('own.toml', agent('c'));
    const named = file('named.toml', agent('d'));
    expect(loadConfig({ configPath: named, files: [own] }).agents.map(({ id }) => id)).toEqual(['d']);
    const missing = join(folder, 'missing.toml');
    const error = errorOf(() => loadConfig({ configPath: missing, files: [own] }));
    expect(error.exitCode).toBe(1);
    expect(error.message).toBe(`Cannot read ${missing}: there is no such file`);
  });

  it('that cannot be read is an error even where it may be absent', () => {
    mkdirSync(join(folder, 'dir.toml'));
    chmodSync(join(folder, 'dir.toml'), 0o755);
    expect(errorOf(() => loadConfig({ files: [join(folder, 'dir.toml')] })).message).toContain('dir.toml');
  });

  it('with a slip in its syntax names line and column, and quotes none of it', () => {
    const path = file('a.toml', 'agents = [\n  { id = "x", env = { TOKEN = "hush" oops } }\n]\n');
    const { message } = errorOf(() => loadConfig({ files: [path] }));
    expect(message).toMatch(new RegExp(`^${path}:2:\\d+: \\S`));
    expect(message).not.toContain('hush');
  });

  it.each([
    ['an unknown key', 'agent = []', 'agent: unknown key; check the spelling or remove it'],
    [
      'an unknown key of an agent',
      agent('a', 'modes = "x"'),
      'agents[0].modes: unknown key; check the spelling or remove it',
    ],
    ['a missing name', '[[agents]]\nid = "a"\ncommand = "c"', 'agents[0].name: expected a string'],
    ['an empty id', agent(''), 'agents[0].id: must not be empty'],
    [
      'an empty command',
      '[[agents]]\nid = "a"\nname = "A"\ncommand = " "',
      'agents[0].command: must not be empty',
    ],
    ['arguments in one string', agent('a', 'args = "--acp"'), 'agents[0].args: expected a list'],
    ['a number in env', agent('a', 'env = { A = 1 }'), 'agents[0].env.A: expected a string'],
    [
      'an unknown policy',
      agent('a', 'permissions = "yes"'),
      'agents[0].permissions: expected one of deny, allow, ask',
    ],
    ['one id twice', agent('a') + agent('a'), 'agents[1].id: "a" is used twice; each id must differ'],
    [
      'a command relative to who knows where',
      '[[agents]]\nid = "a"\nname = "A"\ncommand = "~/bin/a"',
      'agents[0].command: must be a plain name, looked up in PATH, or a full path beginning with "/"',
    ],
    [
      'flags in command (R-062)',
      '[[agents]]\nid = "a"\nname = "A"\ncommand = "agent --acp"',
      'agents[0].command: there is no program "agent --acp"; put flags in args, one string each, and the program alone in command',
    ],
  ])('with %s says what is wrong and where', (_, text, message) => {
    const path = file('a.toml', text);
    expect(errorOf(() => loadConfig({ files: [path] })).message).toBe(`${path}: ${message}`);
  });

  it('tells all that is wrong at once', () => {
    const path = file('a.toml', agent('', 'permissions = "yes"'));
    expect(errorOf(() => loadConfig({ files: [path] })).message.split('\n')).toHaveLength(2);
  });

  it('may name a program whose file name holds a space', () => {
    const program = file('my agent', '');
    const path = file('a.toml', `[[agents]]\nid = "a"\nname = "A"\ncommand = "${program}"\n`);
    expect(loadConfig({ files: [path] }).agents[0]?.command).toBe(program);
  });
});
