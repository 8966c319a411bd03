import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEcho } from '../../src/agents/echo.ts';
import type { Client } from '../../src/client/client.ts';
import { listSessions } from '../../src/client/sessions.ts';
import { agentInHand } from '../support/agent-in-hand.ts';
import { type Place, place } from './support/rig.ts';

const HEAD = 'ID       STATUS       AGENT       AGE  FOLDER                           TITLE\n';

/** Sessions with these ids, made one after the other, each with one finished echo of its id. */
async function echoed(client: Client, { home }: Place, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const channel = `ahp-session:/${id}`;
    await client.request('createSession', { channel, workingDirectories: [`file://${home}`] });
    const { defaultChat = '' } = await client.subscribe('session', channel);
    await new Promise<void>((done) => {
      void client
        .subscribe('chat', defaultChat, (event) => {
          if (event.type !== 'gone' && event.state.turns.length > 0) done();
        })
        .then(() =>
          client.dispatch(defaultChat, {
            type: 'chat/pendingMessageSet',
            kind: 'queued',
            id: 'm',
            message: { text: id, origin: { kind: 'user' } },
          }),
        );
    });
  }
}

describe('the address', () => {
  test('every form reaches its service; the flag wins over the variable (R-014)', async () => {
    const here = place();
    const onSocket = await here.serve(createEcho());
    const path = onSocket.address.replace('unix://', '');
    const onTcp = await here.serve(createEcho(), '127.0.0.1:0');
    await echoed(await here.client(onSocket, 'a'), here, ['on-socket']);
    await echoed(await here.client(onTcp, 'b'), here, ['on-tcp']);
    const socket = expect.stringContaining('on-socket');
    const tcp = expect.stringContaining('on-tcp');
    const table = [
      [[], {}, socket],
      [['--url', `unix://${path}`], {}, socket],
      [['--url', `unix:${path}`], {}, socket],
      [['--url', path], {}, socket],
      [['--url', onTcp.address], {}, tcp],
      [[], { OTTO_AGENTS_URL: onTcp.address }, tcp],
      [[], { OTTO_AGENTS_URL: '' }, socket],
      [['--url', path], { OTTO_AGENTS_URL: onTcp.address }, socket],
    ] as const;
    for (const [args, env, found] of table) {
      expect(await here.run(['sessions', ...args], { env })).toEqual({ code: 0, stdout: found, stderr: '' });
    }
  });

  test.each([[['sessions']], [['show']], [['forget', '--all']], [['ask', 'x']]])(
    '%j takes no other form (R-014)',
    async (args) => {
      const { code, stdout, stderr } = await place().run([...args, '--url', 'http://localhost:80']);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'otto-agents: "http://localhost:80" is not the address of a service; write unix:///path, an absolute path or ws://host:port\n',
      });
    },
  );

  test('without a service every command says how to start one', async () => {
    const { run, env } = place();
    for (const args of [['sessions'], ['show'], ['forget'], ['answer'], ['ask', 'x']]) {
      expect(await run(args)).toEqual({
        code: 1,
        stdout: '',
        stderr: `otto-agents: the service is not running at unix://${env['XDG_RUNTIME_DIR']}/otto-agents/agents.sock; start it with \`otto-agents serve\`\n`,
      });
    }
  });
});

