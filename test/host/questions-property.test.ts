import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION } from '../support/host-rig.ts';
import { ask, askForm, confirm, running } from '../support/questions.ts';

const ANSWERED = {
  kind: 'granted',
  answers: { colour: { state: 'submitted', value: { kind: 'selected', value: 'red' } } },
} as const;

describe('whatever fails', () => {
  const failures = fc.array(
    fc.constantFrom(
      'leave',
      'grace',
      'unavailable',
      'ended',
      'denied',
      'open',
      'withdrawn',
      'cancel',
      'crash',
      'release',
      'dispose',
      'bad-option',
      'stop',
      'late-grant',
    ),
    { maxLength: 8 },
  );

  it('the agent never hears an allow or an answer that nobody gave', () => {
    fc.assert(
      fc.property(failures, fc.constantFrom('ask' as const, 'deny' as const), (steps, permissions) => {
        const { rig, client, chat, turnId } = running({ permissions });
        const decisions = ask(rig);
        const replies = askForm(rig);
        for (const step of steps) {
          const dialogs = rig.dialogs.slice(-2);
          if (step === 'leave') rig.host.unsubscribe(client, chat);
          else if (step === 'grace') rig.clock.advance(20_000);
          else if (step === 'withdrawn')
            for (const key of ['key-x', 'key-form']) rig.agent().report({ type: 'withdrawn', key });
          else if (step === 'cancel')
            client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
          else if (step === 'crash') rig.agent().stopped('boom');
          else if (step === 'release' && rig.host.listSessions({ channel: '' }).items.length > 0)
            rig.host.releaseSession(SESSION);
          else if (step === 'dispose' && rig.host.listSessions({ channel: '' }).items.length > 0)
            rig.host.disposeSession(SESSION);
          else if (step === 'bad-option') client.dispatch(chat, confirm(turnId, 'x', 'no'));
          else if (step === 'stop') rig.host.stop();
          else if (step === 'late-grant' && decisions.length > 0)
            dialogs.find(({ request }) => request.about.kind === 'permission')?.reply({ kind: 'granted' });
          else if (step === 'late-grant' && replies.length > 0)
            dialogs.find(({ request }) => request.about.kind === 'input')?.reply(ANSWERED);
          else if (step === 'unavailable' || step === 'ended' || step === 'denied' || step === 'open')
            for (const dialog of dialogs) dialog.reply({ kind: step });
        }
        for (const decision of decisions) {
          if (decision.outcome === 'selected') expect(decision.optionId).toBe('no');
        }
        for (const { response } of replies) expect(response).not.toBe('accept');
        expect(decisions.length).toBeLessThanOrEqual(1);
        expect(replies.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});
