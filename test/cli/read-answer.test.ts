import { describe, expect, test } from 'vitest';
import { named, proposed, readChoice, readField } from '../../src/cli/read-answer.ts';
import type { FormField } from '../../src/client/questions.ts';

const CHOICES = ['Yes', 'Yes, always', 'No', '7 times'].map((label) => ({ label }));

describe('readChoice', () => {
  test.each([
    ['1', 'Yes'],
    ['3', 'No'],
    ['yes', 'Yes'],
    ['yes,', 'Yes, always'],
    ['n', 'No'],
    ['7', '7 times'],
  ])('%j is %s', (typed, label) => {
    expect(readChoice(typed, CHOICES)).toEqual({ value: { label } });
  });

  test.each([
    ['ye', '"ye" fits several; give a number'],
    ['', 'answer with a number, 1 to 4'],
    ['0', 'answer with a number, 1 to 4'],
    ['5', 'answer with a number, 1 to 4'],
    ['-1', 'answer with a number, 1 to 4'],
    ['maybe', 'answer with a number, 1 to 4'],
  ])('%j is none of them', (typed, problem) => {
    expect(readChoice(typed, CHOICES)).toEqual({ problem });
  });

  test('nothing typed never names the only choice', () => {
    expect(readChoice('', CHOICES.slice(0, 1))).toEqual({ problem: 'answer with a number, 1' });
  });
});

const select = (kind: 'single-select' | 'multi-select', allowFreeformInput = false): FormField => ({
  id: 'q',
  message: '',
  kind,
  allowFreeformInput,
  options: ['a', 'b', 'c'].map((id) => ({ id, label: `Option ${id}` })),
});
const many = (...value: string[]) => ({
  value: { state: 'submitted', value: { kind: 'selected-many', value } },
});
const numbers = { problem: 'answer with numbers from 1 to 3, such as 1,3-4; 0 for none' };

describe('readField', () => {
  test.each([
    ['1', many('a')],
    ['3 1', many('a', 'c')],
    ['1-3,2', many('a', 'b', 'c')],
    ['0', many()],
    ['option b', many('b')],
    ['4', numbers],
    ['2-1', numbers],
    ['0-2', numbers],
    ['1-', numbers],
    [',', numbers],
  ])('several options: %j', (typed, read) => {
    expect(readField(typed, select('multi-select'))).toEqual(read);
  });

  test.each([
    ['grey', { state: 'skipped', freeformValues: ['grey'] }],
    ['Option', { state: 'skipped', freeformValues: ['Option'] }],
    [
      '2: but darker',
      { state: 'submitted', value: { kind: 'selected', value: 'b', freeformValues: ['but darker'] } },
    ],
    ['option c', { state: 'submitted', value: { kind: 'selected', value: 'c' } }],
  ])('own words: %j', (typed, value) => {
    expect(readField(typed, select('single-select', true))).toEqual({ value });
  });

  test('a number that is no option is no own word', () => {
    expect(readField('9', select('single-select', true))).toHaveProperty('problem');
    expect(readField('9: more', select('multi-select', true))).toEqual(numbers);
  });

  test.each([
    ['number', '1.5', 1.5],
    ['number', '-0.25', -0.25],
    ['number', '.5', 0.5],
    ['integer', '+007', 7],
    ['integer', '-12', -12],
  ] as const)('as a %s, %s is %d', (kind, typed, value) => {
    expect(readField(typed, { id: 'q', message: '', kind })).toEqual({
      value: { state: 'submitted', value: { kind: 'number', value } },
    });
  });

  test.each([
    ['', 'give a number'],
    ['  ', 'give a number'],
    ['1.5', '"1.5" is not a whole number'],
    ['9007199254740993', '"9007199254740993" is too large'],
  ])('as an integer, %j is none', (typed, problem) => {
    expect(readField(typed, { id: 'q', message: '', kind: 'integer' })).toEqual({ problem });
  });

  test.each([['constructor'], ['__proto__'], ['']])('%j is neither yes nor no', (typed) => {
    expect(readField(typed, { id: 'q', message: '', kind: 'boolean' })).toEqual({ problem: 'answer y or n' });
  });

  test.each([true, false])('a label that several options have names none (own words: %j)', (own) => {
    const options = ['a', 'b'].map((id) => ({ id, label: 'Same' }));
    const twice: FormField = {
      id: 'q',
      message: '',
      kind: 'single-select',
      allowFreeformInput: own,
      options,
    };
    expect(readField('same', twice)).toEqual({ problem: '"same" fits several; give a number' });
  });

  test('ids, which are not shown, do not turn a word into another option', () => {
    const options = [
      { id: 'no', label: 'Allow' },
      { id: 'x', label: 'No, thanks' },
    ];
    expect(readChoice('no', options)).toEqual({ value: options[1] });
  });

  test.each([['Infinity'], ['1e999'], ['1e3'], ['0x10'], ['0b1'], ['1_000'], ['5.'], ['seven'], ['1,5']])(
    '%s is not a number',
    (typed) => {
      expect(readField(typed, { id: 'q', message: '', kind: 'number' })).toEqual({
        problem: `"${typed}" is not a number`,
      });
    },
  );
});

test('only what the form proposes is proposed', () => {
  expect(proposed(select('multi-select'))).toBeUndefined();
  expect(proposed({ id: 'q', message: '', kind: 'text' })).toBeUndefined();
  expect(proposed({ id: 'q', message: '', kind: 'boolean', defaultValue: false })).toEqual({
    text: 'n',
    answer: { state: 'submitted', value: { kind: 'boolean', value: false } },
  });
  expect(proposed({ id: 'q', message: '', kind: 'integer', defaultValue: 0 })?.text).toBe('0');
});

describe('named', () => {
  const choices = [
    { id: 'a', label: 'keep' },
    { id: 'keep', label: 'Drop' },
    { id: 'c', label: 'Twice' },
    { id: 'd', label: 'Twice' },
    { id: 'e\u001b', label: 'Odd\u202e' },
    { id: 'f\u001b', label: 'F' },
    { id: 'f\\u{1b}', label: 'G' },
  ];

  test.each([
    ['keep', ['keep']],
    ['Drop', ['keep']],
    ['Twice', ['c', 'd']],
    ['e\\u{1b}', ['e\u001b']],
    ['f\\u{1b}', ['f\\u{1b}']],
    ['Odd\\u{202e}', ['e\u001b']],
    ['drop', []],
    ['', []],
  ])('%j is the id before it is a label: %j', (name, ids) => {
    expect(named(choices, name).map(({ id }) => id)).toEqual(ids);
  });
});
