// Tokens and cost: what is known of the running turn, and the totals of the session (acp-to-ahp 2.1). `chat/usage`
// replaces, so each one carries everything known of the turn; it is sent at most once a second and at the end.
import type { UsageInfo } from '../protocol/state-common.ts';
import type { AgentEvent, TurnTokens } from './ports.ts';
import type { Chat, Core, RunningTurn } from './session.ts';
import { publishOtto } from './session-meta.ts';

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>;
type Cost = NonNullable<UsageEvent['cost']>;

export interface TurnUsage {
  context?: UsageEvent['context'];
  model?: string;
  tokens?: TurnTokens;
  /** What the session had cost when the turn began. */
  readonly costBefore: Cost | undefined;
  sentAt: number;
  unsent: boolean;
}

export interface SessionUsage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  turns: number;
  context?: UsageEvent['context'];
  cost?: Cost;
}

const INTERVAL_MS = 1000;

export function newSessionUsage(): SessionUsage {
  return { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, turns: 0 };
}

export function newTurnUsage(chat: Chat): TurnUsage {
  return { costBefore: chat.usage.cost, sentAt: Number.NEGATIVE_INFINITY, unsent: false };
}

/** Takes over what the agent reports; outside a turn the session's totals are published at once. */
export function noteUsage(core: Core, chat: Chat, event: UsageEvent): void {
  const { usage, turn } = chat;
  if (event.context) usage.context = event.context;
  if (event.cost) usage.cost = event.cost;
  if (!turn) {
    publishTotals(core, chat);
    return;
  }
  if (event.context) turn.usage.context = event.context;
  if (event.model !== undefined) turn.usage.model = event.model;
  turn.usage.unsent = true;
  if (core.clock.now() - turn.usage.sentAt >= INTERVAL_MS) send(core, chat, turn);
}

/** Brings out the last word on the turn before it ends, and adds it to the session. */
export function closeUsage(core: Core, chat: Chat, turn: RunningTurn, tokens: TurnTokens | undefined): void {
  if (tokens) {
    turn.usage.tokens = tokens;
    turn.usage.unsent = true;
    chat.usage.inputTokens += tokens.inputTokens ?? 0;
    chat.usage.outputTokens += tokens.outputTokens ?? 0;
    chat.usage.cacheReadTokens += tokens.cacheReadTokens ?? 0;
  }
  if (turn.usage.unsent) send(core, chat, turn);
}

/** Publishes the session's totals; says nothing while nothing is known. */
export function publishTotals(core: Core, chat: Chat): void {
  const { usage } = chat;
  const known = usage.inputTokens + usage.outputTokens > 0 || usage.context || usage.cost;
  if (known) publishOtto(core, chat.session.uri, { usage: { ...usage } });
}

function send(core: Core, chat: Chat, turn: RunningTurn): void {
  turn.usage.sentAt = core.clock.now();
  turn.usage.unsent = false;
  core.sequencer.commit(chat.uri, { type: 'chat/usage', turnId: turn.id, usage: usageOf(chat, turn.usage) });
}

function usageOf(chat: Chat, { context, model, tokens, costBefore }: TurnUsage): UsageInfo {
  const cost = costOfTurn(costBefore, chat.usage.cost);
  const { inputTokens, outputTokens, cacheReadTokens, ...more } = tokens ?? {};
  const otto = {
    ...(context && { context }),
    ...(cost && { cost }),
    ...(Object.keys(more).length > 0 && { tokens: more }),
  };
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
    ...(model !== undefined && { model }),
    ...(Object.keys(otto).length > 0 && { _meta: { otto } }),
  };
}

/** The agent reports the cost of the whole session; nothing is said across a change of currency. */
function costOfTurn(before: Cost | undefined, now: Cost | undefined): Cost | undefined {
  if (!now || (before && before.currency !== now.currency)) return undefined;
  return { amount: now.amount - (before?.amount ?? 0), currency: now.currency };
}
