// The ways to sign in that an agent names: as data here, with a running agent below.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { signInMethods } from '../../src/agents/acp/sign-in.ts';
import type { AgentHandle } from '../../src/host/ports.ts';
import { message, SCRIPTED_AGENT, startRig, tempFolder } from './acp-rig.ts';

const COMMAND = ['claude-agent-acp', '--x'];

describe('a way to sign in', () => {
  it.each([
    [{ id: 'a', name: 'A', description: 'd' }, [{ id: 'a', name: 'A', description: 'd', kind: 'agent' }]],
    [{ id: 'a', type: 'agent' }, [{ id: 'a', name: 'a', kind: 'agent' }]],
    [
      { id: 't', type: 'terminal', args: ['login', 7] },
      [{ id: 't', name: 't', kind: 'terminal', command: [...COMMAND, 'login'] }],
    ],
    [
      { id: 't', type: 'terminal', env: { A: 'b c' } },
      [{ id: 't', name: 't', kind: 'terminal', command: ['env', 'A=b c', ...COMMAND] }],
    ],
    [
      { id: 't', _meta: { type: 'terminal', args: ['auth'] } },
      [{ id: 't', name: 't', kind: 'terminal', command: [...COMMAND, 'auth'] }],
    ],
    [{ id: 'e', type: 'env_var', vars: [{ name: 'KEY' }] }, [{ id: 'e', name: 'e', kind: 'env' }]],
    [{ id: 'x', type: 'from the future' }, []],
    [{ name: 'no id' }, []],
  ])('%j', (method, methods) => {
    expect(signInMethods([method], COMMAND)).toEqual(methods);
  });

  it('never carries a command that the agent made up (R-065)', () => {
    const untrusted = {
      id: 't',
      type: 'terminal',
      _meta: { 'terminal-auth': { command: '/tmp/evil', args: ['--now'] } },
    };
    expect(JSON.stringify(signInMethods([untrusted], COMMAND))).not.toContain('evil');
    expect(signInMethods('x', COMMAND)).toEqual([]);
  });
});

const METHODS = [
  { id: 'browser', name: 'Browser' },
  { id: 'term', name: 'Terminal', type: 'terminal', args: ['login'] },
];
const signIn = (handle: AgentHandle, method: string) =>
  new Promise<string | undefined>((done) => handle.signIn(method, done));
const count = (methods: string[], method: string) => methods.filter((each) => each === method).length;

describe('an agent that wants a sign-in before it opens a session', () => {
  const locked = { authMethods: METHODS, locked: ['session/new'] };

  it('stays up and says how, with nothing chosen for the person (F-127, R-064)', async () => {
    const rig = startRig({ script: locked });
    expect(await rig.next('signInNeeded')).toEqual({
      type: 'signInNeeded',
      during: 'open',
      methods: [
        { id: 'browser', name: 'Browser', kind: 'agent' },
        {
          id: 'term',
          name: 'Terminal',
          kind: 'terminal',
          command: [process.execPath, SCRIPTED_AGENT, join(rig.folder, 'script.json'), 'login'],
        },
      ],
    });
    expect(rig.received()).toEqual(['initialize', 'session/new']);
    rig.handle.stop();
    expect(await rig.next('stopped')).toEqual({ type: 'stopped', asked: true });
  });

  it('opens it on the same process once a method was named', async () => {
    const rig = startRig({ script: { ...locked, on: { authenticate: ['unlock'] } } });
    await rig.next('signInNeeded');
    expect(await signIn(rig.handle, 'browser')).toBeUndefined();
    expect((await rig.next('started')).agentSession).toBe('s1');
    expect(rig.messages('authenticate')).toMatchObject([{ params: { methodId: 'browser' } }]);
    expect(await rig.prompt('hello')).toEqual({ stop: 'end_turn' });
    expect(rig.received()).toEqual([
      'initialize',
      'session/new',
      'authenticate',
      'session/new',
      'session/prompt',
    ]);
  });

  it('and still refuses afterwards is tried once, with a clear reply; a fresh process notices (F-128)', async () => {
    const key = join(tempFolder(), 'key');
    const script = { ...locked, key, on: { authenticate: [`touch ${key}`] } };
    const rig = startRig({ script });
    await rig.next('signInNeeded');
    expect(await signIn(rig.handle, 'browser')).toBe(
      'Scripted needs you to sign in first (Browser, Terminal)',
    );
    expect(count(rig.received(), 'session/new')).toBe(2);
    expect(rig.of('started')).toEqual([]);
    expect(rig.of('signInNeeded')).toHaveLength(1);
    expect(existsSync(key)).toBe(true);
    await startRig({ script }).next('started');
  });

  it('passes on why the sign-in itself failed, and can be asked again', async () => {
    const rig = startRig({
      script: { ...locked, on: { authenticate: ['fail -32603 the browser was closed'] } },
    });
    await rig.next('signInNeeded');
    for (const _ of [1, 2]) expect(await signIn(rig.handle, 'browser')).toContain('the browser was closed');
    expect(count(rig.received(), 'session/new')).toBe(1);
  });

  it('refuses methods that are done outside, unknown ones and a second one at a time', async () => {
    const rig = startRig({ script: { ...locked, on: { authenticate: ['swallow'] } } });
    await rig.next('signInNeeded');
    expect(await signIn(rig.handle, 'term')).toContain('done outside');
    expect(await signIn(rig.handle, 'nope')).toContain('no sign-in method "nope"');
    const first = signIn(rig.handle, 'browser');
    expect(await signIn(rig.handle, 'browser')).toContain('already signing in');
    rig.handle.stop();
    await rig.next('stopped');
    expect(await first).toBe('Scripted ended');
    expect(count(rig.received(), 'authenticate')).toBe(1);
  });

  it('names the methods in the error itself where only that has them', async () => {
    const rig = startRig({
      script: {
        on: {
          'session/new': [
            'fault {"code":-32000,"message":"x","data":{"authMethods":[{"id":"q","name":"Q"}]}}',
          ],
        },
      },
    });
    expect((await rig.next('signInNeeded')).methods).toEqual([{ id: 'q', name: 'Q', kind: 'agent' }]);
  });

  it('may ask for it at initialize, and while its options are set', async () => {
    const hello = startRig({ script: { locked: ['initialize'] } });
    expect(await hello.next('signInNeeded')).toMatchObject({ during: 'open', methods: [] });

    const option = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false };
    const rig = startRig({
      agent: { config: { fast: 'true' } },
      script: {
        authMethods: METHODS,
        locked: ['session/set_config_option'],
        session: { configOptions: [option] },
        on: { authenticate: ['unlock'] },
      },
    });
    await rig.next('signInNeeded');
    expect(await signIn(rig.handle, 'browser')).toBeUndefined();
    await rig.next('started');
    expect(count(rig.received(), 'session/new')).toBe(1);
    expect(count(rig.received(), 'session/set_config_option')).toBe(2);
  });
});

