import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  openQuestion,
  type Question,
  type QuestionEffect,
  type QuestionEvent,
  type QuestionKind,
  step,
} from '../../src/host/question.ts';

const KINDS: QuestionKind[] = ['permission', 'input'];

function run(kind: QuestionKind, events: QuestionEvent[]): { question: Question; effects: QuestionEffect[] } {
  let question = openQuestion(kind);
  const effects: QuestionEffect[] = [];
  for (const event of events) {
    const [next, more] = step(question, event);
    question = next;
    effects.push(...more);
  }
  return { question, effects };
}

const watched: QuestionEvent = { type: 'opened', watched: true };
const unwatched: QuestionEvent = { type: 'opened', watched: false };
const replied = (
  kind: 'denied' | 'ended' | 'open' | 'unavailable' | 'granted',
  isWatched: boolean,
): QuestionEvent => ({
  type: 'replied',
  reply: { kind },
  watched: isWatched,
});
const grace = (isWatched: boolean): QuestionEvent => ({ type: 'graceElapsed', watched: isWatched });
const left: QuestionEvent = { type: 'watchersChanged', watched: false };
const came: QuestionEvent = { type: 'watchersChanged', watched: true };
const settle = (as: 'denied' | 'unanswered' | 'cancelled'): QuestionEffect => ({
  do: 'settle',
  settlement: { as },
});
const loud: QuestionEffect = { do: 'present', quiet: false };
const quiet: QuestionEffect = { do: 'present', quiet: true };
const start: QuestionEffect = { do: 'startGrace' };
const stop: QuestionEffect = { do: 'stopGrace' };

describe.each(KINDS)('a question about %s', (kind) => {
  const unavailable: QuestionEffect[] = kind === 'permission' ? [settle('unanswered')] : [];
  const ended = settle(kind === 'permission' ? 'unanswered' : 'denied');

  it.each<[string, QuestionEvent[], QuestionEffect[], Question['at']]>([
    ['unwatched: dialog at once', [unwatched], [loud], 'asked'],
    ['watched: the clients first, with a limit', [watched], [start], 'watched'],
    ['grace elapsed while watched: a quiet dialog', [watched, grace(true)], [start, quiet], 'asked'],
    ['grace elapsed and nobody left: a loud one', [watched, grace(false)], [start, loud], 'asked'],
    ['last watcher leaves: dialog at once', [watched, left], [start, stop, loud], 'asked'],
    ['another watcher comes: nothing moves', [watched, came], [start], 'watched'],
    ['a draft: grace starts over', [watched, { type: 'draftChanged' }], [start, start], 'watched'],
    ['a draft while a dialog is up: nothing', [unwatched, { type: 'draftChanged' }], [loud], 'asked'],
    [
      'granted',
      [unwatched, replied('granted', false)],
      [loud, { do: 'settle', settlement: { as: 'granted', reply: { kind: 'granted' } } }],
      'settled',
    ],
    ['denied', [unwatched, replied('denied', false)], [loud, settle('denied')], 'settled'],
    ['taken down, nobody watching', [unwatched, replied('ended', false)], [loud, ended], 'settled'],
    ['taken down while watched: left to them', [unwatched, replied('ended', true)], [loud], 'waiting'],
    [
      'could not be shown, nobody watching',
      [unwatched, replied('unavailable', false)],
      [loud, ...unavailable],
      kind === 'permission' ? 'settled' : 'waiting',
    ],
    [
      'could not be shown while watched: left to them',
      [watched, grace(true), replied('unavailable', true)],
      [start, quiet],
      'waiting',
    ],
    [
      'failed while watched, then the last one leaves',
      [watched, grace(true), replied('unavailable', true), left],
      [start, quiet, loud],
      'asked',
    ],
    [
      'handed to a full client, and back once',
      [unwatched, replied('open', false), grace(false)],
      [loud, { do: 'open' }, start, loud],
      'asked',
    ],
    [
      'a draft in the full client',
      [unwatched, replied('open', false), { type: 'draftChanged' }],
      [loud, { do: 'open' }, start, start],
      'handed',
    ],
    [
      'the full client leaves: the grace decides',
      [unwatched, replied('open', false), left],
      [loud, { do: 'open' }, start],
      'handed',
    ],
    ['answered by a client while watched', [watched, { type: 'answered' }], [start, stop], 'settled'],
    [
      'answered by a client while a dialog is up',
      [unwatched, { type: 'answered' }],
      [loud, { do: 'withdraw' }],
      'settled',
    ],
    [
      'turn over while watched',
      [watched, { type: 'cancelled' }],
      [start, stop, settle('cancelled')],
      'settled',
    ],
    [
      'turn over while a dialog is up',
      [unwatched, { type: 'cancelled' }],
      [loud, { do: 'withdraw' }, settle('cancelled')],
      'settled',
    ],
    [
      'a late reply',
      [unwatched, { type: 'answered' }, replied('granted', false)],
      [loud, { do: 'withdraw' }],
      'settled',
    ],
    ['a reply to no dialog', [watched, replied('granted', true)], [start], 'watched'],
    ['a late timer', [watched, { type: 'answered' }, grace(true)], [start, stop], 'settled'],
  ])('%s', (_name, events, effects, at) => {
    const result = run(kind, events);
    expect(result.effects).toEqual(effects);
    expect(result.question.at).toBe(at);
  });
});

