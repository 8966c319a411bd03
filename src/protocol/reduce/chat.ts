// Reducer of a chat channel (SHAPES 14.3): hands each action to the file that knows its subject and reduces the
// plain fields itself. Validation is the host's; here a stale action is a no-op.
import type { Action } from '../actions.ts';
import type { ChatState } from '../state-chat.ts';
import { STATUS_IS_ARCHIVED, STATUS_IS_READ, setFlag } from '../state-common.ts';
import { reduceInput } from './chat-input.ts';
import { reducePending } from './chat-pending.ts';
import { reduceToolCall } from './chat-tool.ts';
import { reduceTurn } from './chat-turn.ts';
import { addOnce, setKey, upsert, without } from './same.ts';

/** The chat's state after `action`; the same object when nothing changed. */
export function reduceChat(state: ChatState, action: Action): ChatState {
  switch (action.type) {
    case 'chat/turnStarted':
    case 'chat/delta':
    case 'chat/responsePart':
    case 'chat/reasoning':
    case 'chat/usage':
    case 'chat/turnComplete':
    case 'chat/turnCancelled':
    case 'chat/error':
    case 'chat/turnResume':
    case 'chat/truncated':
    case 'chat/turnsLoaded':
      return reduceTurn(state, action);
    case 'chat/toolCallStart':
    case 'chat/toolCallDelta':
    case 'chat/toolCallReady':
    case 'chat/toolCallConfirmed':
    case 'chat/toolCallComplete':
    case 'chat/toolCallResultConfirmed':
    case 'chat/toolCallContentChanged':
    case 'chat/toolCallAuthRequired':
    case 'chat/toolCallAuthResolved':
      return reduceToolCall(state, action);
    case 'chat/inputRequested':
    case 'chat/inputAnswerChanged':
    case 'chat/inputCompleted':
      return reduceInput(state, action);
    case 'chat/pendingMessageSet':
    case 'chat/pendingMessageRemoved':
    case 'chat/queuedMessagesReordered':
      return reducePending(state, action);
    case 'chat/activityChanged':
      return setKey(state, 'activity', action.activity);
    case 'chat/backgroundWorkSet':
      return setKey(state, 'backgroundWork', upsert(state.backgroundWork, 'id', action.work));
    case 'chat/backgroundWorkRemoved': {
      const rest = without(state.backgroundWork, (work) => work.id === action.id);
      return setKey(state, 'backgroundWork', rest);
    }
    case 'chat/movableChanged':
      return setKey(state, 'movable', action.movable);
    case 'chat/changesetsChanged':
      return setKey(state, 'changesets', action.changesets);
    case 'chat/canvasesChanged':
      return setKey(state, 'canvases', action.canvases);
    case 'chat/workingDirectorySet':
      return setKey(state, 'workingDirectories', addOnce(state.workingDirectories, action.directory));
    case 'chat/workingDirectoryRemoved': {
      const rest = without(state.workingDirectories, (directory) => directory === action.directory);
      return setKey(state, 'workingDirectories', rest);
    }
    case 'chat/draftChanged':
      return setKey(state, 'draft', action.draft);
    case 'chat/isReadChanged':
      return setKey(state, 'status', setFlag(state.status, STATUS_IS_READ, action.isRead));
    case 'chat/isArchivedChanged':
      return setKey(state, 'status', setFlag(state.status, STATUS_IS_ARCHIVED, action.isArchived));
    default:
      return state;
  }
}
