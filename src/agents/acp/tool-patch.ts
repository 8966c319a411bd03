// What ACP says about a tool call as a ToolPatch: only what was said, and never what it was before.
// Merging, titles and results are the host's; null, an odd value and an empty title count as not said.
import type { TerminalOutput, ToolPatch } from '../../host/ports.ts';
import { toolContent } from './content.ts';
import {
  asNumber,
  asString,
  asText,
  flattened,
  inside,
  type JsonObject,
  objectsOf,
  withoutBase64,
} from './json.ts';

const STATUS: ReadonlyMap<unknown, NonNullable<ToolPatch['status']>> = new Map([
  ['pending', 'pending'],
  ['in_progress', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
]);

/** Reads a `tool_call`, a `tool_call_update` or the `toolCall` of a permission request (acp-to-ahp 2.1, 2.2). */
export function toolPatch(call: JsonObject): ToolPatch {
  const claude = inside(call, '_meta', 'claudeCode');
  const title = asText(call['title']);
  const name = asText(call['name']) ?? asText(claude?.['toolName']);
  const kind = asText(call['kind']);
  const status = STATUS.get(call['status']);
  const { rawInput, rawOutput, content, locations } = call;
  const parent = parentOf(call);
  const terminal = terminalOutput(inside(call, '_meta') ?? {});
  return {
    ...(title !== undefined && { title }),
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
    ...(rawInput !== undefined && rawInput !== null && { rawInput: flattened(rawInput) }),
    ...(rawOutput !== undefined && rawOutput !== null && { rawOutput: flattened(rawOutput, withoutBase64) }),
    ...(Array.isArray(content) && { content: toolContent(content) }),
    ...(Array.isArray(locations) && { locations: objectsOf(locations).flatMap(location) }),
    ...(parent !== undefined && { parent }),
    ...(terminal !== undefined && { terminal }),
  };
}

/** The tool call that a call or a request belongs to, as Claude marks it (F-054). */
export function parentOf(part: JsonObject): string | undefined {
  return asText(inside(part, '_meta', 'claudeCode')?.['parentToolUseId']);
}

function location(entry: JsonObject): { path: string; line?: number }[] {
  const path = asText(entry['path']);
  const line = asNumber(entry['line']);
  return path === undefined ? [] : [{ path, ...(line !== undefined && { line }) }];
}

/** Output of a terminal of the agent's own, from the `_meta` of an update (acp-to-ahp 2.3). */
function terminalOutput(meta: JsonObject): TerminalOutput | undefined {
  const replace = asString(inside(meta, 'terminal_output')?.['data']);
  const append = asString(inside(meta, 'terminal_output_delta')?.['data']);
  const ended = inside(meta, 'terminal_exit');
  if (replace === undefined && append === undefined && ended === undefined) return undefined;
  const code = asNumber(ended?.['exit_code']);
  const signal = asText(ended?.['signal']);
  const exit = { ...(code !== undefined && { code }), ...(signal !== undefined && { signal }) };
  return {
    ...(replace !== undefined && { replace }),
    ...(append !== undefined && { append }),
    ...(ended !== undefined && { exit }),
  };
}
