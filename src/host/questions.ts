// The open questions of every chat: carries out what `question.ts` decides, keeps the session's list of open
// blocks, and answers the agent exactly once. A question is registered before anyone can see it (F-050).
import type { Disposable } from '../base/dispose.ts';
import { messageOf } from '../base/errors.ts';
import type { ToolCallApprovedAction, ToolCallRefusedAction } from '../protocol/actions-chat.ts';
import type { ChatInputRequest } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import type { ToolCall } from '../protocol/state-tool.ts';
import { acceptProblem, isReply } from './dialog-reply.ts';
import { decisionFor, defaultOption, type Intent } from './permission.ts';
import type {
  AgentEvent,
  DialogReply,
  DialogRequest,
  InputReply,
  PermissionDecision,
  PermissionOption,
} from './ports.ts';
import {
  openQuestion,
  type Question,
  type QuestionEffect,
  type QuestionEvent,
  type Settlement,
  step,
} from './question.ts';
import { type Chat, type Core, later } from './session.ts';
import { confirmRecord } from './tool-calls.ts';
import { toolMeta } from './tool-meta.ts';
import type { ToolRecord } from './tool-record.ts';

/** How long a question is left to the clients that watch, in milliseconds (seed rule 2). */
const WATCHED_GRACE_MS = 20_000;

export type PermissionAsked = Extract<AgentEvent, { type: 'permissionAsked' }>;
export type InputAsked = Extract<AgentEvent, { type: 'inputAsked' }>;

export interface OpenQuestion {
  readonly chat: Chat;
  readonly turnId: string;
  /** Tool call id in the chat, or request id. */
  readonly id: string;
  /** Id in the session's `inputNeeded`. */
  readonly blockId: string;
  readonly asked: PermissionAsked | InputAsked;
  readonly tool: ToolRecord | undefined;
  title: string;
  state: Question;
  grace: Disposable | undefined;
}

/** A request about a call that another request already asks about. */
interface Waiting {
  readonly chat: Chat;
  readonly tool: ToolRecord;
  readonly asked: PermissionAsked;
  readonly ask: () => void;
}

export class Questions {
  readonly #core: Core;
  readonly #open = new Set<OpenQuestion>();
  #waiting: readonly Waiting[] = [];

  constructor(core: Core) {
    this.#core = core;
  }

