// A host with stand-ins at its four ports: an agent that does what a test reports, a renderer that records, and a
// clock that stands still. Clients keep the state a real client would compute from the stream.
import { createHash } from 'node:crypto';
import { createLog, type LogLevel } from '../../src/base/log.ts';
import { Host } from '../../src/host/host.ts';
import type {
  AgentBackend,
  AgentEntry,
  AgentEvent,
  AgentHandle,
  AgentSpec,
  DialogReply,
  DialogRequest,
  PermissionPolicy,
} from '../../src/host/ports.ts';
import type { Subscriber } from '../../src/host/subscriptions.ts';
import type { Action, ActionEnvelope } from '../../src/protocol/actions.ts';
import type {
  ChannelState,
  NotificationMap,
  Snapshot,
  SubscribeParams,
} from '../../src/protocol/commands.ts';
import { REDUCERS } from '../../src/protocol/reduce/channel.ts';
import type { ChatState, Message } from '../../src/protocol/state-chat.ts';
import { ROOT_URI } from '../../src/protocol/state-root.ts';
import type { SessionState } from '../../src/protocol/state-session.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

export const SESSION = 'ahp-session:/s';
export const FOLDER = 'file:///folder';

interface FakeAgent {
  readonly spec: AgentSpec;
  /** Names and arguments of the handle's calls, in order. */
  readonly calls: unknown[][];
  report(event: AgentEvent): void;
  started(more?: Partial<Extract<AgentEvent, { type: 'started' }>>): void;
  text(text: string): void;
  /** The turn of the newest prompt. */
  turn(): string;
  endTurn(stop?: string): void;
  stopped(message?: string): void;
  steerReply(taken: boolean): void;
  modeReply(refusal?: string): void;
  optionReply(refusal?: string): void;
  signInReply(problem?: string): void;
}

export interface Rig {
  host: Host;
  clock: ManualClock;
  agents: FakeAgent[];
  dialogs: { request: DialogRequest; reply: (reply: DialogReply) => void }[];
  withdrawn: string[];
  opened: string[];
  logged: string[];
  agent(): FakeAgent;
  client(clientId?: string): Client;
  /** A client subscribed to root, session and chat of a new session. */
  session(uri?: string): { client: Client; chat: string };
}

export interface Client extends Subscriber {
  readonly envelopes: ActionEnvelope[];
  readonly notices: { method: string; params: unknown }[];
  readonly states: Map<string, ChannelState>;
  subscribe(channel: string, more?: Omit<SubscribeParams, 'channel'>): Snapshot;
  /** Dispatches and returns the echo, if there was one. */
  dispatch(channel: string, action: Action): ActionEnvelope | undefined;
  queue(chat: string, text: string, id?: string): ActionEnvelope | undefined;
  take(snapshot: Snapshot): void;
  /** Types of the actions seen since the last call. */
  seen(): string[];
  chat(uri: string): ChatState;
  sessionState(uri?: string): SessionState;
}

export interface RigOptions {
  permissions?: PermissionPolicy;
  forgets?: boolean;
  /** Reply of the renderer to every dialog; without one a test replies itself. */
  dialog?: DialogReply;
  /** Asked before a dialog is shown; what it gives is thrown by the renderer. */
  fault?: () => Error | undefined;
  agents?: AgentEntry[];
}

export function userMessage(text: string): Message {
  return { text, origin: { kind: 'user' } };
}

export function createRig(options: RigOptions = {}): Rig {
  const clock = manualClock();
  const agents: FakeAgent[] = [];
  const rig = { clock, agents, dialogs: [], withdrawn: [], opened: [], logged: [] } as unknown as Rig;
  let serial = 0;
  rig.host = new Host({
    clock,
    backend: fakeBackend(agents, options),
    renderer: {
      present(request, reply) {
        const fault = options.fault?.();
        if (fault) throw fault;
        rig.dialogs.push({ request, reply });
        if (options.dialog) reply(options.dialog);
      },
      withdraw: (cookie) => void rig.withdrawn.push(cookie),
      open: (session) => void rig.opened.push(session),
    },
    log: createLog((level: LogLevel, _scope, message) => void rig.logged.push(`${level} ${message}`)),
    newId: () => `id${++serial}`,
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    folderProblem: (path) => (path === '/gone' ? 'the folder /gone does not exist' : undefined),
  });
  rig.agent = () => {
    const last = agents.at(-1);
    if (!last) throw new Error('no agent was started');
    return last;
  };
  rig.client = (clientId = 'client') => connect(rig.host, clientId);
  rig.session = (uri = SESSION) => {
    const client = rig.client();
    client.subscribe(ROOT_URI);
    rig.host.createSession(client, { channel: uri, workingDirectories: [FOLDER] });
    client.subscribe(uri);
    const chat = client.sessionState(uri).defaultChat;
    if (!chat) throw new Error('the session has no chat');
    client.subscribe(chat);
    return { client, chat };
  };
  return rig;
}

