// Reducer of a terminal channel (SHAPES 14.5). It collects output and never interprets it; trimming the
// scrollback is the host's and each client's own affair (T-11).
import type { Action } from '../actions.ts';
import type { TerminalContentPart, TerminalLifecycle, TerminalState } from '../state-terminal.ts';
import { emptied, present, setKey } from './same.ts';

/** The terminal's state after `action`; the same object when nothing changed. */
export function reduceTerminal(state: TerminalState, action: Action): TerminalState {
  switch (action.type) {
    case 'terminal/data':
      return setKey(state, 'content', appendOutput(state.content, action.data));
    case 'terminal/resized':
      return setKey(setKey(state, 'cols', action.cols), 'rows', action.rows);
    case 'terminal/claimed':
      return setKey(state, 'claim', action.claim);
    case 'terminal/titleChanged':
      return setKey(state, 'title', action.title);
    case 'terminal/cwdChanged':
      return setKey(state, 'cwd', action.cwd);
    case 'terminal/exited':
      return setKey(
        state,
        'lifecycle',
        present<TerminalLifecycle>({ status: 'exited', exitCode: action.exitCode }),
      );
    case 'terminal/cleared':
      return setKey(state, 'content', emptied(state.content));
    case 'terminal/commandDetectionAvailable':
      return setKey(state, 'supportsCommandDetection', true);
    case 'terminal/commandExecuted': {
      const { commandId, commandLine, timestamp } = action;
      const part = { commandId, commandLine, timestamp, output: '', isComplete: false };
      const content: TerminalState['content'] = [...state.content, { type: 'command', ...part }];
      return setKey(setKey(state, 'content', content), 'supportsCommandDetection', true);
    }
    case 'terminal/commandFinished':
      return finishCommand(state, action);
    default:
      return state;
  }
}

function appendOutput(content: readonly TerminalContentPart[], data: string): readonly TerminalContentPart[] {
  const tail = content.at(-1);
  if (tail?.type === 'command' && !tail.isComplete) {
    return content.with(-1, { ...tail, output: tail.output + data });
  }
  if (tail?.type === 'unclassified') return content.with(-1, { ...tail, value: tail.value + data });
  return [...content, { type: 'unclassified', value: data }];
}

function finishCommand(
  state: TerminalState,
  action: Extract<Action, { type: 'terminal/commandFinished' }>,
): TerminalState {
  const content = state.content.map((part) => {
    if (part.type !== 'command' || part.commandId !== action.commandId) return part;
    const done = setKey(setKey(part, 'isComplete', true), 'exitCode', action.exitCode);
    return setKey(done, 'durationMs', action.durationMs);
  });
  return content.some((part, index) => part !== state.content[index])
    ? setKey(state, 'content', content)
    : state;
}