describe('sessions', () => {
  test('says when there are none, in words and as JSON', async () => {
    const { serve, run } = place();
    await serve(createEcho());
    expect(await run(['sessions'])).toEqual({ code: 0, stdout: 'No sessions.\n', stderr: '' });
    expect(await run(['sessions', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  test('lists the newest first; as JSON with all that is known (R-123)', async () => {
    const here = place();
    const client = await here.client(await here.serve(createEcho()), 'test');
    await echoed(client, here, ['first-session', 'second-session']);
    const { stdout } = await here.run(['sessions']);
    expect(stdout.replace(/ \d+s {2}/g, ' Ns  ')).toBe(
      `${HEAD}second-s idle         echo         Ns  ~                                second-session\n` +
        'first-se idle         echo         Ns  ~                                first-session\n',
    );
    const json = JSON.parse((await here.run(['sessions', '--json'])).stdout);
    expect(json).toEqual(await listSessions(client));
  });

  test('loads neither a schema library nor the ACP SDK nor the host', () => {
    const seen = imports(resolve('src/cli/sessions.ts'));
    expect(seen).toContain('ws');
    expect(
      [...seen].filter((name) => /^(zod|@agentclientprotocol)|src\/(host|server|agents|app)\//.test(name)),
    ).toEqual([]);
  });
});

describe('show', () => {
  test('prints the newest session, or the one that is named (R-122)', async () => {
    const here = place();
    await echoed(await here.client(await here.serve(createEcho()), 'test'), here, ['first', 'second']);
    const newest = 'second · echo · ~\n\n> second\n\nsecond\n';
    expect(await here.run(['show'])).toEqual({ code: 0, stdout: newest, stderr: '' });
    expect(await here.run(['show', '--follow'])).toEqual({ code: 0, stdout: newest, stderr: '' });
    for (const query of ['first', 'fi', 'ahp-session:/first']) {
      const first = 'first · echo · ~\n\n> first\n\nfirst\n';
      expect(await here.run(['show', query])).toEqual({ code: 0, stdout: first, stderr: '' });
    }
  });

  test('none and several are errors (R-123)', async () => {
    const here = place();
    const client = await here.client(await here.serve(createEcho()), 'test');
    const none = await here.run(['show']);
    expect(none).toEqual({
      code: 1,
      stdout: '',
      stderr: 'otto-agents: there are no sessions; begin one with `otto-agents ask`\n',
    });
    await echoed(client, here, ['ab-1', 'ab-2']);
    expect(await here.run(['show', 'ab'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'otto-agents: 2 sessions begin with "ab"; write more of the id\n',
    });
    expect(await here.run(['forget', 'x'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'otto-agents: no session is called "x"; see `otto-agents sessions`\n',
    });
  });

  test('a running session ends with a hint; --follow goes on until nothing runs or waits (R-122)', async () => {
    const here = place();
    const hand = agentInHand();
    const client = await here.client(await here.serve(hand.backend), 'test');
    const asking = here.start(['ask', 'one']);
    await hand.prompted();
    hand.say('half');
    await asking.until('half');
    const [session] = await listSessions(client);
    const { resource = '', defaultChat = '' } = session ?? {};
    const message = { text: 'two', origin: { kind: 'user' } };
    await client.subscribe('chat', defaultChat);
    await client.dispatch(defaultChat, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm', message });
    const id = resource.slice('ahp-session:/'.length).slice(0, 8);
    const begin = 'one · hand · ~\n\n> one\n\nhalf';
    expect((await here.run(['show'])).stdout).toBe(
      `${begin}\n\n[queued] two\n\nStill running; \`otto-agents show --follow ${id}\` follows it.\n`,
    );
    const following = here.start(['show', '-f']);
    await following.until(begin);
    hand.endTurn();
    expect(await hand.prompted()).toBe('two');
    hand.say('whole');
    await following.until('whole');
    hand.endTurn('cancelled');
    expect(await following.ended).toEqual({
      code: 0,
      stdout: `${begin}\n\n> two\n\nwhole\n\n[cancelled]\n`,
      stderr: '',
    });
    expect(await asking.ended).toEqual({ code: 0, stdout: 'half\n', stderr: '' });
  });
});

describe('forget', () => {
  test('takes out the newest, the named one, or all', async () => {
    const here = place();
    const client = await here.client(await here.serve(createEcho()), 'test');
    await echoed(client, here, ['a', 'b', 'c', 'd']);
    const forgotten = (...ids: string[]) => ({
      code: 0,
      stdout: ids.map((id) => `forgotten: ahp-session:/${id}\n`).join(''),
      stderr: '',
    });
    expect(await here.run(['forget'])).toEqual(forgotten('d'));
    expect(await here.run(['forget', 'a'])).toEqual(forgotten('a'));
    expect(await here.run(['forget', '--all'])).toEqual(forgotten('c', 'b'));
    expect(await here.run(['forget', '--all'])).toEqual({ code: 0, stdout: 'no sessions\n', stderr: '' });
    expect(await listSessions(client)).toEqual([]);
  });

  test('--all with a session is wrong usage and forgets nothing', async () => {
    const here = place();
    const client = await here.client(await here.serve(createEcho()), 'test');
    await echoed(client, here, ['a']);
    const { code, stdout } = await here.run(['forget', 'a', '--all']);
    expect([code, stdout]).toEqual([2, '']);
    expect(await listSessions(client)).toHaveLength(1);
  });
});

describe('the command line', () => {
  test.each([
    [['shw'], "otto-agents: unknown command 'shw'\n(Did you mean show?)\n"],
    [['zzzzzzzz'], "otto-agents: unknown command 'zzzzzzzz'\n"],
    [['sessions', '--jsn'], "otto-agents: unknown option '--jsn'\n(Did you mean --json?)\n"],
    [['show', 'a', 'b'], "otto-agents: too many arguments for 'show'. Expected 1 argument but got 2.\n"],
    [['ask', '--agent'], "otto-agents: option '--agent <id>' argument missing\n"],
  ])('%j is wrong usage', async (args, stderr) => {
    expect(await place().run(args)).toEqual({ code: 2, stdout: '', stderr });
  });

  test('help names every command and the exit codes', async () => {
    const { code, stdout, stderr } = await place().run(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const name of ['serve', 'ask', 'answer', 'sessions', 'show', 'forget', 'version']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    }
    expect(stdout).toContain(
      'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 already running (serve), 130 cancelled.',
    );
  });

  test.each([[['version']], [['--version']], [['-V']]])('%j prints the version', async (args) => {
    expect(await place().run(args)).toEqual({ code: 0, stdout: '0.0.0-test\n', stderr: '' });
  });
});

/** Every module that loading `file` loads, ours by path and others by name; what is imported lazily is left out. */
function imports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, clause = '', name = ''] of source.matchAll(/^import\s+(type\s)?[^;]*?from '([^']+)';/gm)) {
    if (clause !== '') continue;
    if (name.startsWith('.')) imports(join(dirname(file), name), seen);
    else seen.add(name);
  }
  return seen;
}
