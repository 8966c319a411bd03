// `session/request_permission` and the port's permission question, in both directions.
// Decides nothing: an answer that names no offered option becomes `cancelled`, never another option.
import type { AgentEvent, PermissionDecision, PermissionOption } from '../../host/ports.ts';
import { asList, asObject, asString, type JsonObject } from './json.ts';
import { toolPatch } from './translate.ts';

type Outcome = { outcome: PermissionDecision };

const CANCELLED: Outcome = { outcome: { outcome: 'cancelled' } };

/**
 * Reports the request as `permissionAsked` under `key` and resolves with ACP's answer, once. When `signal` fires
 * first the agent no longer wants one: `withdrawn` is reported and the answer is `cancelled`.
 */
export function askPermission(
  request: JsonObject,
  key: string,
  signal: AbortSignal,
  report: (event: AgentEvent) => void,
): Promise<Outcome> {
  const call = asObject(request['toolCall']);
  const toolCallId = asString(call?.['toolCallId']);
  const options = asList(request['options']).flatMap(readOption);
  if (call === undefined || toolCallId === undefined || options.length === 0)
    return Promise.resolve(CANCELLED);
  return new Promise((answer) => {
    const withdraw = () => {
      report({ type: 'withdrawn', key });
      answer(CANCELLED);
    };
    signal.addEventListener('abort', withdraw, { once: true });
    report({
      type: 'permissionAsked',
      key,
      toolCallId,
      patch: toolPatch(call),
      options,
      defaultToNo: defaultsToNo(request, call, options),
      reply: (decision) => {
        signal.removeEventListener('abort', withdraw);
        const offered = decision.outcome === 'selected' && options.some(({ id }) => id === decision.optionId);
        answer(offered ? { outcome: decision } : CANCELLED);
      },
    });
  });
}

function readOption(value: unknown): PermissionOption[] {
  const option = asObject(value);
  const id = asString(option?.['optionId']);
  if (option === undefined || id === undefined) return [];
  return [{ id, label: asString(option['name']) ?? id, kind: asString(option['kind']) ?? '' }];
}

/** Said by a hint on the request or its call, or by a rejecting option in first place (acp-to-ahp 3.1). */
function defaultsToNo(request: JsonObject, call: JsonObject, options: readonly PermissionOption[]): boolean {
  const hints = [request, call].flatMap((part) => {
    const meta = asObject(part['_meta']);
    return [
      asObject(meta?.['permission']),
      asObject(asObject(asObject(meta?.['jetbrains'])?.['air'])?.['permission']),
    ];
  });
  return (
    hints.some((hint) => hint?.['defaultToNo'] === true) || options[0]?.kind.startsWith('reject') === true
  );
}