describe('an agent that wants a sign-in while a client sets something', () => {
  const rig = () =>
    startRig({
      script: {
        authMethods: METHODS,
        locked: ['session/set_mode', 'session/set_config_option'],
        on: { authenticate: ['unlock'] },
        session: {
          modes: { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'plan' }] },
          configOptions: [{ id: 'fast', name: 'Fast', type: 'boolean', currentValue: false }],
        },
      },
    });

  it.each<[string, (handle: AgentHandle, reply: (refusal?: string) => void) => void]>([
    ['mode', (handle, reply) => handle.setMode('plan', reply)],
    ['option', (handle, reply) => handle.setOption('fast', true, reply)],
  ])('says so before it replies about the %s, which can then be set (F-127)', async (_, set) => {
    const { handle, next, of, events } = rig();
    await next('started');
    let seen: string | undefined;
    const refusal = await new Promise<string | undefined>((done) => {
      set(handle, (problem) => {
        seen = events.at(-1)?.type;
        done(problem);
      });
    });
    expect(refusal).toBe('Scripted needs you to sign in first (Browser, Terminal)');
    expect(seen).toBe('signInNeeded');
    expect(of('signInNeeded')).toMatchObject([{ during: 'prompt' }]);
    expect(of('refused')).toEqual([]);
    expect(await signIn(handle, 'browser')).toBeUndefined();
    expect(await new Promise((done) => set(handle, done))).toBeUndefined();
  });

  it.each([
    ['mode', { mode: 'plan' }],
    ['option', { config: { fast: 'true' } }],
  ])('asks for it while it opens with a configured %s, and refuses nothing (F-127)', async (_, agent) => {
    const locked = ['session/set_mode', 'session/set_config_option'];
    const session = {
      modes: { currentModeId: 'ask', availableModes: [{ id: 'ask' }, { id: 'plan' }] },
      configOptions: [{ id: 'fast', name: 'Fast', type: 'boolean', currentValue: false }],
    };
    const { next, of } = startRig({ agent, script: { authMethods: METHODS, locked, session } });
    expect(await next('signInNeeded')).toMatchObject({ during: 'open' });
    expect(of('refused')).toEqual([]);
    expect(of('started')).toEqual([]);
  });
});

describe('an agent that wants a sign-in in a turn', () => {
  it('says so, ends the turn for that reason, and answers after it (F-127)', async () => {
    const rig = startRig({
      script: { authMethods: METHODS, locked: ['session/prompt'], on: { authenticate: ['unlock'] } },
    });
    await rig.next('started');
    rig.handle.prompt('a', message('hello'));
    expect(await rig.next('turnEnded')).toEqual({
      type: 'turnEnded',
      turn: 'a',
      outcome: {
        failed: {
          kind: 'auth',
          message: 'Scripted needs you to sign in first (Browser, Terminal)',
          code: -32000,
        },
      },
    });
    expect(rig.events.at(-2)).toMatchObject({ type: 'signInNeeded', during: 'prompt' });
    expect(await signIn(rig.handle, 'browser')).toBeUndefined();
    expect(await rig.prompt('again', 'b')).toEqual({ stop: 'end_turn' });
    expect(count(rig.received(), 'session/new')).toBe(1);
  });
});
