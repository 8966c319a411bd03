// What the host knows of sessions and chats beyond their shared state, and what its parts work with. Nothing in
// here is on the wire; nothing here survives the process.
import type { Disposable } from '../base/dispose.ts';
import type { Log } from '../base/log.ts';
import type { Message } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { ActiveClients } from './active-clients.ts';
import type { Amendments } from './amendments.ts';
import type { Catalogue } from './catalogue.ts';
import type { ContentStore } from './content-store.ts';
import type {
  AgentBackend,
  AgentEntry,
  AgentHandle,
  AgentOption,
  Clock,
  PlanBody,
  Renderer,
  TurnOutcome,
} from './ports.ts';
import type { Questions } from './questions.ts';
import type { Sequencer } from './sequencer.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { ToolRecord } from './tool-record.ts';
import { newSessionUsage, newTurnUsage, type SessionUsage, type TurnUsage } from './usage.ts';

export interface Session {
  readonly uri: Uri;
  readonly agent: AgentEntry;
  /** Absolute path of the folder. */
  readonly cwd: string;
  readonly createdAt: string;
  /** A client chose the title: the agent's own titles no longer count. */
  renamed: boolean;
  readonly chats: Map<Uri, Chat>;
}

/** One running agent. `handle` is the door to it; a call on a handle whose run is over is ignored there. */
export interface AgentRun {
  readonly handle: AgentHandle;
  state: 'starting' | 'ready' | 'stopping';
  steers: boolean;
}

/** The text part that still grows, with what has not been numbered yet. */
export interface OpenPart {
  readonly to: 'message' | 'thought';
  readonly messageId: string | undefined;
  /** Absent until the first text that is not only white space. */
  partId: string | undefined;
  unsent: string;
  flush: Disposable | undefined;
}

export interface RunningTurn {
  readonly id: string;
  readonly startedAt: number;
  readonly message: Message;
  /** What the agent is given: the message, unless the turn was resumed. */
  prompt: Message;
  /** Opened by output that nobody asked for (decision 6). */
  readonly unprompted: boolean;
  /** Whether the agent has been given the prompt. */
  sent: boolean;
  /** Whether the agent has said or done anything in it. */
  output: boolean;
  openPart: OpenPart | undefined;
  /** By the agent's own id; the newest of those that have the same. */
  readonly tools: Map<string, ToolRecord>;
  /** What was last said of its running calls, and when. */
  readonly activity: { line: string | undefined; at: number; timer: Disposable | undefined };
  readonly usage: TurnUsage;
  /** Updates that this program does not know, as they came. */
  readonly updates: Readonly<Record<string, unknown>>[];
  /** What is left of the prompt that the agent may still repeat to us (F-077). */
  echo: string;
  /** Ends an unprompted turn after a quiet period. */
  quiet: Disposable | undefined;
  /** The prompt was answered while calls still run. */
  settling: { readonly outcome: TurnOutcome; readonly since: number; timer: Disposable } | undefined;
}

/** A plan of the agent: as it stands, and what was last shown of it. */
export interface PlanRecord {
  body: PlanBody | null;
  shown: string;
  timer: Disposable | undefined;
}

/** A cancelled prompt that the agent has not let go of yet; its output is dropped (acp-to-ahp 6.1). */
interface Stopping {
  readonly turn: string;
  /** The agent's answer is in; only the fence is waited for. */
  answeredAt: number | undefined;
  /** Its answer says that the cancel arrived. */
  cancelled: boolean;
  timer: Disposable;
}

/** Settings that one message asks for, being set one after the other (acp-to-ahp 5). */
interface Preparing {
  readonly message: Message;
  done: boolean;
  refusals: readonly string[];
}

