import { describe, expect, it } from 'vitest';
import type { AgentOption, SignInMethod } from '../../src/host/ports.ts';
import { createRig, SESSION } from '../support/host-rig.ts';

const METHODS: SignInMethod[] = [
  { id: 'login', name: 'Log in', kind: 'agent' },
  { id: 'shell', name: 'In a terminal', kind: 'terminal', command: ['fake', 'login'] },
];

const FAST: AgentOption = { id: 'fast', name: 'Fast', type: 'boolean', current: false };

const OWN_TURN = {
  type: 'chat/turnStarted',
  turnId: 'mine',
  startedAt: '2026-01-01T00:00:00.000Z',
  message: { text: 'hello', origin: { kind: 'user' } },
} as const;

function asking(during: 'open' | 'prompt', ...more: string[]) {
  const rig = createRig();
  const { client, chat } = rig.session();
  if (during === 'prompt') rig.agent().started();
  for (const text of ['hello', ...more]) client.queue(chat, text);
  rig.agent().report({ type: 'signInNeeded', methods: METHODS, during });
  const otto = () =>
    (client.sessionState()._meta?.['otto'] ?? {}) as { signIn?: object; problem?: { text: string } };
  const signIn = (methodId: string) => rig.host.signIn({ channel: SESSION, methodId });
  return { rig, client, chat, otto, signIn };
}

const failed = { kind: 'auth', message: 'Fake needs you to sign in first' } as const;

describe('an agent that opens no session before somebody signs in', () => {
  it('says how, keeps the request, and chooses nothing by itself (F-127)', () => {
    const { rig, client, chat, otto } = asking('open');
    expect(otto().signIn).toEqual({ methods: METHODS });
    expect(client.sessionState()).toMatchObject({ lifecycle: 'creating', activity: 'Sign-in needed' });
    rig.clock.advance(600_000);
    expect(rig.agent().calls).toEqual([]);
    expect(client.chat(chat).queuedMessages).toHaveLength(1);
  });

  it('goes on with the method a client names, and sends the request once (F-127)', () => {
    const { rig, client, otto, signIn } = asking('open');
    signIn('login');
    expect(rig.agent().calls).toEqual([['signIn', 'login']]);
    rig.agent().started();
    rig.agent().signInReply();
    expect(otto()).toEqual({});
    expect(client.sessionState().lifecycle).toBe('ready');
    expect(rig.agent().calls.map(([name]) => name)).toEqual(['signIn', 'prompt']);
  });

  it('is started anew once where signing in changed nothing, and then says so (F-128)', () => {
    const { rig, otto, signIn } = asking('open');
    signIn('login');
    rig.agent().signInReply('signed in, but the agent still asks');
    expect(rig.agent().calls.at(-1)).toEqual(['stop']);
    rig.agent().stopped();
    expect(rig.agents).toHaveLength(2);
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'open' });
    expect(otto().problem?.text).toBe('signed in, but the agent still asks');
    rig.clock.advance(600_000);
    expect(rig.agents).toHaveLength(2);
  });

  it('works after a fresh start that noticed the sign-in (F-128)', () => {
    const { rig, otto, signIn } = asking('open');
    signIn('login');
    rig.agent().signInReply('still asks');
    rig.agent().stopped();
    rig.agent().started();
    expect(otto()).toEqual({});
    expect(rig.agent().calls[0]?.[2]).toBe('hello');
  });

  it('keeps its offer standing when the first message comes right behind it, and sends that after the sign-in', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'open' });
    rig.clock.advance(4999);
    client.queue(chat, 'hello');
    expect(rig.agent().calls).toEqual([]);
    rig.host.signIn({ channel: SESSION, methodId: 'login' });
    rig.agent().started();
    rig.agent().signInReply();
    expect(rig.agents).toHaveLength(1);
    expect(rig.agent().calls.map(([name]) => name)).toEqual(['signIn', 'prompt']);
  });

  it.each(['retry', 'a new message'])('looks again on %s', (how) => {
    const { rig, client, chat } = asking('open');
    rig.clock.advance(5000);
    if (how === 'retry') rig.host.retry(SESSION);
    else client.queue(chat, 'again');
    rig.agent().stopped();
    rig.agent().started();
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls[0]?.[2]).toBe('hello');
  });

  it('takes no method that it did not offer, or that is done elsewhere', () => {
    const { rig, signIn } = asking('open');
    expect(() => signIn('magic')).toThrow(/there are: login, shell/);
    expect(() => signIn('shell')).toThrow(/done outside/);
    expect(rig.agent().calls).toEqual([]);
    const calm = createRig();
    calm.session();
    expect(() => calm.host.signIn({ channel: SESSION, methodId: 'login' })).toThrow(/no sign-in is needed/);
  });
});

