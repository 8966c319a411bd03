// Reducer of a session channel (SHAPES 14.2). It permits more than a host does: who may say what, and which
// directories and chats a session may have, is checked before an action gets here.
import type { Action } from '../actions.ts';
import {
  STATUS_IN_PROGRESS,
  STATUS_INPUT_NEEDED,
  STATUS_IS_ARCHIVED,
  STATUS_IS_READ,
  setActivity,
  setFlag,
  type Uri,
} from '../state-common.ts';
import type { ChatSummary, SessionInputRequest, SessionState } from '../state-session.ts';
import { absentIfEmpty, addOnce, merge, sameItems, setKey, upsert, without } from './same.ts';
import { reduceCustomization } from './session-customization.ts';

/** The session's state after `action`; the same object when nothing changed. */
export function reduceSession(state: SessionState, action: Action): SessionState {
  switch (action.type) {
    case 'session/ready':
      return setKey(state, 'lifecycle', 'ready');
    case 'session/creationFailed':
      return setKey(setKey(state, 'lifecycle', 'failed'), 'creationError', action.error);
    case 'session/chatAdded':
      return setKey(state, 'chats', upsert(state.chats, 'resource', action.summary));
    case 'session/chatRemoved':
      return removeChat(state, action.chat);
    case 'session/chatUpdated':
      return updateChat(state, action.chat, action.changes);
    case 'session/chatsReordered':
      return setKey(state, 'chats', reorderChats(state.chats, action.chats));
    case 'session/defaultChatChanged':
      return setKey(state, 'defaultChat', action.defaultChat);
    case 'session/titleChanged':
      return setKey(state, 'title', action.title);
    case 'session/serverToolsChanged':
      return setKey(state, 'serverTools', action.tools);
    case 'session/activeClientSet':
      return setKey(state, 'activeClients', upsert(state.activeClients, 'clientId', action.activeClient));
    case 'session/activeClientRemoved': {
      const others = without(state.activeClients, (client) => client.clientId === action.clientId);
      return setKey(state, 'activeClients', others);
    }
    case 'session/workingDirectorySet':
      return setKey(state, 'workingDirectories', addOnce(state.workingDirectories, action.directory));
    case 'session/workingDirectoryRemoved': {
      const others = without(state.workingDirectories, (directory) => directory === action.directory);
      return setKey(state, 'workingDirectories', others);
    }
    case 'session/workingDirectoryReplaced':
      return replaceDirectory(state, action.directory, action.replacement);
    case 'session/inputNeededSet':
      return withInputNeeded(state, upsert(state.inputNeeded, 'id', action.request));
    case 'session/inputNeededRemoved':
      return withInputNeeded(
        state,
        without(state.inputNeeded, (request) => request.id === action.id),
      );
    case 'session/customizationsChanged':
    case 'session/customizationToggled':
    case 'session/customizationUpdated':
    case 'session/customizationRemoved':
    case 'session/mcpServerStateChanged':
    case 'session/mcpServerStartRequested':
    case 'session/mcpServerStopRequested':
    case 'session/mcpServerBackgroundRequested':
      return setKey(state, 'customizations', reduceCustomization(state.customizations, action));
    case 'session/isReadChanged':
      return setKey(state, 'status', setFlag(state.status, STATUS_IS_READ, action.isRead));
    case 'session/isArchivedChanged':
      return setKey(state, 'status', setFlag(state.status, STATUS_IS_ARCHIVED, action.isArchived));
    case 'session/activityChanged':
      return setKey(state, 'activity', action.activity);
    case 'session/changesetsChanged':
      return setKey(state, 'changesets', action.changesets);
    case 'session/configChanged': {
      if (!state.config) return state;
      const values = action.replace ? { ...action.config } : merge(state.config.values, action.config);
      return setKey(state, 'config', setKey(state.config, 'values', values));
    }
    case 'session/metaChanged':
      return setKey(state, '_meta', action._meta);
    default:
      return state;
  }
}

function removeChat(state: SessionState, chat: Uri): SessionState {
  const chats = without(state.chats, (summary) => summary.resource === chat);
  if (chats === state.chats) return state;
  const rest = setKey(state, 'chats', chats);
  return state.defaultChat === chat ? setKey(rest, 'defaultChat', undefined) : rest;
}

function updateChat(state: SessionState, chat: Uri, changes: Partial<ChatSummary>): SessionState {
  const index = state.chats.findIndex((summary) => summary.resource === chat);
  const old = state.chats[index];
  if (!old) return state;
  const updated = merge(old, { ...changes, resource: old.resource });
  return updated === old ? state : setKey(state, 'chats', state.chats.with(index, updated));
}

/** The same summaries in the given order, if it names each of them exactly once. */
function reorderChats(chats: readonly ChatSummary[], order: readonly Uri[]): readonly ChatSummary[] {
  if (order.length !== chats.length || new Set(order).size !== order.length) return chats;
  const byUri = new Map(chats.map((chat) => [chat.resource, chat]));
  const ordered = order.flatMap((uri) => byUri.get(uri) ?? []);
  return ordered.length !== chats.length || sameItems(ordered, chats) ? chats : ordered;
}

function replaceDirectory(state: SessionState, directory: Uri, replacement: Uri): SessionState {
  const list = state.workingDirectories;
  const index = list?.indexOf(directory) ?? -1;
  if (!list || index < 0 || directory === replacement) return state;
  const earlier = list.slice(0, index);
  const later = list.slice(index + 1).filter((other) => other !== replacement);
  const kept = earlier.includes(replacement) ? list.toSpliced(index, 1) : [...earlier, replacement, ...later];
  return setKey(state, 'workingDirectories', kept);
}

// A call that a client executes by itself needs nobody's input (SHAPES 4.4); unknown kinds do.
function withInputNeeded(
  state: SessionState,
  list: readonly SessionInputRequest[] | undefined,
): SessionState {
  if (list === state.inputNeeded) return state;
  const asks = list?.some((request) => request.kind !== 'toolClientExecution') ?? false;
  const status = asks
    ? setActivity(state.status, STATUS_INPUT_NEEDED)
    : setFlag(state.status, STATUS_INPUT_NEEDED & ~STATUS_IN_PROGRESS, false);
  return setKey(setKey(state, 'inputNeeded', absentIfEmpty(list)), 'status', status);
}
