import { describe, expect, it } from 'vitest';
import type { ToolPatch } from '../../src/host/ports.ts';
import { text, toolTurn } from '../support/tools.ts';

const HOLD = 250;

describe('a tool call', () => {
  it('is visible while it runs, without having needed permission (R-029)', () => {
    const { rig, client, call, tool, said, chat } = toolTurn();
    tool('x', {
      title: 'Read a.txt',
      name: 'Read',
      kind: 'read',
      status: 'running',
      locations: [{ path: 'a.txt', line: 3 }, { path: 'b.txt' }],
      rawInput: { file: 'a.txt', description: 'Look\nat it' },
      parent: 'p',
    });
    rig.clock.advance(16);
    expect(said()).toEqual(['chat/toolCallStart', 'chat/toolCallReady']);
    const _meta = {
      otto: {
        tool: { name: 'Read', kind: 'read' },
        locations: [{ path: 'a.txt', line: 3 }, { path: 'b.txt' }],
        parent: 'p',
      },
    };
    expect(call()).toEqual({
      status: 'running',
      toolCallId: 'x',
      toolName: 'read',
      displayName: 'Read a.txt',
      invocationMessage: 'Read a.txt',
      intention: 'Look at it',
      toolInput: '{"path":"a.txt","line":3,"rawInput":{"file":"a.txt","description":"Look\\nat it"}}',
      confirmed: 'not-needed',
      _meta,
    });
    expect(client.chat(chat).activity).toBe('Read a.txt');
    tool('x', { status: 'completed', content: [text('hello')] });
    expect(said()).toEqual(['chat/toolCallComplete']);
    expect(call()).toMatchObject({
      status: 'completed',
      success: true,
      pastTenseMessage: 'Read a.txt',
      content: [text('hello')],
      _meta,
    });
    expect(client.chat(chat).activity).toBeUndefined();
  });

  it('is one call however often it is told, and repeats change nothing (R-058, F-013)', () => {
    const { rig, call, tool, said } = toolTurn();
    const patch: ToolPatch = { title: 'Build', kind: 'execute', status: 'running', content: [text('a')] };
    tool('x', patch);
    rig.clock.advance(1000);
    said();
    tool('x', patch);
    tool('x', { title: 'Build', status: 'pending' });
    tool('x', {});
    rig.clock.advance(1000);
    expect(said()).toEqual([]);
    tool('x', { title: 'Build again' });
    rig.clock.advance(16);
    // Getting ready erases content, so it is said again.
    expect(said()).toEqual(['chat/toolCallReady', 'chat/toolCallContentChanged']);
    expect(call()).toMatchObject({
      status: 'running',
      displayName: 'Build',
      invocationMessage: 'Build again',
      content: [text('a')],
    });
    tool('x', { status: 'failed' });
    tool('x', { status: 'completed' });
    tool('x', { status: 'running' });
    rig.clock.advance(1000);
    expect(call()).toMatchObject({ status: 'completed', success: false, error: { message: 'a' } });
  });

  it('is told again while it runs only when its title or its input is another', () => {
    const { rig, call, tool, said } = toolTurn();
    tool('x', { title: 'Look', status: 'running', rawInput: { a: 1 }, locations: [{ path: '/a' }] });
    rig.clock.advance(16);
    said();
    tool('x', { rawInput: { a: 1 }, kind: 'read', name: 'Look' });
    tool('x', { rawInput: {}, locations: [{ path: '/a' }] });
    rig.clock.advance(16);
    expect(said()).toEqual([]);
    tool('x', { locations: [{ path: '/b' }] });
    rig.clock.advance(16);
    expect(said()).toEqual(['chat/toolCallReady']);
    expect(call()).toMatchObject({ toolInput: '{"path":"/b","rawInput":{"a":1}}', confirmed: 'not-needed' });
    tool('x', { status: 'completed', rawInput: { a: 2 } });
    expect(said()).toEqual(['chat/toolCallReady', 'chat/toolCallComplete']);
    expect(call()).toMatchObject({ toolInput: '{"path":"/b","rawInput":{"a":2}}' });
  });

  it('that was never announced is made from its update, with a word for its kind', () => {
    const { call, tool, said } = toolTurn();
    tool('a', { kind: 'fetch', status: 'completed' });
    tool('b', { status: 'failed' });
    expect(call('a')).toMatchObject({ displayName: 'Fetch', toolName: 'fetch', status: 'completed' });
    expect(call('b')).toMatchObject({ displayName: 'Use a tool', toolName: 'tool', success: false });
    expect(call('b')).toMatchObject({ error: { message: 'Use a tool failed' } });
    const each = ['chat/toolCallStart', 'chat/toolCallReady', 'chat/toolCallComplete'];
    expect(said()).toEqual([...each, ...each]);
  });

  it('whose id is used again after it finished is another call, but what comes late for it is not', () => {
    const { rig, call, parts, tool } = toolTurn();
    tool('x', { title: 'One', status: 'completed', rawInput: { n: 1 } });
    tool('x', { title: 'One', status: 'running', rawInput: { n: 1 } });
    tool('x', { title: 'One, done' });
    tool('x', { status: 'pending' });
    rig.clock.advance(1000);
    expect(parts()).toHaveLength(1);
    tool('x', { title: 'Two', status: 'running' });
    tool('x', { status: 'completed', content: [text('2')] });
    tool('x', { title: 'Two', status: 'running', rawInput: { n: 3 } });
    expect(call('x#2')).toMatchObject({ displayName: 'Two', content: [text('2')] });
    expect(call('x#3')).toMatchObject({ displayName: 'Two', status: 'streaming' });
  });

  it('ends the text part before it, so that words keep their place', () => {
    const { rig, tool, parts } = toolTurn();
    rig.agent().text('before');
    rig.agent().text(' it');
    tool('x', { title: 'Look', status: 'completed' });
    rig.agent().text('after');
    expect(parts()).toMatchObject([{ content: 'before it' }, { kind: 'toolCall' }, { content: 'after' }]);
  });

  it('that is open when the turn ends is cancelled as skipped (C-12)', () => {
    const { rig, client, chat, tool, parts } = toolTurn();
    tool('x', { title: 'Look', status: 'running' });
    tool('y', { title: 'Preparing', kind: 'edit' });
    rig.clock.advance(200);
    rig.agent().stopped('gone');
    expect(parts()).toMatchObject([
      { toolCall: { status: 'cancelled', reason: 'skipped', invocationMessage: 'Look' } },
      { toolCall: { status: 'cancelled', displayName: 'Edit', invocationMessage: 'Preparing' } },
      { kind: 'error' },
    ]);
    expect(client.chat(chat).activity).toBeUndefined();
    client.seen();
    rig.clock.advance(HOLD);
    expect(client.seen().filter((type) => type.startsWith('chat/toolCall'))).toEqual([]);
  });

  it('that is held back when a client cancels the turn is not told after it', () => {
    const { rig, client, chat, turnId, tool } = toolTurn();
    tool('x', { title: 'Terminal' });
    tool('y', { title: 'Look', status: 'running', content: [text('a')] });
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    client.seen();
    rig.clock.advance(1000);
    expect(client.seen().filter((type) => /toolCall|activity/.test(type))).toEqual([]);
    expect(client.chat(chat).activity).toBe('Stopping…');
  });

  it('shows one line of its title, and the whole of it for who wants it', () => {
    const { call, tool } = toolTurn();
    tool('x', { title: `Run\n${'y'.repeat(5000)}`, status: 'completed' });
    const line = `Run ${'y'.repeat(196)}…`;
    expect(call()).toMatchObject({ displayName: line, invocationMessage: line, pastTenseMessage: line });
    expect(call()?._meta).toEqual({ otto: { tool: { title: `Run ${'y'.repeat(4092)}…` } } });
  });

  it('with a large input carries a reference to it', () => {
    const { rig, call, tool } = toolTurn();
    const rawInput = { content: 'é'.repeat(70_000) };
    tool('x', { title: 'Write', status: 'completed', rawInput });
    const ref = call()?.toolInput;
    expect(ref).toMatchObject({ sizeHint: 140_000 + 27, contentType: 'application/json' });
    const { text: whole } = rig.host.resourceRead((ref as { uri: string }).uri);
    expect(JSON.parse(whole)).toEqual({ rawInput });
  });

  it('of an MCP server that the session lists names the server', () => {
    const { rig, call, tool } = toolTurn({
      agents: [
        {
          info: {
            provider: 'fake',
            displayName: 'Fake',
            description: '',
            models: [],
            customizations: [
              {
                type: 'plugin',
                id: 'p',
                uri: 'x:/p',
                name: 'P',
                children: [
                  { type: 'mcpServer', id: 'm', uri: 'x:/m', name: 'files', state: { kind: 'ready' } },
                ],
              },
            ],
          },
          permissions: 'ask',
          forgets: false,
        },
      ],
    });
    tool('x', { name: 'mcp__files__read_text', status: 'running' });
    expect(call()).toMatchObject({
      displayName: 'Files: read text',
      contributor: { kind: 'mcp', customizationId: 'm' },
    });
    tool('y', { name: 'mcp__other__read', status: 'running' });
    expect(call('y')?.contributor).toBeUndefined();
    rig.agent().endTurn();
  });
});

