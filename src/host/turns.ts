// Turns of a chat: queue → turn → end, one at a time (AHP A-11, C-32). A prompt is sent only when the agent is
// ready and has let go of the one before; a cancelled prompt is waited for, within a bound (acp-to-ahp 6.1).
import type { ActionOrigin } from '../protocol/actions.ts';
import type { TurnStartedAction } from '../protocol/actions-chat.ts';
import type { ErrorPart, Message, PendingMessage } from '../protocol/state-chat.ts';
import { clearFailures, ensureAgent, type Report, stopAgent } from './agent-run.ts';
import { appendNotice, closePart } from './parts.ts';
import type { AgentFault, TurnOutcome } from './ports.ts';
import { type Chat, type Core, isoTime, later, type RunningTurn, setActivity } from './session.ts';
import { finishRefused, hasRunningTool } from './tool-calls.ts';

/** For the agent to answer a cancelled prompt; after that it is stopped (F-039). */
const CANCEL_BOUND_MS = 10_000;
/** Without output after that answer before the next prompt is sent, and at most. */
const FENCE_MS = 250;
const FENCE_LIMIT_MS = 1000;
/** Without output before a turn that nobody asked for ends. */
const QUIET_MS = 2000;
const TITLE_LENGTH = 80;

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
    if (chat.disposed || chat.held || chat.stopping) return;
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
    if (!turn.unprompted) return;
    turn.quiet?.();
    turn.quiet = later(this.#core, QUIET_MS, () => {
      if (chat.turn !== turn) return;
      if (hasRunningTool(turn) || this.#core.questions.has(chat)) this.touch(chat);
      else this.endUnprompted(chat);
    });
  }

  endUnprompted(chat: Chat): void {
    if (chat.turn?.unprompted) this.#end(chat, chat.turn, { stop: 'end_turn' });
  }

  /** The agent answered a prompt. */
  ended(chat: Chat, turnId: string, outcome: TurnOutcome): void {
    if (chat.stopping?.turn === turnId) {
      this.#fence(chat);
      return;
    }
    const { turn } = chat;
    if (turn?.id !== turnId) return;
    this.#end(chat, turn, outcome);
    this.next(chat);
  }

  /** A client's `chat/turnCancelled` was committed, which has ended the turn in the chat already. */
  cancelled(chat: Chat): void {
    const { turn } = chat;
    if (!turn) return;
    this.#leave(chat, turn);
    if (turn.sent && chat.agent) this.#stop(chat, turn);
    this.next(chat);
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
    setActivity(this.#core, chat, undefined);
    const { turn } = chat;
    if (!turn) return;
    const failed = fault ?? { kind: 'exit' as const, message: 'The agent was stopped' };
    this.#end(chat, turn, { failed });
  }

  /** Output of a cancelled prompt: dropped, and the fence starts over. */
  straggled(chat: Chat): void {
    if (chat.stopping?.answeredAt !== undefined) this.#fence(chat);
  }

  #startQueued(chat: Chat, queued: PendingMessage): void {
    const { id, message } = queued;
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
    this.#begin(chat, turnId, message, false);
    this.#send(chat);
  }

  #begin(chat: Chat, id: string, message: Message, unprompted: boolean): RunningTurn {
    const turn: RunningTurn = {
      id,
      startedAt: this.#core.clock.now(),
      message,
      unprompted,
      sent: false,
      output: false,
      openPart: undefined,
      tools: new Map(),
      quiet: undefined,
    };
    chat.turn = turn;
    if (unprompted) this.touch(chat);
    else this.#title(chat, message);
    return turn;
  }

  #send(chat: Chat): void {
    const { turn, agent } = chat;
    if (!turn || turn.sent || turn.unprompted || agent?.state !== 'ready') return;
    turn.sent = true;
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
    agent.handle.prompt(turn.id, turn.message);
    this.steer(chat);
  }

  /** Offers the steering message to the running turn (C-34); one that is not taken goes to the head of the queue. */
  steer(chat: Chat): void {
    const { turn, agent } = chat;
    const steering = this.#core.sequencer.chat(chat.uri).steeringMessage;
    if (!steering || !turn?.sent || !agent) return;
    const { id, message } = steering;
    agent.handle.steer(message, (taken) =>
      this.#core.tick(() => {
        if (chat.disposed || this.#core.sequencer.chat(chat.uri).steeringMessage?.id !== id) return;
        this.#core.sequencer.commit(chat.uri, { type: 'chat/pendingMessageRemoved', kind: 'steering', id });
        if (!taken) this.#toQueueHead(chat, steering);
        else if (chat.turn === turn) this.#showSteered(chat, turn, message.text);
        this.next(chat);
      }),
    );
  }

  #showSteered(chat: Chat, turn: RunningTurn, text: string): void {
    const markdown = text.replace(/^/gm, '> ');
    appendNotice(this.#core, chat, turn, { markdown }, { otto: { steered: { text } } });
  }

  #toQueueHead(chat: Chat, { id, message }: PendingMessage): void {
    const others = (this.#core.sequencer.chat(chat.uri).queuedMessages ?? []).map((queued) => queued.id);
    this.#core.sequencer.commit(chat.uri, { type: 'chat/pendingMessageSet', kind: 'queued', id, message });
    this.#core.sequencer.commit(chat.uri, { type: 'chat/queuedMessagesReordered', order: [id, ...others] });
  }

  #end(chat: Chat, turn: RunningTurn, outcome: TurnOutcome): void {
    const duration = this.#closeTurn(chat, turn);
    const { end, holds } = verdict(outcome, turn);
    const turnId = turn.id;
    if (end === 'complete')
      this.#core.sequencer.commit(chat.uri, { type: 'chat/turnComplete', turnId, duration });
    else if (end === 'cancelled')
      this.#core.sequencer.commit(chat.uri, { type: 'chat/turnCancelled', turnId, duration });
    else this.#core.sequencer.commit(chat.uri, { type: 'chat/error', turnId, duration, part: end });
    if (end === 'complete') chat.crashes = 0;
    if (holds) chat.held = true;
    this.#leave(chat, turn);
    setActivity(this.#core, chat, undefined);
  }

  /** Brings out what belongs into the turn before it ends; gives its duration in milliseconds. */
  #closeTurn(chat: Chat, turn: RunningTurn): number {
    closePart(this.#core, chat, turn);
    finishRefused(this.#core, chat, turn);
    return Math.max(0, Math.round(this.#core.clock.now() - turn.startedAt));
  }

  #leave(chat: Chat, turn: RunningTurn): void {
    turn.quiet?.();
    turn.openPart?.flush?.();
    chat.turn = undefined;
    this.#core.questions.cancelAll(chat);
  }

  #stop(chat: Chat, turn: RunningTurn): void {
    setActivity(this.#core, chat, 'Stopping…');
    chat.stopping = {
      turn: turn.id,
      answeredAt: undefined,
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
    const wait = Math.min(FENCE_MS, stopping.answeredAt + FENCE_LIMIT_MS - now);
    stopping.timer = later(this.#core, Math.max(0, wait), () => {
      chat.stopping = undefined;
      setActivity(this.#core, chat, undefined);
      this.next(chat);
    });
  }

  /** The first prompt names an untitled session. */
  #title(chat: Chat, message: Message): void {
    const { uri } = chat.session;
    if (this.#core.sequencer.session(uri).title !== '') return;
    const line = message.text.split('\n').find((each) => each.trim() !== '');
    const labels = (message.attachments ?? []).map(({ label }) => label).join(', ');
    const title = [...(line ?? labels).trim()].slice(0, TITLE_LENGTH).join('');
    if (title !== '') this.#core.sequencer.commit(uri, { type: 'session/titleChanged', title });
  }
}

type Verdict = { end: 'complete' | 'cancelled' | ErrorPart; holds?: true };

/** What a stop reason or fault makes of the turn, and whether the queue waits afterwards (acp-to-ahp 6.2). */
function verdict(outcome: TurnOutcome, turn: RunningTurn): Verdict {
  if ('failed' in outcome) return faultVerdict(outcome.failed);
  switch (outcome.stop) {
    case 'cancelled':
      return { end: 'cancelled' };
    case 'max_tokens':
      return { end: errorPart('maxTokens', 'The agent reached its limit of tokens for one turn') };
    case 'max_turn_requests':
      return { end: errorPart('maxTurnRequests', 'The agent reached its limit of requests for one turn') };
    case 'refusal':
      if (turn.output) return { end: errorPart('refusal', 'The agent refused to go on') };
      return {
        end: errorPart('sessionLost', 'The agent refused without a word; it may have lost this session'),
        holds: true,
      };
    default:
      return { end: 'complete' };
  }
}

function faultVerdict({ kind, message }: AgentFault): Verdict {
  if (kind === 'auth') return { end: errorPart('authRequired', message), holds: true };
  if (kind === 'prompt') return { end: errorPart('invalidPrompt', message) };
  if (kind === 'refused' || kind === 'protocol' || kind === 'timeout')
    return { end: errorPart('agentError', message) };
  return { end: errorPart('agentExited', message) };
}

function errorPart(errorType: string, message: string): ErrorPart {
  return { kind: 'error', error: { errorType, message } };
}