  /** Registers a permission question; `show` then commits the waiting call that clients see. */
  openPermission(
    chat: Chat,
    turnId: string,
    tool: ToolRecord,
    asked: PermissionAsked,
    show: () => ToolCall | undefined,
  ): void {
    const blockId = `tool:${turnId}:${tool.id}`;
    this.#register({ chat, turnId, id: tool.id, blockId, asked, tool }, () => {
      const toolCall = show();
      if (!toolCall) return '';
      this.#core.sequencer.commit(chat.session.uri, {
        type: 'session/inputNeededSet',
        request: { id: blockId, chat: chat.uri, kind: 'toolConfirmation', turnId, toolCall },
      });
      return toolCall.displayName;
    });
  }

  /** A call is asked about a second time while its question is open: `ask` follows once it was allowed (acp-to-ahp 3.2). */
  wait(chat: Chat, tool: ToolRecord, asked: PermissionAsked, ask: () => void): void {
    this.#waiting = [...this.#waiting, { chat, tool, asked, ask }];
  }

  openInput(chat: Chat, turnId: string, asked: InputAsked): void {
    const { request } = asked;
    const blockId = `input:${request.id}`;
    this.#register({ chat, turnId, id: request.id, blockId, asked, tool: undefined }, () => {
      this.#core.sequencer.commit(chat.uri, { type: 'chat/inputRequested', request });
      this.#mirrorInput(chat, blockId, request);
      return request.message ?? '';
    });
  }

  /** The open question of this tool call or request, if there is one. */
  find(chat: Chat, id: string): OpenQuestion | undefined {
    return [...this.#open].find((question) => question.chat === chat && question.id === id);
  }

  has(chat: Chat): boolean {
    return [...this.#open].some((question) => question.chat === chat);
  }

  /** A client's confirmation was committed: tells the agent and takes the question down everywhere. */
  answeredPermission(question: OpenQuestion, intent: Intent, optionId: string | undefined): void {
    const { asked } = question;
    if (asked.type !== 'permissionAsked') return;
    if (question.tool) confirmRecord(this.#core, question.chat, question.tool, intent === 'allow');
    this.#close(question, { type: 'answered' });
    asked.reply(decisionFor(asked.options, intent, optionId));
    this.#goOn(question, intent);
  }

  /** A client's completion was committed. */
  answeredInput(question: OpenQuestion, reply: InputReply): void {
    const { asked } = question;
    if (asked.type !== 'inputAsked') return;
    this.#close(question, { type: 'answered' });
    asked.reply(reply);
  }

  /** A draft changed: the grace starts over, and those who watch only the session see the draft too (SE-35). */
  draftChanged(question: OpenQuestion): void {
    const request = this.#currentRequest(question);
    if (request) this.#mirrorInput(question.chat, question.blockId, request);
    this.#handle(question, { type: 'draftChanged' });
  }

  /** The last watcher of a chat may have left, or a first one come. */
  watchersChanged(chat: Uri): void {
    const watched = this.#core.subscriptions.watched(chat);
    for (const question of this.#of(chat)) this.#handle(question, { type: 'watchersChanged', watched });
  }

  /** The turn is over: agents hear `cancelled`, never a refusal (seed rule 4). */
  cancelAll(chat: Chat): void {
    for (const question of this.#of(chat.uri)) this.#handle(question, { type: 'cancelled' });
  }

  /** The agent withdrew one request. */
  withdrawn(chat: Chat, key: string): void {
    const waiting = this.#waiting.find((each) => each.chat === chat && each.asked.key === key);
    if (waiting) {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      waiting.asked.reply({ outcome: 'cancelled' });
      return;
    }
    const question = this.#of(chat.uri).find(({ asked }) => asked.key === key);
    if (!question) return;
    if (question.asked.type === 'permissionAsked')
      this.#refuse(question, 'skipped', 'No longer needed', 'agent');
    else this.#complete(question, { response: 'cancel' });
    this.#handle(question, { type: 'cancelled' });
  }

  #of(chat: Uri): OpenQuestion[] {
    return [...this.#open].filter((question) => question.chat.uri === chat);
  }

  #register(base: Omit<OpenQuestion, 'state' | 'grace' | 'title'>, show: () => string): void {
    const kind = base.asked.type === 'permissionAsked' ? 'permission' : 'input';
    const question = { ...base, title: '', state: openQuestion(kind), grace: undefined };
    this.#open.add(question);
    question.title = show();
    this.#handle(question, { type: 'opened', watched: this.#core.subscriptions.watched(base.chat.uri) });
  }

  #handle(question: OpenQuestion, event: QuestionEvent): void {
    const [state, effects] = step(question.state, event);
    question.state = state;
    for (const effect of effects) this.#carryOut(question, effect);
  }

  #carryOut(question: OpenQuestion, effect: QuestionEffect): void {
    const cookie = `${question.chat.session.uri}#${question.id}`;
    switch (effect.do) {
      case 'startGrace':
        question.grace?.();
        question.grace = later(this.#core, WATCHED_GRACE_MS, () =>
          this.#handle(question, { type: 'graceElapsed', watched: this.#watched(question) }),
        );
        return;
      case 'stopGrace':
        question.grace?.();
        question.grace = undefined;
        return;
      case 'present':
        this.#present(question, this.#dialog(question, cookie, effect.quiet));
        return;
      case 'withdraw':
        this.#core.renderer.withdraw(cookie);
        return;
      case 'open':
        this.#core.renderer.open(question.chat.session.uri);
        return;
      case 'settle':
        this.#settle(question, effect.settlement);
    }
  }

  /** A renderer that fails says nothing about what a person wants: the question stays open in the chat (F-068). */
  #present(question: OpenQuestion, dialog: DialogRequest): void {
    try {
      this.#core.renderer.present(dialog, (reply) => this.#replied(question, reply));
    } catch (error) {
      this.#faulted(question, messageOf(error));
    }
  }

  #faulted(question: OpenQuestion, why: string): void {
    this.#core.log.error(`${question.chat.session.uri}: a question could not be shown: ${why}`);
    this.#handle(question, { type: 'faulted' });
  }

  #replied(question: OpenQuestion, reply: DialogReply): void {
    this.#core.tick(() => {
      if (!isReply(reply)) {
        this.#faulted(question, 'the reply of the dialog cannot be understood');
        return;
      }
      const fit = this.#fits(question, reply) ? reply : ({ kind: 'unavailable' } as const);
      this.#handle(question, { type: 'replied', reply: fit, watched: this.#watched(question) });
    });
  }

  /** A dialog that showed less than the form asks for cannot accept it; the form then goes on waiting. */
  #fits({ asked, chat }: OpenQuestion, reply: DialogReply): boolean {
    if (reply.kind !== 'granted' || asked.type !== 'inputAsked') return true;
    const problem = acceptProblem(asked.request, reply);
    if (problem) this.#core.log.warn(`${chat.session.uri}: a dialog's answer is not used: ${problem}`);
    return !problem;
  }

  /** Writes the outcome into the chat, takes the question off the list, and only then answers the agent. */
  #settle(question: OpenQuestion, settlement: Settlement): void {
    const { asked } = question;
    if (asked.type === 'inputAsked') {
      const reply = this.#settleInput(question, settlement);
      this.#forget(question);
      asked.reply(reply);
    } else {
      const decision = this.#settlePermission(question, asked.options, settlement);
      this.#forget(question);
      asked.reply(decision);
      const allowed = settlement.as === 'granted' && decision.outcome === 'selected';
      if (settlement.as === 'cancelled') this.#goOn(question, 'cancel');
      else this.#goOn(question, allowed ? 'allow' : 'reject');
    }
  }

  /** What waits behind a settled question: asked if that was allowed, otherwise answered likewise. */
  #goOn({ chat, tool }: OpenQuestion, outcome: Intent | 'cancel'): void {
    const isMine = (each: Waiting) => each.chat === chat && each.tool === tool;
    const mine = this.#waiting.filter(isMine);
    this.#waiting = this.#waiting.filter((each) => !isMine(each));
    for (const { asked, ask } of mine) {
      if (outcome === 'allow') ask();
      else if (outcome === 'reject') asked.reply(decisionFor(asked.options, 'reject'));
      else asked.reply({ outcome: 'cancelled' });
    }
  }

  #settleInput(question: OpenQuestion, settlement: Settlement): InputReply {
    // The request of an ended turn stays as it is, unanswered (C-12).
    if (settlement.as === 'cancelled') return { response: 'cancel' };
    const granted = settlement.as === 'granted';
    const reply: InputReply = granted
      ? { response: 'accept', answers: settlement.reply.answers ?? {} }
      : { response: 'decline' };
    this.#complete(question, reply);
    return reply;
  }

  #settlePermission(
    question: OpenQuestion,
    options: readonly PermissionOption[],
    settlement: Settlement,
  ): PermissionDecision {
    if (settlement.as === 'cancelled') return { outcome: 'cancelled' };
    if (settlement.as === 'granted') {
      const decision = decisionFor(options, 'allow');
      if (decision.outcome === 'selected') this.#approve(question, decision.optionId);
      else this.#refuse(question, 'skipped', 'None of the options is a plain yes');
      return decision;
    }
    if (settlement.as === 'denied') this.#refuse(question, 'denied');
    else this.#refuse(question, 'skipped', 'Nobody answered', 'unanswered');
    return decisionFor(options, 'reject');
  }

  #close(question: OpenQuestion, event: QuestionEvent): void {
    this.#handle(question, event);
    this.#forget(question);
  }

  #forget(question: OpenQuestion): void {
    this.#open.delete(question);
    const { session } = question.chat;
    if (this.#core.sessions.has(session.uri)) {
      this.#core.sequencer.commit(session.uri, { type: 'session/inputNeededRemoved', id: question.blockId });
    }
  }

  #approve(question: OpenQuestion, selectedOptionId: string): void {
    const { chat, turnId, id: toolCallId } = question;
    const type = 'chat/toolCallConfirmed';
    const action: ToolCallApprovedAction = {
      type,
      turnId,
      toolCallId,
      approved: true,
      confirmed: 'user-action',
      selectedOptionId,
    };
    this.#core.sequencer.commit(chat.uri, action);
    if (question.tool) confirmRecord(this.#core, chat, question.tool, true);
  }

  /** `by`: who refused, where it was no person. */
  #refuse(
    question: OpenQuestion,
    reason: ToolCallRefusedAction['reason'],
    reasonMessage?: string,
    by?: 'unanswered' | 'agent',
  ): void {
    const { chat, turnId, id: toolCallId, tool } = question;
    if (tool && by) tool.decision = { by, allowed: false };
    this.#core.sequencer.commit(chat.uri, {
      type: 'chat/toolCallConfirmed',
      turnId,
      toolCallId,
      approved: false,
      reason,
      ...(reasonMessage !== undefined && { reasonMessage }),
      ...(tool && by && { _meta: toolMeta(tool) }),
    });
    if (tool) confirmRecord(this.#core, chat, tool, false);
  }

  #complete(question: OpenQuestion, reply: InputReply): void {
    this.#core.sequencer.commit(question.chat.uri, {
      type: 'chat/inputCompleted',
      requestId: question.id,
      ...reply,
    });
  }

  #mirrorInput(chat: Chat, id: string, request: ChatInputRequest): void {
    this.#core.sequencer.commit(chat.session.uri, {
      type: 'session/inputNeededSet',
      request: { id, chat: chat.uri, kind: 'chatInput', request },
    });
  }

  #currentRequest(question: OpenQuestion): ChatInputRequest | undefined {
    const parts = this.#core.sequencer.chat(question.chat.uri).activeTurn?.responseParts ?? [];
    for (const part of parts.toReversed()) {
      if (part.kind === 'inputRequest' && part.request.id === question.id) return part.request;
    }
    return undefined;
  }

  #watched(question: OpenQuestion): boolean {
    return this.#core.subscriptions.watched(question.chat.uri);
  }

  #dialog(question: OpenQuestion, cookie: string, quiet: boolean): DialogRequest {
    const { asked, chat, title } = question;
    const base = { cookie, session: chat.session.uri, agent: chat.session.agent.info.displayName, quiet };
    if (asked.type === 'inputAsked') return { ...base, about: { kind: 'input', request: asked.request } };
    const { options, hints } = asked;
    const start = defaultOption(options, hints.defaultToNo) ?? '';
    return { ...base, about: { kind: 'permission', title, options, defaultOption: start } };
  }
}
