// Commands and notifications as types (SHAPES 12, 13): what we answer, and the private `x-otto/…` methods.
// Params never repeat `channel` and `_meta`, which every one of them has (J-4).
import type { ActionEnvelope } from './actions.ts';
import type { AnnotationsState } from './state-annotations.ts';
import type { ChangesetState } from './state-changeset.ts';
import type { ChatState, MessageAttachment } from './state-chat.ts';
import type { ConfigState, Implementation, Meta, SessionConfigPropertySchema, Uri } from './state-common.ts';
import type { ResourceWatchState } from './state-resource-watch.ts';
import type { RootState } from './state-root.ts';
import type { SessionActiveClient, SessionState, SessionSummary } from './state-session.ts';
import type { TerminalState } from './state-terminal.ts';

export type ChannelState =
  | RootState
  | SessionState
  | ChatState
  | TerminalState
  | ChangesetState
  | AnnotationsState
  | ResourceWatchState;

/** State of a channel at `fromSeq`; every later envelope of that channel has a higher `serverSeq` (S-2). */
export interface Snapshot {
  resource: Uri;
  state: ChannelState;
  fromSeq: number;
}

export interface OnChannel {
  channel: Uri;
  _meta?: Meta;
}

export interface InitializeParams extends OnChannel {
  protocolVersions: string[];
  clientId: string;
  clientInfo?: Implementation;
  initialSubscriptions?: Uri[];
  locale?: string;
  capabilities?: { mcpApps?: object };
}

export interface InitializeResult {
  /** One of the offered strings, unchanged. */
  protocolVersion: string;
  serverSeq: number;
  snapshots: Snapshot[];
  serverInfo: Implementation;
  defaultDirectory: Uri;
}

export interface ReconnectParams extends OnChannel {
  clientId: string;
  lastSeenServerSeq: number;
  subscriptions: Uri[];
}

export type ReconnectResult =
  | { type: 'replay'; actions: ActionEnvelope[]; missing: Uri[] }
  | { type: 'snapshot'; snapshots: Snapshot[] };

export interface SubscribeParams extends OnChannel {
  delivery?: { maxLatencyMs?: number };
  view?: { turns?: number };
}

export interface ListSessionsParams extends OnChannel {
  limit?: number;
  cursor?: string;
}

export interface CreateSessionParams extends OnChannel {
  provider?: string;
  workingDirectories?: Uri[];
  config?: Record<string, unknown>;
  activeClient?: SessionActiveClient;
  progressToken?: string;
}

export interface FetchTurnsParams extends OnChannel {
  cursor?: string;
}

export interface SetModeParams extends OnChannel {
  modeId: string;
}

export interface SetOptionParams extends OnChannel {
  id: string;
  value: string | boolean;
}

export interface SignInParams extends OnChannel {
  methodId: string;
}

export interface CompletionsParams extends OnChannel {
  kind: string;
  text: string;
  /** UTF-16 units, at most the length of the text. */
  offset: number;
}

export interface CompletionItem {
  insertText: string;
  rangeStart?: number;
  rangeEnd?: number;
  attachment: MessageAttachment;
}

export interface ResolveConfigParams extends OnChannel {
  provider?: string;
  workingDirectory?: Uri;
  config?: Record<string, unknown>;
}

export interface ConfigCompletionsParams extends ResolveConfigParams {
  property: string;
  query?: string;
}

export interface ConfigItem {
  value: string;
  label: string;
  description?: string;
}

type ContentEncoding = 'base64' | 'utf-8';

interface ResourceReadParams extends OnChannel {
  uri: Uri;
  /** Absent: as the host likes best, which is `utf-8` for texts. */
  encoding?: ContentEncoding;
}

interface ResourceReadResult {
  data: string;
  encoding: ContentEncoding;
  contentType?: string;
}

/** method → its params and result. The router has a handler for each or does not compile. */
export interface CommandMap {
  initialize: { params: InitializeParams; result: InitializeResult };
  reconnect: { params: ReconnectParams; result: ReconnectResult };
  ping: { params: OnChannel; result: null };
  subscribe: { params: SubscribeParams; result: { snapshot?: Snapshot } };
  listSessions: {
    params: ListSessionsParams;
    result: { items: SessionSummary[]; nextCursor?: string };
  };
  createSession: { params: CreateSessionParams; result: null };
  disposeSession: { params: OnChannel; result: null };
  fetchTurns: { params: FetchTurnsParams; result: Record<string, never> };
  'x-otto/releaseSession': { params: OnChannel; result: null };
  'x-otto/setMode': { params: SetModeParams; result: null };
  resolveSessionConfig: {
    params: ResolveConfigParams;
    result: ConfigState<SessionConfigPropertySchema>;
  };
  sessionConfigCompletions: { params: ConfigCompletionsParams; result: { items: ConfigItem[] } };
  resourceRead: { params: ResourceReadParams; result: ResourceReadResult };
  completions: { params: CompletionsParams; result: { items: CompletionItem[] } };
  'x-otto/setOption': { params: SetOptionParams; result: null };
  'x-otto/signIn': { params: SignInParams; result: null };
  'x-otto/retry': { params: OnChannel; result: null };
}

export type Method = keyof CommandMap;

/** Notifications of the host, all ephemeral and never replayed (L-26). */
export interface NotificationMap {
  action: ActionEnvelope;
  'root/sessionAdded': { channel: Uri; summary: SessionSummary };
  'root/sessionRemoved': { channel: Uri; session: Uri };
  'root/sessionSummaryChanged': { channel: Uri; session: Uri; changes: SummaryChanges };
}

/** Identity fields never change and are never inside; `chats` replaces the whole list. */
export type SummaryChanges = Partial<Omit<SessionSummary, 'resource' | 'provider' | 'createdAt'>>;
