// The modes and options of a running agent: what is configured, what a client chooses, what the agent refuses.
import { describe, expect, it } from 'vitest';
import type { AgentHandle } from '../../src/host/ports.ts';
import { startRig } from './acp-rig.ts';

const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'plan', name: 'Plan' },
  ],
};
const select = (id: string, currentValue: string, values: string[], category?: string) => ({
  id,
  name: id,
  type: 'select',
  currentValue,
  options: values.map((value) => ({ value, name: value })),
  ...(category !== undefined && { category }),
});
const MODE = select('mode', 'ask', ['ask', 'plan'], 'mode');
const MODEL = select('llm', 'big', ['big', 'small'], 'model');
const FAST = { id: 'fast', name: 'Fast', type: 'boolean', currentValue: false };
const EFFORT = select('effort', 'low', ['low', 'high']);
const OPTIONS = [MODE, MODEL, FAST, EFFORT];

const setMode = (handle: AgentHandle, mode: string) =>
  new Promise<string | undefined>((done) => handle.setMode(mode, done));
const setOption = (handle: AgentHandle, id: string, value: string | boolean) =>
  new Promise<string | undefined>((done) => handle.setOption(id, value, done));
const params = (rig: ReturnType<typeof startRig>, method: string) =>
  rig.messages(method).map((sent) => sent.params);

describe('what is configured', () => {
  it('is set before the session starts: mode, then model, then the options (R-052, R-053, R-054)', async () => {
    const rig = startRig({
      agent: { mode: 'plan', model: 'small', config: { fast: 'true', effort: 'high' } },
      script: { session: { modes: MODES, configOptions: [MODEL, FAST, EFFORT] } },
    });
    await rig.next('started');
    expect(rig.received().slice(2)).toEqual([
      'session/set_mode',
      ...Array(3).fill('session/set_config_option'),
    ]);
    expect(params(rig, 'session/set_mode')).toEqual([{ sessionId: 's1', modeId: 'plan' }]);
    expect(params(rig, 'session/set_config_option')).toEqual([
      { sessionId: 's1', configId: 'llm', value: 'small' },
      { sessionId: 's1', configId: 'fast', type: 'boolean', value: true },
      { sessionId: 's1', configId: 'effort', value: 'high' },
    ]);
    const latest = rig
      .of('options')
      .at(-1)
      ?.options.map(({ id, current }) => [id, current]);
    expect(latest).toEqual([
      ['llm', 'small'],
      ['fast', true],
      ['effort', 'high'],
    ]);
    expect(rig.of('refused')).toEqual([]);
  });

  it('and is so already is not set (F-121)', async () => {
    const rig = startRig({
      agent: { mode: 'ask', model: 'big', config: { fast: 'false', effort: 'low' } },
      script: { session: { modes: MODES, configOptions: OPTIONS } },
    });
    await rig.next('started');
    expect(rig.received()).toEqual(['initialize', 'session/new']);
  });

  it('sets the mode only of a fresh session, the model of every one', async () => {
    const rig = startRig({
      agent: { mode: 'plan', model: 'small' },
      spec: { resume: 'old' },
      script: { capabilities: { loadSession: true }, session: { configOptions: OPTIONS } },
    });
    await rig.next('started');
    expect(params(rig, 'session/set_config_option')).toEqual([
      { sessionId: 'old', configId: 'llm', value: 'small' },
    ]);
  });

  it('and is refused leaves a session that works, with a reason each and no value in the log', async () => {
    const rig = startRig({
      agent: {
        mode: 'nowhere',
        model: 'huge',
        config: { gone: 'marker-1', fast: 'marker-2', effort: 'marker-3' },
      },
      script: {
        session: { modes: MODES, configOptions: OPTIONS },
        on: { 'session/set_config_option': ['fail -32602 not that one'] },
      },
    });
    await rig.next('started');
    expect(await rig.prompt('hello')).toEqual({ stop: 'end_turn' });
    expect(rig.of('refused')).toEqual([
      { type: 'refused', what: 'mode', id: 'nowhere', message: 'Scripted has no mode "nowhere"' },
      {
        type: 'refused',
        what: 'option',
        id: 'llm',
        message: 'Scripted refused session/set_config_option: not that one',
      },
      {
        type: 'refused',
        what: 'option',
        id: 'gone',
        message: 'Scripted has no option "gone"; there are: mode, llm, fast, effort',
      },
      {
        type: 'refused',
        what: 'option',
        id: 'fast',
        message: 'The option fast of Scripted is true or false',
      },
      {
        type: 'refused',
        what: 'option',
        id: 'effort',
        message: 'Scripted refused session/set_config_option: not that one',
      },
    ]);
    const types = rig.events.map(({ type }) => type);
    expect(types.indexOf('started')).toBeLessThan(types.indexOf('refused'));
    expect(rig.logged.filter((line) => line.includes('did not take'))).toHaveLength(5);
    expect(rig.logged.join('\n')).not.toContain('marker');
  });

  it('names a model although the agent has no option for one is refused, not fatal', async () => {
    const rig = startRig({ agent: { model: 'small' } });
    expect(await rig.next('refused')).toMatchObject({ what: 'option', id: 'model' });
    expect(rig.received()).toEqual(['initialize', 'session/new']);
  });
});

