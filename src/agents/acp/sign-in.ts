// The ways to sign in that an agent names, as clients can show them.
// Chooses none, and never passes on a command that the agent made up.
import type { SignInMethod } from '../../host/ports.ts';
import { asList, asText, inside, type JsonObject, objectsOf } from './json.ts';

/**
 * Reads `authMethods` (ACP `initialize`, or `data` of a -32000). `command` is the agent's own as configured: a
 * terminal method appends its `args` to it. A method of an unknown kind is left out.
 */
export function signInMethods(list: unknown, command: readonly string[]): SignInMethod[] {
  return objectsOf(list).flatMap((method): SignInMethod[] => {
    const id = asText(method['id']);
    if (id === undefined) return [];
    const description = asText(method['description']);
    const common = {
      id,
      name: asText(method['name']) ?? id,
      ...(description !== undefined && { description }),
    };
    const meta = inside(method, '_meta');
    switch (method['type'] ?? meta?.['type'] ?? 'agent') {
      case 'agent':
        return [{ ...common, kind: 'agent' }];
      case 'terminal':
        return [{ ...common, kind: 'terminal', command: terminalCommand(method, meta, command) }];
      case 'env_var':
        return [{ ...common, kind: 'env' }];
      default:
        return [];
    }
  });
}

function terminalCommand(
  method: JsonObject,
  meta: JsonObject | undefined,
  command: readonly string[],
): string[] {
  const args = asList(method['args'] ?? meta?.['args']).filter((arg) => typeof arg === 'string');
  const env = Object.entries(inside(method, 'env') ?? {}).map(([name, value]) => `${name}=${value}`);
  return [...(env.length > 0 ? ['env', ...env] : []), ...command, ...args];
}
