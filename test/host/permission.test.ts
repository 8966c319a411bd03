import { describe, expect, it } from 'vitest';
import {
  confirmationOptions,
  decider,
  decisionFor,
  defaultOption,
  isChoice,
} from '../../src/host/permission.ts';
import type { PermissionOption } from '../../src/host/ports.ts';

const options = (...kinds: string[]): PermissionOption[] =>
  kinds.map((kind, at) => ({ id: `o${at}`, label: `Option ${at}`, kind }));

const ALL = options('allow_always', 'allow_once', 'reject_always', 'reject_once');

describe('the answer for an intent', () => {
  it.each([
    ['once before always (F-055)', ALL, 'reject', undefined, 'o3'],
    ['once before always', ALL, 'allow', undefined, 'o1'],
    ['the named option', ALL, 'allow', 'o0', 'o0'],
    ['a named option of the other intent counts as none', ALL, 'reject', 'o0', 'o3'],
    ['an unknown id counts as none', ALL, 'reject', 'o9', 'o3'],
    ['always where there is no once', options('allow_once', 'reject_always'), 'reject', undefined, 'o1'],
    [
      'two of the narrowest kind: nothing is guessed',
      options('reject_always', 'reject_always'),
      'reject',
      undefined,
      undefined,
    ],
    ['none of the intent', options('allow_once'), 'reject', undefined, undefined],
    [
      'an unknown kind is never picked (R-137)',
      options('allow_session', 'reject_session'),
      'allow',
      undefined,
      undefined,
    ],
    ['an unknown kind a person named', options('allow_session'), 'allow', 'o0', 'o0'],
  ] as const)('%s', (_name, offered, intent, id, expected) => {
    const decision = decisionFor(offered, intent, id);
    expect(decision).toEqual(
      expected === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: expected },
    );
  });

  it('never turns a refusal into an allow, whatever is offered', () => {
    const kinds = ['allow_once', 'allow_always', 'reject_once', 'reject_always', 'allow_session', 'odd'];
    for (const a of kinds) {
      for (const b of kinds) {
        for (const id of ['o0', 'o1', 'o2', undefined]) {
          const offered = options(a, b);
          const decision = decisionFor(offered, 'reject', id);
          if (decision.outcome === 'selected') {
            expect(offered.find((option) => option.id === decision.optionId)?.kind).not.toMatch(/^allow/);
          }
        }
      }
    }
  });
});

describe('the option one starts on (R-135, R-136)', () => {
  it.each([
    ['narrowest allow', options('allow_always', 'allow_once', 'reject_once'), false, 'o1'],
    ['narrowest reject when the agent wants no', ALL, true, 'o3'],
    ['a reject in first place says no', options('reject_once', 'allow_once'), false, 'o0'],
    [
      'never an always while a once exists',
      options('allow_always', 'allow_always', 'allow_once'),
      false,
      'o2',
    ],
    ['the other intent where the wanted one is missing', options('reject_once'), false, 'o0'],
    ['nothing known', options('odd'), false, undefined],
  ] as const)('%s', (_name, offered, no, expected) => {
    expect(defaultOption(offered, no)).toBe(expected);
  });
});

describe('who decides', () => {
  it.each([
    ['deny', 'execute', ALL, { by: 'policy', allowed: false }],
    ['allow', 'execute', ALL, { by: 'policy', allowed: true }],
    ['ask', 'execute', ALL, { by: 'person' }],
    ['allow', 'switch_mode', ALL, { by: 'person' }],
    ['deny', 'switch_mode', ALL, { by: 'person' }],
    ['allow', 'execute', options('allow_once', 'allow_once', 'allow_once', 'reject_once'), { by: 'person' }],
    ['allow', undefined, options('allow_once', 'reject_once'), { by: 'policy', allowed: true }],
  ] as const)('policy %s, kind %s (R-131, F-058, F-059)', (policy, kind, offered, expected) => {
    expect(decider(policy, kind, offered)).toEqual(expected);
  });

  it('several allow options of one kind are a choice; one of each is not', () => {
    expect(isChoice(options('allow_always', 'allow_always'))).toBe(true);
    expect(isChoice(ALL)).toBe(false);
    expect(isChoice(options('reject_once', 'reject_once', 'allow_once'))).toBe(false);
  });
});

it('shows clients every option in the order and with the words of the agent (R-134)', () => {
  expect(confirmationOptions(options('allow_session', 'reject_once'))).toEqual([
    { id: 'o0', label: 'Option 0', kind: 'approve' },
    { id: 'o1', label: 'Option 1', kind: 'deny' },
  ]);
});