describe('a mode that a client chooses', () => {
  it('is set by session/set_mode where there are only modes', async () => {
    const rig = startRig({ script: { session: { modes: MODES } } });
    await rig.next('started');
    expect(await setMode(rig.handle, 'plan')).toBeUndefined();
    expect(params(rig, 'session/set_mode')).toEqual([{ sessionId: 's1', modeId: 'plan' }]);
    expect(rig.of('modes').at(-1)).toEqual({ type: 'modes', current: 'plan' });
    expect(await setMode(rig.handle, 'plan')).toBeUndefined();
    expect(rig.messages('session/set_mode')).toHaveLength(1);
    expect(await setMode(rig.handle, 'nowhere')).toBe('Scripted has no mode "nowhere"');
  });

  it.each([
    ['without modes', {}],
    ['beside modes', { modes: MODES }],
  ])('is set as the option of that category %s (acp-to-ahp 2.9)', async (_, modes) => {
    const rig = startRig({ script: { session: { ...modes, configOptions: OPTIONS } } });
    await rig.next('started');
    expect(rig.of('modes').at(-1)).toMatchObject({ current: 'ask' });
    expect(await setMode(rig.handle, 'plan')).toBeUndefined();
    expect(params(rig, 'session/set_config_option')).toEqual([
      { sessionId: 's1', configId: 'mode', value: 'plan' },
    ]);
    expect(rig.received()).not.toContain('session/set_mode');
    expect(rig.of('modes').at(-1)).toMatchObject({ current: 'plan' });
  });

  it('and that the agent refuses stays unset, with its reason', async () => {
    const rig = startRig({
      script: { session: { modes: MODES }, on: { 'session/set_mode': ['fail -32602 not on this model'] } },
    });
    await rig.next('started');
    expect(await setMode(rig.handle, 'plan')).toBe('Scripted refused session/set_mode: not on this model');
    expect(rig.of('modes')).toHaveLength(1);
  });
});

describe('an option that a client chooses', () => {
  it('is set, and the whole list of the answer is told (F-118)', async () => {
    const list = [select('llm', 'small', ['big', 'small'], 'model')];
    const rig = startRig({
      script: {
        session: { configOptions: OPTIONS },
        on: { 'session/set_config_option': [`answer ${JSON.stringify({ configOptions: list })}`] },
      },
    });
    await rig.next('started');
    expect(await setOption(rig.handle, 'llm', 'small')).toBeUndefined();
    expect(
      rig
        .of('options')
        .at(-1)
        ?.options.map(({ id }) => id),
    ).toEqual(['llm']);
    expect(await setOption(rig.handle, 'fast', true)).toBe('Scripted has no option "fast"; there are: llm');
  });

  it('is told by itself when the agent answers without a list', async () => {
    const rig = startRig({
      script: { session: { configOptions: [FAST] }, on: { 'session/set_config_option': ['answer {}'] } },
    });
    await rig.next('started');
    expect(await setOption(rig.handle, 'fast', true)).toBeUndefined();
    expect(rig.of('options').at(-1)?.options).toMatchObject([{ id: 'fast', current: true }]);
  });

  it('with a value of the wrong kind is refused unasked, and one it has already is not set again', async () => {
    const rig = startRig({ script: { session: { configOptions: OPTIONS } } });
    await rig.next('started');
    expect(await setOption(rig.handle, 'fast', 'true')).toContain('true or false');
    expect(await setOption(rig.handle, 'effort', true)).toContain('one of its choices');
    expect(await setOption(rig.handle, 'effort', 'low')).toBeUndefined();
    expect(rig.received()).not.toContain('session/set_config_option');
  });

  it('may change while a turn runs (F-119)', async () => {
    const rig = startRig({ script: { session: { configOptions: [FAST] }, prompts: [['say x', 'hang']] } });
    await rig.next('started');
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    await rig.next('text');
    expect(await setOption(rig.handle, 'fast', true)).toBeUndefined();
    rig.handle.cancel('a');
    expect((await rig.next('turnEnded')).outcome).toEqual({ stop: 'cancelled' });
  });
});
