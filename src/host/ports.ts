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
import type { StringOrMarkdown, Uri } from '../protocol/state-common.ts';
import type { AgentInfo } from '../protocol/state-root.ts';
import type { ToolResultContent } from '../protocol/state-tool.ts';

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
  setMode(mode: string, reply: (refusal?: string) => void): void;
  /** Ends the agent and everything it started; answered by one `stopped` with `asked: true`. */
  stop(): void;
}

export interface AgentMode {
  id: string;
  name: string;
  description: string | null;
}

/** What a tool call is known to be; a field that is absent says nothing new (ACP `tool_call_update`). */
export interface ToolPatch {
  title?: string;
  /** ACP's tool kind, such as `execute`. */
  kind?: string;
  status?: 'running' | 'completed' | 'failed';
  /** JSON text of what the agent passes to the tool. */
  input?: string;
  content?: readonly ToolResultContent[];
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
}

/** ACP's stop reason, or why there is none. */
export type TurnOutcome = { stop: string } | { failed: AgentFault };

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
  /** What the agent is doing until it has started; the newest line of its stderr, for example. */
  | { type: 'starting'; activity: string }
  | { type: 'text'; to: 'message' | 'thought'; text: string; messageId?: string }
  | { type: 'tool'; id: string; patch: ToolPatch }
  | { type: 'modes'; current?: string; available?: readonly AgentMode[] }
  | { type: 'title'; title: string }
  | {
      type: 'permissionAsked';
      /** Names the request in `withdrawn`. */
      key: string;
      toolCallId: string;
      patch: ToolPatch;
      options: readonly PermissionOption[];
      /** The agent wants "no" to be the answer one starts on. */
      defaultToNo: boolean;
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
