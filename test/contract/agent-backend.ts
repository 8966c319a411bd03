// What every AgentBackend must do, as cases to run over each implementation.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentBackend, AgentSpec } from '../../src/host/ports.ts';
import { collector, message } from '../agents/acp-rig.ts';

export interface BackendUnderTest {
  backend: AgentBackend;
  spec: AgentSpec;
  /** A prompt that is answered with text, and one that goes on until it is cancelled. */
  answered: string;
  endless: string;
}

export function agentBackendContract(name: string, make: () => BackendUnderTest): void {
  const start = () => {
    const { backend, spec, ...prompts } = make();
    const seen = collector();
    const handle = backend.start(spec, seen.report);
    onTestFinished(async () => {
      if (seen.of('stopped').length > 0) return;
      handle.stop();
      await seen.next('stopped');
    });
    return { ...seen, ...prompts, handle };
  };

  describe(`${name} as an agent backend`, () => {
    it('names its agents', () => {
      const { backend, spec } = make();
      expect(backend.agents().map(({ info }) => info.provider)).toContain(spec.provider);
    });

    it('reports nothing before start has returned, then started', async () => {
      const agent = start();
      expect(agent.events).toEqual([]);
      await agent.next('started');
    });

    it('answers a prompt with text and then one end of that turn', async () => {
      const agent = start();
      await agent.next('started');
      agent.handle.prompt('a', message(agent.answered));
      expect(await agent.next('turnEnded')).toEqual({
        type: 'turnEnded',
        turn: 'a',
        outcome: { stop: 'end_turn' },
      });
      expect(agent.text()).toContain(agent.answered);
      agent.handle.prompt('b', message(agent.answered));
      expect((await agent.next('turnEnded')).turn).toBe('b');
      expect(agent.of('turnEnded')).toHaveLength(2);
      expect(agent.events.at(-1)?.type).toBe('turnEnded');
    });

    it('ends a cancelled turn as cancelled, once, and answers the next prompt', async () => {
      const agent = start();
      await agent.next('started');
      agent.handle.prompt('a', message(agent.endless));
      await agent.next('text');
      agent.handle.cancel('a');
      expect((await agent.next('turnEnded')).outcome).toEqual({ stop: 'cancelled' });
      agent.handle.cancel('a');
      agent.handle.prompt('b', message(agent.answered));
      const end = await agent.next('turnEnded');
      expect(end).toEqual({ type: 'turnEnded', turn: 'b', outcome: { stop: 'end_turn' } });
    });

    it('does not end a turn for the cancel of another one', async () => {
      const agent = start();
      await agent.next('started');
      agent.handle.prompt('a', message(agent.endless));
      await agent.next('text');
      agent.handle.cancel('other');
      agent.handle.cancel('a');
      expect((await agent.next('turnEnded')).turn).toBe('a');
      expect(agent.of('turnEnded')).toHaveLength(1);
    });

    it('refuses a mode it does not have', async () => {
      const agent = start();
      await agent.next('started');
      const refusal = await new Promise((done) => agent.handle.setMode('no such mode', done));
      expect(refusal).toEqual(expect.any(String));
    });

    it('refuses an option and a sign-in it does not have', async () => {
      const agent = start();
      await agent.next('started');
      const option = await new Promise((done) => agent.handle.setOption('no such option', true, done));
      expect(option).toEqual(expect.any(String));
      const signIn = await new Promise((done) => agent.handle.signIn('no such method', done));
      expect(signIn).toEqual(expect.any(String));
    });

    it('reports one asked stop for stops during a turn, and nothing afterwards', async () => {
      const agent = start();
      await agent.next('started');
      agent.handle.prompt('a', message(agent.endless));
      await agent.next('text');
      agent.handle.stop();
      agent.handle.stop();
      expect(await agent.next('stopped')).toEqual({ type: 'stopped', asked: true });
      const count = agent.events.length;
      let replied = false;
      const note = () => {
        replied = true;
      };
      agent.handle.prompt('b', message(agent.answered));
      agent.handle.cancel('a');
      agent.handle.steer(message('more'), note);
      agent.handle.setMode('plan', note);
      agent.handle.setOption('fast', true, note);
      agent.handle.signIn('browser', note);
      agent.handle.stop();
      const other = start();
      await other.next('started');
      expect(agent.events).toHaveLength(count);
      expect(agent.of('turnEnded')).toEqual([]);
      expect(replied).toBe(false);
    });

    it('can be stopped before it has started', async () => {
      const agent = start();
      agent.handle.stop();
      expect(await agent.next('stopped')).toEqual({ type: 'stopped', asked: true });
      expect(agent.of('started')).toEqual([]);
    });
  });
}
