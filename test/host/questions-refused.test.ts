import { describe, expect, it } from 'vitest';
import type { DialogReply, PermissionOption } from '../../src/host/ports.ts';
import { userMessage } from '../support/host-rig.ts';
import { ask, askForm, confirm, deny, running } from '../support/questions.ts';

const options = (...kinds: string[]): PermissionOption[] =>
  kinds.map((kind, at) => ({ id: `${kind}-${at}`, label: kind, kind }));

describe('a refusal', () => {
  it('takes the narrowest reject that is offered, and the turn goes on (F-055)', () => {
    const { rig, client, chat, turnId } = running();
    const all = options('allow_always', 'allow_once', 'reject_always', 'reject_once');
    const decisions = ask(rig, 'x', { options: all });
    client.dispatch(chat, deny(turnId, 'x'));
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'reject_once-3' }]);
    rig.agent().text('then not');
    expect(client.chat(chat).activeTurn?.id).toBe(turnId);
  });

  it('is not guessed between two lasting ones: the agent hears that nothing was chosen (F-055)', () => {
    const { rig, client, chat, turnId } = running();
    const decisions = ask(rig, 'x', { options: options('reject_always', 'reject_always') });
    client.dispatch(chat, deny(turnId, 'x'));
    expect(decisions).toEqual([{ outcome: 'cancelled' }]);
  });

  it.each([
    ['of the agent', { text: 'as I said', origin: { kind: 'agent' } }, /messages of a user/],
    ['that is blank', userMessage('  '), /needs text/],
  ])(
    'with a suggestion %s is refused itself, and the question stays open (C-9)',
    (_name, message, reason) => {
      const { rig, client, chat, turnId } = running();
      const decisions = ask(rig);
      const refusal = { ...deny(turnId, 'x'), userSuggestion: message };
      expect(client.dispatch(chat, refusal)?.rejectionReason).toMatch(reason);
      expect(client.dispatch(chat, { ...refusal, selectedOptionId: 'no' })?.rejectionReason).toMatch(reason);
      expect(decisions).toEqual([]);
      expect(client.chat(chat).queuedMessages).toBeUndefined();
    },
  );

  it('in a turn that nobody asked for brings its suggestion to the agent too', () => {
    const { rig, client, chat } = running();
    rig.agent().endTurn();
    ask(rig);
    const turnId = client.chat(chat).activeTurn?.id ?? '';
    client.dispatch(chat, { ...deny(turnId, 'x'), userSuggestion: userMessage('use trash instead') });
    expect(rig.agent().calls.at(-1)?.[2]).toBe('use trash instead');
  });

  it('says who refused where it was no person (F-061)', () => {
    const { rig, client, chat } = running({ dialog: { kind: 'unavailable' } });
    rig.host.unsubscribe(client, chat);
    ask(rig, 'a');
    client.subscribe(chat);
    ask(rig, 'b');
    rig.agent().report({ type: 'withdrawn', key: 'key-b' });
    ask(rig, 'c');
    client.dispatch(chat, deny(client.chat(chat).activeTurn?.id ?? '', 'c'));
    const decisions = client.chat(chat).activeTurn?.responseParts.map((part) => {
      const otto = part.kind === 'toolCall' ? part.toolCall._meta?.['otto'] : undefined;
      return (otto as { decision?: object } | undefined)?.decision;
    });
    expect(decisions).toEqual([
      { by: 'unanswered', allowed: false },
      { by: 'agent', allowed: false },
      undefined,
    ]);
  });
});

describe('a dialog that fails', () => {
  const failing = (watched: boolean) => {
    const { rig, client, chat, turnId } = running();
    if (!watched) rig.host.unsubscribe(client, chat);
    const decisions = ask(rig);
    const replies = askForm(rig);
    if (watched) rig.clock.advance(20_000);
    return { rig, client, chat, turnId, decisions, replies };
  };

  const nonsense: [string, unknown][] = [
    ['a word of its own', { kind: 'perhaps' }],
    ['no word', {}],
    ['nothing', undefined],
    ['a text', 'granted'],
    ['answers that are none', { kind: 'granted', answers: 'yes' }],
  ];

  for (const watched of [true, false]) {
    it.each(nonsense)(
      `${watched ? 'before' : 'without'} a client by replying %s leaves the question open (F-068)`,
      (_name, reply) => {
        const { rig, client, chat, turnId, decisions, replies } = failing(watched);
        for (const dialog of rig.dialogs) dialog.reply(reply as DialogReply);
        expect([decisions, replies]).toEqual([[], []]);
        expect(client.sessionState().inputNeeded).toHaveLength(2);
        expect(rig.logged.filter((line) => /error .*could not be shown/.test(line))).toHaveLength(2);
        client.subscribe(chat);
        client.dispatch(chat, confirm(turnId, 'x'));
        expect(decisions).toEqual([{ outcome: 'selected', optionId: 'once' }]);
      },
    );
  }

  it('by answers of another shape leaves the form open (F-068)', () => {
    const { rig, client, replies } = failing(true);
    const answers = { colour: null } as unknown as NonNullable<
      Extract<DialogReply, { kind: 'granted' }>['answers']
    >;
    rig.dialogs[1]?.reply({ kind: 'granted', answers });
    expect(replies).toEqual([]);
    expect(client.sessionState().inputNeeded).toHaveLength(2);
  });

  it.each([true, false])(
    'by throwing leaves the question open and is tried again (F-068; watched: %s)',
    (watched) => {
      const faults: Error[] = [new Error('no context')];
      const { rig, client, chat } = running({ fault: () => faults.pop() });
      if (!watched) rig.host.unsubscribe(client, chat);
      const decisions = ask(rig);
      if (watched) rig.clock.advance(20_000);
      expect(faults).toEqual([]);
      expect(rig.logged).toContainEqual(expect.stringMatching(/error .*no context/));
      expect(client.sessionState().inputNeeded).toHaveLength(1);
      expect(decisions).toEqual([]);
      if (!watched) client.subscribe(chat);
      rig.host.unsubscribe(client, chat);
      rig.dialogs[0]?.reply({ kind: 'denied' });
      expect(decisions).toEqual([{ outcome: 'selected', optionId: 'no' }]);
    },
  );
});
