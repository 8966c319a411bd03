// What ACP says of a tool call as a patch, without a process.
import { describe, expect, it } from 'vitest';
import { toolPatch } from '../../src/agents/acp/tool-patch.ts';

describe('the patch of a tool call', () => {
  it('holds every field that was said', () => {
    expect(
      toolPatch({
        title: 'Write a.txt',
        name: 'Write',
        kind: 'edit',
        status: 'in_progress',
        rawInput: { file_path: '/w/a.txt' },
        rawOutput: 'ok',
        content: [{ type: 'diff', path: '/w/a.txt', oldText: null, newText: 'one' }],
        locations: [{ path: '/w/a.txt', line: 3 }, { path: '/w/b', line: null }, { line: 1 }],
        _meta: { claudeCode: { parentToolUseId: 'p', toolResponse: { data: 'x' } } },
      }),
    ).toEqual({
      title: 'Write a.txt',
      name: 'Write',
      kind: 'edit',
      status: 'running',
      rawInput: { file_path: '/w/a.txt' },
      rawOutput: 'ok',
      content: [{ type: 'diff', path: '/w/a.txt', newText: 'one' }],
      locations: [{ path: '/w/a.txt', line: 3 }, { path: '/w/b' }],
      parent: 'p',
    });
  });

  it('says nothing of null, of odd values and of an empty title', () => {
    expect(
      toolPatch({
        title: ' ',
        kind: 3,
        status: 'toString',
        rawInput: null,
        rawOutput: null,
        content: null,
        locations: 'x',
        _meta: null,
      }),
    ).toEqual({});
    expect(toolPatch({ content: [], rawInput: {} })).toEqual({ content: [], rawInput: {} });
  });

  it.each([['rm -rf ~'], [['rm', '-rf']], [''], [[]], [7], [false]])(
    'keeps the input %j as it is',
    (rawInput) => {
      expect(toolPatch({ rawInput })).toEqual({ rawInput });
    },
  );

  it.each([
    ['pending', 'pending'],
    ['in_progress', 'running'],
    ['completed', 'completed'],
    ['failed', 'failed'],
  ])('reads the status %s as %s', (status, expected) => {
    expect(toolPatch({ status })).toEqual({ status: expected });
  });

  it('takes the name from where Claude puts it when there is none', () => {
    expect(toolPatch({ _meta: { claudeCode: { toolName: 'Bash' } } })).toEqual({ name: 'Bash' });
  });

  it.each([
    [{ terminal_output: { terminal_id: 't', data: 'all' } }, { replace: 'all' }],
    [{ terminal_output_delta: { data: 'more' } }, { append: 'more' }],
    [{ terminal_exit: { exit_code: 1, signal: null } }, { exit: { code: 1 } }],
    [{ terminal_exit: { exit_code: null, signal: 'SIGTERM' } }, { exit: { signal: 'SIGTERM' } }],
    [
      { terminal_output_delta: { data: 'z' }, terminal_exit: {} },
      { append: 'z', exit: {} },
    ],
    [{ terminal_info: { terminal_id: 't', cwd: '/' } }, undefined],
  ])('reads output of the agent’s own terminal: %j', (_meta, terminal) => {
    expect(toolPatch({ _meta })).toEqual(terminal === undefined ? {} : { terminal });
  });

  it('strips copies of files in base64 from the output, and nothing from the input', () => {
    const data = 'QUJD'.repeat(100);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const { rawInput, rawOutput } = toolPatch({
      rawInput: { data },
      rawOutput: [image, { text: data, data: 'ab' }],
    });
    expect(rawInput).toEqual({ data });
    expect(rawOutput).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '[not shown]' } },
      { text: data, data: 'ab' },
    ]);
  });

  it.each([
    [{ type: 'content', content: { type: 'text', text: 'a' } }, [{ type: 'text', text: 'a' }]],
    [
      { type: 'content', content: { type: 'image', data: 'AAAA', mimeType: 'image/png' } },
      [{ type: 'text', text: '[picture not shown]' }],
    ],
    [
      { type: 'content', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
      [{ type: 'text', text: '[sound not shown]' }],
    ],
    [
      {
        type: 'content',
        content: { type: 'resource_link', uri: 'file:///a', name: 'a', size: 3, mimeType: 'text/plain' },
      },
      [{ type: 'resource', uri: 'file:///a', sizeHint: 3, contentType: 'text/plain' }],
    ],
    [
      { type: 'content', content: { type: 'resource', resource: { uri: 'x:/', text: 'body' } } },
      [{ type: 'text', text: 'body' }],
    ],
    [
      { type: 'content', content: { type: 'resource', resource: { uri: 'x:/', blob: 'AAAA' } } },
      [{ type: 'text', text: '[resource not shown]' }],
    ],
    [
      { type: 'diff', path: 'a', oldText: '', newText: 'b' },
      [{ type: 'diff', path: 'a', oldText: '', newText: 'b' }],
    ],
    [{ type: 'terminal', terminalId: 't' }, []],
    [{ type: 'from the future' }, []],
    [7, []],
  ])('reads content %j', (entry, content) => {
    expect(toolPatch({ content: [entry] })).toEqual({ content });
  });
});
