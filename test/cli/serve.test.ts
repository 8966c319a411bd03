import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from './support/rig.ts';

const socketOf = (env: Record<string, string>) => `${env['XDG_RUNTIME_DIR']}/otto-agents/agents.sock`;

test.each([[['serve', '--echo']], [['--echo']]])(
  '%j says where it listens and what to type next, serves, and ends cleanly on SIGTERM',
  async (args) => {
    const { start, run, env } = place();
    const serving = start(args);
    await serving.until('Ask it something');
    expect(await run(['ask', 'hello'])).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
    serving.child.kill('SIGTERM');
    const { code, stdout, stderr } = await serving.ended;
    expect([code, stdout]).toEqual([
      0,
      `otto-agents is listening on unix://${socketOf(env)}\nAsk it something in another terminal: otto-agents ask "hello"\n`,
    ]);
    expect(stderr).toMatch(/ info agent echo \(Echo\)$/m);
    expect(existsSync(socketOf(env))).toBe(false);
  },
);

test.each([[['serve']], [[]]])(
  '%j without any agent configured serves Claude, says so and where it looked (R-253)',
  async (args) => {
    const { start, run, env } = place();
    const serving = start(args);
    await serving.until('Ask it something');
    expect((await run(['sessions'])).code).toBe(0);
    serving.child.kill('SIGTERM');
    const { code, stderr } = await serving.ended;
    expect(code).toBe(0);
    const files = `/etc/otto/agents.toml or ${env['XDG_CONFIG_HOME']}/otto/agents.toml`;
    expect(stderr).toMatch(/ info agent claude \(Claude\)$/m);
    expect(stderr).toContain(
      ` info no agent is configured in ${files}: serving Claude, which comes with this program\n`,
    );
    expect(stderr).not.toContain('echo');
  },
);

test('a wrong agents.toml ends it before it listens; one that may mislead is warned of', async () => {
  const { start, run, folder, env } = place();
  const file = join(folder, 'some.toml');
  writeFileSync(file, '[[agents]]\nid = "a"\nnmae = "A"\ncommand = "a"\n');
  expect(await run(['serve', '--config', file])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `otto-agents: ${file}:1:3: agents[0].name: missing; expected a string\n` +
      `${file}:3:1: agents[0].nmae: unknown key; did you mean "name"?\n`,
  });
  expect(existsSync(socketOf(env))).toBe(false);
  writeFileSync(file, '[audit]\n[[agents]]\nid = "a"\nname = "A"\ncommand = "a"\n');
  const serving = start(['serve', '--config', file]);
  await serving.until(` warn ${file}:1:2: audit: reserved; it has no effect yet\n`);
});

test.each([
  ['--config', (file: string) => [['serve', '--config', file], {}] as const],
  ['OTTO_AGENTS_CONFIG', (file: string) => [['serve'], { OTTO_AGENTS_CONFIG: file }] as const],
])('agents come from %s; their commands are for the debug log', async (_, called) => {
  const { start, folder } = place();
  const file = join(folder, 'some.toml');
  writeFileSync(file, '[[agents]]\nid = "mine"\nname = "My agent"\ncommand = "secret-program"\n');
  const [args, env] = called(file);
  for (const level of ['info', 'debug']) {
    const serving = start(args, { env: { ...env, OTTO_AGENTS_LOG: level } });
    await serving.until('Ask it something');
    serving.child.kill('SIGTERM');
    const { stderr } = await serving.ended;
    expect(stderr).toContain('agent mine (My agent)');
    expect(stderr.includes('secret-program')).toBe(level === 'debug');
  }
});

test('the file of the person is read without any flag', async () => {
  const { start, env } = place();
  const folder = join(env['XDG_CONFIG_HOME'] ?? '', 'otto');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'agents.toml'), '[[agents]]\nid = "p"\nname = "Personal"\ncommand = "p"\n');
  const serving = start(['serve']);
  await serving.until('agent p (Personal)');
  serving.child.kill('SIGINT');
  expect((await serving.ended).code).toBe(0);
});

test('a second service on the same socket exits with 3 and leaves the first alone (R-008)', async () => {
  const { start, run } = place();
  const serving = start(['serve', '--echo']);
  await serving.until('Ask it something');
  const second = await run(['serve', '--echo']);
  expect([second.code, second.stdout]).toEqual([3, '']);
  expect(second.stderr).toMatch(/^otto-agents: .*already running.*\n$/);
  expect((await run(['ask', 'still there'])).stdout).toBe('still there\n');
});

test.each([
  [['serve', '--echo', '--listen', 'nonsense'], {}, 'Cannot listen on "nonsense"'],
  [['serve', '--echo'], { OTTO_AGENTS_LISTEN: '0.0.0.0:1' }, 'Cannot listen on "0.0.0.0:1"'],
  [['serve', '--echo'], { OTTO_AGENTS_LOG: 'loud' }, 'OTTO_AGENTS_LOG is "loud"'],
])('%j with %j is wrong usage (R-010)', async (args, env, sentence) => {
  const { code, stdout, stderr } = await place().run(args, { env });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`otto-agents: ${sentence}`);
});

test('on a free TCP port it says which one it got, and that address reaches it (R-013)', async () => {
  const { start, run } = place();
  const serving = start(['serve', '--echo', '--listen', '127.0.0.1:0']);
  let address = '';
  serving.child.stdout?.on('data', (text: string) => {
    address += text;
  });
  await serving.until('Ask it something');
  const url = /ws:\/\/127\.0\.0\.1:[1-9]\d*/.exec(address)?.[0] ?? '';
  expect((await run(['ask', '--url', url, 'over tcp'])).stdout).toBe('over tcp\n');
});
