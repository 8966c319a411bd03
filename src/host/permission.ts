// Which option a decision means, and who decides. The only place that ranks options (seed "Where a permission
// question goes"). Whatever cannot be decided ends in a refusal or in `cancelled`, never in an allow.
import type { ConfirmationOption } from '../protocol/state-tool.ts';
import type { PermissionDecision, PermissionOption, PermissionPolicy } from './ports.ts';

export type Intent = 'allow' | 'reject';

/** Narrowest first: once before always. Kinds that ACP does not know are never chosen for anybody. */
const KINDS: Record<Intent, readonly string[]> = {
  allow: ['allow_once', 'allow_always'],
  reject: ['reject_once', 'reject_always'],
};

/** The options of the narrowest kind of `intent` that is offered at all. */
export function narrowest(options: readonly PermissionOption[], intent: Intent): readonly PermissionOption[] {
  for (const kind of KINDS[intent]) {
    const found = options.filter((option) => option.kind === kind);
    if (found.length > 0) return found;
  }
  return [];
}

export function intentOf(option: PermissionOption): Intent {
  return option.kind.startsWith('allow') ? 'allow' : 'reject';
}

/** Several allow options of one kind are a choice that only a person can make (F-058, R-136). */
export function isChoice(options: readonly PermissionOption[]): boolean {
  return KINDS.allow.some((kind) => options.filter((option) => option.kind === kind).length > 1);
}

export type Decider = { by: 'policy'; allowed: boolean } | { by: 'person' };

/**
 * The order of decision: the policy `deny` or `allow` of the agent's entry, then the person. A change of mode
 * and a choice between several allow options are decisions that no policy takes (F-059).
 */
export function decider(
  policy: PermissionPolicy,
  kind: string | undefined,
  options: readonly PermissionOption[],
): Decider {
  if (policy === 'ask' || kind === 'switch_mode' || isChoice(options)) return { by: 'person' };
  return { by: 'policy', allowed: policy === 'allow' };
}

/**
 * The agent's answer for an intent, or for the one option a person named. Without a single narrowest option of
 * that intent the answer is `cancelled`: nothing is guessed (F-055).
 */
export function decisionFor(
  options: readonly PermissionOption[],
  intent: Intent,
  optionId?: string,
): PermissionDecision {
  const named = options.find((option) => option.id === optionId);
  if (named && intentOf(named) === intent) return { outcome: 'selected', optionId: named.id };
  const [only, ...others] = narrowest(options, intent);
  return only && others.length === 0 ? { outcome: 'selected', optionId: only.id } : { outcome: 'cancelled' };
}

/**
 * The option a client starts on: the narrowest allow, or the narrowest reject when the agent wants "no" to be
 * the answer, which ordinary clients are told by a reject in first place.
 */
export function defaultOption(
  options: readonly PermissionOption[],
  defaultToNo: boolean,
): string | undefined {
  const [first] = options;
  const no = defaultToNo || (first !== undefined && intentOf(first) === 'reject');
  const [wanted, other]: readonly [Intent, Intent] = no ? ['reject', 'allow'] : ['allow', 'reject'];
  return (narrowest(options, wanted)[0] ?? narrowest(options, other)[0])?.id;
}

/** The options as clients see them: all of them, in the agent's order, with its labels. */
export function confirmationOptions(options: readonly PermissionOption[]): ConfirmationOption[] {
  return options.map((option) => ({
    id: option.id,
    label: option.label,
    kind: intentOf(option) === 'allow' ? 'approve' : 'deny',
  }));
}

export function optionKinds(options: readonly PermissionOption[]): Record<string, string> {
  return Object.fromEntries(options.map((option) => [option.id, option.kind]));
}