describe('an agent that answers no prompt before somebody signs in', () => {
  it('ends the turn, holds the queue, and goes on with that very turn afterwards (F-127)', () => {
    const { rig, client, chat, otto, signIn } = asking('prompt', 'second');
    const turn = rig.agent().turn();
    rig.agent().report({ type: 'turnEnded', turn, outcome: { failed } });
    expect(client.chat(chat).turns).toMatchObject([
      { id: turn, state: 'error', responseParts: [{ resumable: true }] },
    ]);
    expect(rig.agent().calls).toHaveLength(1);
    signIn('login');
    rig.agent().signInReply();
    expect(otto()).toEqual({});
    expect(rig.agent().calls.slice(1)).toEqual([
      ['signIn', 'login'],
      ['prompt', turn, 'hello'],
    ]);
    rig.agent().endTurn();
    expect(client.chat(chat).turns).toMatchObject([{ id: turn, state: 'complete' }]);
    expect(rig.agent().calls.at(-1)?.[2]).toBe('second');
  });

  function refused() {
    const asked = asking('prompt');
    const { rig } = asked;
    const turn = rig.agent().turn();
    const refuse = () => {
      rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'prompt' });
      rig.agent().report({ type: 'turnEnded', turn, outcome: { failed } });
    };
    refuse();
    return { ...asked, turn, refuse };
  }

  it('is not sent its failed prompt again when it was only released and started for something else', () => {
    const { rig, client, chat } = refused();
    rig.agent().report({
      type: 'modes',
      current: 'a',
      available: [
        { id: 'a', name: 'A', description: '' },
        { id: 'b', name: 'B', description: '' },
      ],
    });
    client.queue(chat, 'later');
    rig.host.releaseSession(SESSION);
    rig.agent().stopped();
    rig.host.setMode({ channel: SESSION, modeId: 'b' });
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls.filter(([name]) => name === 'prompt')).toEqual([]);
    expect(client.chat(chat).queuedMessages).toHaveLength(1);
  });

  it('has its offer taken down by a prompt that works, and is not started anew by the next message', () => {
    const { rig, client, chat, otto } = refused();
    const message = { text: 'own', origin: { kind: 'user' as const } };
    const startedAt = new Date(rig.clock.now()).toISOString();
    client.dispatch(chat, { type: 'chat/turnStarted', turnId: 'own', startedAt, message });
    rig.agent().endTurn();
    expect(otto().signIn).toBeUndefined();
    rig.clock.advance(60_000);
    client.queue(chat, 'next');
    expect(rig.agent().calls.at(-1)).toEqual(['prompt', expect.any(String), 'next']);
  });

  it.each(['retry', 'a new message'])(
    'is started anew by %s, since somebody may have signed in elsewhere, and given the same turn (F-128)',
    (how) => {
      const { rig, client, chat, otto, turn } = refused();
      rig.clock.advance(5000);
      if (how === 'retry') rig.host.retry(SESSION);
      else client.queue(chat, 'second');
      expect(rig.agent().calls.at(-1)).toEqual(['stop']);
      rig.agent().stopped();
      expect(otto().signIn).toBeUndefined();
      rig.agent().started({ fresh: false });
      expect(rig.agent().calls).toEqual([['prompt', turn, 'hello']]);
      expect(client.chat(chat).activeTurn?.id).toBe(turn);
    },
  );

  it('is started anew once where signing in changed nothing, and works then (F-128)', () => {
    const { rig, client, chat, otto, signIn, turn, refuse } = refused();
    signIn('login');
    rig.agent().signInReply();
    expect(rig.agent().calls.at(-1)).toEqual(['prompt', turn, 'hello']);
    refuse();
    expect(rig.agent().calls.at(-1)).toEqual(['stop']);
    rig.agent().stopped();
    rig.agent().started({ fresh: false });
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls).toEqual([['prompt', turn, 'hello']]);
    rig.agent().endTurn();
    expect(client.chat(chat).turns).toMatchObject([{ id: turn, state: 'complete' }]);
    expect(otto().signIn).toBeUndefined();
    expect(otto().problem).toBeUndefined();
  });

  it('that never works is tried twice, and then says so and waits (F-128)', () => {
    const { rig, otto, signIn, refuse } = refused();
    signIn('login');
    rig.agent().signInReply();
    refuse();
    rig.agent().stopped();
    rig.agent().started({ fresh: false });
    refuse();
    expect(otto()).toMatchObject({
      signIn: { methods: METHODS },
      problem: { text: expect.stringMatching(/started anew and still wants/) },
    });
    rig.clock.advance(600_000);
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls.map(([name]) => name)).toEqual(['prompt']);
  });

  it('goes on with its turn after a fresh start that asks before it opens', () => {
    const { rig, signIn, turn } = refused();
    rig.host.retry(SESSION);
    rig.agent().stopped();
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'open' });
    signIn('login');
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls.at(-1)).toEqual(['prompt', turn, 'hello']);
  });

  it('leaves a turn that runs alone when a message is queued meanwhile', () => {
    const { rig, client, chat } = asking('prompt');
    client.queue(chat, 'second');
    expect(rig.agent().calls.map(([name]) => name)).toEqual(['prompt']);
  });

  it('refuses a mode and an option only for that reason: they are set once somebody has signed in', () => {
    const rig = createRig();
    const { client } = rig.session();
    rig.agent().started();
    const mode = { id: 'plan', name: 'Plan', description: null };
    rig.agent().report({ type: 'modes', current: 'x', available: [mode] });
    rig.agent().report({ type: 'options', options: [FAST] });
    rig.host.setMode({ channel: SESSION, modeId: 'plan' });
    rig.host.setOption({ channel: SESSION, id: 'fast', value: true });
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'prompt' });
    rig.agent().modeReply('sign in first');
    rig.agent().optionReply('sign in first');
    expect(client.sessionState()._meta).toMatchObject({ otto: { modes: { available: [mode] } } });
    expect(client.sessionState()._meta?.['otto']).not.toHaveProperty('problem');
    rig.host.signIn({ channel: SESSION, methodId: 'login' });
    rig.agent().signInReply();
    const wanted = [
      ['setMode', 'plan'],
      ['setOption', 'fast', true],
    ];
    expect(rig.agent().calls.slice(-2)).toEqual(wanted);
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'prompt' });
    rig.agent().modeReply('sign in first');
    rig.agent().optionReply('sign in first');
    rig.agent().stopped();
    rig.agent().started({ fresh: false });
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls).toEqual(wanted);
  });
});