export interface Chat {
  readonly uri: Uri;
  readonly session: Session;
  agent: AgentRun | undefined;
  /** The agent's own id of the session, once it has told one. */
  agentSession: string | undefined;
  turn: RunningTurn | undefined;
  stopping: Stopping | undefined;
  /** The queue waits for a new message, a retry or an opening. */
  held: boolean;
  /** Handed to a terminal: the queue rests until somebody opens the chat again. */
  released: boolean;
  /** Start an agent as soon as the one that is stopping has gone. */
  restart: boolean;
  /** Options asked for at creation that have not been set yet. */
  asked: Readonly<Record<string, unknown>>;
  /** A mode asked for while no agent was ready. */
  wantedMode: string | undefined;
  /** The agent was started anew and does not know what is above; said with the next turn. */
  forgotten: boolean;
  /** Ends of the agent in a row that nobody asked for, without a finished turn between. */
  crashes: number;
  /** Times in a row that the agent was too busy for a prompt. */
  busy: number;
  /** The agent waits for somebody to sign in, before it opens or with a prompt. */
  signIn: 'open' | 'prompt' | undefined;
  /** When that was said last, and how often so far. */
  offeredAt: number;
  offers: number;
  /** What did not work at the last sign-in; shown if the agent asks again. */
  signInProblem: string | undefined;
  /** How somebody's sign-in is being tried: on the agent as it ran, or on one started anew (F-128). */
  signInTry: 'same' | 'fresh' | undefined;
  /** Settings that were refused outside a turn and have not been taken since, in words for a person. */
  refusals: readonly { readonly setting: string; readonly text: string }[];
  /** What the next message wants set before it is sent. */
  preparing: Preparing | undefined;
  readonly usage: SessionUsage;
  /** By the agent's own id, the one that changed last at the end. */
  readonly plans: Map<string, PlanRecord>;
  /** Nothing is started before this pause is over. */
  backoff: Disposable | undefined;
  disposed: boolean;
}

export interface Core {
  readonly clock: Clock;
  readonly backend: AgentBackend;
  readonly renderer: Renderer;
  readonly log: Log;
  readonly newId: () => string;
  readonly sequencer: Sequencer;
  readonly subscriptions: Subscriptions;
  readonly catalogue: Catalogue;
  readonly questions: Questions;
  readonly activeClients: ActiveClients;
  readonly contents: ContentStore;
  readonly amendments: Amendments;
  /** The newest option list of each agent, by provider. */
  readonly knownOptions: Map<string, readonly AgentOption[]>;
  readonly sessions: Map<Uri, Session>;
  readonly chats: Map<Uri, Chat>;
  /** Runs one piece of work and, when the outermost one is done, brings summaries in step with what changed. */
  tick(run: () => void): void;
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function newChat(uri: Uri, session: Session): Chat {
  return {
    uri,
    session,
    agent: undefined,
    agentSession: undefined,
    turn: undefined,
    stopping: undefined,
    held: false,
    released: false,
    restart: false,
    asked: {},
    wantedMode: undefined,
    forgotten: false,
    crashes: 0,
    busy: 0,
    signIn: undefined,
    offeredAt: 0,
    offers: 0,
    signInProblem: undefined,
    signInTry: undefined,
    refusals: [],
    preparing: undefined,
    usage: newSessionUsage(),
    plans: new Map(),
    backoff: undefined,
    disposed: false,
  };
}

type TurnStart = Pick<RunningTurn, 'id' | 'startedAt' | 'message' | 'unprompted'>;

export function newTurn(chat: Chat, start: TurnStart): RunningTurn {
  return {
    ...start,
    prompt: start.message,
    sent: false,
    output: false,
    openPart: undefined,
    tools: new Map(),
    activity: { line: undefined, at: Number.NEGATIVE_INFINITY, timer: undefined },
    usage: newTurnUsage(chat),
    updates: [],
    echo: start.message.text,
    quiet: undefined,
    settling: undefined,
  };
}

/** A timer whose work is a tick of its own. */
export function later(core: Core, ms: number, run: () => void): Disposable {
  return core.clock.after(ms, () => core.tick(run));
}

/** What the chat is doing beyond what its parts say; undefined for nothing. */
export function setActivity(core: Core, chat: Chat, activity: string | undefined): void {
  if (core.sequencer.chat(chat.uri).activity === activity) return;
  core.sequencer.commit(chat.uri, {
    type: 'chat/activityChanged',
    ...(activity !== undefined && { activity }),
  });
}
