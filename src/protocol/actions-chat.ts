// Actions on a chat channel (SHAPES 14.3). `chat/toolCall…` actions replace what they carry: `_meta` and
// `content` are sent whole, and `chat/toolCallReady` on a running call erases its `content`.

import type { Changeset } from './state-changeset.ts';
import type {
  BackgroundWork,
  ChatInputAnswer,
  ChatInputAnswers,
  ChatInputRequest,
  ChatInputResponse,
  ErrorPart,
  Message,
  PendingMessageKind,
  ResponsePart,
  Turn,
} from './state-chat.ts';
import type { Meta, StringOrMarkdown, Timestamp, Uri, UsageInfo } from './state-common.ts';
import type { McpAuthRequirement } from './state-customization.ts';
import type {
  ConfirmationFields,
  ToolCallConfirmationReason,
  ToolCallContributor,
  ToolCallResult,
  ToolInput,
  ToolResultContent,
} from './state-tool.ts';

interface OfTurn {
  turnId: string;
  _meta?: Meta;
}

interface OfToolCall extends OfTurn {
  toolCallId: string;
}

interface OfTurnEnd extends OfTurn {
  /** Milliseconds on the producer's clock; negative counts as 0 (C-11). */
  duration: number;
}

export interface ToolCallReadyAction extends OfToolCall, ConfirmationFields {
  type: 'chat/toolCallReady';
  invocationMessage: StringOrMarkdown;
  contributor?: ToolCallContributor;
  intention?: string;
  toolInput?: ToolInput;
  confirmed?: ToolCallConfirmationReason;
}

export interface ToolCallApprovedAction extends OfToolCall {
  type: 'chat/toolCallConfirmed';
  approved: true;
  confirmed: ToolCallConfirmationReason;
  editedToolInput?: string;
  selectedOptionId?: string;
}

export interface ToolCallRefusedAction extends OfToolCall {
  type: 'chat/toolCallConfirmed';
  approved: false;
  reason: 'denied' | 'skipped';
  userSuggestion?: Message;
  reasonMessage?: StringOrMarkdown;
  selectedOptionId?: string;
}

export type ToolCallAction =
  | ({
      type: 'chat/toolCallStart';
      toolName: string;
      displayName: string;
      intention?: string;
      contributor?: ToolCallContributor;
    } & OfToolCall)
  | ({
      type: 'chat/toolCallDelta';
      content?: string;
      invocationMessage?: StringOrMarkdown;
    } & OfToolCall)
  | ToolCallReadyAction
  | ToolCallApprovedAction
  | ToolCallRefusedAction
  | ({
      type: 'chat/toolCallComplete';
      result: ToolCallResult;
      requiresResultConfirmation?: boolean;
    } & OfToolCall)
  | ({ type: 'chat/toolCallResultConfirmed'; approved: boolean } & OfToolCall)
  | ({ type: 'chat/toolCallContentChanged'; content: readonly ToolResultContent[] } & OfToolCall)
  | ({ type: 'chat/toolCallAuthRequired'; auth: McpAuthRequirement } & OfToolCall)
  | ({ type: 'chat/toolCallAuthResolved' } & OfToolCall);

export interface TurnStartedAction extends OfTurn {
  type: 'chat/turnStarted';
  startedAt: Timestamp;
  message: Message;
  queuedMessageId?: string;
}

export type TurnAction =
  | TurnStartedAction
  | ({ type: 'chat/delta'; partId: string; content: string } & OfTurn)
  | ({ type: 'chat/reasoning'; partId: string; content: string } & OfTurn)
  | ({ type: 'chat/responsePart'; part: ResponsePart } & OfTurn)
  | ({ type: 'chat/usage'; usage: UsageInfo } & OfTurn)
  | ({ type: 'chat/turnComplete' } & OfTurnEnd)
  | ({ type: 'chat/turnCancelled' } & OfTurnEnd)
  | ({ type: 'chat/error'; part: ErrorPart } & OfTurnEnd)
  | { type: 'chat/turnResume'; turnId: string }
  | { type: 'chat/truncated'; turnId?: string }
  | { type: 'chat/turnsLoaded'; turns: readonly Turn[]; turnsNextCursor?: string };

export type InputAction =
  | { type: 'chat/inputRequested'; request: ChatInputRequest }
  | { type: 'chat/inputAnswerChanged'; requestId: string; questionId: string; answer?: ChatInputAnswer }
  | {
      type: 'chat/inputCompleted';
      requestId: string;
      response: ChatInputResponse;
      answers?: ChatInputAnswers;
    };

export type PendingAction =
  | { type: 'chat/pendingMessageSet'; kind: PendingMessageKind; id: string; message: Message }
  | { type: 'chat/pendingMessageRemoved'; kind: PendingMessageKind; id: string }
  | { type: 'chat/queuedMessagesReordered'; order: readonly string[] };

export type ChatAction =
  | TurnAction
  | ToolCallAction
  | InputAction
  | PendingAction
  | { type: 'chat/activityChanged'; activity?: string }
  | { type: 'chat/backgroundWorkSet'; work: BackgroundWork }
  | { type: 'chat/backgroundWorkRemoved'; id: string }
  | { type: 'chat/movableChanged'; movable: boolean }
  | { type: 'chat/changesetsChanged'; changesets?: readonly Changeset[] }
  | { type: 'chat/canvasesChanged'; canvases?: readonly { resource: Uri }[] }
  | { type: 'chat/workingDirectorySet'; directory: Uri }
  | { type: 'chat/workingDirectoryRemoved'; directory: Uri }
  | { type: 'chat/draftChanged'; draft?: Message }
  | { type: 'chat/isReadChanged'; isRead: boolean }
  | { type: 'chat/isArchivedChanged'; isArchived: boolean };
