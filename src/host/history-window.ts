// How much of a chat each subscriber has been given. The host's own state always holds every turn; a subscriber
// that asked for a few gets a window, and older turns on request, to itself alone (AHP S-7 to S-9, C-40 to C-43).
import { ProtocolError } from '../base/errors.ts';
import type { FetchTurnsParams, Snapshot } from '../protocol/commands.ts';
import { INVALID_PARAMS } from '../protocol/errors.ts';
import type { ChatState, Turn } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { Core } from './session.ts';
import type { Subscriber } from './subscriptions.ts';

const PAGE = 50;
const CURSOR_PREFIX = 'before:';

/** The chat as `subscriber` is to see it: everything, or its newest `turns` turns with a cursor. */
export function chatSnapshot(
  core: Core,
  subscriber: Subscriber,
  snapshot: Snapshot,
  turns?: number,
): Snapshot {
  const state = snapshot.state as ChatState;
  const count = turns === undefined ? state.turns.length : Math.max(1, turns);
  const shown = state.turns.slice(Math.max(0, state.turns.length - count));
  const whole = shown.length === state.turns.length;
  const [oldest] = shown;
  core.subscriptions.setWindowStart(subscriber.clientId, state.resource, whole ? undefined : oldest?.id);
  if (whole || !oldest) return snapshot;
  return { ...snapshot, state: { ...state, turns: shown, turnsNextCursor: CURSOR_PREFIX + oldest.id } };
}

/** Sends the next older page to this subscriber, before its `fetchTurns` is answered. */
export function fetchTurns(core: Core, subscriber: Subscriber, { channel, cursor }: FetchTurnsParams): void {
  const start = core.subscriptions.windowStart(subscriber.clientId, channel);
  if (cursor !== undefined && (start === undefined || cursor !== CURSOR_PREFIX + start)) {
    throw new ProtocolError(INVALID_PARAMS, 'unknown cursor; use the one in the state of the chat');
  }
  if (start !== undefined) sendOlder(core, subscriber, channel, start, PAGE);
}

/**
 * Before turns are dropped from a chat, whoever has only a window gets the turns that the action speaks of: its
 * reducer would not know them (C-43).
 */
export function loadForTruncation(core: Core, channel: Uri, turnId: string | undefined): void {
  if (turnId === undefined) return;
  const { turns } = core.sequencer.chat(channel);
  const kept = turns.findIndex((turn) => turn.id === turnId);
  for (const subscriber of core.subscriptions.listeners(channel)) {
    const start = core.subscriptions.windowStart(subscriber.clientId, channel);
    const at = turns.findIndex((turn) => turn.id === start);
    if (start !== undefined && at > kept) sendOlder(core, subscriber, channel, start, at - kept);
  }
}

function sendOlder(core: Core, subscriber: Subscriber, channel: Uri, start: string, count: number): void {
  const all = core.sequencer.chat(channel).turns;
  const end = all.findIndex((turn) => turn.id === start);
  const from = Math.max(0, end - count);
  const turns: readonly Turn[] = end < 0 ? [] : all.slice(from, end);
  const oldest = from > 0 ? turns[0]?.id : undefined;
  core.subscriptions.setWindowStart(subscriber.clientId, channel, oldest);
  subscriber.deliver({
    channel,
    action: {
      type: 'chat/turnsLoaded',
      turns,
      ...(oldest !== undefined && { turnsNextCursor: CURSOR_PREFIX + oldest }),
    },
    serverSeq: core.sequencer.nextSeq(),
  });
}
