// Turns of a chat: queue → turn → end, one at a time (AHP A-11, C-32). A prompt is sent only when the agent is
// ready and has let go of the one before; a cancelled prompt is waited for, within a bound (acp-to-ahp 6.1).
import type { ActionOrigin } from '../protocol/actions.ts';
import type { TurnStartedAction } from '../protocol/actions-chat.ts';
import type { Message, PendingMessage } from '../protocol/state-chat.ts';
import { clearFailures, ensureAgent, type Report, restartAgent, stopAgent, tryFresh } from './agent-run.ts';
import { prepare, sayRefusals, withTrueModel } from './message-settings.ts';
import { appendNotice, closePart } from './parts.ts';
import { closePlans } from './plan.ts';
import type { AgentFault, TurnOutcome, TurnTokens } from './ports.ts';
import { type Chat, type Core, isoTime, later, newTurn, type RunningTurn, setActivity } from './session.ts';
import { publishUpdates } from './session-meta.ts';
import { endOffer } from './sign-in.ts';
import { offerSteering, toQueueHead } from './steering.ts';
import { titleByPrompt } from './title.ts';
import { finishRefused, hasRunningTool, leaveTools } from './tool-calls.ts';
import { isBusy, verdict } from './turn-outcome.ts';
import { closeUsage, publishTotals } from './usage.ts';

/** For the agent to answer a cancelled prompt; after that it is stopped (F-039). */
const CANCEL_BOUND_MS = 10_000;
/** Without output after that answer before the next prompt is sent, and at most. */
const FENCE_MS = 250;
const FENCE_LIMIT_MS = 1000;
/** Without output before a turn that nobody asked for ends. */
const QUIET_MS = 2000;
/** For the last word of calls that run when the prompt is answered: since their last update, and at most. */
const SETTLE_MS = 500;
const SETTLE_LIMIT_MS = 2000;
/** Times that a prompt turned away as busy is tried again, and the pause before each in milliseconds. */
const BUSY_TRIES = 3;
const BUSY_PAUSE_MS = 500;

export class Turns {
  readonly #core: Core;
  readonly #report: Report;

  constructor(core: Core, report: Report) {
    this.#core = core;
    this.#report = report;
  }

