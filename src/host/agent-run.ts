// Starting, restarting and stopping the agent of a chat. One agent at a time: the next one starts only when the
// last has gone. What the agent says is handled in `agent-events.ts`, which `Core`'s owner connects.
import type { AgentEvent, AgentFault } from './ports.ts';
import { type AgentRun, type Chat, type Core, setActivity } from './session.ts';
import { setProblem } from './session-meta.ts';

/** Ends in a row without a finished turn after which nothing is restarted by itself (F-024). */
const MAX_CRASHES = 3;
const BACKOFF_MS = 1000;

export type Report = (chat: Chat, run: AgentRun, event: AgentEvent) => void;

/** Makes sure an agent runs or is on its way. Does nothing while one is stopping: `stopped` comes first. */
export function ensureAgent(core: Core, chat: Chat, report: Report): void {
  if (chat.disposed || chat.backoff) return;
  if (chat.agent) {
    if (chat.agent.state === 'stopping') chat.restart = true;
    return;
  }
  const { session } = chat;
  const spec = {
    provider: session.agent.info.provider,
    cwd: session.cwd,
    ...(chat.agentSession !== undefined && { resume: chat.agentSession }),
  };
  chat.refusals = [];
  chat.restart = false;
  setActivity(core, chat, `Starting ${session.agent.info.displayName}…`);
  let run: AgentRun | undefined;
  const early: AgentEvent[] = [];
  const handle = core.backend.start(spec, (event) => {
    const known = run;
    if (known) core.tick(() => report(chat, known, event));
    else early.push(event);
  });
  run = { handle, state: 'starting', steers: false };
  chat.agent = run;
  for (const event of early) report(chat, run, event);
}

/** Asks the agent to go; `stopped` follows. */
export function stopAgent(chat: Chat): void {
  chat.restart = false;
  if (!chat.agent || chat.agent.state === 'stopping') return;
  chat.agent.state = 'stopping';
  chat.agent.handle.stop();
}

/** Asks the agent to go and, once it has, starts the next. */
export function restartAgent(chat: Chat): void {
  stopAgent(chat);
  chat.restart = chat.agent !== undefined;
}

/** A sign-in was accepted and changed nothing: one agent started anew is tried before anybody is asked again (F-128). */
export function tryFresh(chat: Chat): void {
  if (chat.signInTry !== 'same' || chat.turn?.sent) return;
  chat.signInTry = 'fresh';
  const { displayName } = chat.session.agent.info;
  chat.signInProblem = `${displayName} was started anew and still wants somebody to sign in`;
  restartAgent(chat);
}

/** An agent that had started is gone without being asked; says whether it may be started again by itself. */
export function countCrash(core: Core, chat: Chat, fault: AgentFault, again: () => void): void {
  chat.crashes += 1;
  if (chat.crashes >= MAX_CRASHES) {
    chat.held = true;
    setProblem(
      core,
      chat.session.uri,
      `${fault.message}. It was started ${chat.crashes} times; send a message to try again.`,
    );
    return;
  }
  chat.backoff = core.clock.after(BACKOFF_MS * 2 ** (chat.crashes - 1), () => {
    chat.backoff = undefined;
    core.tick(again);
  });
}

/** A person wants another try: earlier failures no longer count. */
export function clearFailures(core: Core, chat: Chat): void {
  chat.held = false;
  chat.crashes = 0;
  chat.refusals = [];
  chat.backoff?.();
  chat.backoff = undefined;
  setProblem(core, chat.session.uri, undefined);
}