describe('the title of a call', () => {
  const stock: ToolPatch = {
    title: 'Terminal',
    name: 'Bash',
    kind: 'execute',
    status: 'pending',
    rawInput: {},
  };

  it('is waited for, since some agents announce with a stock one and none can be changed later', () => {
    const { rig, call, tool, said } = toolTurn();
    tool('x', stock);
    rig.clock.advance(20);
    expect(said()).toEqual([]);
    tool('x', { title: 'touch made', rawInput: { command: 'touch made' } });
    expect(call()).toMatchObject({ status: 'streaming', displayName: 'touch made' });
    tool('x', { title: 'Terminal' });
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({
      status: 'running',
      displayName: 'touch made',
      invocationMessage: 'touch made',
    });
  });

  it('is the word for its kind where none comes in time, and the stock one stands beside it', () => {
    const { rig, call, tool, said } = toolTurn();
    tool('x', stock);
    rig.clock.advance(HOLD - 1);
    expect(said()).toEqual([]);
    rig.clock.advance(1);
    expect(said()).toEqual(['chat/toolCallStart', 'chat/toolCallDelta']);
    expect(call()).toMatchObject({
      status: 'streaming',
      displayName: 'Run a command',
      invocationMessage: 'Terminal',
    });
    // Without a real title it is not taken for running, however long that lasts.
    rig.clock.advance(10_000);
    expect(said()).toEqual([]);
    tool('x', { title: 'ls', rawInput: { command: 'ls' } });
    rig.clock.advance(16);
    expect(said()).toEqual(['chat/toolCallDelta']);
    rig.clock.advance(HOLD);
    expect(call()).toMatchObject({
      status: 'running',
      displayName: 'Run a command',
      invocationMessage: 'ls',
      toolInput: '{"rawInput":{"command":"ls"}}',
    });
  });

  it('that is real lets a call that is left pending run after a moment, because nobody asked (R-029)', () => {
    const { rig, call, tool, said } = toolTurn();
    tool('x', { title: 'ls', kind: 'execute', status: 'pending', rawInput: { command: 'ls' } });
    rig.clock.advance(HOLD - 1);
    expect(said()).toEqual(['chat/toolCallStart']);
    rig.clock.advance(1);
    expect(call()).toMatchObject({ status: 'running', confirmed: 'not-needed' });
  });
});

