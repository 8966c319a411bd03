// Every action of AHP 1.0.0: the union, who may dispatch each, and since which release each is on the wire
// (SHAPES 14, DELTA 5). The table is exhaustive by type: an action without an entry does not compile.
import type { ChatAction } from './actions-chat.ts';
import type {
  AnnotationsAction,
  ChangesetAction,
  OptionalAction,
  ResourceWatchAction,
  RootAction,
  TerminalAction,
} from './actions-other.ts';
import type { SessionAction } from './actions-session.ts';
import type { Uri } from './state-common.ts';

export type Action =
  | RootAction
  | SessionAction
  | ChatAction
  | TerminalAction
  | ChangesetAction
  | AnnotationsAction
  | ResourceWatchAction
  | OptionalAction;

export type ActionType = Action['type'];

/** An action as it came off the wire: nothing but its type has been looked at. */
export interface UncheckedAction {
  type: string;
}

/** Who dispatched an action; taken from the connection, never from a payload. */
export interface ActionOrigin {
  clientId: string;
  clientSeq: number;
}

/** What subscribers of a channel receive. `origin` absent means the host itself; never null. */
export interface ActionEnvelope {
  channel: Uri;
  action: Action;
  /** Strictly increasing over the whole host; gaps are normal. */
  serverSeq: number;
  origin?: ActionOrigin;
  rejectionReason?: string;
}

interface ActionFacts {
  /** `client`: a client may dispatch it, the host too. `host`: only the host. */
  by: 'client' | 'host';
  /** The release that first carries it, where that is later than 0.6.0. */
  since?: '0.7.0' | '0.8.0' | '0.9.0' | '1.0.0';
}

const HOST: ActionFacts = { by: 'host' };
const CLIENT: ActionFacts = { by: 'client' };
const clientSince = (since: NonNullable<ActionFacts['since']>): ActionFacts => ({ by: 'client', since });
const hostSince = (since: NonNullable<ActionFacts['since']>): ActionFacts => ({ by: 'host', since });

export const ACTIONS: Readonly<Record<ActionType, ActionFacts>> = {
  'root/agentsChanged': HOST,
  'root/activeSessionsChanged': HOST,
  'root/terminalsChanged': HOST,
  'root/configChanged': CLIENT,

  'session/ready': HOST,
  'session/creationFailed': HOST,
  'session/chatAdded': HOST,
  'session/chatRemoved': HOST,
  'session/chatUpdated': HOST,
  'session/chatsReordered': hostSince('1.0.0'),
  'session/defaultChatChanged': HOST,
  'session/titleChanged': CLIENT,
  'session/serverToolsChanged': HOST,
  'session/activeClientSet': CLIENT,
  'session/activeClientRemoved': CLIENT,
  'session/workingDirectorySet': clientSince('0.7.0'),
  'session/workingDirectoryRemoved': clientSince('0.7.0'),
  'session/workingDirectoryReplaced': clientSince('0.8.0'),
  'session/inputNeededSet': HOST,
  'session/inputNeededRemoved': HOST,
  'session/customizationsChanged': HOST,
  'session/customizationToggled': CLIENT,
  'session/customizationUpdated': HOST,
  'session/customizationRemoved': HOST,
  'session/mcpServerStateChanged': HOST,
  'session/mcpServerStartRequested': CLIENT,
  'session/mcpServerStopRequested': CLIENT,
  'session/mcpServerBackgroundRequested': clientSince('1.0.0'),
  'session/isReadChanged': CLIENT,
  'session/isArchivedChanged': CLIENT,
  'session/activityChanged': HOST,
  'session/changesetsChanged': HOST,
  'session/configChanged': CLIENT,
  'session/metaChanged': HOST,

  'chat/turnStarted': CLIENT,
  'chat/delta': HOST,
  'chat/responsePart': HOST,
  'chat/reasoning': HOST,
  'chat/usage': HOST,
  'chat/turnComplete': HOST,
  'chat/turnCancelled': CLIENT,
  'chat/error': HOST,
  'chat/turnResume': clientSince('0.9.0'),
  'chat/activityChanged': HOST,
  'chat/backgroundWorkSet': hostSince('1.0.0'),
  'chat/backgroundWorkRemoved': hostSince('1.0.0'),
  'chat/movableChanged': hostSince('1.0.0'),
  'chat/changesetsChanged': hostSince('1.0.0'),
  'chat/canvasesChanged': hostSince('1.0.0'),
  'chat/workingDirectorySet': clientSince('0.7.0'),
  'chat/workingDirectoryRemoved': clientSince('0.7.0'),
  'chat/toolCallStart': HOST,
  'chat/toolCallDelta': HOST,
  'chat/toolCallReady': HOST,
  'chat/toolCallConfirmed': CLIENT,
  'chat/toolCallComplete': CLIENT,
  'chat/toolCallResultConfirmed': CLIENT,
  'chat/toolCallContentChanged': CLIENT,
  'chat/toolCallAuthRequired': HOST,
  'chat/toolCallAuthResolved': HOST,
  'chat/pendingMessageSet': CLIENT,
  'chat/pendingMessageRemoved': CLIENT,
  'chat/queuedMessagesReordered': CLIENT,
  'chat/draftChanged': CLIENT,
  'chat/isReadChanged': clientSince('1.0.0'),
  'chat/isArchivedChanged': clientSince('1.0.0'),
  'chat/inputRequested': HOST,
  'chat/inputAnswerChanged': CLIENT,
  'chat/inputCompleted': CLIENT,
  'chat/truncated': CLIENT,
  'chat/turnsLoaded': HOST,

  'terminal/data': HOST,
  'terminal/input': CLIENT,
  'terminal/resized': CLIENT,
  'terminal/claimed': CLIENT,
  'terminal/titleChanged': CLIENT,
  'terminal/cwdChanged': HOST,
  'terminal/exited': HOST,
  'terminal/cleared': CLIENT,
  'terminal/commandDetectionAvailable': HOST,
  'terminal/commandExecuted': HOST,
  'terminal/commandFinished': HOST,

  'changeset/statusChanged': HOST,
  'changeset/fileSet': HOST,
  'changeset/fileRemoved': HOST,
  'changeset/filesReviewChanged': CLIENT,
  'changeset/contentChanged': HOST,
  'changeset/operationsChanged': HOST,
  'changeset/operationStatusChanged': HOST,
  'changeset/cleared': HOST,

  'annotations/set': CLIENT,
  'annotations/updated': CLIENT,
  'annotations/removed': CLIENT,
  'annotations/entrySet': CLIENT,
  'annotations/entryRemoved': CLIENT,

  'resourceWatch/changed': HOST,

  'automation/createRequested': clientSince('0.9.0'),
  'automation/updateRequested': clientSince('0.9.0'),
  'automation/set': hostSince('0.9.0'),
  'automation/removed': clientSince('0.9.0'),
  'automationRun/lifecycleChanged': hostSince('0.9.0'),
  'automationRun/sessionSet': hostSince('0.9.0'),
  'automationRun/sessionRemoved': hostSince('0.9.0'),
  'automationRun/primarySessionChanged': hostSince('0.9.0'),
  'automationRun/cancelRequested': clientSince('0.9.0'),
  'canvas/stateChanged': hostSince('1.0.0'),
};

export function isActionType(type: string): type is ActionType {
  return Object.hasOwn(ACTIONS, type);
}
