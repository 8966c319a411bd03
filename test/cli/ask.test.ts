import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAcpBackend } from '../../src/agents/backend.ts';
import { createEcho } from '../../src/agents/echo.ts';
import { createLog } from '../../src/base/log.ts';
import type { Client } from '../../src/client/client.ts';
import { listSessions } from '../../src/client/sessions.ts';
import { agentInHand } from '../support/agent-in-hand.ts';
import { type Place, place } from './support/rig.ts';
import { scriptedAgent } from './support/scripted-agent.ts';

const LONG = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');

async function theSession(client: Client) {
  const [session, ...others] = await listSessions(client);
  expect(others).toEqual([]);
  if (session === undefined) throw new Error('there is no session');
  return session;
}

/** Starts `ask` and waits until its message is in the queue, as `other` sees it. */
async function askedAndQueued(other: Client, start: Place['start']) {
  const added = new Promise<string>((resolve) => {
    void other.subscribe('root', 'ahp-root://', (event) => {
      if (event.type === 'action' && event.state.activeSessions === 1)
        void theSession(other).then(({ resource }) => resolve(resource));
    });
  });
  const asking = start(['ask', 'x']);
  const session = await added;
  const { defaultChat: chat = '' } = await other.subscribe('session', session);
  await new Promise<void>((resolve) => {
    void other.subscribe('chat', chat, (event) => {
      if (event.type !== 'gone' && event.state.queuedMessages !== undefined) resolve();
    });
  });
  return { asking, session, chat };
}

