// What an agent reports, made into actions. Policy about turns, parts and questions is in their own files; here
// is which of them an event concerns, and what happens to an agent that starts, fails or goes.
import { countCrash } from './agent-run.ts';
import { appendText, closePart } from './parts.ts';
import { decider as deciderOf, decisionFor } from './permission.ts';
import type { AgentEvent, AgentFault } from './ports.ts';
import type { InputAsked, PermissionAsked } from './questions.ts';
import { type AgentRun, type Chat, type Core, setActivity } from './session.ts';
import { setModes, setProblem, withdrawMode } from './session-meta.ts';
import { askTool, decideTool, mergeTool, oneLine, updateTool } from './tool-calls.ts';
import type { Turns } from './turns.ts';

const TITLE_LENGTH = 80;

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
  switch (event.type) {
    case 'started':
      started(core, turns, chat, run, event);
      return;
    case 'starting':
      setActivity(core, chat, `Starting ${chat.session.agent.info.displayName}: ${oneLine(event.activity)}`);
      return;
    case 'modes':
      setModes(core, chat.session.uri, event.current, event.available);
      return;
    case 'title':
      retitle(core, chat, event.title);
      return;
    case 'turnEnded':
      turns.ended(chat, event.turn, event.outcome);
      return;
    case 'withdrawn':
      core.questions.withdrawn(chat, event.key);
      return;
    default:
      output(core, turns, chat, event);
  }
}

type Output = Extract<AgentEvent, { type: 'text' | 'tool' | 'permissionAsked' | 'inputAsked' }>;

function output(core: Core, turns: Turns, chat: Chat, event: Output): void {
  if (chat.stopping) {
    turns.straggled(chat);
    declineLate(event);
    return;
  }
  const turn = turns.current(chat);
  turns.touch(chat);
  switch (event.type) {
    case 'text':
      appendText(core, chat, turn, event.to, event.text, event.messageId);
      return;
    case 'tool':
      updateTool(core, chat, turn, event.id, event.patch);
      return;
    case 'permissionAsked':
      permissionAsked(core, turns, chat, event);
      return;
    case 'inputAsked':
      inputAsked(core, turns, chat, event);
  }
}

function permissionAsked(core: Core, turns: Turns, chat: Chat, asked: PermissionAsked): void {
  const turn = turns.current(chat);
  const { toolCallId, patch, options } = asked;
  const pending = turn.tools.get(toolCallId)?.state === 'pending';
  // Nothing to choose from, or the same call asked for twice at once: there is no second answer to give.
  if (options.length === 0 || pending) {
    asked.reply({ outcome: 'cancelled' });
    return;
  }
  const record = mergeTool(turn, toolCallId, patch);
  const decider = deciderOf(chat.session.agent.permissions, record.kind, options);
  if (decider.by === 'person') {
    core.questions.openPermission(chat, turn.id, record, asked, () =>
      askTool(core, chat, turn, record, options, asked.defaultToNo),
    );
    return;
  }
  const decision = decisionFor(options, decider.allowed ? 'allow' : 'reject');
  decideTool(core, chat, turn, record, decider.allowed && decision.outcome === 'selected');
  asked.reply(decision);
}

function inputAsked(core: Core, turns: Turns, chat: Chat, asked: InputAsked): void {
  const turn = turns.current(chat);
  closePart(core, chat, turn);
  core.questions.openInput(chat, turn.id, asked);
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
  if (core.sequencer.session(uri).lifecycle !== 'ready')
    core.sequencer.commit(uri, { type: 'session/ready' });
  if (chat.wantedMode !== undefined) switchMode(core, chat, chat.wantedMode);
  turns.next(chat);
}

/** Asks the agent for a mode, now or as soon as it is ready. Its acceptance moves `modes.current`. */
export function switchMode(core: Core, chat: Chat, mode: string): void {
  if (chat.agent?.state !== 'ready') {
    chat.wantedMode = mode;
    return;
  }
  chat.wantedMode = undefined;
  const { uri } = chat.session;
  chat.agent.handle.setMode(mode, (refusal) =>
    core.tick(() => {
      if (chat.disposed) return;
      if (refusal === undefined) {
        setModes(core, uri, mode);
        return;
      }
      withdrawMode(core, uri, mode);
      setProblem(core, uri, `The mode ${mode} was refused: ${oneLine(refusal)}`);
    }),
  );
}

function stopped(core: Core, turns: Turns, chat: Chat, run: AgentRun, error: AgentFault | undefined): void {
  if (chat.agent !== run) return;
  chat.agent = undefined;
  if (chat.disposed) return;
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

/** The agent's own title counts unless a client chose one, or it only repeats the prompt (acp-to-ahp 2.8). */
function retitle(core: Core, chat: Chat, text: string): void {
  const { session } = chat;
  const title = [...oneLine(text)].slice(0, TITLE_LENGTH).join('');
  const first = core.sequencer.chat(chat.uri).turns[0]?.message.text ?? chat.turn?.message.text ?? '';
  if (session.renamed || title === '' || oneLine(first).startsWith(title)) return;
  if (core.sequencer.session(session.uri).title === title) return;
  core.sequencer.commit(session.uri, { type: 'session/titleChanged', title });
}

/** A request that nobody will look at is answered as cancelled, never as refused (F-040). */
function declineLate(event: AgentEvent): void {
  if (event.type === 'permissionAsked') event.reply({ outcome: 'cancelled' });
  else if (event.type === 'inputAsked') event.reply({ response: 'cancel' });
}