describe('a turn whose prompt was answered', () => {
  it('waits for a call that is about to run too (F-086)', () => {
    const { rig, client, chat, tool } = toolTurn();
    tool('x', { title: 'ls', status: 'pending', rawInput: { command: 'ls' } });
    rig.agent().endTurn();
    expect(client.chat(chat).activeTurn).toBeDefined();
    rig.clock.advance(100);
    tool('x', { status: 'completed', rawOutput: 'a.txt' });
    expect(client.chat(chat).turns).toMatchObject([
      { responseParts: [{ toolCall: { status: 'completed', content: [text('a.txt')] } }] },
    ]);
  });

  it('keeps the text that it still held back when more is said of it later (F-086)', () => {
    const { rig, client, chat, tool } = toolTurn();
    tool('x', { title: 'ls', status: 'running', rawInput: { command: 'ls' } });
    rig.agent().endTurn();
    for (const word of ['a', 'b', 'c', 'd']) {
      rig.clock.advance(495);
      rig.agent().text(word);
    }
    rig.clock.advance(19);
    rig.agent().text('e');
    rig.clock.advance(1);
    expect(client.chat(chat).activeTurn).toBeUndefined();
    tool('x', { status: 'completed' });
    rig.clock.advance(1000);
    expect(client.chat(chat).turns[0]?.responseParts).toMatchObject([
      { toolCall: { status: 'completed' } },
      { content: 'abcde' },
    ]);
  });
});

describe('what a chat is doing', () => {
  it('is its newest running call, and nothing as soon as none runs', () => {
    const { rig, client, chat, tool } = toolTurn();
    const activity = () => client.chat(chat).activity;
    tool('a', { title: 'A', status: 'running' });
    rig.clock.advance(16);
    tool('b', { title: 'B', status: 'running' });
    rig.clock.advance(300);
    expect(activity()).toBe('B');
    tool('b', { status: 'completed' });
    rig.clock.advance(300);
    expect(activity()).toBe('A');
    tool('a', { status: 'completed' });
    expect(activity()).toBeUndefined();
  });

  it('changes at most a few times a second, however many calls there are', () => {
    const { rig, client, tool } = toolTurn();
    for (let at = 0; at < 100; at++) {
      tool(`${at}`, { title: `Call ${at}`, status: 'running' });
      rig.clock.advance(20);
    }
    expect(client.seen().filter((type) => type === 'chat/activityChanged').length).toBeLessThanOrEqual(9);
  });
});