  /** Starts the agent if none runs, then whatever waits for it. */
  wake(chat: Chat): void {
    ensureAgent(this.#core, chat, this.#report);
    this.next(chat);
  }

  /** A person wants the chat to go on: what held it back counts no more. */
  retry(chat: Chat): void {
    clearFailures(this.#core, chat);
    // Somebody may have signed in elsewhere, which an agent notices for sure only when it is started anew.
    if (chat.signIn && !chat.turn?.sent && !chat.turn?.unprompted) restartAgent(chat);
    this.wake(chat);
  }

  /** A client's own `chat/turnStarted`: the client chose the turn's id. */
  startOwn(chat: Chat, action: TurnStartedAction, origin: ActionOrigin): void {
    this.endUnprompted(chat);
    this.#core.sequencer.commit(chat.uri, action, origin);
    this.#begin(chat, action.turnId, action.message, false);
    clearFailures(this.#core, chat);
    ensureAgent(this.#core, chat, this.#report);
    this.#send(chat);
  }

  /** Starts the first queued message if the chat can take one now; otherwise it waits. */
  next(chat: Chat): void {
    if (chat.disposed || chat.held || chat.stopping || chat.backoff) return;
    if (chat.turn && !chat.turn.unprompted) {
      this.#send(chat);
      return;
    }
    const state = this.#core.sequencer.chat(chat.uri);
    const first = state.queuedMessages?.[0];
    if (!first) return;
    if (chat.agent?.state !== 'ready') {
      if (this.#core.sequencer.session(chat.session.uri).lifecycle === 'ready')
        ensureAgent(this.#core, chat, this.#report);
      return;
    }
    if (!prepare(this.#core, chat, first.message, () => this.next(chat))) return;
    this.endUnprompted(chat);
    this.#startQueued(chat, first);
  }

  /** The turn that output belongs to; output that nobody asked for opens one (decision 6). */
  current(chat: Chat): RunningTurn {
    if (chat.turn) return chat.turn;
    const turnId = this.#core.newId();
    const message: Message = { text: '', origin: { kind: 'agent' }, _meta: { otto: { unprompted: true } } };
    const startedAt = isoTime(this.#core.clock.now());
    this.#core.sequencer.commit(chat.uri, { type: 'chat/turnStarted', turnId, startedAt, message });
    return this.#begin(chat, turnId, message, true);
  }

  /** Output arrived: an unprompted turn stays open for another quiet period. */
  touch(chat: Chat): void {
    const { turn } = chat;
    if (!turn) return;
    turn.output = true;
    this.settle(chat);
    if (!turn.unprompted) return;
    turn.quiet?.();
    turn.quiet = later(this.#core, QUIET_MS, () => {
      if (chat.turn !== turn) return;
      if (hasRunningTool(turn) || this.#core.questions.has(chat)) this.touch(chat);
      else {
        this.endUnprompted(chat);
        this.next(chat);
      }
    });
  }

  endUnprompted(chat: Chat): void {
    if (chat.turn?.unprompted) this.#end(chat, chat.turn, { stop: 'end_turn' });
  }

  /** The agent answered a prompt. A call that still runs gets a moment to bring its result into the turn (F-086). */
  ended(chat: Chat, turnId: string, outcome: TurnOutcome): void {
    if (chat.stopping?.turn === turnId) {
      chat.stopping.cancelled = 'stop' in outcome && outcome.stop === 'cancelled';
      this.#fence(chat);
      return;
    }
    const { turn } = chat;
    if (turn?.id !== turnId) return;
    if (isBusy(outcome, turn) && this.#putBack(chat, turn)) return;
    turn.settling = { outcome, since: this.#core.clock.now(), timer: () => {} };
    this.settle(chat);
  }

  /** Ends a turn whose prompt has been answered, now or when its calls have been quiet for a while. */
  settle(chat: Chat): void {
    const { turn } = chat;
    const settling = turn?.settling;
    if (!turn || !settling) return;
    settling.timer();
    const left = settling.since + SETTLE_LIMIT_MS - this.#core.clock.now();
    const finish = () => {
      this.#end(chat, turn, settling.outcome);
      this.next(chat);
    };
    if (left <= 0 || !hasRunningTool(turn)) finish();
    else settling.timer = later(this.#core, Math.min(SETTLE_MS, left), finish);
  }

  /** A client's `chat/turnCancelled` was committed, which has ended the turn in the chat already. */
  cancelled(chat: Chat): void {
    const { turn } = chat;
    if (!turn) return;
    this.#core.amendments.forget(chat);
    this.#leave(chat, turn);
    if (turn.sent && !turn.settling && chat.agent) this.#stop(chat, turn);
    else
      setActivity(
        this.#core,
        chat,
        chat.agent?.state === 'ready' ? undefined : this.#core.sequencer.chat(chat.uri).activity,
      );
    this.next(chat);
    this.stopUnneeded(chat);
  }

  /** An agent that is still on its way is stopped when nothing waits for it any more (F-029). */
  stopUnneeded(chat: Chat): void {
    const { agent, turn, signIn, wantedMode } = chat;
    const { sequencer } = this.#core;
    const queue = sequencer.chat(chat.uri).queuedMessages ?? [];
    if (turn || signIn || wantedMode !== undefined || queue.length > 0) return;
    if (agent?.state === 'stopping') chat.restart = false;
    // A session that is being created waits for its first start itself.
    if (agent?.state !== 'starting' || sequencer.session(chat.session.uri).lifecycle === 'creating') return;
    stopAgent(chat);
    setActivity(this.#core, chat, undefined);
  }

  /** Ends the running turn as cancelled by the host itself. */
  cancel(chat: Chat): void {
    const { turn } = chat;
    if (!turn) return;
    const duration = this.#closeTurn(chat, turn);
    this.#core.sequencer.commit(chat.uri, { type: 'chat/turnCancelled', turnId: turn.id, duration });
    this.cancelled(chat);
  }

  /** The agent is gone: the turn ends with the reason, and a cancelled prompt is over too. */
  agentGone(chat: Chat, fault: AgentFault | undefined): void {
    chat.stopping?.timer();
    chat.stopping = undefined;
    chat.preparing = undefined;
    setActivity(this.#core, chat, undefined);
    const { turn } = chat;
    // A prompt that has not been sent goes to the agent that follows.
    if (!turn || (chat.restart && !turn.sent && !turn.unprompted)) return;
    const failed = fault ?? { kind: 'exit' as const, message: 'The agent was stopped' };
    this.#end(chat, turn, { failed });
  }

  /** Output of a cancelled prompt: dropped, and the fence starts over. */
  straggled(chat: Chat): void {
    if (chat.stopping?.answeredAt !== undefined) this.#fence(chat);
  }

  #startQueued(chat: Chat, queued: PendingMessage): void {
    const { id } = queued;
    const message = withTrueModel(this.#core, chat, queued.message);
    const turnId = this.#core.newId();
    const startedAt = isoTime(this.#core.clock.now());
    this.#core.sequencer.commit(chat.uri, { type: 'chat/pendingMessageRemoved', kind: 'queued', id });
    this.#core.sequencer.commit(chat.uri, {
      type: 'chat/turnStarted',
      turnId,
      startedAt,
      message,
      queuedMessageId: id,
    });
    const turn = this.#begin(chat, turnId, message, false);
    sayRefusals(this.#core, chat, turn);
    this.#send(chat);
  }

  #begin(chat: Chat, id: string, message: Message, unprompted: boolean): RunningTurn {
    const turn = newTurn(chat, { id, startedAt: this.#core.clock.now(), message, unprompted });
    chat.turn = turn;
    if (unprompted) this.touch(chat);
    else titleByPrompt(this.#core, chat, message);
    return turn;
  }

  /** `chat/turnResume` was committed: the turn runs again, with the same message where nothing had come of it. */
  resume(chat: Chat): void {
    const active = this.#core.sequencer.chat(chat.uri).activeTurn;
    if (!active) return;
    const { id, startedAt, message, responseParts } = active;
    const turn = newTurn(chat, { id, startedAt: Date.parse(startedAt), message, unprompted: false });
    if (responseParts.some((part) => part.kind !== 'error')) {
      turn.prompt = { text: 'Continue where you left off.', origin: message.origin };
    }
    chat.turn = turn;
    clearFailures(this.#core, chat);
    ensureAgent(this.#core, chat, this.#report);
    this.#send(chat);
  }

  /** Somebody signed in: the newest turn goes on if that is what it failed for (acp-to-ahp 6.3). */
  resumeSignedIn(chat: Chat): void {
    const last = this.#core.sequencer.chat(chat.uri).turns.at(-1);
    const part = last?.responseParts.at(-1);
    chat.held = false;
    if (last && !chat.turn && part?.kind === 'error' && part.error.errorType === 'authRequired') {
      this.#core.sequencer.commit(chat.uri, { type: 'chat/turnResume', turnId: last.id });
      this.resume(chat);
    } else this.next(chat);
  }

  /** Takes the turn back and its message to the head of the queue, to be tried again a few times (F-123). */
  #putBack(chat: Chat, turn: RunningTurn): boolean {
    if (chat.busy >= BUSY_TRIES) return false;
    chat.busy += 1;
    const last = this.#core.sequencer.chat(chat.uri).turns.at(-1);
    this.#leave(chat, turn);
    this.#core.amendments.forget(chat);
    // No other action takes an active turn away without leaving a trace of it.
    this.#core.sequencer.commit(chat.uri, { type: 'chat/truncated', ...(last && { turnId: last.id }) });
    toQueueHead(this.#core, chat, { id: turn.id, message: turn.message });
    chat.backoff = later(this.#core, BUSY_PAUSE_MS * chat.busy, () => {
      chat.backoff = undefined;
      this.next(chat);
    });
    return true;
  }

  #send(chat: Chat): void {
    const { turn, agent } = chat;
    if (!turn || turn.sent || turn.unprompted || agent?.state !== 'ready') return;
    if (!prepare(this.#core, chat, turn.message, () => this.next(chat))) return;
    turn.sent = true;
    sayRefusals(this.#core, chat, turn);
    if (chat.forgotten) {
      chat.forgotten = false;
      const { displayName } = chat.session.agent.info;
      appendNotice(
        this.#core,
        chat,
        turn,
        `${displayName} was started anew and does not know what was said before.`,
      );
    }
    agent.handle.prompt(turn.id, turn.prompt);
    this.steer(chat);
  }

  /** Offers the steering message to the running turn. */
  steer(chat: Chat): void {
    offerSteering(this.#core, chat, () => this.next(chat));
  }

  #end(chat: Chat, turn: RunningTurn, outcome: TurnOutcome): void {
    const duration = this.#closeTurn(chat, turn, 'stop' in outcome ? outcome.tokens : undefined);
    this.#core.amendments.remember(chat, turn);
    const { end, holds } = verdict(outcome, turn);
    const turnId = turn.id;
    const { sequencer } = this.#core;
    if (end === 'complete') sequencer.commit(chat.uri, { type: 'chat/turnComplete', turnId, duration });
    else if (end === 'cancelled')
      sequencer.commit(chat.uri, { type: 'chat/turnCancelled', turnId, duration });
    else sequencer.commit(chat.uri, { type: 'chat/error', turnId, duration, part: end });
    if (end === 'complete') {
      chat.crashes = 0;
      chat.busy = 0;
    }
    if (holds) chat.held = true;
    this.#leave(chat, turn);
    setActivity(this.#core, chat, undefined);
    chat.usage.turns += 1;
    publishTotals(this.#core, chat);
    publishUpdates(this.#core, chat, turn);
    if (turn.unprompted) return;
    if (typeof end === 'object' && end.error.errorType === 'authRequired') tryFresh(chat);
    else {
      chat.signInTry = undefined;
      chat.signInProblem = undefined;
      // It answers prompts: whatever it asked for before is done.
      if (end === 'complete' && chat.signIn === 'prompt') endOffer(this.#core, chat);
    }
  }

  /** Brings out what belongs into the turn before it ends; gives its duration in milliseconds. */
  #closeTurn(chat: Chat, turn: RunningTurn, tokens?: TurnTokens): number {
    closePart(this.#core, chat, turn);
    closePlans(this.#core, chat, turn);
    finishRefused(this.#core, chat, turn);
    closeUsage(this.#core, chat, turn, tokens);
    return Math.max(0, Math.round(this.#core.clock.now() - turn.startedAt));
  }

  #leave(chat: Chat, turn: RunningTurn): void {
    turn.quiet?.();
    turn.settling?.timer();
    turn.openPart?.flush?.();
    leaveTools(turn);
    chat.turn = undefined;
    this.#core.questions.cancelAll(chat);
  }

  #stop(chat: Chat, turn: RunningTurn): void {
    setActivity(this.#core, chat, 'Stopping…');
    chat.stopping = {
      turn: turn.id,
      answeredAt: undefined,
      cancelled: false,
      timer: later(this.#core, CANCEL_BOUND_MS, () => stopAgent(chat)),
    };
    chat.agent?.handle.cancel(turn.id);
  }

  #fence(chat: Chat): void {
    const { stopping } = chat;
    if (!stopping) return;
    const now = this.#core.clock.now();
    stopping.answeredAt ??= now;
    stopping.timer();
    // A prompt that ended by itself crossed the cancel, which then is still on its way to the agent (F-042).
    const left = stopping.answeredAt + FENCE_LIMIT_MS - now;
    const wait = stopping.cancelled ? Math.min(FENCE_MS, left) : left;
    stopping.timer = later(this.#core, Math.max(0, wait), () => {
      chat.stopping = undefined;
      setActivity(this.#core, chat, undefined);
      this.next(chat);
    });
  }
}
