import { describe } from 'vitest';
import { reduceTerminal } from '../../../src/protocol/reduce/terminal.ts';
import type { TerminalContentPart, TerminalState } from '../../../src/protocol/state-terminal.ts';
import { itReduces } from '../../support/reduce-rows.ts';

const base: TerminalState = {
  title: 'sh',
  content: [],
  lifecycle: { status: 'running' },
  claim: { kind: 'client', clientId: 'a' },
};
const showing = (...content: TerminalContentPart[]): TerminalState => ({ ...base, content });
const command = (more: object = {}): TerminalContentPart => ({
  type: 'command',
  commandId: 'c1',
  commandLine: 'ls',
  output: '',
  timestamp: 5,
  isComplete: false,
  ...more,
});
const text = (value: string): TerminalContentPart => ({ type: 'unclassified', value });
const data = { type: 'terminal/data', data: 'x' } as const;

describe('SHAPES 14.5', () => {
  itReduces(reduceTerminal, [
    ['terminal/data opens a part', base, [data], showing(text('x'))],
    ['terminal/data joins a text at the tail', showing(text('a')), [data], showing(text('ax'))],
    [
      'terminal/data joins an incomplete command',
      showing(command()),
      [data],
      showing(command({ output: 'x' })),
    ],
    [
      'terminal/data after a complete command opens a part',
      showing(command({ isComplete: true })),
      [data],
      showing(command({ isComplete: true }), text('x')),
    ],
    ['terminal/input is never output (T-7)', base, [{ type: 'terminal/input', data: 'ls\n' }], 'same'],
    [
      'terminal/resized sets both sizes',
      base,
      [{ type: 'terminal/resized', cols: 80, rows: 24 }],
      { ...base, cols: 80, rows: 24 },
    ],
    [
      'terminal/resized to the same size is no change',
      { ...base, cols: 80, rows: 24 },
      [{ type: 'terminal/resized', cols: 80, rows: 24 }],
      'same',
    ],
    [
      'terminal/claimed replaces the claim',
      base,
      [{ type: 'terminal/claimed', claim: { kind: 'session', session: 's', chat: 'c' } }],
      { ...base, claim: { kind: 'session', session: 's', chat: 'c' } },
    ],
    ['terminal/titleChanged', base, [{ type: 'terminal/titleChanged', title: 'v' }], { ...base, title: 'v' }],
    [
      'terminal/cwdChanged',
      base,
      [{ type: 'terminal/cwdChanged', cwd: 'file:///w' }],
      { ...base, cwd: 'file:///w' },
    ],
    [
      'terminal/exited with a code',
      base,
      [{ type: 'terminal/exited', exitCode: 0 }],
      { ...base, lifecycle: { status: 'exited', exitCode: 0 } },
    ],
    [
      'terminal/exited without a code has no such key',
      base,
      [{ type: 'terminal/exited' }],
      { ...base, lifecycle: { status: 'exited' } },
    ],
    ['terminal/cleared empties the content', showing(text('a')), [{ type: 'terminal/cleared' }], base],
    ['terminal/cleared of nothing is no change', base, [{ type: 'terminal/cleared' }], 'same'],
    [
      'terminal/commandDetectionAvailable raises the flag',
      base,
      [{ type: 'terminal/commandDetectionAvailable' }],
      { ...base, supportsCommandDetection: true },
    ],
    [
      'terminal/commandExecuted adds an incomplete command and raises the flag',
      base,
      [{ type: 'terminal/commandExecuted', commandId: 'c1', commandLine: 'ls', timestamp: 5 }],
      { ...showing(command()), supportsCommandDetection: true },
    ],
    [
      'terminal/commandFinished completes every command of that id and no other',
      showing(command(), command({ commandId: 'c2' }), command()),
      [{ type: 'terminal/commandFinished', commandId: 'c1', exitCode: 1, durationMs: 9 }],
      showing(
        command({ isComplete: true, exitCode: 1, durationMs: 9 }),
        command({ commandId: 'c2' }),
        command({ isComplete: true, exitCode: 1, durationMs: 9 }),
      ),
    ],
    [
      'terminal/commandFinished without figures has no such keys',
      showing(command()),
      [{ type: 'terminal/commandFinished', commandId: 'c1' }],
      showing(command({ isComplete: true })),
    ],
    [
      'terminal/commandFinished of an unknown command is no change',
      showing(command(), text('a')),
      [{ type: 'terminal/commandFinished', commandId: 'c9' }],
      'same',
    ],
  ]);
});