describe('a sign-in while no agent runs', () => {
  it.each(['open', 'prompt'] as const)(
    'is not offered once the agent that wanted it (%s) is gone',
    (during) => {
      const { rig, otto, signIn } = asking(during);
      rig.agent().stopped('killed');
      expect(otto().signIn).toBeUndefined();
      expect(() => signIn('login')).toThrow(/does not run; try again first/);
    },
  );

  it('is refused while the agent is leaving', () => {
    const { rig, signIn } = asking('open');
    rig.host.releaseSession(SESSION);
    expect(() => signIn('login')).toThrow(/does not run; try again first/);
    expect(rig.agent().calls).toEqual([['stop']]);
  });

  it('keeps a prompt that was not sent for the agent that follows', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().stopped('gone');
    rig.clock.advance(60_000);
    client.dispatch(chat, OWN_TURN);
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'open' });
    rig.host.retry(SESSION);
    rig.agent().stopped();
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls).toEqual([['prompt', 'mine', 'hello']]);
  });

  it('ends a prompt that was not sent when the agent that follows does not start', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().report({ type: 'signInNeeded', methods: METHODS, during: 'open' });
    rig.host.retry(SESSION);
    rig.agent().stopped();
    rig.agent().started();
    rig.agent().stopped('gone');
    rig.clock.advance(60_000);
    client.dispatch(chat, OWN_TURN);
    rig.agent().stopped('no such program');
    expect(client.chat(chat).turns).toMatchObject([
      { id: 'mine', state: 'error', responseParts: [{ error: { message: 'no such program' } }] },
    ]);
  });
});
