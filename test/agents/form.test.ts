// Forms of agents as input requests, and answers as content: both directions, without a process.
import { describe, expect, it } from 'vitest';
import { type Form, readForm } from '../../src/agents/acp/form.ts';
import { contentOf } from '../../src/agents/acp/form-answers.ts';
import { completionProblem } from '../../src/host/input.ts';
import type { ChatInputAnswers } from '../../src/protocol/state-chat.ts';

function form(properties: object, required: string[] = [], message: string | undefined = 'M'): Form {
  const read = readForm({ message, requestedSchema: { type: 'object', properties, required } }, 'r');
  if ('unfit' in read) throw new Error(read.unfit);
  return read;
}

const questions = (properties: object, required?: string[]) => form(properties, required).request.questions;
/** Two fields, so that the rule for a lone question does not hide the words. */
const first = (property: object) => questions({ f: property, other: { type: 'boolean' } })?.[0];
const AB = [
  { id: 'a', label: 'A' },
  { id: 'b', label: 'B' },
];

describe('a field of a form', () => {
  it.each([
    [
      {
        type: 'string',
        description: 'D',
        title: 'T',
        format: 'email',
        minLength: 1,
        maxLength: 9,
        default: 'x',
      },
      { kind: 'text', message: 'D', title: 'T', format: 'email', min: 1, max: 9, defaultValue: 'x' },
    ],
    [
      { type: 'string', title: 'T', pattern: '(a+)+$', 'x-vendor': 1 },
      { kind: 'text', message: 'T' },
    ],
    [{ type: ['string', 'null'] }, { kind: 'text', message: 'f' }],
    [
      { type: 'number', minimum: 0, maximum: 1.5, default: 0.5 },
      { kind: 'number', message: 'f', min: 0, max: 1.5, defaultValue: 0.5 },
    ],
    [
      { type: 'integer', minimum: '0' },
      { kind: 'integer', message: 'f' },
    ],
    [
      { type: 'boolean', default: false },
      { kind: 'boolean', message: 'f', defaultValue: false },
    ],
  ])('%j', (property, question) => {
    expect(first(property)).toEqual({ id: 'f', ...question });
  });

  it.each([
    [
      'enum',
      { type: 'string', enum: ['a', 'b', 3] },
      [
        { id: 'a', label: 'a' },
        { id: 'b', label: 'b' },
      ],
    ],
    ['enum and enumNames', { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }, AB],
    [
      'oneOf',
      {
        type: 'string',
        oneOf: [{ const: 'a', title: 'A', description: 'd' }, { const: 'b' }, { const: 1 }],
        default: 'b',
      },
      [
        { id: 'a', label: 'A', description: 'd' },
        { id: 'b', label: 'b', recommended: true },
      ],
    ],
    [
      'anyOf',
      { type: 'string', anyOf: [{ const: 'a', title: 'A' }, { const: 'b', title: 'B' }, { const: 'a' }] },
      AB,
    ],
    ['no type at all', { enum: ['a'] }, [{ id: 'a', label: 'a' }]],
  ])(
    'with choices by %s is a single select whose values are the constants (F-073)',
    (_, property, options) => {
      expect(first(property)).toEqual({
        id: 'f',
        message: 'f',
        kind: 'single-select',
        options,
        allowFreeformInput: false,
      });
    },
  );

  it.each([
    [{ enum: ['a', 'b'], enumNames: ['A', 'B'] }],
    [
      {
        anyOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    ],
    [
      {
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
    ],
  ])('with items %j is a multi select (F-073)', (items) => {
    expect(first({ type: 'array', items, minItems: 1, maxItems: 2, default: ['b'] })).toEqual({
      id: 'f',
      message: 'f',
      kind: 'multi-select',
      options: [AB[0], { ...AB[1], recommended: true }],
      min: 1,
      max: 2,
      allowFreeformInput: false,
    });
  });

  it('of another kind is left out when it is optional, and makes the form unfit when it is not', () => {
    const odd = {
      o: { type: 'object' },
      l: { type: 'array', items: { type: 'string' } },
      s: { type: 'string' },
    };
    expect(questions(odd)?.map(({ id }) => id)).toEqual(['s']);
    expect(readForm({ requestedSchema: { properties: odd, required: ['l'] } }, 'r')).toEqual({
      unfit: 'its required field "l" is of a kind that cannot be asked',
    });
    expect(readForm({ requestedSchema: { properties: {}, required: ['gone'] } }, 'r')).toHaveProperty(
      'unfit',
    );
  });
});

describe('a form', () => {
  it('keeps the order of its author, marks required fields and takes any name', () => {
    const read = form(
      JSON.parse('{"z":{"type":"string"},"__proto__":{"type":"boolean"},"a":{"type":"string"}}'),
      ['__proto__'],
    );
    expect(read.request).toEqual({
      id: 'r',
      message: 'M',
      questions: [
        { id: 'z', kind: 'text', message: 'z' },
        { id: '__proto__', kind: 'boolean', message: '__proto__', required: true },
        { id: 'a', kind: 'text', message: 'a' },
      ],
    });
    const answers = JSON.parse('{"__proto__":{"state":"submitted","value":{"kind":"boolean","value":true}}}');
    expect(JSON.stringify(contentOf(read, answers))).toBe('{"__proto__":true}');
  });

  it('without fields is a message to accept or decline', () => {
    for (const requestedSchema of [{ type: 'object', properties: {} }, undefined, 'x']) {
      const read = readForm({ message: 'Go on?', requestedSchema }, 'r');
      expect(read).toMatchObject({ request: { id: 'r', message: 'Go on?', questions: [] } });
    }
  });

  it('with one question that has no words takes them from the message of the request', () => {
    expect(form({ q: { type: 'string', title: 'Name' } }, [], 'What is it called?').request).toEqual({
      id: 'r',
      questions: [{ id: 'q', kind: 'text', message: 'What is it called?', title: 'Name' }],
    });
    expect(form({ q: { type: 'string', description: 'D' } }).request).toEqual({
      id: 'r',
      message: 'M',
      questions: [{ id: 'q', kind: 'text', message: 'D' }],
    });
  });
});

const select = {
  type: 'string',
  title: 'Pick',
  oneOf: [
    { const: 'a', title: 'A' },
    { const: 'b', title: 'B' },
  ],
};
const other = { type: 'string', title: 'Other' };

describe('the typed answer of a select', () => {
  it.each([
    ['by name', other, 'question_0_custom'],
    [
      'by mark',
      {
        ...other,
        _meta: { _askUserQuestionCustomAnswer: { questionId: 'question_0', isCustomAnswer: true } },
      },
      'x',
    ],
    [
      'by the other mark',
      { ...other, _meta: { jetbrains: { air: { customAnswer: { questionId: 'question_0' } } } } },
      'x',
    ],
  ])('is folded into it, recognised %s', (_, field, name) => {
    const read = form({ question_0: select, [name]: field, question_1: { type: 'boolean' } });
    expect(read.request.questions).toMatchObject([
      { id: 'question_0', kind: 'single-select', allowFreeformInput: true },
      { id: 'question_1' },
    ]);
    expect(read.typed.get('question_0')).toEqual({ field: name });
  });

  it.each([
    ['its target is no select', { q: { type: 'string' }, q_custom: other }, []],
    ['it has to be filled', { q: select, q_custom: other }, ['q_custom']],
    ['the select has to be answered', { q: select, q_custom: other }, ['q']],
    [
      'it says that it is none',
      {
        q: select,
        q_custom: {
          ...other,
          _meta: { _askUserQuestionCustomAnswer: { questionId: 'q', isCustomAnswer: false } },
        },
      },
      [],
    ],
    ['there is no select of that name', { p: select, q_custom: other }, []],
  ])('stays a question of its own when %s', (_, properties, required) => {
    const read = form(properties, required);
    expect(read.request.questions).toHaveLength(2);
    expect(read.typed.size).toBe(0);
  });
});

const marked = (type: object) => ({
  q: type,
  note: { ...other, _meta: { _askUserQuestionCustomAnswer: { questionId: 'q', isCustomAnswer: true } } },
});
const list = (more: object = {}) => ({ type: 'array', items: { enum: ['a', 'b'] }, ...more });

describe('the typed answer of a select that has to be answered (F-071)', () => {
  it.each([
    ['a marked one with a list of at least one', marked(list({ minItems: 1 }))],
    ['a marked one with one choice', marked(select)],
    ['one of that name with a list of at least one', { q: list({ minItems: 1 }), q_custom: other }],
  ])('stays a question of its own where words alone leave it without a value: %s', (_, properties) => {
    const read = form(properties, ['q']);
    expect(read.request.questions).toMatchObject([
      { id: 'q', required: true, allowFreeformInput: false },
      { kind: 'text' },
    ]);
    const words: ChatInputAnswers = { q: { state: 'skipped', freeformValues: ['words'] } };
    expect(completionProblem(read.request, 'accept', words)).toMatch(/only the offered options/);
  });

  it.each([
    ['by mark', marked(list()), 'note'],
    ['by name', { q: list(), q_custom: other }, 'q_custom'],
  ])('is folded into a list that may be empty, recognised %s', (_, properties, field) => {
    const read = form(properties, ['q']);
    expect(read.request.questions).toMatchObject([{ id: 'q', required: true, allowFreeformInput: true }]);
    const none = { kind: 'selected-many' as const, value: [] };
    const blank: ChatInputAnswers = { q: { state: 'submitted', value: { ...none, freeformValues: ['  '] } } };
    expect(completionProblem(read.request, 'accept', blank)).toMatch(/required question q/);
    const inWords: ChatInputAnswers[] = [
      { q: { state: 'submitted', value: { ...none, freeformValues: [' words '] } } },
      { q: { state: 'skipped', freeformValues: ['words'] } },
    ];
    for (const answers of inWords) {
      expect(completionProblem(read.request, 'accept', answers)).toBeUndefined();
      expect(contentOf(read, answers)).toEqual({ q: [], [field]: 'words' });
    }
  });
});

const codex = (more: object) => ({ _meta: { codex: { isSecret: false, ...more } } });
const COLOUR = {
  colour: {
    type: 'string',
    title: 'Which?',
    description: 'Colour',
    ...codex({ isOther: true }),
    oneOf: [
      { const: 'Blue', title: 'Blue' },
      { const: 'None of the above', title: 'None of the above' },
    ],
  },
  colour_note: { type: 'string', title: 'Note', ...codex({ questionId: 'colour', role: 'user_note' }) },
};

describe('a form of Codex', () => {
  it('has question and heading the other way round, and its note folded', () => {
    expect(form(COLOUR, ['colour'], 'Codex needs your input to continue.').request).toEqual({
      id: 'r',
      message: 'Codex needs your input to continue.',
      questions: [
        {
          id: 'colour',
          kind: 'single-select',
          title: 'Colour',
          message: 'Which?',
          required: true,
          allowFreeformInput: true,
          options: [
            { id: 'Blue', label: 'Blue' },
            { id: 'None of the above', label: 'None of the above' },
          ],
        },
      ],
    });
  });

  it('answered only in words chooses "None of the above"', () => {
    const read = form(COLOUR, ['colour']);
    const skipped: ChatInputAnswers = { colour: { state: 'skipped', freeformValues: [' Green '] } };
    expect(contentOf(read, skipped)).toEqual({ colour: 'None of the above', colour_note: 'Green' });
    const both: ChatInputAnswers = {
      colour: { state: 'submitted', value: { kind: 'selected', value: 'Blue', freeformValues: ['light'] } },
    };
    expect(contentOf(read, both)).toEqual({ colour: 'Blue', colour_note: 'light' });
  });

  it('that asks for a secret is unfit: everybody could read the answer', () => {
    const read = readForm(
      { requestedSchema: { properties: { k: { type: 'string', ...codex({ isSecret: true }) } } } },
      'r',
    );
    expect(read).toMatchObject({ unfit: expect.stringContaining('secret') });
  });
});

describe('the content of an accepted form', () => {
  const read = form(
    {
      text: { type: 'string' },
      empty: { type: 'string' },
      needed: { type: 'string' },
      number: { type: 'number' },
      flag: { type: 'boolean' },
      one: select,
      one_custom: other,
      many: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      many_custom: other,
      drafted: { type: 'string' },
      skipped: { type: 'string', default: 'never sent' },
    },
    ['needed'],
  );
  const submitted = (value: object) => ({ state: 'submitted', value }) as ChatInputAnswers[string];

  it('holds what was submitted, by field, and nothing else', () => {
    expect(
      contentOf(read, {
        text: submitted({ kind: 'text', value: 'x' }),
        empty: submitted({ kind: 'text', value: '' }),
        needed: submitted({ kind: 'text', value: '' }),
        number: submitted({ kind: 'number', value: 0 }),
        flag: submitted({ kind: 'boolean', value: false }),
        one: submitted({ kind: 'selected', value: 'b', freeformValues: [' x ', '', 'y'] }),
        many: submitted({ kind: 'selected-many', value: ['c', 'a'] }),
        drafted: { state: 'draft', value: { kind: 'text', value: 'no' } },
        skipped: { state: 'skipped' },
        unknown: submitted({ kind: 'text', value: 'no' }),
      }),
    ).toEqual({
      text: 'x',
      needed: '',
      number: 0,
      flag: false,
      one: 'b',
      one_custom: 'x\ny',
      many: ['a', 'c'],
    });
  });

  it('has an empty list only when nothing was typed in its place', () => {
    const none = { kind: 'selected-many', value: [] };
    expect(contentOf(read, { many: submitted(none) })).toEqual({ many: [] });
    expect(contentOf(read, { many: submitted({ ...none, freeformValues: [' '] }) })).toEqual({ many: [] });
    expect(contentOf(read, { many: submitted({ ...none, freeformValues: ['d'] }) })).toEqual({
      many_custom: 'd',
    });
    expect(contentOf(read, { one: { state: 'skipped', freeformValues: ['e'] } })).toEqual({
      one_custom: 'e',
    });
  });
});
