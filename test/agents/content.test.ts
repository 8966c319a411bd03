// Content blocks as text of a message and of a thought.
import { describe, expect, it } from 'vitest';
import { fenced, messageText, thoughtText } from '../../src/agents/acp/content.ts';

describe('a block in a message', () => {
  it.each([
    [
      { type: 'resource_link', name: 'n', title: 'A [b]', uri: 'file:///a (1).txt' },
      '[A \\[b\\]](file:///a%20\\(1\\).txt)',
    ],
    [{ type: 'resource_link', name: 'n', uri: 'https://example.org/' }, '[n](https://example.org/)'],
    [{ type: 'resource_link', name: 'n', title: 'T', uri: 'javascript:alert(1)' }, 'n'],
    [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }, '[sound not shown]'],
    [{ type: 'resource', resource: { uri: 'x:/', blob: 'AAAA' } }, '[resource not shown]'],
    [{ type: 'resource', resource: { uri: 'x:/a', text: 'b' } }, '\n\nx:/a\n\n```\nb\n```\n\n'],
    [{ type: 'resource', resource: { uri: 'x:/a', text: 'é'.repeat(9000) } }, '[resource not shown]'],
    [{ type: 'hologram' }, undefined],
    [{}, undefined],
  ])('%j', (block, text) => {
    expect(messageText(block)).toBe(text);
  });

  it('is fenced with more marks than it holds', () => {
    expect(fenced('a\nb', 'x ```` y')).toBe('a b\n\n`````\nx ```` y\n`````');
  });
});

describe('a block in a thought', () => {
  it.each([
    [{ type: 'text', text: 'a' }, 'a'],
    [{ type: 'resource_link', name: 'n', uri: 'file:///n' }, 'n'],
    [{ type: 'audio', data: 'AAAA' }, ''],
    [{ type: 'resource', resource: { uri: 'x:/', text: 'b' } }, ''],
    [{ type: 'hologram' }, undefined],
  ])('%j', (block, text) => {
    expect(thoughtText(block)).toBe(text);
  });
});
