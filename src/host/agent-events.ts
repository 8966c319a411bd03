// What an agent reports, made into actions. Policy about turns, parts and questions is in their own files; here
// is which of them an event concerns, and what happens to an agent that starts, fails or goes.
import { setCommands, setOptions } from './agent-lists.ts';
import { countCrash } from './agent-run.ts';
import { refused } from './modes.ts';
import { keepUnknown, showCompaction, showMedia, showNotice, showUserText } from './notices.ts';
import { appendText, closePart } from './parts.ts';
import { decider as deciderOf, decisionFor } from './permission.ts';
import { showHeld, updatePlan } from './plan.ts';
import type { AgentEvent, AgentFault } from './ports.ts';
import type { PermissionAsked } from './questions.ts';
import { type AgentRun, type Chat, type Core, type RunningTurn, setActivity } from './session.ts';
import { followOptions } from './session-config.ts';
import { setModes, setProblem } from './session-meta.ts';
import { endOffer, setWanted, signInNeeded } from './sign-in.ts';
import { oneLine } from './text.ts';
import { titleByAgent } from './title.ts';
import { askTool, decideTool, updateTool } from './tool-calls.ts';
import { mergeTool } from './tool-record.ts';
import type { Turns } from './turns.ts';
import { noteUsage } from './usage.ts';

/** Handles one event of `run`. Events of a run that is over, or of a disposed chat, change nothing. */
export function handleAgentEvent(
  core: Core,
  turns: Turns,
  chat: Chat,
  run: AgentRun,
  event: AgentEvent,
): void {
  if (event.type === 'stopped') {
    stopped(core, turns, chat, run, event.error);
    return;
  }
  if (chat.disposed || chat.agent !== run) {
    declineLate(event);
    return;
  }
  const isStart = event.type === 'started' || event.type === 'starting';
  if (isStart && run.state === 'stopping') return;
  switch (event.type) {
    case 'started':
      started(core, turns, chat, run, event);
      return;
    case 'starting':
      setActivity(core, chat, `Starting ${chat.session.agent.info.displayName}: ${oneLine(event.activity)}`);
      return;
    case 'signInNeeded':
      signInNeeded(core, chat, event);
      return;
    case 'turnEnded':
      turns.ended(chat, event.turn, event.outcome);
      return;
    case 'withdrawn':
      core.questions.withdrawn(chat, event.key);
      return;
    default:
      if (!state(core, chat, event)) output(core, turns, chat, event);
  }
}

type Said = Exclude<
  AgentEvent,
  { type: 'stopped' | 'started' | 'starting' | 'signInNeeded' | 'turnEnded' | 'withdrawn' }
>;
type StateEvent = Extract<
  Said,
  { type: 'modes' | 'options' | 'refused' | 'commands' | 'title' | 'usage' | 'unknown' }
>;
type Output = Exclude<Said, StateEvent>;

/** What says how things stand belongs to no turn; true when `event` is of that kind. */
function state(core: Core, chat: Chat, event: Said): event is StateEvent {
  switch (event.type) {
    case 'modes':
      setModes(core, chat.session.uri, event.current, event.available);
      return true;
    case 'options':
      setOptions(core, chat, event.options);
      followOptions(core, chat, event.options);
      return true;
    case 'refused':
      refused(core, chat, event);
      return true;
    case 'commands':
      setCommands(core, chat, event.commands);
      return true;
    case 'title':
      titleByAgent(core, chat, event.title);
      return true;
    case 'usage':
      noteUsage(core, chat, event);
      return true;
    case 'unknown':
      keepUnknown(chat, event);
      return true;
    default:
      return false;
  }
}

function output(core: Core, turns: Turns, chat: Chat, event: Output): void {
  if (chat.stopping) {
    turns.straggled(chat);
    declineLate(event);
    return;
  }
  if (!chat.turn && event.type === 'plan') {
    updatePlan(core, chat, undefined, event.id, event.body);
    return;
  }
  if (!chat.turn && staysOutside(event)) {
    core.log.debug(`${chat.uri}: ${event.type} outside a turn`);
    return;
  }
  if (core.amendments.take(chat, event)) return;
  const turn = turns.current(chat);
  show(core, chat, turn, event);
  turns.touch(chat);
}

/** What opens no turn of its own (acp-to-ahp 1.1, 2.1). */
function staysOutside(event: Output): boolean {
  if (event.type === 'notice') return event.severity !== 'warning' && event.severity !== 'error';
  return event.type === 'userText' || event.type === 'compaction';
}

