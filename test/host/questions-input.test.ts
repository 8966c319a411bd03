import { describe, expect, it } from 'vitest';
import type { ChatInputAnswer } from '../../src/protocol/state-chat.ts';
import { askForm, FORM, running } from '../support/questions.ts';

describe('an input request', () => {
  const answer = (questionId: string, value: string, state: 'draft' | 'submitted' = 'submitted') => {
    const kind = questionId === 'colour' ? 'selected' : 'text';
    const given: ChatInputAnswer = { state, value: { kind, value } };
    return { type: 'chat/inputAnswerChanged', requestId: 'form', questionId, answer: given } as const;
  };
  const complete = (response: 'accept' | 'decline' | 'cancel') =>
    ({ type: 'chat/inputCompleted', requestId: 'form', response }) as const;

  it('is shown in the turn and in the session, and answered with what was synced (EL-3, SE-30)', () => {
    const { rig, client, chat } = running();
    const replies = askForm(rig);
    expect(client.sessionState().inputNeeded).toMatchObject([
      { id: 'input:form', kind: 'chatInput', request: FORM },
    ]);
    client.dispatch(chat, answer('colour', 'red'));
    expect(client.sessionState().inputNeeded).toMatchObject([
      { request: { answers: { colour: { state: 'submitted' } } } },
    ]);
    const echo = client.dispatch(chat, complete('accept'));
    expect(echo?.rejectionReason).toBeUndefined();
    expect(replies).toEqual([{ response: 'accept', answers: { colour: answer('colour', 'red').answer } }]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
    expect(client.chat(chat).status & 31).toBe(8);
  });

  it('stays open until required answers are legal, then accepts once (F-071, HOST-CHECKLIST 24.30)', () => {
    const { rig, client, chat } = running();
    const replies = askForm(rig);
    expect(client.dispatch(chat, complete('accept'))?.rejectionReason).toMatch(/required question colour/);
    expect(client.dispatch(chat, answer('colour', 'blue'))?.rejectionReason).toMatch(/not an option/);
    expect(client.dispatch(chat, answer('shape', 'x'))?.rejectionReason).toMatch(/no question/);
    expect(client.dispatch(chat, { ...complete('accept'), requestId: 'other' })?.rejectionReason).toMatch(
      /no input request/,
    );
    expect(replies).toEqual([]);
    client.dispatch(chat, answer('colour', 'red'));
    client.dispatch(chat, complete('accept'));
    expect(client.dispatch(chat, complete('decline'))?.rejectionReason).toMatch(/no input request/);
    expect(replies).toHaveLength(1);
  });

  it.each(['decline', 'cancel'] as const)('passes on %s', (response) => {
    const { rig, client, chat } = running();
    const replies = askForm(rig);
    client.dispatch(chat, complete(response));
    expect(replies).toEqual([{ response }]);
  });

  it('gives somebody who edits all the time they need (seed rule 2, F-061)', () => {
    const { rig, client, chat } = running();
    askForm(rig);
    for (let edits = 0; edits < 9; edits++) {
      rig.clock.advance(10_000);
      client.dispatch(chat, answer('note', `draft ${edits}`, 'draft'));
    }
    expect(rig.dialogs).toEqual([]);
    rig.clock.advance(20_000);
    expect(rig.dialogs[0]?.request).toMatchObject({ quiet: true, about: { kind: 'input' } });
  });

  it('waits in the chat when no dialog can show it, and is answered later', () => {
    const { rig, client, chat } = running({ dialog: { kind: 'unavailable' } });
    rig.host.unsubscribe(client, chat);
    const replies = askForm(rig);
    expect(replies).toEqual([]);
    client.dispatch(chat, { ...complete('accept'), answers: { colour: answer('colour', 'red').answer } });
    expect(replies).toMatchObject([{ response: 'accept' }]);
  });

  it('takes the picks of the dialog', () => {
    const { rig, client, chat } = running();
    rig.host.unsubscribe(client, chat);
    const replies = askForm(rig);
    const answers = { colour: answer('colour', 'red').answer };
    rig.dialogs[0]?.reply({ kind: 'granted', answers });
    expect(replies).toEqual([{ response: 'accept', answers }]);
  });

  it('can be answered by a client that watches only the session (SE-31)', () => {
    const { rig, chat } = running();
    const replies = askForm(rig);
    rig.client('other').dispatch(chat, complete('decline'));
    expect(replies).toEqual([{ response: 'decline' }]);
  });
});
