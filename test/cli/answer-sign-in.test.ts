import { describe, expect, test } from 'vitest';
import type { AgentEvent, SignInMethod } from '../../src/host/ports.ts';
import { agentInHand } from '../support/agent-in-hand.ts';
import { place } from './support/rig.ts';

const METHODS: SignInMethod[] = [
  { id: 'web', name: 'Log in', description: 'in the browser', kind: 'agent' },
  { id: 'cli', name: 'Claude CLI', kind: 'terminal', command: ['claude', 'it is', 'login'] },
];
const needed = (during: 'open' | 'prompt'): AgentEvent => ({
  type: 'signInNeeded',
  methods: METHODS,
  during,
});
const STARTED: AgentEvent = { type: 'started', fresh: true, can: { steer: false } };
const failed = { kind: 'auth', message: 'Hand needs you to sign in first' } as const;

/** An agent that does not open before somebody has signed in; `signIn` decides what a method leads to. */
async function closed(signIn: (method: string) => string | undefined = () => undefined) {
  const here = place();
  const chosen: string[] = [];
  const outside = { signedIn: false };
  const hand = agentInHand({
    starts: false,
    handle: {
      signIn: (method, reply) => {
        chosen.push(method);
        const problem = signIn(method);
        if (problem === undefined) hand.report(STARTED);
        reply(problem);
      },
    },
  });
  const { backend } = hand;
  await here.serve({
    ...backend,
    start: (spec, report) => {
      const handle = backend.start(spec, report);
      setImmediate(() => report(outside.signedIn ? STARTED : needed('open')));
      return handle;
    },
  });
  return { here, hand, chosen, outside };
}

describe('an agent that wants a sign-in before it opens', () => {
  test('has its methods offered and none chosen by itself; the request is kept (F-127)', async () => {
    const { here, hand, chosen } = await closed();
    const asked = here.terminal(['ask', 'go']);
    await asked.next('Sign in with: ');
    expect(asked.screen()).toContain(
      'Hand needs you to sign in\n   1  Log in – in the browser\n   2  Claude CLI\n',
    );
    asked.type('\r');
    await asked.next('answer with a number, 1 to 2');
    await asked.next('Sign in with: ');
    expect(chosen).toEqual([]);
    asked.type('1\r');
    expect(await hand.prompted()).toBe('go');
    await asked.next('Signed in.');
    expect(chosen).toEqual(['web']);
    hand.say('hello');
    hand.endTurn();
    expect((await asked.ended).code).toBe(0);
    expect(asked.screen()).toContain('hello\n');
  });

  test('says why an attempt did not work, and offers the methods again (F-128)', async () => {
    const { here, chosen } = await closed(() => 'the browser was closed');
    const asked = here.terminal(['ask', 'go']);
    await asked.next('Sign in with: ');
    asked.type('log\r');
    await asked.next('It did not work: the browser was closed');
    await asked.next('Sign in with: ');
    expect(chosen).toEqual(['web']);
  });

  test('that is done in a terminal has its command shown, and is looked at again afterwards', async () => {
    const { here, hand, outside } = await closed();
    const asked = here.terminal(['ask', 'go']);
    await asked.next('Sign in with: ');
    asked.type('2\r');
    await asked.next("Run this in another terminal:\r\n  claude 'it is' login\r\n");
    await asked.next('Press Enter when that is done: ');
    outside.signedIn = true;
    asked.type('\r');
    expect(await hand.prompted()).toBe('go');
    await asked.next('Signed in.');
  });

  test('is told of without a terminal, and signed in by options', async () => {
    const { here, hand, chosen } = await closed();
    const asked = here.start(['ask', 'go']);
    await asked.until('Hand needs a sign-in; `otto-agents answer ');
    expect((await here.run(['answer', '--list'])).stdout).toMatch(
      /^[0-9a-f]{8} {2}Hand {2}--request sign-in\n {2}Hand needs you to sign in\n {5}1 {2}Log in \(web\) – in the browser\n/,
    );
    expect(await here.run(['answer', '--option', 'web'])).toEqual({
      code: 0,
      stdout: 'Answered.\n',
      stderr: '',
    });
    expect(await hand.prompted()).toBe('go');
    expect(chosen).toEqual(['web']);
    hand.endTurn();
    expect((await asked.ended).code).toBe(0);
  });
});

describe('an agent that wants a sign-in for a prompt', () => {
  async function refusing() {
    const here = place();
    const hand = agentInHand({ handle: { signIn: (_method, reply) => reply() } });
    let report: (event: AgentEvent) => void = () => {};
    let turn = '';
    const { backend } = hand;
    const prompts: string[] = [];
    await here.serve({
      ...backend,
      start: (spec, hear) => {
        report = hear;
        const handle = backend.start(spec, hear);
        return {
          ...handle,
          prompt: (id, message) => {
            prompts.push(id);
            turn = id;
            handle.prompt(id, message);
          },
        };
      },
    });
    const refuse = (): void => {
      report(needed('prompt'));
      report({ type: 'turnEnded', turn, outcome: { failed } });
    };
    return { here, hand, refuse, prompts };
  }

  test('goes on with the same turn after the sign-in (F-127)', async () => {
    const { here, hand, refuse, prompts } = await refusing();
    const asked = here.terminal(['ask', 'go']);
    await hand.prompted();
    refuse();
    await asked.next('Sign in with: ');
    asked.type('1\r');
    await hand.prompted();
    await asked.next('Signed in.');
    hand.say('now');
    hand.endTurn();
    expect((await asked.ended).code).toBe(0);
    expect(asked.screen()).toContain('now\n');
    expect(new Set(prompts).size).toBe(1);
  });

  test('may be left with Ctrl+C', async () => {
    const { here, hand, refuse } = await refusing();
    const asked = here.terminal(['ask', 'go']);
    await hand.prompted();
    refuse();
    await asked.next('Sign in with: ');
    asked.type('\u0003');
    expect((await asked.ended).code).toBe(130);
  });

  test('fails without a terminal, with the reason', async () => {
    const { here, hand, refuse } = await refusing();
    const asked = here.start(['ask', 'go']);
    await hand.prompted();
    refuse();
    const { code, stderr } = await asked.ended;
    expect(code).toBe(1);
    expect(stderr).toContain('Hand needs you to sign in first');
  });
});
