import { describe, expect, it } from 'vitest';
import { SESSION, userMessage } from '../support/host-rig.ts';
import { ask, askForm, confirm, deny, running } from '../support/questions.ts';

describe('a permission question', () => {
  it('opens in the chat as a call that waits, with the options of the agent and where to start (seed rule 1, R-134, R-135)', () => {
    const { rig, client, chat, turnId } = running();
    ask(rig);
    expect(client.chat(chat).status & 31).toBe(24);
    expect(client.chat(chat).activeTurn?.responseParts).toEqual([
      {
        kind: 'toolCall',
        toolCall: {
          status: 'pending-confirmation',
          toolCallId: 'x',
          toolName: 'execute',
          displayName: 'Delete x',
          invocationMessage: 'Delete x',
          toolInput: '{"rawInput":{"command":"rm x"}}',
          confirmationTitle: 'Fake wants to run a command',
          options: [
            { id: 'always', label: 'Always Allow', kind: 'approve' },
            { id: 'once', label: 'Allow', kind: 'approve' },
            { id: 'no', label: 'Reject', kind: 'deny' },
          ],
          _meta: {
            otto: {
              tool: { kind: 'execute' },
              defaultOption: 'once',
              optionKinds: { always: 'allow_always', once: 'allow_once', no: 'reject_once' },
              title: {
                key: 'agents-permission-title',
                args: { agent: 'Fake', action: 'agents-permission-execute' },
              },
            },
          },
        },
      },
    ]);
    expect(client.sessionState().inputNeeded).toMatchObject([
      {
        id: `tool:${turnId}:x`,
        chat,
        kind: 'toolConfirmation',
        turnId,
        toolCall: { status: 'pending-confirmation' },
      },
    ]);
  });

  it('is answered by a client that watches, with exactly the chosen option, and no dialog is shown', () => {
    const { rig, client, chat, turnId } = running();
    const decisions = ask(rig);
    const echo = client.dispatch(chat, confirm(turnId, 'x', 'always'));
    expect(echo?.rejectionReason).toBeUndefined();
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'always' }]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
    expect(client.chat(chat).status & 31).toBe(8);
    rig.clock.advance(60_000);
    expect(rig.dialogs).toEqual([]);
  });

  it('gives the narrowest option where a client names none', () => {
    const { rig, client, chat, turnId } = running();
    const allowed = ask(rig, 'a');
    client.dispatch(chat, confirm(turnId, 'a'));
    const refused = ask(rig, 'b');
    client.dispatch(chat, deny(turnId, 'b'));
    expect([...allowed, ...refused]).toEqual([
      { outcome: 'selected', optionId: 'once' },
      { outcome: 'selected', optionId: 'no' },
    ]);
  });

  it('is won by the first answer; the second is refused with a reason and changes nothing (HOST-CHECKLIST 24.26, F-049)', () => {
    const { rig, client, chat, turnId } = running();
    const other = rig.client('other');
    other.subscribe(chat);
    const decisions = ask(rig);
    client.dispatch(chat, deny(turnId, 'x'));
    const late = other.dispatch(chat, confirm(turnId, 'x', 'always'));
    expect(late?.rejectionReason).toMatch(/does not wait/);
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'no' }]);
    expect(other.chat(chat)).toEqual(client.chat(chat));
  });

  it.each([
    ['an unknown option', { selectedOptionId: 'nope' }, /not one of the options/],
    ['an option of the other intent', { selectedOptionId: 'no' }, /contradicts/],
    ['edited input', { editedToolInput: 'rm -rf /' }, /cannot be edited/],
  ])('refuses %s (C-30)', (_name, more, reason) => {
    const { rig, client, chat, turnId } = running();
    const decisions = ask(rig);
    const echo = client.dispatch(chat, { ...confirm(turnId, 'x'), ...more });
    expect(echo?.rejectionReason).toMatch(reason);
    expect(decisions).toEqual([]);
  });

  it('with several allow options of one kind wants one of them named (F-058)', () => {
    const { rig, client, chat, turnId } = running({ permissions: 'allow' });
    const options = ['A', 'B', 'C'].map((id) => ({ id, label: id, kind: 'allow_once' }));
    const decisions = ask(rig, 'x', {
      options: [...options, { id: 'no', label: 'No', kind: 'reject_once' }],
    });
    expect(decisions).toEqual([]);
    expect(client.dispatch(chat, confirm(turnId, 'x'))?.rejectionReason).toMatch(/choose one/);
    client.dispatch(chat, confirm(turnId, 'x', 'B'));
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'B' }]);
  });

  it('is refused when nobody watches and nothing can show it (seed rule 4), as something nobody answered (F-061)', () => {
    const { rig, client, chat } = running({ dialog: { kind: 'unavailable' } });
    rig.host.unsubscribe(client, chat);
    const decisions = ask(rig);
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'no' }]);
    client.subscribe(chat);
    expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([
      { toolCall: { status: 'cancelled', reason: 'skipped', reasonMessage: 'Nobody answered' } },
    ]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
  });

  it('goes to the dialog when the last watcher leaves, not quietly', () => {
    const { rig, client, chat } = running();
    const other = rig.client('other');
    other.subscribe(chat);
    ask(rig);
    rig.host.detach(client);
    expect(rig.dialogs).toEqual([]);
    rig.host.detach(other);
    expect(rig.dialogs.map(({ request }) => [request.cookie, request.quiet])).toEqual([
      [`${SESSION}#x`, false],
    ]);
    rig.clock.advance(60_000);
    expect(rig.dialogs).toHaveLength(1);
  });

  it('goes to a quiet dialog after 20 s with a client that does not answer, and the first answer wins (F-064)', () => {
    const { rig, client, chat, turnId } = running();
    const decisions = ask(rig);
    rig.clock.advance(19_999);
    expect(rig.dialogs).toEqual([]);
    rig.clock.advance(1);
    expect(rig.dialogs[0]?.request).toMatchObject({ quiet: true, agent: 'Fake', session: SESSION });
    client.dispatch(chat, confirm(turnId, 'x'));
    expect(rig.withdrawn).toEqual([`${SESSION}#x`]);
    rig.dialogs[0]?.reply({ kind: 'denied' });
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'once' }]);
  });

  it.each([
    ['granted', { outcome: 'selected', optionId: 'once' }, { status: 'running', confirmed: 'user-action' }],
    ['denied', { outcome: 'selected', optionId: 'no' }, { status: 'cancelled', reason: 'denied' }],
    ['ended', { outcome: 'selected', optionId: 'no' }, { status: 'cancelled', reason: 'skipped' }],
  ] as const)('takes %s from the dialog', (kind, decision, call) => {
    const { rig, client, chat } = running();
    rig.host.unsubscribe(client, chat);
    const decisions = ask(rig);
    rig.dialogs[0]?.reply({ kind });
    rig.dialogs[0]?.reply({ kind: 'granted' });
    expect(decisions).toEqual([decision]);
    client.subscribe(chat);
    expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([{ toolCall: call }]);
  });

  it('opens a full client and comes back to the dialog after the grace', () => {
    const { rig, client, chat } = running();
    rig.host.unsubscribe(client, chat);
    ask(rig);
    rig.dialogs[0]?.reply({ kind: 'open' });
    expect(rig.opened).toEqual([SESSION]);
    rig.clock.advance(20_000);
    expect(rig.dialogs).toHaveLength(2);
  });

  it('is one of several that are all visible at once and answered each alone (F-053, R-133)', () => {
    const { rig, client, chat, turnId } = running();
    const [a, b, c] = ['a', 'b', 'c'].map((id) => ask(rig, id));
    const form = askForm(rig);
    expect(client.sessionState().inputNeeded).toHaveLength(4);
    client.dispatch(chat, confirm(turnId, 'c'));
    expect([a, b, c, form].map((each) => each?.length)).toEqual([0, 0, 1, 0]);
    client.dispatch(chat, deny(turnId, 'a'));
    expect([a, b, c, form].map((each) => each?.length)).toEqual([1, 0, 1, 0]);
  });

  it('is cancelled, not refused, by the end of the turn; every one of them, once (F-048)', () => {
    const { rig, client, chat, turnId } = running();
    const answers = [ask(rig, 'a'), ask(rig, 'b'), askForm(rig)];
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    expect(answers).toEqual([
      [{ outcome: 'cancelled' }],
      [{ outcome: 'cancelled' }],
      [{ response: 'cancel' }],
    ]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
    expect(ask(rig, 'late')).toEqual([{ outcome: 'cancelled' }]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
  });

  it.each(['release', 'dispose', 'crash', 'stop'])('is withdrawn from the dialog by %s', (how) => {
    const { rig, client, chat } = running();
    rig.host.unsubscribe(client, chat);
    const decisions = ask(rig);
    if (how === 'release') rig.host.releaseSession(SESSION);
    else if (how === 'dispose') rig.host.disposeSession(SESSION);
    else if (how === 'stop') rig.host.stop();
    else rig.agent().stopped('boom');
    expect(decisions).toEqual([{ outcome: 'cancelled' }]);
    expect(rig.withdrawn).toEqual([`${SESSION}#x`]);
    rig.dialogs[0]?.reply({ kind: 'granted' });
    expect(decisions).toHaveLength(1);
  });

  it('is taken back by the agent itself', () => {
    const { rig, client, chat } = running();
    const decisions = ask(rig);
    const replies = askForm(rig);
    rig.agent().report({ type: 'withdrawn', key: 'key-x' });
    rig.agent().report({ type: 'withdrawn', key: 'key-form' });
    expect(decisions).toEqual([{ outcome: 'cancelled' }]);
    expect(replies).toEqual([{ response: 'cancel' }]);
    expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([
      { toolCall: { status: 'cancelled', reason: 'skipped' } },
      { kind: 'inputRequest', response: 'cancel' },
    ]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
  });

  it('passes a suggestion on as the next message, since the agent has no place for one', () => {
    const { rig, client, chat, turnId } = running();
    ask(rig);
    client.dispatch(chat, { ...deny(turnId, 'x'), userSuggestion: userMessage('use trash instead') });
    expect(client.chat(chat).queuedMessages).toMatchObject([{ message: { text: 'use trash instead' } }]);
    rig.agent().endTurn();
    expect(rig.agent().calls.at(-1)?.[2]).toBe('use trash instead');
  });

  it('outside a turn opens one, and can be answered (F-054, decision 6)', () => {
    const { rig, client, chat } = running();
    rig.agent().endTurn();
    const decisions = ask(rig);
    const turn = client.chat(chat).activeTurn;
    expect(turn?.message.origin.kind).toBe('agent');
    rig.clock.advance(10_000);
    client.dispatch(chat, confirm(turn?.id ?? '', 'x'));
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'once' }]);
  });

  it('without any option is cancelled and shown nowhere', () => {
    const { rig, client } = running();
    expect(ask(rig, 'x', { options: [] })).toEqual([{ outcome: 'cancelled' }]);
    expect(client.sessionState().inputNeeded).toBeUndefined();
  });
});

