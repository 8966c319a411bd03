// State of a chat channel: turns, parts, questions, queue (SHAPES 6).

import type { Changeset } from './state-changeset.ts';
import type {
  AgentSelection,
  ContentRef,
  ErrorInfo,
  Meta,
  ModelSelection,
  StringOrMarkdown,
  TextRange,
  TextSelection,
  Timestamp,
  Uri,
  UsageInfo,
} from './state-common.ts';
import type { ChatSummary } from './state-session.ts';
import type { ToolCall } from './state-tool.ts';

interface AttachmentBase {
  label: string;
  range?: TextRange;
  displayKind?: string;
  _meta?: Meta;
}

export type MessageAttachment = AttachmentBase &
  (
    | { type: 'simple'; modelRepresentation?: string }
    | { type: 'embeddedResource'; data: string; contentType: string; selection?: TextSelection }
    | ({ type: 'resource'; selection?: TextSelection } & ContentRef)
    | { type: 'annotations'; resource: Uri; annotationIds?: readonly string[] }
    | { type: 'chat'; resource: Uri; endTurn?: string }
  );

export interface Message {
  text: string;
  /** `user`, `agent`, `tool`, `automation`, `systemNotification`; clients may only send `user` (C-9). */
  origin: { kind: string };
  attachments?: readonly MessageAttachment[];
  model?: ModelSelection;
  agent?: AgentSelection;
  _meta?: Meta;
}

export interface PendingMessage {
  id: string;
  message: Message;
}

export type PendingMessageKind = 'steering' | 'queued';

interface ChatInputOption {
  id: string;
  label: string;
  description?: string;
  recommended?: boolean;
}

interface QuestionBase {
  id: string;
  message: string;
  title?: string;
  required?: boolean;
}

export type ChatInputQuestion = QuestionBase &
  (
    | { kind: 'text'; format?: string; min?: number; max?: number; defaultValue?: string }
    | { kind: 'number' | 'integer'; min?: number; max?: number; defaultValue?: number }
    | { kind: 'boolean'; defaultValue?: boolean }
    | { kind: 'single-select'; options: readonly ChatInputOption[]; allowFreeformInput?: boolean }
    | {
        kind: 'multi-select';
        options: readonly ChatInputOption[];
        allowFreeformInput?: boolean;
        min?: number;
        max?: number;
      }
  );

export type ChatInputAnswerValue =
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'selected'; value: string; freeformValues?: readonly string[] }
  | { kind: 'selected-many'; value: readonly string[]; freeformValues?: readonly string[] };

export type ChatInputAnswer =
  | { state: 'draft' | 'submitted'; value: ChatInputAnswerValue }
  | { state: 'skipped'; freeformValues?: readonly string[] };

export type ChatInputAnswers = Readonly<Record<string, ChatInputAnswer>>;
export type ChatInputResponse = 'accept' | 'decline' | 'cancel';

export interface ChatInputRequest {
  id: string;
  message?: string;
  url?: Uri;
  questions?: readonly ChatInputQuestion[];
  answers?: ChatInputAnswers;
}

interface MarkdownPart {
  kind: 'markdown';
  id: string;
  content: string;
}

interface ReasoningPart {
  kind: 'reasoning';
  id: string;
  content: string;
}

interface ToolCallPart {
  kind: 'toolCall';
  toolCall: ToolCall;
}

/** Open while `response` is absent; never removed, also not when its turn ends unanswered (C-12). */
interface InputRequestPart {
  kind: 'inputRequest';
  request: ChatInputRequest;
  response?: ChatInputResponse;
}

/** Only ever appended by `chat/error`; only `resumable: true` permits `chat/turnResume`. */
export interface ErrorPart {
  kind: 'error';
  error: ErrorInfo;
  resumable?: boolean;
}

export type ResponsePart =
  | MarkdownPart
  | ReasoningPart
  | ToolCallPart
  | InputRequestPart
  | ErrorPart
  | ({ kind: 'contentRef' } & ContentRef)
  | { kind: 'systemNotification'; content: StringOrMarkdown; _meta?: Meta };

export type TurnState = 'complete' | 'cancelled' | 'error';

export interface ActiveTurn {
  id: string;
  startedAt: Timestamp;
  message: Message;
  responseParts: readonly ResponsePart[];
  usage?: UsageInfo;
}

export interface Turn {
  id: string;
  startedAt?: Timestamp;
  /** Milliseconds on the producer's clock. */
  duration?: number;
  message: Message;
  responseParts: readonly ResponsePart[];
  usage?: UsageInfo;
  state: TurnState;
}

export type BackgroundWork = { id: string; label: string; startedAt: Timestamp; _meta?: Meta } & (
  | { kind: 'shell'; command: string; terminal?: Uri }
  | { kind: 'subagent'; chat: Uri }
);

export interface ChatState extends ChatSummary {
  /** Completed turns, oldest first, possibly only the newest ones. */
  turns: readonly Turn[];
  /** Present while older turns exist that are not in `turns`. */
  turnsNextCursor?: string;
  activeTurn?: ActiveTurn;
  steeringMessage?: PendingMessage;
  /** Absent when empty. */
  queuedMessages?: readonly PendingMessage[];
  draft?: Message;
  changesets?: readonly Changeset[];
  backgroundWork?: readonly BackgroundWork[];
  canvases?: readonly { resource: Uri }[];
  _meta?: Meta;
}