const event = fc.oneof<fc.Arbitrary<QuestionEvent>[]>(
  fc.record({ type: fc.constant('watchersChanged' as const), watched: fc.boolean() }),
  fc.record({ type: fc.constant('graceElapsed' as const), watched: fc.boolean() }),
  fc.constantFrom<QuestionEvent>({ type: 'draftChanged' }, { type: 'answered' }, { type: 'cancelled' }),
  fc.record({
    type: fc.constant('replied' as const),
    reply: fc.record({
      kind: fc.constantFrom('denied' as const, 'ended' as const, 'open' as const, 'unavailable' as const),
    }),
    watched: fc.boolean(),
  }),
);

describe('on any path', () => {
  it('nothing is granted unless a reply says so', () => {
    const paths = fc.tuple(fc.constantFrom(...KINDS), fc.boolean(), fc.array(event, { maxLength: 12 }));
    fc.assert(
      fc.property(paths, ([kind, isWatched, events]) => {
        const { effects } = run(kind, [isWatched ? watched : unwatched, ...events]);
        const settled = effects.flatMap((effect) => (effect.do === 'settle' ? [effect.settlement.as] : []));
        expect(settled).not.toContain('granted');
        expect(settled.length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('a dialog is up at most once at a time, and none is left when the question is settled', () => {
    const paths = fc.tuple(fc.constantFrom(...KINDS), fc.boolean(), fc.array(event, { maxLength: 12 }));
    fc.assert(
      fc.property(paths, ([kind, isWatched, events]) => {
        let question = openQuestion(kind);
        let up = 0;
        let timers = 0;
        for (const each of [isWatched ? watched : unwatched, ...events]) {
          // Only a dialog that is up can be replied to, and only a running timer can elapse.
          if (each.type === 'replied') up -= Number(question.at === 'asked');
          if (each.type === 'graceElapsed' && timers > 0) timers = 0;
          const [next, effects] = step(question, each);
          for (const effect of effects) {
            if (effect.do === 'present') up += 1;
            if (effect.do === 'withdraw') up -= 1;
            if (effect.do === 'startGrace') timers = 1;
            if (effect.do === 'stopGrace') timers = 0;
          }
          question = next;
          expect(up).toBe(Number(question.at === 'asked'));
          if (question.at === 'settled') expect([up, timers]).toEqual([0, 0]);
        }
      }),
    );
  });
});
