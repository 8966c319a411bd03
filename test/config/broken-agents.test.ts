// Broken files of all kinds, and whole what is said about each: broken-agents.golden.txt, written by `vitest -u`.
// No message may hold the marker, which stands wherever a file can hold something private.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { loadConfig } from '../../src/config/load.ts';

const PRIVATE = 'sesame';

/** A good agent, with `more` below it. */
const good = (more = '', id = 'a') => `[[agents]]\nid = "${id}"\nname = "A"\ncommand = "c"\n${more}`;
const bad = (key: string, id = 'a') => good('', id).replace(new RegExp(`^${key} = .*\n`, 'm'), '');

const CASES: Record<string, string> = {
  'syntax: no value': 'terminal =\n',
  'syntax: a string without an end': `[[agents]]\nenv = { TOKEN = "${PRIVATE} }\n`,
  'syntax: a missing comma': `[[agents]]\nenv = { TOKEN = "${PRIVATE}" OTHER = "x" }\n`,
  'syntax: a word without quotes': `[[agents]]\nid = ${PRIVATE}\n`,
  'syntax: a key twice': good(`env = { A = "${PRIVATE}" }\nid = "b"\n`),
  'syntax: an unknown escape': good('args = ["C:\\Users"]\n'),
  'syntax: a header without an end': '[[agents]\nid = "a"\n',
  'syntax: a table where a list of tables is': `${good()}[agents]\nid = "b"\n`,
  'an unknown key, and which was meant': `default_agnet = "a"\n${good()}`,
  'an unknown key like no other': `xyzzy = 1\n${good()}`,
  'an unknown section': `[dialog]\norder = []\n`,
  'an unknown list of tables': good().replace('agents', 'agent'),
  'an unknown key of an agent, and which was meant': good('modle = "m"\n'),
  'an unknown key of an agent, letters swapped': good('permisisons = "ask"\n'),
  'an unknown key of an agent like no other': good('retries_before_giving_up = 3\n'),
  'an unknown key of an agent in capitals': good('Model = "m"\n'),
  'an unknown key in an inline table':
    'agents = [\n  { id = "a", name = "A", command = "c", arg = [] },\n]\n',
  'an unknown key that needs quotes': good('"a b\\u001b" = 1\n'),
  'a key of the top below an agent': good('idle_timeout = 10\ndefault_agent = "a"\n'),
  'keys of an agent at the top': `command = "${PRIVATE}"\npermissions = "ask"\n`,
  'one agent as a table': '[agents]\nid = "a"\n',
  'agents as a string': 'agents = "claude"\n',
  'an agent that is no table': 'agents = ["claude"]\n',
  'an empty agent': '[[agents]]\n',
  'no id': bad('id'),
  'no name': bad('name'),
  'no command': bad('command'),
  'no command in the second of two': good() + bad('command', 'b'),
  'an empty id': good('', ''),
  'a blank name': good().replace('"A"', '"  "'),
  'a number for an id': good().replace('"a"', '7'),
  'one id with a line break twice': good('', 'a\\nb') + good('', 'a\\nb'),
  'a default_agent with a line break': `default_agent = "x\\ny"\n${good('', 'a\\nb')}`,
  'a folder of the home directory with a space in the command': good().replace('"c"', '"~/my bin/agent"'),
  'one id three times': good() + good() + good(),
  'a date for a description': good('description = 2026-01-01\n'),
  'a list for a command': good().replace('"c"', `["c", "${PRIVATE}"]`),
  'flags in the command (R-062)': good().replace('"c"', `"agent --acp --key ${PRIVATE}"`),
  'variables in the command (R-062)': good().replace('"c"', `"TOKEN=${PRIVATE} ~/bin/agent"`),
  'a command below the home directory': good().replace('"c"', '"~/bin/agent"'),
  'a command relative to who knows where': good().replace('"c"', '"bin/agent"'),
  'a NUL character in the command': good().replace('"c"', '"c\\u0000"'),
  'args as one string': good(`args = "--key ${PRIVATE}"\n`),
  'a number in args': good(`args = ["--port", 80, "${PRIVATE}"]\n`),
  'a NUL character in args': good(`args = ["${PRIVATE}\\u0000"]\n`),
  'env as a list': good(`env = ["TOKEN=${PRIVATE}"]\n`),
  'a number and a table in env': good(`[agents.env]\nPORT = 80\nTOKEN = { value = "${PRIVATE}" }\n`),
  'a variable without a name': good(`env = { "" = "${PRIVATE}" }\n`),
  'a variable with = in its name': good('env = { "A=B" = "x" }\n'),
  'a NUL character in env': good(`env = { TOKEN = "${PRIVATE}\\u0000" }\n`),
  'a variable that no table can hold': good(`env = { __proto__ = "${PRIVATE}", A = "x" }\n`),
  'an option that no table can hold': good(`[agents.config]\n__proto__ = "${PRIVATE}"\n`),
  'a key of an agent that no table can hold': good(`__proto__ = "${PRIVATE}"\n`),
  'config as a string': good(`config = "${PRIVATE}"\n`),
  'a boolean in config': good('config = { fast = true }\n'),
  'an empty model and a mode of another kind': good('model = ""\nmode = ["plan"]\n'),
  'an unknown policy, and which was meant': good('permissions = "alow"\n'),
  'an unknown policy': good('permissions = "yes"\n'),
  'a policy as a boolean': good('permissions = true\n'),
  'a relative folder': good('folder = "dev"\n'),
  'the home of somebody else': good('folder = "~root/dev"\n'),
  'enter as one string': good('enter = "claude --resume {session}"\n'),
  'enter_new with a number': good('enter_new = ["claude", 1]\n'),
  'skills = true': good('skills = true\n'),
  'skills of another agent': good('skills = "codex"\n'),
  'an unknown colour, and which was meant': good('colour = "oragne"\n'),
  'an unknown color': good('color = "#ff0000"\n'),
  'a colour in capitals': good('colour = "Red"\n'),
  'colour and color': good('color = "red"\ncolour = "blue"\n'),
  'a terminal as one string': `terminal = "ghostty -e"\n${good()}`,
  'an idle_timeout as a string': `idle_timeout = "300"\n${good()}`,
  'a negative idle_timeout': `idle_timeout = -1\n${good()}`,
  'half a second of idle_timeout': `idle_timeout = 0.5\n${good()}`,
  'an endless idle_timeout': `idle_timeout = inf\n${good()}`,
  'a default_agent that is not there, and which was meant': `default_agent = "cluade"\n${good('', 'claude')}`,
  'a default_agent like no other': `default_agent = "gemini"\n${good()}${good('', 'b')}`,
  'a default_agent without any agent': 'default_agent = "codex"\n',
  'an empty default_agent': `default_agent = ""\n${good()}`,
  'much at once, in the order of the file':
    `termnial = []\nidle_timeout = true\n${good('permissions = "no"\nenv = { A = 1, B = 2 }\n')}` +
    `[[agents]]\ncolor = "pink"\nname = 1\n`,
};

function messageFor(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'otto-broken-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'agents.toml');
  writeFileSync(path, text);
  try {
    loadConfig({ configPath: path, files: [] });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.exitCode).toBe(1);
    return error.message.replaceAll(`${folder}/`, '');
  }
  throw new Error(`nothing was wrong with:\n${text}`);
}

it('every broken file is answered with file, line, column, key and what was expected', async () => {
  const said = Object.entries(CASES).map(([name, text]) => `# ${name}\n${messageFor(text)}\n`);
  expect(said.length).toBeGreaterThanOrEqual(40);
  for (const message of said) {
    expect(message).not.toContain(PRIVATE);
    for (const line of message.trim().split('\n').slice(1)) {
      expect(line).toMatch(/^agents\.toml:\d+:\d+: ./);
    }
  }
  await expect(said.join('\n')).toMatchFileSnapshot('broken-agents.golden.txt');
});
