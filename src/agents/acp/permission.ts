// `session/request_permission` and the port's permission question, in both directions.
// Decides nothing: an answer that names no offered option becomes `cancelled`, never another option.
import type { PermissionDecision, PermissionHints, PermissionOption } from '../../host/ports.ts';
import { type Asking, ask } from './ask.ts';
import { asString, asText, inside, type JsonObject, objectsOf } from './json.ts';
import { parentOf, toolPatch } from './tool-patch.ts';

type Outcome = { outcome: PermissionDecision };

export const CANCELLED: Outcome = { outcome: { outcome: 'cancelled' } };

/**
 * Reports the request as `permissionAsked` and resolves with ACP's answer. A request without a call or without
 * options is answered `cancelled` unasked (acp-to-ahp 3.1).
 */
export function askPermission(request: JsonObject, asking: Asking): Promise<Outcome> {
  const call = inside(request, 'toolCall');
  const toolCallId = asText(call?.['toolCallId']);
  const options = objectsOf(request['options']).flatMap(readOption);
  if (call === undefined || toolCallId === undefined || options.length === 0)
    return Promise.resolve(CANCELLED);
  const parent = parentOf(request);
  return ask(asking, CANCELLED, (reply) => ({
    type: 'permissionAsked',
    key: asking.key,
    toolCallId,
    patch: { ...(parent !== undefined && { parent }), ...toolPatch(call) },
    options,
    hints: hintsOf(request, call, options),
    reply: (decision) => {
      const offered = decision.outcome === 'selected' && options.some(({ id }) => id === decision.optionId);
      reply(offered ? { outcome: decision } : CANCELLED);
    },
  }));
}

function readOption(option: JsonObject): PermissionOption[] {
  const id = asString(option['optionId']);
  if (id === undefined) return [];
  return [{ id, label: asText(option['name']) ?? id, kind: asString(option['kind']) ?? '' }];
}

/**
 * From the seed's `_meta.permission` and Claude's own place for it, on the request or its call; what cannot be read
 * is ignored. A rejecting option in first place says "no" too (acp-to-ahp 3.1).
 */
function hintsOf(
  request: JsonObject,
  call: JsonObject,
  options: readonly PermissionOption[],
): PermissionHints {
  const hints = [request, call].flatMap((part) => [
    inside(part, '_meta', 'permission') ?? {},
    inside(part, '_meta', 'jetbrains', 'air', 'permission') ?? {},
  ]);
  const said = (key: string) => hints.map((hint) => asText(hint[key])).find((text) => text !== undefined);
  const title = said('title');
  const description = said('description');
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    defaultToNo:
      hints.some((hint) => hint['defaultToNo'] === true) || options[0]?.kind.startsWith('reject') === true,
  };
}
