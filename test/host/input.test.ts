import { describe, expect, it } from 'vitest';
import { answerProblem, completionProblem } from '../../src/host/input.ts';
import type {
  ChatInputAnswer,
  ChatInputAnswerValue,
  ChatInputRequest,
} from '../../src/protocol/state-chat.ts';

const options = ['a', 'b', 'c'].map((id) => ({ id, label: id.toUpperCase() }));
const request: ChatInputRequest = {
  id: 'r',
  questions: [
    { id: 'text', message: 'T', kind: 'text', min: 2, max: 4 },
    { id: 'must', message: 'T', kind: 'text', required: true },
    { id: 'email', message: 'E', kind: 'text', format: 'email' },
    { id: 'uri', message: 'U', kind: 'text', format: 'uri' },
    { id: 'date', message: 'D', kind: 'text', format: 'date' },
    { id: 'time', message: 'D', kind: 'text', format: 'date-time' },
    { id: 'odd', message: 'O', kind: 'text', format: 'colour' },
    { id: 'number', message: 'N', kind: 'number', min: 1, max: 10 },
    { id: 'integer', message: 'I', kind: 'integer' },
    { id: 'boolean', message: 'B', kind: 'boolean' },
    { id: 'one', message: 'S', kind: 'single-select', options, required: true, allowFreeformInput: true },
    { id: 'many', message: 'M', kind: 'multi-select', options, min: 1, max: 2 },
  ],
};

const submitted = (value: ChatInputAnswerValue): ChatInputAnswer => ({ state: 'submitted', value });
const text = (value: string) => submitted({ kind: 'text', value });
const number = (value: number) => submitted({ kind: 'number', value });
const many = (...value: string[]) => submitted({ kind: 'selected-many', value });

describe('an answer', () => {
  it.each<[string, ChatInputAnswer | undefined]>([
    ['text', text('abc')],
    ['text', text('')],
    ['text', text('😀😀😀😀')],
    ['text', undefined],
    ['email', text('a@b')],
    ['uri', text('https://x.test/?q')],
    ['uri', text('http://me:pw@[::1]:8080/a%20b#c')],
    ['uri', text('https://пример.test')],
    ['uri', text('https://x.test/?ids[]=1')],
    ['uri', text('file:///etc/hosts')],
    ['uri', text('mailto:a@b')],
    ['date', text('2024-02-29')],
    ['time', text('2024-02-29T23:59:60.5+01:00')],
    ['odd', text('anything at all')],
    ['number', number(1)],
    ['number', number(9.5)],
    ['integer', number(-3)],
    ['boolean', submitted({ kind: 'boolean', value: false })],
    ['one', submitted({ kind: 'selected', value: 'a' })],
    ['one', submitted({ kind: 'selected', value: 'a', freeformValues: ['and more'] })],
    ['one', { state: 'skipped', freeformValues: ['typed'] }],
    ['one', { state: 'skipped' }],
    ['many', many('a', 'c')],
    ['text', { state: 'draft', value: { kind: 'text', value: 'far too long for now' } }],
  ])('to %s fits: %j', (id, answer) => {
    expect(answerProblem(request, id, answer)).toBeUndefined();
  });

  it.each<[string, ChatInputAnswer, RegExp]>([
    ['nothing', text('x'), /no question/],
    ['text', number(1), /kind text/],
    ['text', { state: 'draft', value: { kind: 'number', value: 1 } }, /kind text/],
    ['integer', text('3'), /kind number/],
    ['boolean', text('true'), /kind boolean/],
    ['one', many('a'), /kind selected/],
    ['many', submitted({ kind: 'selected', value: 'a' }), /kind selected-many/],
    ['text', text('a'), /shorter/],
    ['text', text('abcde'), /longer/],
    ['must', text(''), /empty/],
    ['email', text('a b@c'), /email/],
    ['uri', text('no scheme'), /uri/],
    ['uri', text('http://['), /uri/],
    ['uri', text('http://[::1'), /uri/],
    ['uri', text('http://'), /uri/],
    ['uri', text('https:///'), /uri/],
    ['uri', text('http://x:port/'), /uri/],
    ['uri', text('http://a%/'), /uri/],
    ['uri', text('mailto:'), /uri/],
    ['date', text('2023-02-29'), /date/],
    ['date', text('23-02-28'), /date/],
    ['time', text('2024-02-29 10:00'), /date-time/],
    ['time', text('2024-02-29T25:00:00Z'), /date-time/],
    ['number', number(0), /less/],
    ['number', number(11), /more/],
    ['number', number(Number.NaN), /not a number/],
    ['integer', number(1.5), /whole/],
    ['one', submitted({ kind: 'selected', value: 'z' }), /not an option/],
    ['many', many('a', 'a'), /twice/],
    ['many', many(), /at least 1/],
    ['many', many('a', 'b', 'c'), /at most 2/],
    [
      'many',
      submitted({ kind: 'selected-many', value: ['a'], freeformValues: ['lost'] }),
      /only the offered/,
    ],
    ['text', { state: 'skipped', freeformValues: ['lost'] }, /only the offered/],
  ])('to %s is refused: %j (F-071)', (id, answer, reason) => {
    expect(answerProblem(request, id, answer)).toMatch(reason);
  });
});

