// What agents ask in the tests of the terminal, and another client that looks on.
import type { Service } from '../../../src/app/service.ts';
import { listSessions } from '../../../src/client/sessions.ts';
import type { InputReply, PermissionDecision, PermissionOption, ToolPatch } from '../../../src/host/ports.ts';
import type { ChatInputQuestion, ChatState } from '../../../src/protocol/state-chat.ts';
import type { SessionState } from '../../../src/protocol/state-session.ts';
import type { Hand } from '../../support/agent-in-hand.ts';
import type { Place } from './rig.ts';

export const OPTIONS: PermissionOption[] = [
  { id: 'always', label: 'Always Allow', kind: 'allow_always' },
  { id: 'once', label: 'Allow', kind: 'allow_once' },
  { id: 'no', label: 'Reject', kind: 'reject_once' },
];

interface Permission {
  id?: string;
  command?: string;
  /** What is told beside or instead of the command. */
  patch?: ToolPatch;
  options?: PermissionOption[];
}

/** Asks for a permission; resolves with what was decided. */
export function askPermission(
  hand: Hand,
  { id = 't1', command = `touch ${id}`, options = OPTIONS, patch }: Permission = {},
): Promise<PermissionDecision> {
  return new Promise((reply) => {
    hand.report({
      type: 'permissionAsked',
      key: `key-${id}`,
      toolCallId: id,
      patch: { title: command, kind: 'execute', rawInput: { command }, ...patch },
      options,
      hints: { defaultToNo: false },
      reply,
    });
  });
}

/** Asks with a form; resolves with the reply. */
export function askForm(
  hand: Hand,
  questions: ChatInputQuestion[],
  { id = 'form', message = 'Some questions' } = {},
): Promise<InputReply> {
  return new Promise((reply) => {
    hand.report({ type: 'inputAsked', key: `key-${id}`, request: { id, message, questions }, reply });
  });
}

interface Onlooker {
  readonly session: string;
  readonly chat: string;
  state(): { session: SessionState; chat: ChatState };
  /** Resolves when `holds` does. */
  until(holds: (state: { session: SessionState; chat: ChatState }) => boolean): Promise<void>;
  /** Looks on no longer. */
  leave(): void;
  dispatch: Awaited<ReturnType<Place['client']>>['dispatch'];
}

/** Another client that watches the newest session and its chat. */
export async function onlooker(here: Place, service: Service): Promise<Onlooker> {
  const client = await here.client(service, `onlooker-${Math.random()}`);
  const session = (await listSessions(client))[0]?.resource ?? '';
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const one of waiting) one();
  };
  const { defaultChat: chat = '' } = await client.subscribe('session', session, look);
  await client.subscribe('chat', chat, look);
  const state = () => ({
    session: client.state('session', session) as SessionState,
    chat: client.state('chat', chat) as ChatState,
  });
  return {
    session,
    chat,
    state,
    until: (holds) =>
      new Promise((resolve) => {
        const one = (): void => {
          if (!holds(state())) return;
          waiting.delete(one);
          resolve();
        };
        waiting.add(one);
        one();
      }),
    leave: () => client.unsubscribe(chat),
    dispatch: (...args) => client.dispatch(...args),
  };
}
