// Types that several channels share (SHAPES 2). Optional means absent on the wire, never null.

/** An opaque channel, file or web address. Never normalised, compared byte by byte. */
export type Uri = string;
/** ISO 8601 in UTC with milliseconds and `Z`. */
export type Timestamp = string;
/** Extension data under keys of their owners; ours is `otto`. */
export type Meta = Record<string, unknown>;
/** A plain string is shown literally; only the object form is Markdown. */
export type StringOrMarkdown = string | { readonly markdown: string };
export type JsonPrimitive = string | number | boolean | null;

export interface Icon {
  src: Uri;
  contentType?: string;
  sizes?: readonly string[];
  theme?: 'light' | 'dark';
}

interface TextPosition {
  line: number;
  character: number;
}

export interface TextRange {
  start: TextPosition;
  end: TextPosition;
}

export interface TextSelection {
  range: TextRange;
}

export interface ContentRef {
  uri: Uri;
  sizeHint?: number;
  contentType?: string;
  nonce?: string;
}

interface FileEditSide {
  uri: Uri;
  content: ContentRef;
}

/** Create has only `after`, delete only `before`, a move two different URIs. */
export interface FileEdit {
  before?: FileEditSide;
  after?: FileEditSide;
  diff?: { added?: number; removed?: number };
}

export interface FileEditCollection {
  items: readonly FileEdit[];
}

export interface UsageInfo {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  model?: string;
  _meta?: Meta;
}

export interface ErrorInfo {
  errorType: string;
  message: string;
  stack?: string;
  _meta?: Meta;
}

export interface ChangesSummary {
  additions?: number;
  deletions?: number;
  files?: number;
}

export interface ProjectInfo {
  uri: Uri;
  displayName: string;
}

/** Who is at the other end; informational only (VE-12). */
export interface Implementation {
  name: string;
  version?: string;
  title?: string;
}

/** RFC 9728 names; `required` is AHP's own, absent means true. */
export interface ProtectedResourceMetadata {
  resource: string;
  resource_name?: string;
  authorization_servers?: readonly string[];
  jwks_uri?: string;
  scopes_supported?: readonly string[];
  bearer_methods_supported?: readonly string[];
  resource_signing_alg_values_supported?: readonly string[];
  resource_documentation?: string;
  resource_policy_uri?: string;
  resource_tos_uri?: string;
  required?: boolean;
}

export interface ModelSelection {
  id: string;
  config?: Record<string, JsonPrimitive>;
}

export interface AgentSelection {
  uri: Uri;
}

interface ToolSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: readonly string[];
}

export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: ToolSchema;
  outputSchema?: ToolSchema;
  annotations?: {
    title?: string;
    readOnlyHint?: boolean;
    destructiveHint?: boolean;
    idempotentHint?: boolean;
    openWorldHint?: boolean;
  };
  _meta?: Meta;
}

interface ConfigPropertySchema {
  type: 'string' | 'number' | 'boolean' | 'array' | 'object';
  title: string;
  description?: string;
  default?: unknown;
  enum?: readonly JsonPrimitive[];
  enumLabels?: readonly string[];
  enumDescriptions?: readonly string[];
  readOnly?: boolean;
  items?: ConfigPropertySchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, ConfigPropertySchema>;
  required?: readonly string[];
  additionalProperties?: ConfigPropertySchema;
}

export interface SessionConfigPropertySchema extends ConfigPropertySchema {
  /** Values come from `sessionConfigCompletions`; `enum` holds seeds. */
  enumDynamic?: boolean;
  /** A client may change it later (SE-12). */
  sessionMutable?: boolean;
}

export interface ConfigSchema<P = ConfigPropertySchema> {
  type: 'object';
  properties: Record<string, P>;
  required?: readonly string[];
}

export interface ConfigState<P = ConfigPropertySchema> {
  schema: ConfigSchema<P>;
  values: Record<string, unknown>;
}

// SessionStatus (SHAPES 15.2): bits 0 to 4 hold exactly one activity, higher bits are independent flags that
// survive every change of activity, unknown ones included.
export const STATUS_IDLE = 1;
export const STATUS_ERROR = 2;
export const STATUS_IN_PROGRESS = 8;
/** Includes InProgress. */
export const STATUS_INPUT_NEEDED = 24;
export const STATUS_IS_READ = 32;
export const STATUS_IS_ARCHIVED = 64;
export const STATUS_ACTIVITY_MASK = 31;
/** A bitset of the constants above. */
export type SessionStatus = number;

/** `status` with its activity replaced; unsigned, so that bit 31 survives. */
export function setActivity(status: SessionStatus, activity: number): SessionStatus {
  return ((status & ~STATUS_ACTIVITY_MASK) | activity) >>> 0;
}

/** `status` with one flag bit set or cleared. */
export function setFlag(status: SessionStatus, flag: number, on: boolean): SessionStatus {
  return (on ? status | flag : status & ~flag) >>> 0;
}
