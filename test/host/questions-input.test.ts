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

  it.each([
    ['nothing where an answer is required', undefined],
    ['an option that was not offered', { colour: answer('colour', 'blue').answer }],
    ['a question that was not asked', { shape: answer('colour', 'red').answer }],
  ])('is not accepted by a dialog that brings %s; it goes on waiting', (_, answers) => {
    const { rig, client, chat } = running();
    rig.host.unsubscribe(client, chat);
    const replies = askForm(rig);
    rig.dialogs[0]?.reply({ kind: 'granted', ...(answers && { answers }) });
    expect(replies).toEqual([]);
    expect(rig.logged.some((line) => line.startsWith('warn'))).toBe(true);
    client.dispatch(chat, { ...complete('accept'), answers: { colour: answer('colour', 'red').answer } });
    expect(replies).toMatchObject([{ response: 'accept' }]);
  });

  it.each(['denied', 'ended'] as const)('is declined when nobody watches and the dialog is %s', (kind) => {
    const { rig, client, chat } = running();
    rig.host.unsubscribe(client, chat);
    const replies = askForm(rig);
    rig.dialogs[0]?.reply({ kind });
    expect(replies).toEqual([{ response: 'decline' }]);
    client.subscribe(chat);
    expect(client.chat(chat).activeTurn?.responseParts.at(-1)).toMatchObject({ response: 'decline' });
  });

  it('can be answered by a client that watches only the session (SE-31)', () => {
    const { rig, chat } = running();
    const replies = askForm(rig);
    rig.client('other').dispatch(chat, complete('decline'));
    expect(replies).toEqual([{ response: 'decline' }]);
  });
});
