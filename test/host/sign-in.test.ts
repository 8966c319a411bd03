import { describe, expect, it } from 'vitest';
import type { SignInMethod } from '../../src/host/ports.ts';
import { createRig, SESSION } from '../support/host-rig.ts';

const METHODS: SignInMethod[] = [
  { id: 'login', name: 'Log in', kind: 'agent' },
  { id: 'shell', name: 'In a terminal', kind: 'terminal', command: ['fake', 'login'] },
];

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

  it.each(['retry', 'a new message'])('looks again on %s', (how) => {
    const { rig, client, chat } = asking('open');
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

  it('is asked anew by a retry', () => {
    const { rig, client, chat } = asking('prompt');
    const turn = rig.agent().turn();
    rig.agent().report({ type: 'turnEnded', turn, outcome: { failed } });
    rig.host.retry(SESSION);
    expect(rig.agent().calls.at(-1)).toEqual(['prompt', turn, 'hello']);
    expect(client.chat(chat).activeTurn?.id).toBe(turn);
  });
});
