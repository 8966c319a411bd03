// agents.toml: which file decides, and what is said about a wrong one.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { configFiles, loadConfig } from '../../src/config/load.ts';
import { AGENT_KEYS, TOP_KEYS } from '../../src/config/schema.ts';

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

  it('gives an agent its defaults (R-132)', () => {
    const path = file('a.toml', agent('claude'));
    expect(loadConfig({ files: [path] })).toEqual({
      agents: [
        {
          id: 'claude',
          name: 'N',
          description: '',
          command: 'c',
          args: [],
          env: {},
          config: {},
          permissions: 'deny',
          enter: [],
          enterNew: [],
          skills: false,
        },
      ],
      builtIn: false,
      terminal: [],
      idleTimeout: 300,
      warnings: [],
    });
  });

  it('takes every key (R-247)', () => {
    const path = file(
      'a.toml',
      'terminal = ["ghostty", "--working-directory={cwd}", "-e"]\ndefault_agent = "x"\nidle_timeout = 0\n' +
        `${agent('first')}[[agents]]\nid = "x"\nname = "X"\ndescription = "d"\ncommand = "/opt/x"\n` +
        'args = ["--acp", "a b"]\nenv = { KEY = "{file:~/v}" }\nmodel = "m"\nmode = "plan"\n' +
        'config = { effort = "high" }\npermissions = "ask"\nfolder = "~/dev/./x"\nenter = ["x", "{session}"]\n' +
        'enter_new = ["x"]\nskills = "claude"\nagent = "otto"\ncolour = "teal"\n',
    );
    const config = loadConfig({ files: [path], home: '/home/me' });
    expect(config.agents[0]).toEqual({
      id: 'x',
      name: 'X',
      description: 'd',
      command: '/opt/x',
      args: ['--acp', 'a b'],
      env: { KEY: '{file:~/v}' },
      model: 'm',
      mode: 'plan',
      config: { effort: 'high' },
      permissions: 'ask',
      folder: '/home/me/dev/x',
      enter: ['x', '{session}'],
      enterNew: ['x'],
      skills: 'claude',
      agent: 'otto',
      colour: 'teal',
    });
    expect(config).toMatchObject({
      terminal: ['ghostty', '--working-directory={cwd}', '-e'],
      idleTimeout: 0,
      warnings: [],
    });
  });

  it('takes every colour, also as color (R-255)', () => {
    const names = 'red orange amber yellow lime green teal cyan blue indigo violet magenta'.split(' ');
    for (const key of ['colour', 'color']) {
      const text = names.map((name) => agent(name, `${key} = "${name}"`)).join('');
      expect(loadConfig({ files: [file('a.toml', text)] }).agents.map(({ colour }) => colour)).toEqual(names);
    }
  });

  it.each([
    ['~', '/home/me'],
    ['~/', '/home/me/'],
    ['~/a~/b', '/home/me/a~/b'],
    ['/srv/~/x', '/srv/~/x'],
  ])('takes the folder %j as %j (R-254)', (written, folder) => {
    const path = file('a.toml', agent('a', `folder = "${written}"`));
    expect(loadConfig({ files: [path], home: '/home/me' }).agents[0]?.folder).toBe(folder);
  });

  it('without any agent is Claude, refused everything it asks for (R-253)', () => {
    for (const files of [
      [],
      [join(folder, 'missing')],
      [file('none.toml', 'agents = []\nidle_timeout = 9\n')],
    ]) {
      const { agents, builtIn } = loadConfig({ files });
      expect(agents).toEqual([
        expect.objectContaining({
          id: 'claude',
          name: 'Claude',
          command: 'npx',
          args: ['-y', '@agentclientprotocol/claude-agent-acp@0.101.0'],
          permissions: 'deny',
          enter: ['claude', '--resume', '{session}'],
          enterNew: ['claude', '--session-id', '{session}'],
          skills: 'claude',
        }),
      ]);
      expect(builtIn).toBe(true);
    }
    expect(loadConfig({ files: [file('d.toml', 'default_agent = "claude"\n')] }).builtIn).toBe(true);
  });

  it('moves the default agent to the front and keeps the order of the others', () => {
    const path = file('a.toml', `default_agent = "b"\n${agent('a')}${agent('b')}${agent('c')}`);
    expect(loadConfig({ files: [path] }).agents.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  });

  it('is decided setting by setting by the last file that makes it (R-249)', () => {
    const system = file(
      'system.toml',
      `terminal = ["one"]\nidle_timeout = 1\ndefault_agent = "b"\n${agent('a')}${agent('b')}`,
    );
    const own = file('own.toml', 'idle_timeout = 2\n');
    const { agents, terminal, idleTimeout } = loadConfig({ files: [system, own] });
    expect([agents.map(({ id }) => id), terminal, idleTimeout]).toEqual([['b', 'a'], ['one'], 2]);
    // The choice of the one file is held against the agents of the other.
    const others = file('others.toml', agent('x'));
    expect(errorOf(() => loadConfig({ files: [system, others] })).message).toBe(
      `${system}:3:1: default_agent: not the id of a configured agent; did you mean "x"?`,
    );
  });

  it('in a project folder configures nothing (R-251)', () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      file('agents.toml', agent('evil'));
      mkdirSync(join(folder, 'otto'));
      file('otto/agents.toml', agent('evil'));
      const env = { HOME: '/nowhere', XDG_CONFIG_HOME: '.' };
      const { agents } = loadConfig({ files: configFiles(env).slice(1) });
      expect(agents.map(({ id }) => id)).toEqual(['claude']);
    } finally {
      process.chdir(before);
    }
  });

  it('warns of what has no effect: names kept for later, and a plugin agent without skills', () => {
    const path = file(
      'a.toml',
      `${agent('a', 'agent = "otto"\ntimeout = 5\nskip_configured_mcp = true\nidle_timeout = 1')}` +
        '[agents.mcp.docs]\ncommand = "d"\n[dialogs]\norder = ["portal"]\n[bridge]\ncommand = "b"\n' +
        '[[rules]]\ntool = "x"\n[audit]\n',
    );
    const reserved = 'reserved; it has no effect yet';
    expect(loadConfig({ files: [path] }).warnings).toEqual([
      `${path}:5:1: agents[0].agent: has no effect without skills = "claude"`,
      `${path}:6:1: agents[0].timeout: ${reserved}`,
      `${path}:7:1: agents[0].skip_configured_mcp: ${reserved}`,
      `${path}:8:1: agents[0].idle_timeout: ${reserved}`,
      `${path}:9:9: agents[0].mcp: ${reserved}`,
      `${path}:11:2: dialogs: ${reserved}`,
      `${path}:13:2: bridge: ${reserved}`,
      `${path}:15:3: rules: ${reserved}`,
      `${path}:17:2: audit: ${reserved}`,
    ]);
    const fine = file('b.toml', agent('a', 'skills = "claude"\nagent = "otto"'));
    expect(loadConfig({ files: [fine] }).warnings).toEqual([]);
  });

  it('may begin with a byte order mark', () => {
    expect(loadConfig({ files: [file('a.toml', `\ufeff${agent('a')}`)] }).agents[0]?.id).toBe('a');
    const path = file('b.toml', '\ufefftermnial = []\n');
    expect(errorOf(() => loadConfig({ files: [path] })).message).toContain(`${path}:1:1: termnial`);
  });

  it('comes with an example that is right and shows every key', () => {
    const example = join(import.meta.dirname, '../../resources/agents.toml');
    expect(loadConfig({ configPath: example, files: [], home: '/home/me' }).warnings).toEqual([]);
    const text = readFileSync(example, 'utf8');
    // Every line that is a key behind a comment mark is one that could be used.
    const all = text.replace(/^# (?=[a-z_]+ = |\[)/gm, '');
    const { agents, warnings } = loadConfig({
      configPath: file('all.toml', all),
      files: [],
      home: '/home/me',
    });
    expect(agents.length).toBeGreaterThan(0);
    expect(warnings).toEqual([]);
    for (const key of [...TOP_KEYS, ...AGENT_KEYS]) expect(text).toMatch(new RegExp(`\\b${key}\\b`));
  });

  it('is decided by the last file that sets agents; files that are not there are passed over', () => {
    const system = file('system.toml', agent('a') + agent('b'));
    const silent = file('silent.toml', '# nothing\n');
    const own = file('own.toml', agent('c'));
    const ids = (...files: string[]) => loadConfig({ files }).agents.map(({ id }) => id);
    expect(ids(system, join(folder, 'missing'), silent)).toEqual(['a', 'b']);
    expect(ids(system, own)).toEqual(['c']);
    expect(ids(system, file('none.toml', 'agents = []\n'))).toEqual(['claude']);
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

  it('says all that is wrong in all files at once', () => {
    const one = file('one.toml', 'a = [\n');
    const two = file('two.toml', agent('', 'permissions = "yes"'));
    const { message } = errorOf(() => loadConfig({ files: [one, two] }));
    const places = message.split('\n').map((line) => line.split(': ')[0]);
    expect(places).toEqual([`${one}:2:1`, `${two}:2:1`, `${two}:5:1`]);
  });

  it.each([
    ['there', 'my agent', ['my agent', 'my'], []],
    ['not installed yet', 'My Tools/agent', [], []],
    ['below a path through a file', 'a.toml/my agent', [], []],
    [
      'a command line as it seems',
      'agent --acp',
      ['agent'],
      [
        expect.stringContaining(
          'agents[0].command: there is no program of this name; write the program alone',
        ),
      ],
    ],
  ])('may name a full path with a space in it, which is %s', (_, name, present, warnings) => {
    for (const each of present) file(each, '');
    const command = join(folder, name);
    const path = file('a.toml', `[[agents]]\nid = "a"\nname = "A"\ncommand = "${command}"\n`);
    const config = loadConfig({ files: [path] });
    expect([config.agents[0]?.command, config.warnings]).toEqual([command, warnings]);
  });

  it('is judged alike wherever the service was started', () => {
    const before = process.cwd();
    file('agent --acp', '');
    const path = file('a.toml', '[[agents]]\nid = "a"\nname = "A"\ncommand = "agent --acp"\n');
    const messages = [before, folder].map((from) => {
      process.chdir(from);
      return errorOf(() => loadConfig({ files: [path] })).message;
    });
    process.chdir(before);
    expect(messages[0]).toContain('agents[0].command: there is no program of this name');
    expect(messages[1]).toBe(messages[0]);
  });

  it('in another encoding than UTF-8 is an error that names the file', () => {
    const path = join(folder, 'latin-1.toml');
    writeFileSync(path, Buffer.from('terminal = ["caf\u00e9"]\n', 'latin1'));
    expect(errorOf(() => loadConfig({ files: [path] })).message).toBe(
      `Cannot read ${path}: it is not valid UTF-8; save it in that encoding`,
    );
  });
});
