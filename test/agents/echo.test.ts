// The echo backend: its own behaviour beyond the contract.
import { describe, expect, it } from 'vitest';
import { createEcho } from '../../src/agents/echo.ts';
import { agentBackendContract } from '../contract/agent-backend.ts';
import { collector, message } from './acp-rig.ts';

const spec = { provider: 'echo', cwd: '/' };

agentBackendContract('the echo', () => ({
  backend: createEcho(),
  spec,
  answered: 'one two three',
  endless: 'word '.repeat(100_000),
}));

async function started(delay = 0) {
  const seen = collector();
  const handle = createEcho({ delay }).start(spec, seen.report);
  await seen.next('started');
  return { ...seen, handle };
}

describe('the echo', () => {
  it('is one agent that denies, forgets, and starts afresh without an id of its own', async () => {
    const [entry] = createEcho().agents();
    expect(entry).toMatchObject({
      info: { provider: 'echo', displayName: 'Echo' },
      permissions: 'deny',
      forgets: true,
    });
    const echo = await started();
    expect(echo.events).toEqual([{ type: 'started', fresh: true, can: { steer: true } }]);
  });

  it('streams one word at a time, each with its space', async () => {
    const echo = await started(1);
    echo.handle.prompt('t', message('one two  three\nfour'));
    await echo.next('turnEnded');
    expect(echo.of('text').map(({ text }) => text)).toEqual(['one ', 'two  ', 'three\n', 'four']);
  });

  it('repeats the labels of attachments when there is no text', async () => {
    const echo = await started();
    const attachments = ['a.txt', 'b c.txt'].map((label) => ({
      type: 'resource' as const,
      label,
      uri: `file:///${label}`,
    }));
    echo.handle.prompt('t', message(' ', attachments));
    await echo.next('turnEnded');
    expect(echo.text()).toBe('a.txt\nb c.txt');
  });

  it('streams steered words next, on a line of their own', async () => {
    const echo = await started();
    let taken: boolean | undefined;
    echo.handle.prompt('t', message('one two three'));
    await echo.next('text');
    echo.handle.steer(message('stop here'), (answer) => {
      taken = answer;
    });
    await echo.next('turnEnded');
    expect(taken).toBe(true);
    expect(echo.text()).toBe('one \nstop here\ntwo three');
  });

  it('takes no steering while no turn runs', async () => {
    const echo = await started();
    expect(await new Promise((done) => echo.handle.steer(message('x'), done))).toBe(false);
  });
});
