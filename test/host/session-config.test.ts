import { describe, expect, it } from 'vitest';
import type { AgentOption } from '../../src/host/ports.ts';
import { INVALID_PARAMS } from '../../src/protocol/errors.ts';
import { ROOT_URI } from '../../src/protocol/state-root.ts';
import { createRig, FOLDER, SESSION } from '../support/host-rig.ts';

const model = (current: string): AgentOption => ({
  id: 'model',
  name: 'Model',
  type: 'select',
  current,
  choices: [
    { value: 'big', name: 'Big', description: 'thinks' },
    { value: 'small', name: 'Small', group: 'Quick' },
  ],
});
const fast: AgentOption = {
  id: 'fast',
  name: 'Fast',
  description: 'hurries',
  type: 'boolean',
  current: false,
};
const SECOND = 'ahp-session:/second';
const code = expect.objectContaining({ code: INVALID_PARAMS });

/** The options become known with a first session; a second one has them as its configuration. */
function known(config: Record<string, unknown> = {}) {
  const rig = createRig();
  const { client } = rig.session();
  rig.agent().report({ type: 'options', options: [model('big'), fast] });
  rig.agent().started();
  rig.host.createSession(client, { channel: SECOND, workingDirectories: [FOLDER], config });
  client.subscribe(SECOND);
  const values = () => client.sessionState(SECOND).config?.values;
  const change = (more: Record<string, unknown>, replace?: boolean) =>
    client.dispatch(SECOND, { type: 'session/configChanged', config: more, ...(replace && { replace }) });
  const start = () => {
    rig.agent().report({ type: 'options', options: [model('big'), fast] });
    rig.agent().started();
  };
  return { rig, client, values, change, start };
}

describe('the configuration of a session', () => {
  it('is absent while nothing is known of the options, and the whole set afterwards (P-6)', () => {
    const { rig, client } = known();
    expect(client.sessionState(SESSION).config).toBeUndefined();
    const resolved = rig.host.resolveSessionConfig({ channel: ROOT_URI, config: { fast: true, unknown: 1 } });
    expect(resolved).toEqual({
      schema: {
        type: 'object',
        properties: {
          model: {
            type: 'string',
            title: 'Model',
            enum: ['big', 'small'],
            enumLabels: ['Big', 'Quick: Small'],
            enumDescriptions: ['thinks', ''],
            enumDynamic: true,
            sessionMutable: true,
          },
          fast: { type: 'boolean', title: 'Fast', description: 'hurries', sessionMutable: true },
        },
      },
      values: { model: 'big', fast: true },
    });
    expect(client.sessionState(SECOND).config).toEqual({
      ...resolved,
      values: { model: 'big', fast: false },
    });
    expect(rig.host.resolveSessionConfig({ channel: ROOT_URI, provider: 'nobody' }).values).toEqual({});
  });

  it.each([
    ['', ['big', 'small']],
    ['SMA', ['small']],
    ['quick', []],
  ])('completes %j to %j (P-7)', (query, expected) => {
    const { rig } = known();
    const items = rig.host.sessionConfigCompletions({ channel: ROOT_URI, property: 'model', query });
    expect(items.map(({ value }) => value)).toEqual(expected);
    expect(rig.host.sessionConfigCompletions({ channel: ROOT_URI, property: 'fast' })).toEqual([]);
  });

  it('takes values at creation, sets them once the agent is there, and refuses what does not fit (SE-9, X-20)', () => {
    const { rig, values, start } = known({ model: 'small', unknown: 'x' });
    expect(values()).toEqual({ model: 'small', fast: false });
    start();
    expect(rig.agent().calls).toEqual([['setOption', 'model', 'small']]);
    const create = (config: object) => () =>
      rig.host.createSession(rig.client(), {
        channel: 'ahp-session:/c',
        workingDirectories: [FOLDER],
        config: { ...config },
      });
    expect(create({ model: 'huge' })).toThrow(code);
    expect(create({ fast: 'yes' })).toThrow(code);
  });

  it('is changed by a client one option at a time (SE-12)', () => {
    const { rig, values, change, start } = known();
    expect(change({ model: 'small' })?.rejectionReason).toMatch(/does not run/);
    start();
    expect(change({ model: 'small' })?.rejectionReason).toBeUndefined();
    expect(change({ fast: false })?.rejectionReason).toBeUndefined();
    expect(rig.agent().calls).toEqual([['setOption', 'model', 'small']]);
    rig.agent().report({ type: 'options', options: [model('small'), fast] });
    rig.agent().optionReply();
    expect(values()).toEqual({ model: 'small', fast: false });
  });

  it.each([
    ['an unknown option', { odd: 1 }, false, /no option odd/],
    ['a choice that is not offered', { model: 'huge' }, false, /one of big, small/],
    ['a value of another type', { fast: 'yes' }, false, /true or false/],
    ['all at once', { model: 'small' }, true, /one by one/],
  ])('refuses %s', (_name, more, replace, reason) => {
    const { rig, values, change, start } = known();
    start();
    expect(change(more, replace)?.rejectionReason).toMatch(reason);
    expect(values()).toEqual({ model: 'big', fast: false });
    expect(rig.agent().calls).toEqual([]);
  });

  it('goes back to the old value when the agent refuses (F-118)', () => {
    const { rig, client, values, change, start } = known();
    start();
    change({ model: 'small' });
    expect(values()).toMatchObject({ model: 'small' });
    rig.agent().optionReply('not today');
    expect(values()).toMatchObject({ model: 'big' });
    expect(client.sessionState(SECOND)._meta).toMatchObject({
      otto: { problem: { text: expect.stringContaining('not today') } },
    });
  });

  it('follows what the agent changes by itself (F-119)', () => {
    const { rig, values, start } = known();
    start();
    rig.agent().report({ type: 'options', options: [model('small')] });
    expect(values()).toEqual({ model: 'small', fast: false });
  });
});
