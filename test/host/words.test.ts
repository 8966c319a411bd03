import { expect, it } from 'vitest';
import { permissionTitle, toolNameOf, wordOf } from '../../src/host/words.ts';

it.each([
  ['execute', 'execute', 'Claude wants to run a command', 'agents-permission-execute'],
  ['edit', 'edit', 'Claude wants to edit a file', 'agents-permission-edit'],
  ['switch_mode', 'switch-mode', 'Claude wants to change how it works', 'agents-permission-switch-mode'],
  ['think', 'tool', 'Claude wants to use a tool', 'agents-permission-tool'],
  ['__proto__', 'tool', 'Claude wants to use a tool', 'agents-permission-tool'],
  [undefined, 'tool', 'Claude wants to use a tool', 'agents-permission-tool'],
])('a call of kind %s is %s, and a person reads: %s (facts 2.4)', (kind, toolName, text, action) => {
  expect(toolNameOf(kind)).toBe(toolName);
  expect(permissionTitle('Claude', kind)).toEqual({
    text,
    title: { key: 'agents-permission-title', args: { agent: 'Claude', action } },
  });
});

it('an agent with the marks of a message in its name is named as it is', () => {
  expect(permissionTitle('{action} $& {agent}', 'read').text).toBe(
    '{action} $& {agent} wants to read a file',
  );
});

it.each([
  ['fetch', 'WebFetch', 'Fetch'],
  ['other', 'TodoWrite', 'Todo write'],
  [undefined, 'mcp__files__read_text', 'Files: read text'],
  ['think', undefined, 'Use a tool'],
  ['other', '__', 'Use a tool'],
])('a call without a title, of kind %s and name %s, is called %s', (kind, name, word) => {
  expect(wordOf(kind, name)).toBe(word);
});
