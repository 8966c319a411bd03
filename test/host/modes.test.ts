import { describe, expect, it } from 'vitest';
import { createRig, SESSION } from '../support/host-rig.ts';

describe('settings that an agent refuses as it starts', () => {
  function refusing() {
    const rig = createRig();
    const { client } = rig.session();
    rig.agent().started();
    rig
      .agent()
      .report({ type: 'modes', current: 'ask', available: [{ id: 'ask', name: 'Ask', description: null }] });
    rig
      .agent()
      .report({ type: 'options', options: [{ id: 'fast', name: 'Fast', type: 'boolean', current: false }] });
    rig.agent().report({ type: 'refused', what: 'mode', id: 'plan', message: 'no plans' });
    rig.agent().report({ type: 'refused', what: 'option', id: 'fast', message: 'not so fast' });
    const problem = () => {
      const otto = client.sessionState()._meta?.['otto'] as { problem?: { text: string } } | undefined;
      return otto?.problem?.text;
    };
    return { rig, client, problem };
  }

  it('are all named in one problem (R-052, R-054)', () => {
    expect(refusing().problem()).toBe(
      'The mode plan was refused: no plans\nThe option fast was refused: not so fast',
    );
  });

  it('are no problem any more once they are taken, each by itself', () => {
    const { rig, problem } = refusing();
    rig.host.setMode({ channel: SESSION, modeId: 'ask' });
    rig.agent().modeReply();
    expect(problem()).toBe('The option fast was refused: not so fast');
    rig.host.setOption({ channel: SESSION, id: 'fast', value: true });
    rig.agent().optionReply();
    expect(problem()).toBeUndefined();
  });

  it('are forgotten with the next start', () => {
    const { rig, client, problem } = refusing();
    rig.agent().stopped('gone');
    client.queue(client.sessionState().defaultChat ?? '', 'go');
    rig.agent().started({ fresh: false });
    rig.agent().endTurn();
    rig.agent().report({ type: 'refused', what: 'mode', id: 'plan', message: 'no plans' });
    expect(problem()).toBe('The mode plan was refused: no plans');
  });
});
