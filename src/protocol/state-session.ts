// State of a session channel and its entry in the catalogue (SHAPES 4).

import type { Changeset } from './state-changeset.ts';
import type { ChatInputRequest } from './state-chat.ts';
import type {
  ChangesSummary,
  ConfigState,
  ErrorInfo,
  Meta,
  ProjectInfo,
  SessionConfigPropertySchema,
  SessionStatus,
  Timestamp,
  ToolDefinition,
  Uri,
} from './state-common.ts';
import type { ClientPluginCustomization, Customization } from './state-customization.ts';
import type { ToolCall } from './state-tool.ts';

interface AnnotationsSummary {
  resource: Uri;
  annotationCount: number;
  entryCount: number;
}

interface SessionMetadata {
  provider: string;
  title: string;
  status: SessionStatus;
  activity?: string;
  origin?: { kind: string; automation?: Uri; run?: Uri };
  project?: ProjectInfo;
  workingDirectories?: readonly Uri[];
  annotations?: AnnotationsSummary;
}

export interface SessionActiveClient {
  clientId: string;
  displayName?: string;
  tools: readonly ToolDefinition[];
  customizations?: readonly ClientPluginCustomization[];
}

type ChatOrigin =
  | { kind: 'user' }
  | { kind: 'fork'; chat: Uri; turnId: string }
  | { kind: 'sideChat'; chat: Uri; turnId: string; selection?: { text: string; responsePartId?: string } }
  | { kind: 'tool'; chat: Uri; toolCallId: string };

type ChatInteractivity = 'full' | 'read-only' | 'hidden';

/** The part of a chat that its session lists; all of it is inlined in the chat's own state (SE-23). */
export interface ChatSummary {
  resource: Uri;
  title: string;
  status: SessionStatus;
  activity?: string;
  modifiedAt: Timestamp;
  changes?: ChangesSummary;
  origin?: ChatOrigin;
  movable?: boolean;
  interactivity?: ChatInteractivity;
  /** Absent = the whole set of the session; empty = no directory at all. */
  workingDirectories?: readonly Uri[];
}

/** One outstanding block of a chat, with everything needed to answer it (SE-31). */
export type SessionInputRequest = { id: string; chat: Uri } & (
  | { kind: 'chatInput'; request: ChatInputRequest }
  | { kind: 'toolConfirmation'; turnId: string; toolCall: ToolCall }
  | { kind: 'toolClientExecution'; turnId: string; clientId: string; toolCall: ToolCall }
  | { kind: 'toolAuthentication'; turnId: string; toolCall: ToolCall }
);

export interface SessionState extends SessionMetadata {
  lifecycle: 'creating' | 'ready' | 'failed';
  creationError?: ErrorInfo;
  serverTools?: readonly ToolDefinition[];
  activeClients: readonly SessionActiveClient[];
  chats: readonly ChatSummary[];
  defaultChat?: Uri;
  config?: ConfigState<SessionConfigPropertySchema>;
  customizations?: readonly Customization[];
  changesets?: readonly Changeset[];
  /** Absent when empty. */
  inputNeeded?: readonly SessionInputRequest[];
  _meta?: Meta;
}

interface SessionChatSummary {
  resource: Uri;
  title: string;
  origin?: ChatOrigin;
  interactivity?: ChatInteractivity;
  status?: SessionStatus;
  changes?: ChangesSummary;
}

export interface SessionSummary extends SessionMetadata {
  resource: Uri;
  createdAt: Timestamp;
  modifiedAt: Timestamp;
  changes?: ChangesSummary;
  _meta?: Meta;
  chats?: readonly SessionChatSummary[];
  defaultChat?: Uri;
}
