import { describe, expect, it } from 'vitest';
import type { ToolPatch } from '../../src/host/ports.ts';
import { oneLine } from '../../src/host/tool-calls.ts';
import { createRig } from '../support/host-rig.ts';

function running() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  client.seen();
  const tool = (id: string, patch: ToolPatch) => rig.agent().report({ type: 'tool', id, patch });
  const parts = () => client.chat(chat).activeTurn?.responseParts ?? [];
  return { rig, client, chat, tool, parts };
}

describe('a tool call', () => {
  it('is visible while it runs, without having needed permission (R-029)', () => {
    const { client, tool, parts } = running();
    tool('x', { title: 'Read a.txt', kind: 'read', input: '{"path":"a.txt"}', status: 'running' });
    expect(client.seen().slice(0, 2)).toEqual(['chat/toolCallStart', 'chat/toolCallReady']);
    expect(parts()).toEqual([
      {
        kind: 'toolCall',
        toolCall: {
          status: 'running',
          toolCallId: 'x',
          toolName: 'read',
          displayName: 'Read a.txt',
          invocationMessage: 'Read a.txt',
          toolInput: '{"path":"a.txt"}',
          confirmed: 'not-needed',
          _meta: { otto: { tool: { kind: 'read' } } },
        },
      },
    ]);
    tool('x', { status: 'completed', content: [{ type: 'text', text: 'hello' }] });
    expect(parts()).toMatchObject([
      {
        toolCall: {
          status: 'completed',
          success: true,
          pastTenseMessage: 'Read a.txt',
          content: [{ text: 'hello' }],
        },
      },
    ]);
  });

  it('is one call however often it is told, and repeats change nothing (R-058, F-013)', () => {
    const { client, tool, parts } = running();
    const patch: ToolPatch = {
      title: 'Build',
      kind: 'execute',
      status: 'running',
      content: [{ type: 'text', text: 'a' }],
    };
    tool('x', patch);
    client.seen();
    tool('x', { title: 'Build', status: 'running' });
    tool('x', {});
    expect(client.seen()).toEqual([]);
    tool('x', { title: 'Build again' });
    expect(parts()).toMatchObject([
      { toolCall: { invocationMessage: 'Build again', content: [{ text: 'a' }] } },
    ]);
    tool('x', { status: 'failed' });
    tool('x', { status: 'completed' });
    expect(parts()).toMatchObject([
      { toolCall: { status: 'completed', success: false, error: { message: 'Build again failed' } } },
    ]);
  });

  it('that was never announced is made from its update, with a word for its kind', () => {
    const { tool, parts } = running();
    tool('a', { kind: 'fetch', status: 'completed' });
    tool('b', { status: 'completed' });
    expect(parts()).toMatchObject([
      { toolCall: { displayName: 'Fetch' } },
      { toolCall: { displayName: 'Use a tool', toolName: 'tool' } },
    ]);
  });

  it('whose id is used again after it finished is another call', () => {
    const { tool, parts } = running();
    tool('x', { title: 'One', status: 'completed' });
    tool('x', { title: 'Two', status: 'running' });
    expect(parts()).toMatchObject([
      { toolCall: { toolCallId: 'x' } },
      { toolCall: { toolCallId: 'x#2', displayName: 'Two' } },
    ]);
  });

  it('ends the text part before it, so that words keep their place', () => {
    const { rig, tool, parts } = running();
    rig.agent().text('before');
    rig.agent().text(' it');
    tool('x', { title: 'Look', status: 'completed' });
    rig.agent().text('after');
    expect(parts()).toMatchObject([{ content: 'before it' }, { kind: 'toolCall' }, { content: 'after' }]);
  });

  it('that is open when the turn ends is cancelled as skipped (C-12)', () => {
    const { rig, client, chat, tool } = running();
    tool('x', { title: 'Look', status: 'running' });
    rig.agent().endTurn();
    expect(client.chat(chat).turns[0]?.responseParts).toMatchObject([
      { toolCall: { status: 'cancelled', reason: 'skipped' } },
    ]);
    expect(client.chat(chat).activity).toBeUndefined();
  });
});

it.each([
  ['  a\n\tb  c ', 'a b c'],
  ['x'.repeat(201), `${'x'.repeat(200)}…`],
  ['😀'.repeat(200), '😀'.repeat(200)],
])('one line of at most 200 characters: %j (facts 2.4)', (text, expected) => {
  expect(oneLine(text)).toBe(expected);
});
