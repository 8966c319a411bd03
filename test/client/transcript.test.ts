import { describe, expect, test } from 'vitest';
import { answerReader, queuedTexts, transcriptReader } from '../../src/client/transcript.ts';
import type { ChatState, ResponsePart, Turn } from '../../src/protocol/state-chat.ts';

const markdown = (id: string, content: string): ResponsePart => ({ kind: 'markdown', id, content });
const user = (text: string) => ({ text, origin: { kind: 'user' } });
const turn = (text: string, state: Turn['state'], ...responseParts: ResponsePart[]): Turn => ({
  id: text,
  message: user(text),
  responseParts,
  state,
});
const failure: ResponsePart = { kind: 'error', error: { errorType: 'agentError', message: 'it broke' } };

const chat = (turns: Turn[], rest: Partial<ChatState> = {}): ChatState => ({
  resource: 'ahp-chat:/1',
  title: '',
  status: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
  turns,
  ...rest,
});
const active = (text: string, ...responseParts: ResponsePart[]) => ({
  id: `running ${text}`,
  startedAt: '2026-01-01T00:00:00.000Z',
  message: user(text),
  responseParts,
});

describe('answerReader', () => {
  test('gives each character of the answer once, parts apart by a blank line', () => {
    const read = answerReader();
    expect(read([])).toBe('');
    expect(read([{ kind: 'reasoning', id: 'r', content: 'hm' }])).toBe('');
    const first = { kind: 'reasoning', id: 'r', content: 'hm' } as const;
    expect(read([first, markdown('a', 'one')])).toBe('one');
    expect(read([first, markdown('a', 'one two')])).toBe(' two');
    expect(read([first, markdown('a', 'one two'), markdown('b', 'three')])).toBe('\n\nthree');
    expect(read([first, markdown('a', 'one two'), markdown('b', 'three')])).toBe('');
  });
});

describe('transcriptReader', () => {
  test('prints prompts quoted, answers, and how turns ended (R-122)', () => {
    const text = transcriptReader().read(
      chat([
        turn('hello\n\nthere', 'complete', markdown('a', 'Hi.')),
        turn('more', 'cancelled', markdown('b', 'Well')),
        turn('at once', 'cancelled'),
        turn('again', 'error', markdown('c', 'Hm\n'), failure),
      ]),
    );
    expect(text).toBe(
      [
        '> hello\n>\n> there\n\nHi.\n',
        '> more\n\nWell\n\n[cancelled]\n',
        '> at once\n\n[cancelled]\n',
        '> again\n\nHm\n\n[error] it broke\n',
      ].join('\n'),
    );
  });

  test('a prompt of attachments alone is quoted by their labels; one without words not at all', () => {
    const attachments = [{ type: 'resource', label: 'a.txt', uri: 'file:///a.txt' }] as const;
    const files: Turn = {
      ...turn('', 'complete', markdown('a', 'Read.')),
      message: { ...user(''), attachments },
    };
    const silent = turn('', 'complete', markdown('a', 'By myself.'));
    expect(transcriptReader().read(chat([files, silent]))).toBe('> a.txt\n\nRead.\n\nBy myself.\n');
  });

  test('read in pieces it gives the same text as read at once', () => {
    const reader = transcriptReader();
    const before = turn('one', 'complete', markdown('a', 'First.'));
    const pieces = [
      reader.read(chat([before])),
      reader.read(chat([before], { activeTurn: active('two', markdown('b', 'Sec')) })),
      reader.read(chat([before], { activeTurn: active('two', markdown('b', 'Second')) })),
      reader.read(chat([before, turn('two', 'complete', markdown('b', 'Second.'))])),
    ];
    expect(pieces).toEqual(['> one\n\nFirst.\n', '\n> two\n\nSec', 'ond', '.\n']);
  });

  test('history that is loaded again is not printed twice', () => {
    const reader = transcriptReader();
    const turns = [turn('one', 'complete', markdown('a', '1')), turn('two', 'complete', markdown('b', '2'))];
    reader.read(chat(turns));
    expect(reader.read(chat([]))).toBe('');
    expect(reader.read(chat([], { activeTurn: active('three') }))).toBe('');
    const third = turn('three', 'complete', markdown('c', '3'));
    expect(reader.read(chat([...turns.map((t) => ({ ...t, id: `new ${t.id}` })), third]))).toBe(
      '\n> three\n\n3\n',
    );
  });

  test('turns that were taken back make room for others', () => {
    const reader = transcriptReader();
    const first = turn('one', 'complete', markdown('a', '1'));
    reader.read(chat([first, turn('two', 'complete', markdown('b', '2'))]));
    reader.rewind(1);
    expect(reader.read(chat([first, turn('other', 'complete', markdown('c', '3'))]))).toBe(
      '\n> other\n\n3\n',
    );
  });

  test('a running turn that vanished leaves a whole line before the next one', () => {
    const reader = transcriptReader();
    reader.read(chat([], { activeTurn: active('one', markdown('a', 'half')) }));
    expect(reader.read(chat([turn('two', 'complete', markdown('b', 'x'))]))).toBe('\n\n> two\n\nx\n');
  });
});

test('queued messages are one line each', () => {
  const queuedMessages = [
    { id: '1', message: user('first') },
    { id: '2', message: user('second') },
  ];
  expect(queuedTexts(chat([], { queuedMessages }))).toEqual(['[queued] first', '[queued] second']);
  expect(queuedTexts(chat([]))).toEqual([]);
});
