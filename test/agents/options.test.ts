// Modes and options as an agent lists them, and the last word on each.
import { describe, expect, it } from 'vitest';
import { modesOf, Options, optionsOf } from '../../src/agents/acp/options.ts';

const choices = [
  { value: 'ask', name: 'Ask', description: 'asks' },
  { value: 'plan', name: 'Plan' },
];
const modeOption = (current: string, id = 'mode') =>
  ({ id, name: 'Mode', category: 'mode', type: 'select', current, choices }) as const;
const optionList = (current: string) => ({ type: 'options', options: [modeOption(current)] }) as const;
const MODES = {
  type: 'modes',
  current: 'ask',
  available: [
    { id: 'ask', name: 'Ask', description: 'asks' },
    { id: 'plan', name: 'Plan', description: null },
  ],
} as const;

describe('reading modes', () => {
  it('is lenient', () => {
    expect(modesOf({})).toEqual([]);
    expect(modesOf({ modes: null })).toEqual([]);
    expect(modesOf({ modes: { availableModes: [{ id: 'a' }, { name: 'no id' }, 7] } })).toEqual([
      { type: 'modes', available: [{ id: 'a', name: 'a', description: null }] },
    ]);
  });
});

describe('reading options', () => {
  it('takes selects with and without groups and booleans, and leaves unknown types out', () => {
    expect(
      optionsOf({
        configOptions: [
          {
            id: 'model',
            name: 'Model',
            description: 'd',
            category: 'model',
            type: 'select',
            currentValue: 'b',
            options: [
              { group: 'g', name: 'Group', options: [{ value: 'a', name: 'A', description: 'x' }] },
              { value: 'b' },
              { name: 'no value' },
            ],
          },
          { id: 'fast', name: 'Fast', type: 'boolean', currentValue: true },
          { id: 'slider', name: 'Slider', type: 'range', currentValue: 3 },
          { id: 'odd', type: 'boolean', currentValue: 'yes' },
          { name: 'no id', type: 'boolean', currentValue: true },
        ],
      }),
    ).toEqual([
      {
        type: 'options',
        options: [
          {
            id: 'model',
            name: 'Model',
            description: 'd',
            category: 'model',
            type: 'select',
            current: 'b',
            choices: [
              { value: 'a', name: 'A', description: 'x', group: 'Group' },
              { value: 'b', name: 'b' },
            ],
          },
          { id: 'fast', name: 'Fast', type: 'boolean', current: true },
        ],
      },
    ]);
    expect(optionsOf({ configOptions: null })).toEqual([]);
    expect(optionsOf({ configOptions: [] })).toEqual([{ type: 'options', options: [] }]);
  });
});

describe('the options of a session', () => {
  it('give the modes where the agent lists none of their own (acp-to-ahp 2.9)', () => {
    const options = new Options();
    expect(options.hear(optionList('ask'))).toEqual([optionList('ask'), MODES]);
    expect(options.modes?.current).toBe('ask');
  });

  it('follow the modes, and the modes follow them', () => {
    const options = new Options();
    options.hear(MODES);
    expect(options.hear(optionList('ask'))).toEqual([optionList('ask')]);
    expect(options.hear({ type: 'modes', current: 'plan' })).toEqual([
      { type: 'modes', current: 'plan' },
      optionList('plan'),
    ]);
    expect(options.hear(optionList('ask'))).toEqual([optionList('ask'), { type: 'modes', current: 'ask' }]);
  });

  it('do not touch modes they do not know of', () => {
    const options = new Options();
    options.hear(MODES);
    expect(options.hear(optionList('elsewhere'))).toEqual([optionList('elsewhere')]);
    expect(options.hear({ type: 'modes', current: 'nowhere' })).toHaveLength(1);
  });

  it('are replaced by a new list, never merged with it', () => {
    const options = new Options();
    options.hear(optionList('ask'));
    options.hear({ type: 'options', options: [] });
    expect(options.find('mode')).toBeUndefined();
    expect(options.ids).toEqual([]);
  });

  it('pass every other event on as it is', () => {
    const event = { type: 'title', title: 'T' } as const;
    expect(new Options().hear(event)).toEqual([event]);
  });
});
