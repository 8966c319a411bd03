// The four doors through which the host meets slow things: agents, the person's desktop, the disk, time.
// Callbacks, never promises: the host must not suspend, and a late reply is an ordinary call it can ignore.
// Every `reply` is called at most once by its owner; the host ignores later calls.
import type { Disposable } from '../base/dispose.ts';
import type { AgentFaultKind } from '../base/errors.ts';
import type {
  ChatInputAnswers,
  ChatInputRequest,
  ChatInputResponse,
  Message,
} from '../protocol/state-chat.ts';
import type { ContentRef, StringOrMarkdown, Uri } from '../protocol/state-common.ts';
import type { AgentInfo } from '../protocol/state-root.ts';

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  after(ms: number, run: () => void): Disposable;
}

/** What is answered to an agent's permission requests before a person is looked for (seed "Modes first"). */
export type PermissionPolicy = 'deny' | 'allow' | 'ask';

export interface AgentEntry {
  info: AgentInfo;
  permissions: PermissionPolicy;
  /** Whether turns can be taken back; an agent that keeps its own history cannot forget them. */
  forgets: boolean;
  /** One of the twelve names of facts 9.3. */
  colour?: string;
  /** Where this agent's sessions start. */
  folder?: Uri;
  /** Why it could not be started as things stand; it may be possible later. */
  unavailable?: string;
}

export interface AgentSpec {
  provider: string;
  /** Absolute path of the session's folder. */
  cwd: string;
  /** The agent's own id of a session to take up again. */
  resume?: string;
}

export interface AgentBackend {
  /** Every agent that can be named in `createSession`; the first is the default. */
  agents(): readonly AgentEntry[];
  /** Starts one agent for one chat. Never throws and never blocks: what goes wrong is reported as `stopped`. */
  start(spec: AgentSpec, report: (event: AgentEvent) => void): AgentHandle;
}

/** One running agent. Calls after `stopped` was reported do nothing. */
export interface AgentHandle {
  /** Sends one prompt; answered by exactly one `turnEnded` with the same `turn`, or by `stopped`. */
  prompt(turn: string, message: Message): void;
  /** Asks the agent to end `turn`; its `turnEnded` still follows. */
  cancel(turn: string): void;
  /** Puts `message` into the running turn; `reply(false)` when the agent did not take it. */
  steer(message: Message, reply: (taken: boolean) => void): void;
  /** `reply` gets the agent's refusal, or nothing when the mode is set. */
  setMode(mode: string, reply: Reply): void;
  /** The same for one of the agent's own options. */
  setOption(id: string, value: string | boolean, reply: Reply): void;
  /**
   * Signs in with one of the methods of `signInNeeded` and goes on where that stopped; `reply` gets what did not
   * work, or nothing. Methods of another kind than `agent` are refused.
   */
  signIn(method: string, reply: Reply): void;
  /** Ends the agent and everything it started; answered by one `stopped` with `asked: true`. */
  stop(): void;
}

type Reply = (refusal?: string) => void;

export interface AgentMode {
  id: string;
  name: string;
  description: string | null;
}

/** One of the agent's own options, with its current value (ACP `configOptions`). */
export type AgentOption = {
  id: string;
  name: string;
  description?: string;
  /** `mode`, `model`, `thought_level`, …; never needed for correctness. */
  category?: string;
} & (
  | {
      type: 'select';
      current: string;
      choices: readonly { value: string; name: string; description?: string; group?: string }[];
    }
  | { type: 'boolean'; current: boolean }
);

export interface AgentCommand {
  name: string;
  description: string;
  hint?: string;
}

export interface SignInMethod {
  id: string;
  name: string;
  description?: string;
  /** `agent`: `signIn` does it. `terminal`: the person runs `command`. `env`: variables have to be set. */
  kind: 'agent' | 'terminal' | 'env';
  command?: readonly string[];
}

/** What belongs to a tool call, in neutral words; a path is as the agent wrote it. */
export type ToolContent =
  | { type: 'text'; text: string }
  | ({ type: 'resource' } & ContentRef)
  | { type: 'diff'; path: string; oldText?: string; newText: string };

/** Output of a terminal of the agent's own. */
export interface TerminalOutput {
  append?: string;
  replace?: string;
  exit?: { code?: number; signal?: string };
}

/** What a tool call is known to be; a field that is absent says nothing new, a list replaces the earlier one. */
export interface ToolPatch {
  title?: string;
  /** The agent's own name of the tool. */
  name?: string;
  /** ACP's tool kind, such as `execute`. */
  kind?: string;
  status?: 'pending' | 'running' | 'completed' | 'failed';
  /** Whatever JSON the agent gives its tool; never null. */
  rawInput?: unknown;
  rawOutput?: unknown;
  content?: readonly ToolContent[];
  locations?: readonly { path: string; line?: number }[];
  /** The tool call that this one belongs to. */
  parent?: string;
  terminal?: TerminalOutput;
}

