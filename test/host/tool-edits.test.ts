import { describe, expect, it } from 'vitest';
import type { ToolContent, ToolPatch } from '../../src/host/ports.ts';
import type { FileEdit } from '../../src/protocol/state-common.ts';
import type { PendingToolCall } from '../../src/protocol/state-tool.ts';
import { text, toolTurn } from '../support/tools.ts';

const diff = (path: string, oldText: string | undefined, newText: string): ToolContent => ({
  type: 'diff',
  path,
  newText,
  ...(oldText !== undefined && { oldText }),
});

/** The edits of a call that asks with these diffs, and what a reader of their texts gets. */
function asked(patch: ToolPatch) {
  const turn = toolTurn();
  turn.rig.agent().report({
    type: 'permissionAsked',
    key: 'k',
    toolCallId: 'x',
    patch: { title: 'Write', kind: 'edit', ...patch },
    options: [{ id: 'y', label: 'Y', kind: 'allow_once' }],
    hints: { defaultToNo: false },
    reply: () => {},
  });
  const call = turn.call() as PendingToolCall & { _meta: { otto: { diffs?: unknown } } };
  const items: readonly FileEdit[] = call.edits?.items ?? [];
  const textOf = (side: FileEdit['after']) => side && turn.rig.host.resourceRead(side.content.uri).text;
  return { ...turn, pending: call, items, textOf };
}

describe('the edits of a call that asks', () => {
  it('are one per diff, in order, never merged by file (F-066)', () => {
    const content = ['/a', '/b', '/a', '/c', '/b'].map((path, at) => diff(path, `old ${at}`, `new ${at}`));
    const { items, textOf, pending } = asked({ content });
    expect(items.map(({ before, after }) => [before?.uri, textOf(before), textOf(after)])).toEqual([
      ['file:///a', 'old 0', 'new 0'],
      ['file:///b', 'old 1', 'new 1'],
      ['file:///a', 'old 2', 'new 2'],
      ['file:///c', 'old 3', 'new 3'],
      ['file:///b', 'old 4', 'new 4'],
    ]);
    expect(pending._meta.otto.diffs).toEqual(content.map(({ type: _type, ...rest }) => rest));
  });

  it('say what a new file, a changed one and a deleted one are', () => {
    const created = asked({ content: [diff('/a', undefined, 'one')] });
    expect(created.items).toEqual([
      {
        after: {
          uri: 'file:///a',
          content: {
            uri: expect.stringMatching(/^x-otto-content:\/[0-9a-f]{64}$/),
            sizeHint: 3,
            contentType: 'text/plain',
          },
        },
        diff: { added: 1, removed: 0 },
      },
    ]);
    expect(created.pending._meta.otto.diffs).toEqual([{ path: '/a', oldText: null, newText: 'one' }]);
    const changed = asked({ content: [diff('/a', 'a\nb\n', 'a\nc\nd\n')] });
    expect(changed.items[0]).toMatchObject({ before: {}, after: {}, diff: { added: 2, removed: 1 } });
    const emptied = asked({ content: [diff('/a', 'a\n', '')] });
    expect(Object.keys(emptied.items[0] ?? {})).toEqual(['before', 'after', 'diff']);
    const deleted = asked({ kind: 'delete', content: [diff('/a', 'a\n', '')] });
    expect(Object.keys(deleted.items[0] ?? {})).toEqual(['before', 'diff']);
  });

  it.each([
    ['a b.txt', 'file:///folder/a%20b.txt'],
    ['./a/../b', 'file:///folder/b'],
    ['../b', 'file:///b'],
    ['../../../b', 'file:///b'],
    ['/x//./y', 'file:///x/y'],
  ])('of the path %s are of %s', (path, uri) => {
    expect(asked({ content: [diff(path, undefined, 'x')] }).items[0]?.after?.uri).toBe(uri);
  });

  it('have the bare list beside them only while it is small', () => {
    const { items, pending } = asked({ content: [diff('/a', undefined, 'x'.repeat(64 << 10))] });
    expect(items).toHaveLength(1);
    expect(pending._meta.otto.diffs).toBeUndefined();
  });

  it('are those that were announced where the request has none', () => {
    const turn = toolTurn();
    turn.tool('x', { title: 'Write', rawInput: { a: 1 }, content: [diff('/a', undefined, 'x')] });
    turn.rig.agent().report({
      type: 'permissionAsked',
      key: 'k',
      toolCallId: 'x',
      patch: { content: [] },
      options: [{ id: 'y', label: 'Y', kind: 'allow_once' }],
      hints: { defaultToNo: false },
      reply: () => {},
    });
    expect((turn.call() as PendingToolCall).edits?.items).toHaveLength(1);
  });
});

describe('the edits in a result', () => {
  it('are those of the invocation where the result brought none, behind its text', () => {
    const { tool, call } = toolTurn();
    tool('x', { title: 'Write', kind: 'edit', rawInput: { a: 1 }, content: [diff('/a', undefined, 'one')] });
    tool('x', { status: 'completed', rawOutput: 'written' });
    expect(call()?.content).toMatchObject([
      text('written'),
      { type: 'fileEdit', after: { uri: 'file:///a' }, diff: { added: 1, removed: 0 } },
    ]);
  });

  it('are those of the result where it has some', () => {
    const { tool, call } = toolTurn();
    tool('x', { title: 'Write', rawInput: { a: 1 }, content: [diff('/a', undefined, 'one')] });
    tool('x', { status: 'completed', content: [diff('/a', 'zero', 'one'), diff('/b', undefined, 'two')] });
    expect(call()?.content).toMatchObject([
      { type: 'fileEdit', before: {}, after: { uri: 'file:///a' } },
      { type: 'fileEdit', after: { uri: 'file:///b' } },
    ]);
  });

  it('are none where the call failed and says nothing of any', () => {
    const { tool, call } = toolTurn();
    tool('x', { title: 'Write', rawInput: { a: 1 }, content: [diff('/a', undefined, 'one')] });
    tool('x', { status: 'failed', content: [text('read-only')] });
    expect(call()?.content).toEqual([text('read-only')]);
  });
});

it('texts go with the session, and a client is told that they are gone', () => {
  const { rig, items } = asked({ content: [diff('/a', undefined, 'one')] });
  const uri = items[0]?.after?.content.uri ?? '';
  rig.host.disposeSession('ahp-session:/s');
  expect(() => rig.host.resourceRead(uri)).toThrow(/no longer/);
  expect(() => rig.host.resourceRead('file:///etc/passwd')).toThrow(
    expect.objectContaining({ code: -32008 }) as Error,
  );
});
