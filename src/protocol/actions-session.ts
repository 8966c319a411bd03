// Actions on a session channel (SHAPES 14.2). The channel is named by the envelope, never by the action.

import type { Changeset } from './state-changeset.ts';
import type { ConfigState, ErrorInfo, Meta, ToolDefinition, Uri } from './state-common.ts';
import type { Customization, CustomizationEnablement, McpServerState } from './state-customization.ts';
import type { ChatSummary, SessionActiveClient, SessionInputRequest } from './state-session.ts';

export type SessionAction =
  | { type: 'session/ready' }
  | { type: 'session/creationFailed'; error: ErrorInfo }
  | { type: 'session/chatAdded'; summary: ChatSummary }
  | { type: 'session/chatRemoved'; chat: Uri }
  | { type: 'session/chatUpdated'; chat: Uri; changes: Partial<ChatSummary> }
  | { type: 'session/chatsReordered'; chats: readonly Uri[] }
  | { type: 'session/defaultChatChanged'; defaultChat?: Uri }
  | { type: 'session/titleChanged'; title: string }
  | { type: 'session/serverToolsChanged'; tools: readonly ToolDefinition[] }
  | { type: 'session/activeClientSet'; activeClient: SessionActiveClient }
  | { type: 'session/activeClientRemoved'; clientId: string }
  | { type: 'session/workingDirectorySet'; directory: Uri }
  | { type: 'session/workingDirectoryRemoved'; directory: Uri }
  | { type: 'session/workingDirectoryReplaced'; directory: Uri; replacement: Uri }
  | { type: 'session/inputNeededSet'; request: SessionInputRequest }
  | { type: 'session/inputNeededRemoved'; id: string }
  | { type: 'session/customizationsChanged'; customizations: readonly Customization[] }
  | { type: 'session/customizationToggled'; id: string; enablement: readonly CustomizationEnablement[] }
  | { type: 'session/customizationUpdated'; customization: Customization }
  | { type: 'session/customizationRemoved'; id: string }
  | { type: 'session/mcpServerStateChanged'; id: string; state: McpServerState; channel?: Uri }
  | { type: 'session/mcpServerStartRequested'; id: string }
  | { type: 'session/mcpServerStopRequested'; id: string }
  | { type: 'session/mcpServerBackgroundRequested'; id: string }
  | { type: 'session/isReadChanged'; isRead: boolean }
  | { type: 'session/isArchivedChanged'; isArchived: boolean }
  | { type: 'session/activityChanged'; activity?: string }
  | { type: 'session/changesetsChanged'; changesets?: readonly Changeset[] }
  | { type: 'session/configChanged'; config: ConfigState['values']; replace?: boolean }
  | { type: 'session/metaChanged'; _meta?: Meta };