describe('the answer', () => {
  test('is exactly what the agent wrote and a newline; the session stays (R-121)', async () => {
    const { serve, run, client } = place();
    const service = await serve(createEcho());
    expect(await run(['ask', 'hello', 'big', 'world'])).toEqual({
      code: 0,
      stdout: 'hello big world\n',
      stderr: '',
    });
    const session = await theSession(await client(service, 'test'));
    expect(session).toMatchObject({ provider: 'echo', title: 'hello big world', status: 1 });
  });

  test.each([
    ['a pipe', ['ask']],
    ['-', ['ask', '-']],
  ])('the question comes from %s when there are no words', async (_, args) => {
    const { serve, run } = place();
    await serve(createEcho());
    const text = 'from\n\nthe pipe';
    expect(await run(args, { stdin: `${text}\n` })).toEqual({ code: 0, stdout: `${text}\n`, stderr: '' });
  });

  test('comes as it is written, before the turn has ended', async () => {
    const { serve, start } = place();
    const hand = agentInHand();
    await serve(hand.backend);
    const asking = start(['ask', 'go']);
    expect(await hand.prompted()).toBe('go');
    hand.say('one\n');
    await asking.until('one\n');
    hand.report({ type: 'text', to: 'thought', text: 'hidden' });
    hand.say('two\n');
    await asking.until('two\n');
    hand.endTurn();
    expect(await asking.ended).toEqual({ code: 0, stdout: 'one\n\n\ntwo\n', stderr: '' });
  });

  test('control characters reach a pipe as they are', async () => {
    const { serve, run } = place();
    await serve(createEcho());
    const text = 'a\u001b[31mb';
    expect((await run(['ask', text])).stdout).toBe(`${text}\n`);
  });

  test('a reader that has seen enough ends it quietly', async () => {
    const { serve, start } = place();
    await serve(createEcho({ delay: 1 }));
    const asking = start(['ask', LONG]);
    await asking.until('word3 ');
    asking.child.stdout?.destroy();
    expect(await asking.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('two commands at once get their own answers', async () => {
    const { serve, run } = place();
    await serve(createEcho());
    const answers = await Promise.all([run(['ask', 'first one']), run(['ask', 'second one'])]);
    expect(answers).toEqual([
      { code: 0, stdout: 'first one\n', stderr: '' },
      { code: 0, stdout: 'second one\n', stderr: '' },
    ]);
  });

  test('-C names the folder, this one is the default', async () => {
    const { serve, run, client, folder, home } = place();
    const service = await serve(createEcho());
    mkdirSync(join(folder, 'a b'));
    await run(['ask', 'x'], { cwd: home });
    await run(['ask', '-C', '../a b', 'y'], { cwd: home });
    const folders = (await listSessions(await client(service, 'test'))).map((one) => [
      one.title,
      one.workingDirectories,
    ]);
    expect(Object.fromEntries(folders)).toEqual({ x: [`file://${home}`], y: [`file://${folder}/a%20b`] });
  });
});

describe('what goes wrong', () => {
  test('nothing to ask is wrong usage', async () => {
    const { run } = place();
    const { code, stderr } = await run(['ask'], { stdin: ' \n' });
    expect([code, stderr]).toEqual([
      2,
      'otto-agents: there is nothing to ask; write `otto-agents ask "your question"` or pipe it in\n',
    ]);
  });

  test('an agent is found by id or name; an unknown one is named with those there are', async () => {
    const { serve, run } = place();
    await serve(createEcho());
    expect(await run(['ask', '--agent', 'ECHO', 'x'])).toMatchObject({ code: 0, stdout: 'x\n' });
    expect(await run(['ask', '--agent', 'claude', 'x'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'otto-agents: there is no agent "claude"; there is echo (Echo)\n',
    });
  });

  test('a folder that is not there is the service’s sentence', async () => {
    const { serve, run, home } = place();
    await serve(createEcho());
    const { code, stderr } = await run(['ask', '-C', 'none', 'x'], { cwd: home });
    expect(code).toBe(1);
    expect(stderr).toContain(`${home}/none does not exist`);
  });

  test('an agent that does not start fails with its reason (R-060)', async () => {
    const { serve, run } = place();
    const agent = {
      id: 'no',
      name: 'No',
      description: '',
      args: [],
      env: {},
      config: {},
      permissions: 'deny' as const,
    };
    const agents = [{ ...agent, command: 'otto-test-no-such-program' }];
    await serve(createAcpBackend({ agents, version: '0', log: createLog(() => {}) }));
    const { code, stdout, stderr } = await run(['ask', 'x']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^otto-agents: .*otto-test-no-such-program.*\n$/);
  });

  test('a turn that fails keeps what was said and fails with the reason', async () => {
    const { serve, run } = place();
    await serve(scriptedAgent({ prompts: [['say half an ans', 'err it burns', 'exit 3']] }));
    const { code, stdout, stderr } = await run(['ask', 'x']);
    expect([code, stdout]).toEqual([1, 'half an ans\n']);
    expect(stderr).toMatch(/^otto-agents: .*status 3.*\n/);
  });

  test('a session that is removed before its turn began ends it', async () => {
    const { serve, start, client } = place();
    const service = await serve(agentInHand({ starts: false }).backend);
    const other = await client(service, 'test');
    const { asking, session } = await askedAndQueued(other, start);
    await other.request('disposeSession', { channel: session });
    expect(await asking.ended).toEqual({
      code: 1,
      stdout: '',
      stderr: 'otto-agents: the session was removed\n',
    });
  });

  test('a service that goes away for good is an error, not an answer', async () => {
    const { serve, start } = place();
    const hand = agentInHand();
    const service = await serve(hand.backend);
    const asking = start(['ask', 'x']);
    await hand.prompted();
    hand.say('part');
    await asking.until('part');
    await service.stop();
    const { code, stderr } = await asking.ended;
    expect(code).not.toBe(0);
    expect(stderr).not.toBe('');
  });

  test('a permission that is refused is told; the tool’s title only in the debug log', async () => {
    const { serve, run } = place();
    const permission = {
      toolCall: { toolCallId: 't1', title: 'Run the secret thing', kind: 'execute' },
      options: [
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    };
    await serve(scriptedAgent({ prompts: [[`permission ${JSON.stringify(permission)}`]] }));
    const quiet = await run(['ask', 'x']);
    expect(quiet).toEqual({
      code: 0,
      stdout: '[selected no]\n',
      stderr: 'otto-agents: Scripted asked for permission and was refused\n',
    });
    const loud = await run(['ask', 'x'], { env: { OTTO_AGENTS_LOG: 'debug' } });
    expect(loud.stderr).toContain('tool: Run the secret thing');
  });
});

describe('Ctrl+C', () => {
  test('cancels the turn, waits for its end and exits with 130', async () => {
    const { serve, start, run } = place();
    await serve(createEcho({ delay: 5 }));
    const asking = start(['ask', LONG]);
    await asking.until('word3 ');
    asking.child.kill('SIGINT');
    const { code, stdout, stderr } = await asking.ended;
    expect([code, stderr]).toEqual([130, 'cancelled\n']);
    expect(stdout).toMatch(/^word0 word1 word2 word3 .*\n$/);
    expect(stdout).not.toContain('word4999');
    expect((await run(['show'])).stdout).toMatch(/\n\n\[cancelled\]\n$/);
  });

  test('takes a message back that has not been started', async () => {
    const { serve, start, client } = place();
    const hand = agentInHand({ starts: false });
    const service = await serve(hand.backend);
    const other = await client(service, 'test');
    const { asking, chat } = await askedAndQueued(other, start);
    asking.child.kill('SIGINT');
    expect(await asking.ended).toEqual({ code: 130, stdout: '', stderr: 'cancelled\n' });
    expect(other.state('chat', chat)?.queuedMessages).toBeUndefined();
  });

  test('a second time leaves at once, whatever the agent does', async () => {
    const { serve, start } = place();
    const hand = agentInHand();
    await serve(hand.backend);
    const asking = start(['ask', 'x']);
    await hand.prompted();
    hand.say('begun');
    await asking.until('begun');
    asking.child.kill('SIGINT');
    await hand.cancelled();
    asking.child.kill('SIGINT');
    expect(await asking.ended).toMatchObject({ code: 130 });
  });
});