export function connect(host: Host, clientId: string): Client {
  let clientSeq = 0;
  let seenUpTo = 0;
  const states = new Map<string, ChannelState>();
  const client: Client = {
    clientId,
    envelopes: [],
    notices: [],
    states,
    deliver(envelope) {
      client.envelopes.push(envelope);
      const state = states.get(envelope.channel);
      if (!state || envelope.rejectionReason !== undefined) return;
      states.set(envelope.channel, reduce(envelope, state));
    },
    notify<M extends keyof NotificationMap>(method: M, params: NotificationMap[M]) {
      client.notices.push({ method, params });
    },
    subscribe(channel, more = {}) {
      const { snapshot } = host.subscribe(client, { channel, ...more });
      if (!snapshot) throw new Error(`no snapshot of ${channel}`);
      client.take(snapshot);
      return snapshot;
    },
    take: (snapshot) => void states.set(snapshot.resource, snapshot.state),
    dispatch(channel, action) {
      const origin = { clientId, clientSeq: ++clientSeq };
      host.dispatch(client, channel, action, origin);
      return client.envelopes.find(
        (envelope) => envelope.origin?.clientId === clientId && envelope.origin.clientSeq === clientSeq,
      );
    },
    queue: (chat, text, id = `q-${text}`) =>
      client.dispatch(chat, {
        type: 'chat/pendingMessageSet',
        kind: 'queued',
        id,
        message: userMessage(text),
      }),
    seen() {
      const types = client.envelopes.slice(seenUpTo).map(({ action }) => action.type);
      seenUpTo = client.envelopes.length;
      return types;
    },
    chat: (uri) => states.get(uri) as ChatState,
    sessionState: (uri = SESSION) => states.get(uri) as SessionState,
  };
  host.attach(client);
  return client;
}

/** One step of a client's own reducers; channels of the rig are told apart by their scheme. */
function reduce({ channel, action }: ActionEnvelope, state: ChannelState): ChannelState {
  const kind = channel === ROOT_URI ? 'root' : channel.startsWith('ahp-chat:') ? 'chat' : 'session';
  return REDUCERS[kind](state, action);
}

function fakeBackend(agents: FakeAgent[], options: RigOptions): AgentBackend {
  const entry: AgentEntry = {
    info: { provider: 'fake', displayName: 'Fake', description: '', models: [] },
    permissions: options.permissions ?? 'ask',
    forgets: options.forgets ?? false,
  };
  return {
    agents: () => options.agents ?? [entry],
    start(spec, report) {
      const calls: unknown[][] = [];
      let steer: ((taken: boolean) => void) | undefined;
      let mode: ((refusal?: string) => void) | undefined;
      let option: ((refusal?: string) => void) | undefined;
      let signIn: ((problem?: string) => void) | undefined;
      const handle: AgentHandle = {
        prompt: (turn, message) => void calls.push(['prompt', turn, message.text]),
        cancel: (turn) => void calls.push(['cancel', turn]),
        steer(message, reply) {
          calls.push(['steer', message.text]);
          steer = reply;
        },
        setMode(id, reply) {
          calls.push(['setMode', id]);
          mode = reply;
        },
        setOption(id, value, reply) {
          calls.push(['setOption', id, value]);
          option = reply;
        },
        signIn(method, reply) {
          calls.push(['signIn', method]);
          signIn = reply;
        },
        stop: () => void calls.push(['stop']),
      };
      const agent: FakeAgent = {
        spec,
        calls,
        report,
        started: (more) =>
          report({ type: 'started', agentSession: 'a1', fresh: true, can: { steer: false }, ...more }),
        text: (text) => report({ type: 'text', to: 'message', text }),
        turn: () => String(calls.findLast(([name]) => name === 'prompt')?.[1]),
        endTurn: (stop = 'end_turn') => report({ type: 'turnEnded', turn: agent.turn(), outcome: { stop } }),
        stopped: (message) =>
          report({
            type: 'stopped',
            asked: message === undefined,
            ...(message !== undefined && { error: { kind: 'exit', message } }),
          }),
        steerReply: (taken) => steer?.(taken),
        modeReply: (refusal) => mode?.(refusal),
        optionReply: (refusal) => option?.(refusal),
        signInReply: (problem) => signIn?.(problem),
      };
      agents.push(agent);
      return handle;
    },
  };
}
