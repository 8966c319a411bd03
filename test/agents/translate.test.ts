// The table from ACP updates to agent events, without a process.
import { describe, expect, it } from 'vitest';
import { DROPPED_UPDATES, modesOf, toolPatch, translate } from '../../src/agents/acp/translate.ts';

const chunk = (sessionUpdate: string, content: unknown, more = {}) => ({ sessionUpdate, content, ...more });

describe('translating an update', () => {
  it.each([
    [
      chunk('agent_message_chunk', { type: 'text', text: 'a' }, { messageId: 'm' }),
      [{ type: 'text', to: 'message', text: 'a', messageId: 'm' }],
    ],
    [chunk('agent_thought_chunk', { type: 'text', text: 'b' }), [{ type: 'text', to: 'thought', text: 'b' }]],
    [chunk('agent_message_chunk', { type: 'text', text: '' }), []],
    [chunk('agent_message_chunk', { type: 'image', data: '' }), []],
    [chunk('agent_message_chunk', 'text'), []],
    [{ sessionUpdate: 'tool_call', title: 'no id' }, []],
    [{ sessionUpdate: 'current_mode_update', currentModeId: 'a' }, [{ type: 'modes', current: 'a' }]],
    [{ sessionUpdate: 'current_mode_update', modeId: 'b' }, [{ type: 'modes', current: 'b' }]],
    [{ sessionUpdate: 'session_info_update', title: 'T' }, [{ type: 'title', title: 'T' }]],
    [{ sessionUpdate: 'session_info_update', title: null }, []],
  ])('%j', (update, events) => {
    expect(translate(update)).toEqual(events);
  });

  it('drops known kinds without an event and tells unknown ones apart', () => {
    for (const sessionUpdate of DROPPED_UPDATES) expect(translate({ sessionUpdate })).toEqual([]);
    expect(translate({ sessionUpdate: 'from_the_future' })).toBeUndefined();
    expect(translate({})).toBeUndefined();
  });

  it('says of a call only what was said, and nothing of odd fields', () => {
    expect(toolPatch({ status: 'in_progress' })).toEqual({ status: 'running' });
    expect(toolPatch({ status: 'failed', title: null, kind: 3, rawInput: {} })).toEqual({ status: 'failed' });
    expect(toolPatch({ status: 'toString', rawInput: [1] })).toEqual({});
    expect(toolPatch({ status: 'completed', rawInput: { a: 1 } })).toEqual({
      status: 'completed',
      input: '{"a":1}',
    });
  });

  it('reads modes leniently', () => {
    expect(modesOf({})).toBeUndefined();
    expect(modesOf({ modes: { availableModes: [{ id: 'a' }, { name: 'no id' }, 7] } })).toEqual({
      type: 'modes',
      available: [{ id: 'a', name: 'a', description: null }],
    });
  });
});
