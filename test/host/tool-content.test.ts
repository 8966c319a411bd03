import { describe, expect, it } from 'vitest';
import type { ToolPatch } from '../../src/host/ports.ts';
import type { ToolCallResult } from '../../src/protocol/state-tool.ts';
import { text, toolTurn } from '../support/tools.ts';

const BASE: ToolPatch = { title: 'Run', kind: 'execute' };

/** The result of a call to which all of this was said, in order. */
function resultOf(...patches: ToolPatch[]) {
  const { tool, call } = toolTurn();
  tool('x', BASE);
  for (const patch of patches) tool('x', patch);
  tool('x', { status: 'completed' });
  return call() as unknown as ToolCallResult & { _meta: { otto: Record<string, unknown> } };
}

describe('the result of a call', () => {
  it('is the newest list that came while it ran or ended', () => {
    const content = [text('one'), { type: 'resource', uri: 'https://x/', sizeHint: 3 } as const, text('two')];
    expect(resultOf({ status: 'running', content: [text('early')] }, { content }).content).toEqual(content);
    expect(resultOf({ status: 'completed', content }).content).toEqual(content);
  });

  it('has none of the texts that said what the call was going to do', () => {
    const rawInput = { command: 'x', description: 'Scripted  command' };
    const content = [text('Scripted command')];
    expect(resultOf({ rawInput, status: 'pending', content }).content).toBeUndefined();
    // Said again with the result, it is no result either.
    expect(resultOf({ rawInput, status: 'running', content: [...content, text('out')] }).content).toEqual([
      text('out'),
    ]);
  });

  it('is one text where texts follow each other, without the fence around it', () => {
    const running = (content: string) => resultOf({ status: 'running', content: [text(content)] }).content;
    expect(running('```console\na\nb\n```')).toEqual([text('a\nb')]);
    expect(running('~~~~\n```\n~~~~\n')).toEqual([text('```')]);
    expect(running('```\n```')).toBeUndefined();
    expect(running('```\n\n```')).toBeUndefined();
    for (const whole of ['```\na\n```\nand\n```\nb\n```', 'a\n```\nb\n```', '```inline```', '```\nopen'])
      expect(running(whole)).toEqual([text(whole)]);
    const two = resultOf({ status: 'running', content: [text('```\na\n```'), text('b')] });
    expect(two.content).toEqual([text('a\nb')]);
  });

  it('is the output of the terminal where the list has no text, and how it ended', () => {
    const diff = { type: 'diff', path: '/a', newText: 'x' } as const;
    const { content, success, _meta } = resultOf(
      { status: 'running', content: [diff] },
      { terminal: { append: 'out' } },
      { terminal: { append: 'put\n' } },
      { terminal: { exit: { code: 1 } }, rawOutput: 'a copy' },
    );
    expect(content).toMatchObject([text('output\nexit 1'), { type: 'fileEdit' }]);
    expect(success).toBe(true);
    expect(_meta.otto['exit']).toEqual({ code: 1 });
  });

  it.each([
    [{ replace: 'all', exit: { code: 0 } }, 'all'],
    [{ replace: 'cut', exit: { signal: 'SIGTERM' } }, 'cut\nsignal SIGTERM'],
    [{ exit: { code: 127 } }, 'exit 127'],
  ])('of terminal output %j is %j', (terminal, expected) => {
    expect(resultOf({ status: 'running' }, { terminal }).content).toEqual([text(expected)]);
  });

  it.each([
    ['plain', 'plain'],
    [{ output: 'o' }, 'o'],
    [{ stdout: 'out', stderr: 'err', exit_code: 0 }, 'out\nerr'],
    [{ stdout: 'same', formatted_output: 'same' }, 'same'],
    [{ output: '', stdout: 'out' }, 'out'],
  ])('of raw output %j is %j where there is nothing else', (rawOutput, expected) => {
    const result = resultOf({ rawOutput });
    expect(result.content).toEqual([text(expected)]);
    expect(result.structuredContent).toBeUndefined();
    expect(resultOf({ status: 'running', content: [text('list')], rawOutput }).content).toEqual([
      text('list'),
    ]);
  });

  it('is the raw output as it is where that is a small object without texts, and nothing otherwise', () => {
    expect(resultOf({ rawOutput: { matches: 3 } })).toMatchObject({ structuredContent: { matches: 3 } });
    for (const rawOutput of [[1], 7, null, true, { many: 'x'.repeat(33_000) }, '']) {
      const { content, structuredContent } = resultOf({ rawOutput });
      expect([content, structuredContent]).toEqual([undefined, undefined]);
    }
  });

  it('of a failure says in its first line why', () => {
    const { tool, call } = toolTurn();
    tool('x', { ...BASE, status: 'failed', content: [text('\n\nno such file\nat line 3')] });
    expect(call()).toMatchObject({ success: false, error: { message: 'no such file' } });
  });

  it('above 64 KiB is a reference and the newest part beside it', () => {
    const { rig, tool, call } = toolTurn();
    const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at}\n`).join('');
    tool('x', { ...BASE, status: 'completed', content: [text(lines), { type: 'resource', uri: 'x:/y' }] });
    const [ref, tail, link] = call()?.content ?? [];
    expect(ref).toMatchObject({ type: 'resource', sizeHint: lines.length, contentType: 'text/plain' });
    expect(rig.host.resourceRead((ref as { uri: string }).uri).text).toBe(lines);
    expect(tail).toMatchObject({ text: expect.stringMatching(/^… \d+ earlier characters\nline /) });
    expect(tail).toMatchObject({ text: expect.stringMatching(/line 9999\n$/) });
    expect(link).toEqual({ type: 'resource', uri: 'x:/y' });
  });

  it('above 256 KiB says how much was not kept', () => {
    const { rig, tool, call } = toolTurn();
    tool('x', { ...BASE, status: 'completed', content: [text('x'.repeat(300_000))] });
    const cut = 300_000 - (256 << 10);
    const [ref] = call()?.content ?? [];
    const whole = rig.host.resourceRead((ref as { uri: string }).uri).text;
    expect(whole).toContain(`\n… ${cut} characters left out …\n`);
    expect(call()?._meta?.['otto']).toMatchObject({ cut });
  });
});

describe('output while a call runs', () => {
  it('is told a few times a second, and only if it is another', () => {
    const { rig, tool, call, said } = toolTurn();
    tool('x', { ...BASE, status: 'running' });
    rig.clock.advance(16);
    said();
    for (let at = 1; at <= 100; at++) {
      tool('x', { content: [text('x'.repeat(at))] });
      rig.clock.advance(10);
    }
    expect(said().length).toBeLessThanOrEqual(5);
    rig.clock.advance(250);
    said();
    expect(call()?.content).toEqual([text('x'.repeat(100))]);
    tool('x', { content: [text('x'.repeat(100))] });
    rig.clock.advance(1000);
    expect(said()).toEqual([]);
  });

  it('comes from a terminal too, and from raw output', () => {
    const { rig, tool, call } = toolTurn();
    tool('x', { ...BASE, status: 'running', rawOutput: 'raw' });
    rig.clock.advance(300);
    expect(call()?.content).toEqual([text('raw')]);
    tool('x', { terminal: { append: 'more' } });
    rig.clock.advance(300);
    expect(call()?.content).toEqual([text('more')]);
  });

  it('told 2,000 times from its start costs clients little, and its end is exact (F-094)', () => {
    const { rig, client, chat, tool, call } = toolTurn();
    const whole = Array.from({ length: 2000 }, () => `${'x'.repeat(1023)}\n`).join('');
    tool('x', { ...BASE, status: 'running' });
    for (let at = 1; at <= 2000; at++) {
      tool('x', { content: [text(whole.slice(0, at << 10))] });
      rig.clock.advance(20);
    }
    tool('x', { status: 'completed' });
    const sent = client.envelopes.reduce((sum, envelope) => sum + JSON.stringify(envelope).length, 0);
    expect(sent).toBeLessThan(5 * whole.length);
    expect(JSON.stringify(client.chat(chat)).length).toBeLessThan(70_000);
    const [ref] = call()?.content ?? [];
    const kept = rig.host.resourceRead((ref as { uri: string }).uri).text;
    expect(kept.startsWith(whole.slice(0, 64 << 10))).toBe(true);
    expect(kept.endsWith(whole.slice(-(192 << 10)))).toBe(true);
    expect(kept.length).toBeLessThan((256 << 10) + 100);
  });

  it('of a noisy call costs little, repeats nothing, and its end is told at once (F-095)', () => {
    const { rig, client, tool, call, said } = toolTurn();
    tool('x', { ...BASE, status: 'running' });
    for (let at = 0; at < 1000; at++) {
      tool('x', { terminal: { replace: `${at} ${'~'.repeat(150_000)}` } });
      rig.clock.advance(20);
    }
    expect(said().length).toBeLessThanOrEqual(2 + 4 * 20 + 1);
    rig.clock.advance(1000);
    said();
    const before = client.envelopes.length;
    for (let at = 0; at < 1100; at++) {
      tool('x', { terminal: { replace: `999 ${'~'.repeat(150_000)}` } });
      rig.clock.advance(1);
    }
    expect(client.envelopes.length).toBe(before);
    tool('x', { status: 'completed' });
    expect(call()?.status).toBe('completed');
  });
});
