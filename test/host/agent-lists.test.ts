import { describe, expect, it } from 'vitest';
import type { AgentOption } from '../../src/host/ports.ts';
import { INVALID_PARAMS } from '../../src/protocol/errors.ts';
import { ROOT_URI, type RootState } from '../../src/protocol/state-root.ts';
import { createRig, SESSION } from '../support/host-rig.ts';

const MODEL: AgentOption = {
  id: 'model',
  name: 'Model',
  category: 'model',
  type: 'select',
  current: 'big',
  choices: [
    { value: 'big', name: 'Big' },
    { value: 'small', name: 'Small' },
  ],
};
const FAST: AgentOption = { id: 'fast', name: 'Fast', type: 'boolean', current: false };
const code = (expected: number) => expect.objectContaining({ code: expected });

function withOptions() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().report({ type: 'options', options: [MODEL, FAST] });
  rig.agent().started();
  const otto = () =>
    client.sessionState()._meta?.['otto'] as
      | { options?: AgentOption[]; problem?: { text: string } }
      | undefined;
  const set = (id: string, value: string | boolean) => rig.host.setOption({ channel: SESSION, id, value });
  return { rig, client, chat, otto, set };
}

describe('options', () => {
  it('are published as the complete list, and the newest list replaces the one before (F-119)', () => {
    const { rig, otto } = withOptions();
    expect(otto()?.options).toEqual([MODEL, FAST]);
    rig.agent().report({ type: 'options', options: [{ ...MODEL, current: 'small' }] });
    expect(otto()?.options).toEqual([{ ...MODEL, current: 'small' }]);
  });

  it('of the category model are the models of the agent', () => {
    const { client } = withOptions();
    const { agents } = client.states.get(ROOT_URI) as RootState;
    expect(agents[0]?.models).toEqual([
      { id: 'big', provider: 'fake', name: 'Big' },
      { id: 'small', provider: 'fake', name: 'Small' },
    ]);
  });

  it('are set by a client, and not when they have that value already (F-121)', () => {
    const { rig, set } = withOptions();
    set('model', 'big');
    expect(rig.agent().calls).toEqual([]);
    set('model', 'small');
    set('fast', true);
    expect(rig.agent().calls).toEqual([
      ['setOption', 'model', 'small'],
      ['setOption', 'fast', true],
    ]);
  });

  it.each([
    ['nothing', 'x'],
    ['model', 'huge'],
    ['model', true],
    ['fast', 'yes'],
  ])('refuse %s = %s', (id, value) => {
    const { set } = withOptions();
    expect(() => set(id, value)).toThrow(code(INVALID_PARAMS));
  });

  it('that the agent refuses leave a usable session and a word about it (R-053, F-121)', () => {
    const { rig, client, chat, otto, set } = withOptions();
    set('model', 'small');
    rig.agent().optionReply('not on your plan');
    expect(otto()?.problem?.text).toBe('The option model was refused: not on your plan');
    client.queue(chat, 'go');
    rig.agent().report({ type: 'refused', what: 'option', id: 'fast', message: 'no' });
    expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([
      { content: 'The option fast was refused: no' },
    ]);
  });
});

describe('commands', () => {
  const commands = [
    { name: 'init', description: 'Start\n  here' },
    { name: '$skill', description: 'A skill', hint: 'what to do' },
  ];

  function withCommands() {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().report({ type: 'commands', commands });
    return { rig, client, chat };
  }

  it('are what a person can invoke, in one container; an equal list is dropped', () => {
    const { rig, client } = withCommands();
    expect(client.sessionState().customizations).toEqual([
      {
        type: 'plugin',
        id: 'otto:commands',
        uri: 'x-otto-commands:/fake',
        name: "Fake's commands",
        load: { kind: 'loaded' },
        children: [
          {
            type: 'prompt',
            id: 'otto:commands/init',
            uri: 'x-otto-commands:/fake/init',
            name: 'init',
            description: 'Start here',
          },
          {
            type: 'prompt',
            id: 'otto:commands/$skill',
            uri: 'x-otto-commands:/fake/$skill',
            name: '$skill',
            description: 'A skill',
            _meta: { otto: { hint: 'what to do' } },
          },
        ],
      },
    ]);
    client.seen();
    rig.agent().report({ type: 'commands', commands });
    expect(client.seen()).toEqual([]);
  });

  it.each([
    ['/', ['/init']],
    ['/in', ['/init']],
    ['$', ['$skill']],
    ['/other', []],
    ['please /in', []],
    ['/init now', []],
    ['', []],
  ])('complete %j to %j', (text, names) => {
    const { rig, chat } = withCommands();
    const { items } = rig.host.completions({ channel: chat, kind: 'userMessage', text, offset: text.length });
    expect(items.map(({ attachment }) => attachment.label)).toEqual(names);
    for (const item of items) {
      const [label] = names;
      expect(item).toMatchObject({ insertText: `${label} `, rangeStart: 0, rangeEnd: text.length });
    }
  });
});

it('the root says which agents have a colour, a folder, or cannot be started (R-038)', () => {
  const info = (provider: string) => ({ provider, displayName: provider, description: '', models: [] });
  const entry = (provider: string, more = {}) => ({
    info: info(provider),
    permissions: 'deny' as const,
    forgets: false,
    ...more,
  });
  const rootOf = (...agents: ReturnType<typeof entry>[]) => {
    const client = createRig({ agents }).client();
    client.subscribe(ROOT_URI);
    return (client.states.get(ROOT_URI) as RootState)._meta;
  };
  expect(rootOf(entry('a'))).toBeUndefined();
  expect(
    rootOf(
      entry('a'),
      entry('b', { colour: 'teal', unavailable: 'no such program' }),
      entry('c', { folder: 'file:///dev' }),
    ),
  ).toEqual({
    otto: { colours: { b: 'teal' }, folders: { c: 'file:///dev' }, unavailable: { b: 'no such program' } },
  });
});
