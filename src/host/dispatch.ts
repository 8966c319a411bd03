// One client action: may it be said here and now? Every action on a channel that exists is answered by exactly
// one echo, accepted or with a reason (AHP ); one on a channel that does not exist by nothing.
import { ACTIONS, type Action, type ActionEnvelope, type ActionOrigin } from '../protocol/actions.ts';
import type { Uri } from '../protocol/state-common.ts';
import { CHAT_RULES } from './dispatch-chat.ts';
import type { Core } from './session.ts';
import { changeConfig, configProblem } from './session-config.ts';
import type { Subscriber } from './subscriptions.ts';
import type { Turns } from './turns.ts';

type SessionActionOf<T extends Action['type']> = Extract<Action, { type: T }>;
type SessionRule<A> = (core: Core, session: Uri, action: A, origin: ActionOrigin) => string | undefined;

const accept = () => undefined;

const SESSION_RULES = {
  'session/titleChanged': (core, session, action) => {
    if (action.title.trim() === '') return 'a title needs at least one character';
    const known = core.sessions.get(session);
    if (known) known.renamed = true;
    return undefined;
  },
  'session/isReadChanged': accept,
  'session/isArchivedChanged': accept,
  'session/configChanged': (core, session, action) => {
    for (const chat of core.sessions.get(session)?.chats.values() ?? []) {
      const problem = configProblem(core, chat, action);
      if (problem !== undefined) return problem;
    }
    return undefined;
  },
  'session/activeClientSet': (_core, _session, action, origin) =>
    action.activeClient.clientId === origin.clientId ? undefined : 'a client can only join for itself',
  'session/activeClientRemoved': (core, session, action, origin) => {
    if (action.clientId !== origin.clientId) return 'a client can only leave for itself';
    const { activeClients } = core.sequencer.session(session);
    const known = activeClients.some(({ clientId }) => clientId === action.clientId);
    return known ? undefined : 'this client is not active in the session';
  },
} satisfies { [T in Action['type']]?: SessionRule<SessionActionOf<T>> };

/** Every action that a client can have accepted; `spec/coverage.md` says the same. */
export const ACCEPTED_ACTIONS: readonly string[] = [
  ...Object.keys(SESSION_RULES),
  ...Object.keys(CHAT_RULES),
];

/** Serves one action that fits its schema. */
export function dispatch(
  core: Core,
  turns: Turns,
  subscriber: Subscriber,
  channel: Uri,
  action: Action,
  origin: ActionOrigin,
): void {
  const kind = core.sequencer.kindOf(channel);
  if (!kind) return;
  const reason = refusal(core, turns, channel, action, origin);
  if (reason !== undefined) reject(core, subscriber, channel, action, origin, reason);
}

/** Echoes an action to its sender alone, unapplied, under a number of its own and outside the replay. */
export function reject(
  core: Core,
  subscriber: Subscriber,
  channel: Uri,
  action: Action,
  origin: ActionOrigin,
  rejectionReason: string,
): void {
  if (!core.sequencer.kindOf(channel)) return;
  const envelope: ActionEnvelope = {
    channel,
    action,
    serverSeq: core.sequencer.nextSeq(),
    origin,
    rejectionReason,
  };
  subscriber.deliver(envelope);
}

/** Commits the action, or says why not. */
function refusal(
  core: Core,
  turns: Turns,
  channel: Uri,
  action: Action,
  origin: ActionOrigin,
): string | undefined {
  if (ACTIONS[action.type].by === 'host') return `only the host may send ${action.type}`;
  const kind = core.sequencer.kindOf(channel);
  if (!action.type.startsWith(`${kind}/`)) return `${action.type} does not belong to ${channel}`;
  const chat = core.chats.get(channel);
  if (chat) return chatRefusal(core, turns, chat, action, origin);
  const rule = (SESSION_RULES as Record<string, SessionRule<never>>)[action.type];
  if (!rule) return `${action.type} is not supported here`;
  const reason = rule(core, channel, action as never, origin);
  if (reason !== undefined) return reason;
  core.sequencer.commit(channel, action, origin);
  if (action.type === 'session/configChanged') {
    for (const each of core.sessions.get(channel)?.chats.values() ?? []) changeConfig(core, each, action);
  }
  return undefined;
}

function chatRefusal(
  core: Core,
  turns: Turns,
  chat: Parameters<Turns['next']>[0],
  action: Action,
  origin: ActionOrigin,
): string | undefined {
  type AnyRule = {
    refuse?: (target: object, action: Action) => string | undefined;
    commit?: (target: object, action: Action) => void;
    after?: (target: object, action: Action) => void;
  };
  const rule = (CHAT_RULES as unknown as Record<string, AnyRule>)[action.type];
  if (!rule) return `${action.type} is not supported here`;
  const target = { core, turns, chat, origin };
  const reason = rule.refuse?.(target, action);
  if (reason !== undefined) return reason;
  if (rule.commit) rule.commit(target, action);
  else core.sequencer.commit(chat.uri, action, origin);
  rule.after?.(target, action);
  return undefined;
}
