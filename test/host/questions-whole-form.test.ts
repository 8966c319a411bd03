import { describe, expect, it } from 'vitest';
import type { InputReply } from '../../src/host/ports.ts';
import type { ChatInputAnswers, ChatInputRequest } from '../../src/protocol/state-chat.ts';
import { running } from '../support/questions.ts';

const red = { id: 'red', label: 'Red' };
const blue = { id: 'blue', label: 'Blue' };
const FORM: ChatInputRequest = {
  id: 'whole',
  message: 'All of it',
  questions: [
    { id: 'one', message: 'One?', kind: 'single-select', required: true, options: [red, blue] },
    { id: 'some', message: 'Some?', kind: 'multi-select', options: [red, blue] },
    { id: 'yes', message: 'Yes?', kind: 'boolean' },
    { id: 'count', message: 'How many?', kind: 'integer', required: true, min: 1, max: 5 },
    { id: 'note', message: 'Note?', kind: 'text' },
  ],
};

const one = { state: 'submitted', value: { kind: 'selected', value: 'red' } } as const;
const count = { state: 'submitted', value: { kind: 'number', value: 3 } } as const;
const WHOLE: ChatInputAnswers = {
  one,
  some: { state: 'submitted', value: { kind: 'selected-many', value: ['red', 'blue'] } },
  yes: { state: 'submitted', value: { kind: 'boolean', value: true } },
  count,
  note: { state: 'submitted', value: { kind: 'text', value: 'all' } },
};

function asked() {
  const { rig, client, chat } = running();
  const replies: InputReply[] = [];
  rig.agent().report({
    type: 'inputAsked',
    key: 'k',
    request: FORM,
    reply: (reply) => void replies.push(reply),
  });
  return { rig, client, chat, replies };
}

describe('a form of every kind of field', () => {
  it('is shown whole to clients and to the dialog, and a client can answer all of it (F-070)', () => {
    const { rig, client, chat, replies } = asked();
    expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([{ request: FORM }]);
    rig.clock.advance(20_000);
    expect(rig.dialogs[0]?.request.about).toEqual({ kind: 'input', request: FORM });
    const echo = client.dispatch(chat, {
      type: 'chat/inputCompleted',
      requestId: 'whole',
      response: 'accept',
      answers: WHOLE,
    });
    expect(echo?.rejectionReason).toBeUndefined();
    expect(replies).toEqual([{ response: 'accept', answers: WHOLE }]);
  });

  it.each([
    ['one', { count }],
    ['count', { one }],
    ['one', {}],
    ['count', { one, count: { ...count, value: { kind: 'number', value: 9 } } }],
  ] as [string, ChatInputAnswers][])(
    'is not accepted by a dialog that leaves %s without an answer that fits (F-070)',
    (id, answers) => {
      const { rig, client, chat, replies } = asked();
      rig.host.unsubscribe(client, chat);
      rig.dialogs[0]?.reply({ kind: 'granted', answers });
      expect(replies).toEqual([]);
      expect(client.sessionState().inputNeeded).toHaveLength(1);
      expect(rig.logged.join('\n')).toMatch(new RegExp(`answer is not used: .*${id}`));
    },
  );

  it('is accepted from a dialog with the required answers, and nothing is added to them (F-070)', () => {
    const { rig, client, chat, replies } = asked();
    rig.host.unsubscribe(client, chat);
    rig.dialogs[0]?.reply({ kind: 'granted', answers: { one, count } });
    expect(replies).toEqual([{ response: 'accept', answers: { one, count } }]);
  });
});
