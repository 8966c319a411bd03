// Tool calls inside a turn (SHAPES 7). Which fields a call has follows from its status.

import type { Message } from './state-chat.ts';
import type {
  ContentRef,
  FileEdit,
  FileEditCollection,
  Meta,
  StringOrMarkdown,
  Uri,
} from './state-common.ts';
import type { McpAuthRequirement } from './state-customization.ts';

export type ToolInput = string | ContentRef;

export type ToolCallContributor =
  | { kind: 'client'; clientId: string }
  | { kind: 'mcp'; customizationId: string };

export interface ConfirmationOption {
  id: string;
  label: string;
  kind: 'approve' | 'deny';
  group?: number;
}

export type ToolCallConfirmationReason = 'not-needed' | 'user-action' | 'setting';

type ToolCallRiskAssessment =
  | { kind: 'judge'; status: 'loading' }
  | { kind: 'judge'; status: 'complete'; reason: StringOrMarkdown; safety: number };

export type ToolResultContent =
  | { type: 'text'; text: string }
  | { type: 'embeddedResource'; data: string; contentType: string }
  | ({ type: 'resource' } & ContentRef)
  | ({ type: 'fileEdit' } & FileEdit)
  | {
      type: 'terminal';
      resource: Uri;
      title: string;
      isPty?: boolean;
      result?: { exitCode?: number; preview?: string; truncated?: boolean };
    }
  | { type: 'subagent'; resource: Uri; title: string; agentName?: string; description?: string };

export interface ToolCallBase {
  toolCallId: string;
  toolName: string;
  displayName: string;
  intention?: string;
  contributor?: ToolCallContributor;
  _meta?: Meta;
}

export interface ToolCallResult {
  success: boolean;
  pastTenseMessage: StringOrMarkdown;
  content?: readonly ToolResultContent[];
  structuredContent?: Record<string, unknown>;
  error?: { message: string; code?: string };
}

interface StreamingToolCall extends ToolCallBase {
  status: 'streaming';
  partialInput?: string;
  invocationMessage?: StringOrMarkdown;
}

/** What only a call that waits for confirmation carries. */
export interface ConfirmationFields {
  confirmationTitle?: StringOrMarkdown;
  riskAssessment?: ToolCallRiskAssessment;
  edits?: FileEditCollection;
  editable?: boolean;
  options?: readonly ConfirmationOption[];
}

export interface PendingToolCall extends ToolCallBase, ConfirmationFields {
  status: 'pending-confirmation';
  invocationMessage: StringOrMarkdown;
  toolInput?: ToolInput;
}

interface ConfirmedToolCall extends ToolCallBase {
  invocationMessage: StringOrMarkdown;
  toolInput?: ToolInput;
  confirmed: ToolCallConfirmationReason;
  selectedOption?: ConfirmationOption;
  content?: readonly ToolResultContent[];
}

interface RunningToolCall extends ConfirmedToolCall {
  status: 'running';
}

interface AuthRequiredToolCall extends ConfirmedToolCall {
  status: 'auth-required';
  auth: McpAuthRequirement;
}

/** The result lies flat on the call; there is no nested `result` in state. */
interface FinishedToolCall extends ConfirmedToolCall, ToolCallResult {
  content?: readonly ToolResultContent[];
  status: 'pending-result-confirmation' | 'completed';
}

interface CancelledToolCall extends ToolCallBase {
  status: 'cancelled';
  invocationMessage: StringOrMarkdown;
  toolInput?: ToolInput;
  reason: 'denied' | 'skipped' | 'result-denied';
  reasonMessage?: StringOrMarkdown;
  userSuggestion?: Message;
  selectedOption?: ConfirmationOption;
}

export type ToolCall =
  | StreamingToolCall
  | PendingToolCall
  | RunningToolCall
  | AuthRequiredToolCall
  | FinishedToolCall
  | CancelledToolCall;
