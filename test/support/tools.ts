// A turn that runs, and an agent that speaks of tool calls.
import type { ToolPatch } from '../../src/host/ports.ts';
import type { ToolCall, ToolInput, ToolResultContent } from '../../src/protocol/state-tool.ts';
import type { RigOptions } from './host-rig.ts';
import { running } from './questions.ts';

export function toolTurn(options: RigOptions = {}) {
  const { rig, client, chat, turnId } = running(options);
  client.seen();
  const parts = () => (client.chat(chat).activeTurn ?? client.chat(chat).turns.at(-1))?.responseParts ?? [];
  /** The newest call, or the one with this id. */
  const call = (id?: string) => {
    const calls = parts().flatMap((part) => (part.kind === 'toolCall' ? part.toolCall : []));
    return calls.findLast(({ toolCallId }) => id === undefined || toolCallId === id) as
      | (ToolCall & { content?: readonly ToolResultContent[]; toolInput?: ToolInput })
      | undefined;
  };
  return {
    rig,
    client,
    chat,
    turnId,
    parts,
    call,
    tool: (id: string, patch: ToolPatch) => rig.agent().report({ type: 'tool', id, patch }),
    /** Types of what was said of tool calls since the last look. */
    said: () => client.seen().filter((type) => type.startsWith('chat/toolCall')),
  };
}

export const text = (content: string) => ({ type: 'text', text: content }) as const;