describe('a completion', () => {
  const enough = { must: text('x'), one: submitted({ kind: 'selected', value: 'a' }) };

  it('is accepted with every required answer submitted', () => {
    expect(completionProblem(request, 'accept', enough)).toBeUndefined();
    expect(
      completionProblem(request, 'accept', { ...enough, one: { state: 'skipped', freeformValues: ['x'] } }),
    ).toBeUndefined();
  });

  it.each<[string, Record<string, ChatInputAnswer>]>([
    ['missing', { one: enough.one }],
    ['only a draft', { ...enough, must: { state: 'draft', value: { kind: 'text', value: 'x' } } }],
    ['skipped', { ...enough, must: { state: 'skipped' } }],
    ['skipped with blank text', { ...enough, one: { state: 'skipped', freeformValues: [' '] } }],
  ])('is refused while a required answer is %s (C-25)', (_name, answers) => {
    expect(completionProblem(request, 'accept', answers)).toMatch(/required question/);
  });

  it('wants an option or words of a required list beside a text; blank words are none (F-071)', () => {
    const beside = (allowFreeformInput: boolean): ChatInputRequest => ({
      id: 'r',
      questions: [
        { id: 'q', message: 'Q', kind: 'multi-select', options, required: true, allowFreeformInput },
      ],
    });
    const given = (value: string[], ...freeformValues: string[]) => ({
      q: submitted({ kind: 'selected-many', value, freeformValues }),
    });
    for (const answers of [given([]), given([], ' ', ''), given([], '\t\n')]) {
      expect(completionProblem(beside(true), 'accept', answers)).toMatch(/required question q/);
    }
    for (const answers of [given([], ' ', 'words'), given(['a'], ' ')]) {
      expect(completionProblem(beside(true), 'accept', answers)).toBeUndefined();
    }
    // Without a text nothing picked is an answer of its own.
    expect(completionProblem(beside(false), 'accept', given([]))).toBeUndefined();
  });

  it.each(['decline', 'cancel'] as const)('%s needs no answers, but what is given must fit', (response) => {
    expect(completionProblem(request, response, {})).toBeUndefined();
    expect(completionProblem(request, response, { number: number(99) })).toMatch(/more than 10/);
  });

  it('is not fooled by a question named like a property of every object', () => {
    const proto: ChatInputRequest = {
      id: 'r',
      questions: [{ id: 'constructor', message: 'C', kind: 'text', required: true }],
    };
    expect(completionProblem(proto, 'accept', {})).toMatch(/required question constructor/);
  });
});