describe('a policy', () => {
  it.each([
    ['deny', { outcome: 'selected', optionId: 'no' }, false],
    ['allow', { outcome: 'selected', optionId: 'once' }, true],
  ] as const)(
    '%s answers without a look, and the call is never seen waiting (R-131, F-069)',
    (permissions, decision, allowed) => {
      const { rig, client, chat } = running({ permissions });
      client.seen();
      expect(ask(rig)).toEqual([decision]);
      expect(client.seen()).toEqual(['chat/toolCallStart', 'chat/toolCallReady']);
      expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([
        {
          toolCall: {
            status: 'running',
            confirmed: 'setting',
            _meta: { otto: { decision: { by: 'policy', allowed } } },
          },
        },
      ]);
      rig.agent().endTurn();
      rig.clock.advance(500);
      const [part] = client.chat(chat).turns[0]?.responseParts ?? [];
      expect(part).toMatchObject({
        toolCall: allowed
          ? { status: 'cancelled' }
          : { status: 'completed', success: false, error: { code: 'denied' } },
      });
    },
  );

  it('does not take a change of mode: with nobody to ask it is refused (F-059)', () => {
    const { rig, client, chat } = running({ permissions: 'allow', dialog: { kind: 'unavailable' } });
    rig.host.unsubscribe(client, chat);
    expect(ask(rig, 'x', { kind: 'switch_mode' })).toEqual([{ outcome: 'selected', optionId: 'no' }]);
  });

  it('allow never allows where no option does', () => {
    const { rig } = running({ permissions: 'allow' });
    const options = [{ id: 'no', label: 'No', kind: 'reject_once' }];
    expect(ask(rig, 'x', { options })).toEqual([{ outcome: 'cancelled' }]);
  });
});