export interface PlanEntry {
  content: string;
  priority?: string;
  status: string;
}

/** What one turn used; an absent field is not known. */
export interface TurnTokens {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWrite?: number;
  thought?: number;
  total?: number;
}

export interface PermissionOption {
  id: string;
  label: string;
  /** ACP's option kind, such as `allow_once`; unknown kinds pass through. */
  kind: string;
}

export type PermissionDecision =
  /** The option is one of those offered. */
  { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' };

export interface InputReply {
  response: ChatInputResponse;
  answers?: ChatInputAnswers;
}

export interface AgentFault {
  kind: AgentFaultKind;
  /** One readable line. */
  message: string;
  /** The agent's own error code, and its word for the kind of error. */
  code?: number;
  detail?: string;
}

/** ACP's stop reason, or why there is none. */
export type TurnOutcome = { stop: string; tokens?: TurnTokens } | { failed: AgentFault };

export type PlanBody = { entries: readonly PlanEntry[] } | { markdown: string } | { uri: Uri };

/** How the agent wants a permission request to be presented; words of its own, never trusted as the asker's name. */
export interface PermissionHints {
  title?: string;
  description?: string;
  /** "No" is to be the answer one starts on. */
  defaultToNo: boolean;
}

/** What an agent tells the host. No event but `turnEnded` names a turn: that is the host's knowledge. */
export type AgentEvent =
  | {
      type: 'started';
      /** The agent's own id of the session, with which it can be taken up again. */
      agentSession?: string;
      /** False when `resume` was honoured. */
      fresh: boolean;
      can: { steer: boolean };
    }
  /** The agent wants somebody to sign in before it opens a session or answers a prompt (ACP -32000). */
  | { type: 'signInNeeded'; methods: readonly SignInMethod[]; during: 'open' | 'prompt' }
  /** What the agent is doing until it has started; the newest line of its stderr, for example. */
  | { type: 'starting'; activity: string }
  | { type: 'text'; to: 'message' | 'thought'; text: string; messageId?: string }
  /** What a user said that did not come from here; an echo of the prompt among it. */
  | { type: 'userText'; text: string; messageId?: string }
  /** A picture, a sound or a large text as a file. */
  | { type: 'media'; ref: ContentRef }
  | { type: 'tool'; id: string; patch: ToolPatch }
  | { type: 'plan'; id: string; body: PlanBody | null }
  | { type: 'notice'; severity: string; title: string; description?: string }
  | { type: 'compaction'; id: string; status: string; summary?: string; error?: string }
  | {
      type: 'usage';
      context?: { used: number; size: number };
      /** Of the whole session so far. */
      cost?: { amount: number; currency: string };
      model?: string;
    }
  | { type: 'modes'; current?: string; available?: readonly AgentMode[] }
  /** The complete list; it replaces the earlier one. */
  | { type: 'options'; options: readonly AgentOption[] }
  /** A configured mode or option was not taken; the session goes on without it. */
  | { type: 'refused'; what: 'mode' | 'option'; id: string; message: string }
  | { type: 'commands'; commands: readonly AgentCommand[] }
  | { type: 'title'; title: string | null }
  /** An update this program does not know; kept as it is. */
  | { type: 'unknown'; update: Readonly<Record<string, unknown>> }
  | {
      type: 'permissionAsked';
      /** Names the request in `withdrawn`. */
      key: string;
      toolCallId: string;
      patch: ToolPatch;
      options: readonly PermissionOption[];
      hints: PermissionHints;
      reply: (decision: PermissionDecision) => void;
    }
  | { type: 'inputAsked'; key: string; request: ChatInputRequest; reply: (reply: InputReply) => void }
  /** The agent no longer wants an answer. */
  | { type: 'withdrawn'; key: string }
  | { type: 'turnEnded'; turn: string; outcome: TurnOutcome }
  /** The process is gone. `error` is absent when it was asked to go. */
  | { type: 'stopped'; asked: boolean; error?: AgentFault };

export interface DialogRequest {
  /** `<session URI>#<tool call or request id>`; names the dialog in `withdraw`. */
  cookie: string;
  session: Uri;
  /** The agent's name as configured. */
  agent: string;
  /** Leave the keyboard where it is. */
  quiet: boolean;
  about:
    | {
        kind: 'permission';
        title: StringOrMarkdown;
        options: readonly PermissionOption[];
        defaultOption: string;
      }
    | { kind: 'input'; request: ChatInputRequest };
}

/** `ended` is a dialog taken down unanswered; `unavailable` one that could not be shown or was lost. */
export type DialogReply =
  | { kind: 'granted'; answers?: ChatInputAnswers }
  | { kind: 'denied' | 'ended' | 'open' | 'unavailable' };

/** The desktop in front of the person. */
export interface Renderer {
  present(dialog: DialogRequest, reply: (reply: DialogReply) => void): void;
  withdraw(cookie: string): void;
  /** Shows the session to the person in a full client. */
  open(session: Uri): void;
}
