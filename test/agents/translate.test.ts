// The table from ACP updates to agent events, without a process.
import { describe, expect, it } from 'vitest';
import {
  DROPPED_UPDATES,
  STATE_UPDATES,
  type Summaries,
  translate,
  turnTokens,
} from '../../src/agents/acp/translate.ts';

const once = (update: object) => translate(update as never, new Map());
const chunk = (sessionUpdate: string, content: unknown, more = {}) => ({ sessionUpdate, content, ...more });
const text = (words: string) => ({ type: 'text', text: words });

describe('translating an update', () => {
  it.each([
    [
      chunk('agent_message_chunk', text('a'), { messageId: 'm' }),
      [{ type: 'text', to: 'message', text: 'a', messageId: 'm' }],
    ],
    [chunk('agent_message_chunk', text('')), []],
    [chunk('agent_message_chunk', { ...text('a'), annotations: { audience: ['assistant'] } }), []],
    [
      chunk('agent_message_chunk', { ...text('a'), annotations: { audience: ['user'], priority: 1 } }),
      [{ type: 'text', to: 'message', text: 'a' }],
    ],
    [
      chunk('agent_message_chunk', text('**Warning:** b'), {
        _meta: { claudeCode: { kind: 'informational' } },
      }),
      [{ type: 'notice', severity: 'info', title: '**Warning:** b' }],
    ],
    [
      chunk('agent_message_chunk', { type: 'image', data: 'AAAA', mimeType: 'image/png' }),
      [{ type: 'text', to: 'message', text: '[picture not shown]' }],
    ],
    [chunk('agent_thought_chunk', text('b')), [{ type: 'text', to: 'thought', text: 'b' }]],
    [chunk('agent_thought_chunk', { type: 'image', data: 'AAAA', mimeType: 'image/png' }), []],
    [
      chunk('agent_thought_chunk', { type: 'resource_link', name: 'n', uri: 'file:///n' }),
      [{ type: 'text', to: 'thought', text: 'n' }],
    ],
    [
      chunk('user_message_chunk', text('more'), { messageId: 'u' }),
      [{ type: 'userText', text: 'more', messageId: 'u' }],
    ],
    [
      {
        sessionUpdate: 'plan',
        entries: [{ content: 'a', priority: 'high', status: 'pending' }, { status: 'x' }],
      },
      [{ type: 'plan', id: '', body: { entries: [{ content: 'a', priority: 'high', status: 'pending' }] } }],
    ],
    [
      { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries: [{ content: 'a' }] } },
      [{ type: 'plan', id: 'p', body: { entries: [{ content: 'a', status: 'pending' }] } }],
    ],
    [
      { sessionUpdate: 'plan_update', plan: { type: 'markdown', planId: 'p', content: '# P' } },
      [{ type: 'plan', id: 'p', body: { markdown: '# P' } }],
    ],
    [
      { sessionUpdate: 'plan_update', plan: { type: 'file', planId: 'p', uri: 'file:///p' } },
      [{ type: 'plan', id: 'p', body: { uri: 'file:///p' } }],
    ],
    [{ sessionUpdate: 'plan_removed', planId: 'p' }, [{ type: 'plan', id: 'p', body: null }]],
    [
      {
        sessionUpdate: 'available_commands_update',
        availableCommands: [
          { name: 'a', description: 'A', input: { hint: 'h' } },
          { name: 'b', description: 'B', input: null },
          { description: 'no name' },
        ],
      },
      [
        {
          type: 'commands',
          commands: [
            { name: 'a', description: 'A', hint: 'h' },
            { name: 'b', description: 'B' },
          ],
        },
      ],
    ],
    [{ sessionUpdate: 'current_mode_update', currentModeId: 'a' }, [{ type: 'modes', current: 'a' }]],
    [{ sessionUpdate: 'current_mode_update', modeId: 'b' }, [{ type: 'modes', current: 'b' }]],
    [{ sessionUpdate: 'session_info_update', title: 'T', updatedAt: 'x' }, [{ type: 'title', title: 'T' }]],
    [{ sessionUpdate: 'session_info_update', title: null }, [{ type: 'title', title: null }]],
    [{ sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus: 'idle' } } }, []],
    [
      {
        sessionUpdate: 'usage_update',
        used: 3,
        size: 10,
        cost: { amount: 0.5, currency: 'USD' },
        _meta: { '_claude/model': 'm' },
      },
      [{ type: 'usage', context: { used: 3, size: 10 }, cost: { amount: 0.5, currency: 'USD' }, model: 'm' }],
    ],
    [{ sessionUpdate: 'usage_update', used: '3', size: 10, cost: null }, []],
    [
      { sessionUpdate: 'notice', severity: 'warning', title: 't', description: 'd' },
      [{ type: 'notice', severity: 'warning', title: 't', description: 'd' }],
    ],
    [{ sessionUpdate: 'notice', title: 't' }, [{ type: 'notice', severity: 'info', title: 't' }]],
    [
      { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'T', status: 'pending' },
      [{ type: 'tool', id: 'c', patch: { title: 'T', status: 'pending' } }],
    ],
    [{ sessionUpdate: 'tool_call', toolCallId: 'c' }, [{ type: 'tool', id: 'c', patch: {} }]],
    [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c',
        _meta: { claudeCode: { toolResponse: { a: 1 } } },
      },
      [],
    ],
  ])('%j', (update, events) => {
    expect(once(update)).toEqual(events);
  });

  it('keeps what it does not know whole, also a known update of an unknown shape (R-067)', () => {
    for (const update of [
      { sessionUpdate: 'from_the_future', a: { b: [1] } },
      {},
      chunk('agent_message_chunk', { type: 'hologram', data: 'x' }),
      { sessionUpdate: 'tool_call', title: 'no id' },
    ]) {
      expect(once(update)).toEqual([{ type: 'unknown', update }]);
    }
  });

  it('cuts an unknown update that is nested too deep to be written out again', () => {
    const deep = JSON.parse(`{"sessionUpdate":"odd","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
    const [event] = once(deep);
    expect(event?.type).toBe('unknown');
    expect(JSON.stringify(event)).toContain('[not shown]');
  });

  it('drops child sessions by name', () => {
    for (const sessionUpdate of DROPPED_UPDATES) expect(once({ sessionUpdate })).toEqual([]);
    expect([...DROPPED_UPDATES].filter((name) => STATE_UPDATES.has(name))).toEqual([]);
  });

  it('collects the summary of a compaction from chunks, and a list in an update replaces it', () => {
    const summaries: Summaries = new Map();
    const say = (update: object) => translate(update as never, summaries);
    const part = (words: string) =>
      say({ sessionUpdate: 'compaction_summary_chunk', compactionId: 'k', content: text(words) });
    expect(part('one ')).toEqual([{ type: 'compaction', id: 'k', status: 'in_progress' }]);
    expect(part('two')).toEqual([]);
    expect(say({ sessionUpdate: 'compaction_update', compactionId: 'k', status: 'completed' })).toEqual([
      { type: 'compaction', id: 'k', status: 'completed', summary: 'one two' },
    ]);
    expect(
      say({
        sessionUpdate: 'compaction_update',
        compactionId: 'k',
        status: 'completed',
        summary: [text('new')],
      }),
    ).toEqual([{ type: 'compaction', id: 'k', status: 'completed', summary: 'new' }]);
    expect(
      say({ sessionUpdate: 'compaction_update', compactionId: 'l', status: 'failed', error: 'why' }),
    ).toEqual([{ type: 'compaction', id: 'l', status: 'failed', error: 'why' }]);
  });

  it('keeps a bounded amount of summaries however many an agent begins', () => {
    const summaries: Summaries = new Map();
    for (let n = 0; n < 200; n += 1) {
      const content = text('x'.repeat(40_000));
      translate({ sessionUpdate: 'compaction_summary_chunk', compactionId: `${n}`, content }, summaries);
    }
    const kept = [...summaries.values()].reduce((sum, { length }) => sum + length, 0);
    expect(kept).toBeLessThan(500_000);
  });
});

describe('the tokens of a turn', () => {
  it('come from the answer to its prompt, and only as numbers', () => {
    expect(
      turnTokens({
        usage: {
          inputTokens: 1,
          outputTokens: 2,
          cachedReadTokens: 0,
          cachedWriteTokens: 4,
          thoughtTokens: 5,
          totalTokens: 6,
        },
        _meta: { quota: {} },
      }),
    ).toEqual({ inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWrite: 4, thought: 5, total: 6 });
    expect(turnTokens({ usage: { inputTokens: '1', totalTokens: null } })).toBeUndefined();
    expect(turnTokens({})).toBeUndefined();
  });
});