function show(core: Core, chat: Chat, turn: RunningTurn, event: Output): void {
  // A plan that is held back was said before whatever comes behind it now.
  const isUpdate = event.type === 'tool' && turn.tools.has(event.id);
  if (event.type !== 'plan' && !isUpdate) showHeld(core, chat, turn);
  switch (event.type) {
    case 'text':
      appendText(core, chat, turn, event.to, event.text, event.messageId);
      return;
    case 'userText':
      showUserText(core, chat, turn, event);
      return;
    case 'media':
      showMedia(core, chat, turn, event);
      return;
    case 'notice':
      showNotice(core, chat, turn, event);
      return;
    case 'compaction':
      showCompaction(core, chat, turn, event);
      return;
    case 'plan':
      updatePlan(core, chat, turn, event.id, event.body);
      return;
    case 'tool':
      updateTool(core, chat, turn, event.id, event.patch);
      return;
    case 'permissionAsked':
      permissionAsked(core, chat, turn, event);
      return;
    case 'inputAsked':
      closePart(core, chat, turn);
      core.questions.openInput(chat, turn.id, event);
  }
}

function permissionAsked(core: Core, chat: Chat, turn: RunningTurn, asked: PermissionAsked): void {
  const { toolCallId, patch, options } = asked;
  // There is nothing to choose from.
  if (options.length === 0) {
    asked.reply({ outcome: 'cancelled' });
    return;
  }
  const asking = turn.tools.get(toolCallId);
  if (asking?.state === 'pending') {
    core.questions.wait(chat, asking, asked, () => permissionAsked(core, chat, turn, asked));
    return;
  }
  const record = mergeTool(turn, toolCallId, patch, true);
  const decider = deciderOf(chat.session.agent.permissions, record.kind, options);
  if (decider.by === 'person') {
    core.questions.openPermission(chat, turn.id, record, asked, () =>
      askTool(core, chat, turn, record, options, asked.hints),
    );
    return;
  }
  const decision = decisionFor(options, decider.allowed ? 'allow' : 'reject');
  decideTool(core, chat, turn, record, decider.allowed && decision.outcome === 'selected');
  asked.reply(decision);
}

function started(
  core: Core,
  turns: Turns,
  chat: Chat,
  run: AgentRun,
  event: Extract<AgentEvent, { type: 'started' }>,
): void {
  const { uri } = chat.session;
  run.state = 'ready';
  run.steers = event.can.steer;
  chat.agentSession = event.agentSession;
  chat.forgotten =
    event.fresh && core.sequencer.chat(chat.uri).turns.length > 0 && !chat.session.agent.forgets;
  setActivity(core, chat, undefined);
  setProblem(core, uri, undefined);
  const asked = chat.signIn !== undefined || chat.signInTry !== undefined;
  endOffer(core, chat);
  if (core.sequencer.session(uri).lifecycle !== 'ready')
    core.sequencer.commit(uri, { type: 'session/ready' });
  setWanted(core, chat);
  if (asked) turns.resumeSignedIn(chat);
  else turns.next(chat);
}

function stopped(core: Core, turns: Turns, chat: Chat, run: AgentRun, error: AgentFault | undefined): void {
  if (chat.agent !== run) return;
  chat.agent = undefined;
  if (chat.disposed) return;
  // Only who asked for a start anew, by signing in or trying again, wants the failed prompt sent again.
  chat.signInTry = chat.restart && (chat.signIn || chat.signInTry) ? 'fresh' : undefined;
  if (chat.signIn) endOffer(core, chat);
  const fault = error ?? { kind: 'exit', message: 'The agent ended by itself' };
  if (run.state === 'stopping') {
    turns.agentGone(chat, undefined);
    if (chat.restart) turns.wake(chat);
    else turns.next(chat);
    return;
  }
  if (run.state === 'starting') {
    startFailed(core, turns, chat, fault);
    return;
  }
  turns.agentGone(chat, fault);
  countCrash(core, chat, fault, () => turns.next(chat));
}

function startFailed(core: Core, turns: Turns, chat: Chat, fault: AgentFault): void {
  const { uri } = chat.session;
  // Nothing starts it again by itself: a new message or a retry does (F-024, F-030).
  chat.held = true;
  turns.agentGone(chat, fault);
  if (core.sequencer.session(uri).lifecycle === 'ready') {
    setProblem(core, uri, fault.message);
    return;
  }
  const errorType = fault.kind === 'auth' ? 'authRequired' : 'agentStartFailed';
  core.sequencer.commit(uri, {
    type: 'session/creationFailed',
    error: { errorType, message: fault.message },
  });
}

/** A request that nobody will look at is answered as cancelled, never as refused (F-040). */
function declineLate(event: AgentEvent): void {
  if (event.type === 'permissionAsked') event.reply({ outcome: 'cancelled' });
  else if (event.type === 'inputAsked') event.reply({ response: 'cancel' });
}
