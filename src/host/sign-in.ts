// An agent that wants somebody to sign in: what is published, and what a client's choice of a method leads to. Nothing
// is chosen by itself, and the request that waits is kept (acp-to-ahp 6.3; F-127, F-128).
import { ProtocolError } from '../base/errors.ts';
import { INVALID_PARAMS } from '../protocol/errors.ts';
import { restartAgent } from './agent-run.ts';
import { switchMode } from './modes.ts';
import type { AgentEvent, SignInMethod } from './ports.ts';
import { type Chat, type Core, setActivity } from './session.ts';
import { applyConfig } from './session-config.ts';
import { publishOtto, setProblem } from './session-meta.ts';
import type { Turns } from './turns.ts';

const JUST_OFFERED_MS = 5000;

export function signInNeeded(
  core: Core,
  chat: Chat,
  event: Extract<AgentEvent, { type: 'signInNeeded' }>,
): void {
  chat.signIn = event.during;
  chat.offeredAt = core.clock.now();
  chat.offers += 1;
  publishOtto(core, chat.session.uri, { signIn: { methods: event.methods } });
  setProblem(core, chat.session.uri, chat.signInProblem);
  chat.signInProblem = undefined;
  if (event.during === 'open') setActivity(core, chat, 'Sign-in needed');
}

/** Whether nobody can have signed in since somebody was asked to. */
export function isJustOffered(core: Core, chat: Chat): boolean {
  return chat.signIn !== undefined && core.clock.now() - chat.offeredAt < JUST_OFFERED_MS;
}

/** Takes the offer down: the agent is content, or it is gone and the next one says by itself what it needs. */
export function endOffer(core: Core, chat: Chat): void {
  chat.signIn = undefined;
  publishOtto(core, chat.session.uri, { signIn: undefined });
}

/** Signs in with a method that the agent offers and that it can carry out itself; -32602 otherwise. */
export function signIn(core: Core, turns: Turns, chat: Chat, methodId: string): void {
  const run = chat.agent;
  if (!run || run.state === 'stopping')
    throw invalid('the agent does not run; try again first, and sign in if it then asks for it');
  const method = offered(core, chat).find(({ id }) => id === methodId);
  if (!chat.signIn || !method) {
    const known = offered(core, chat).map(({ id }) => id);
    throw invalid(
      known.length === 0
        ? 'no sign-in is needed'
        : `there is no method ${methodId}; there are: ${known.join(', ')}`,
    );
  }
  if (method.kind !== 'agent') throw invalid(`${method.name} is done outside: do that, then try again`);
  const during = chat.signIn;
  run.handle.signIn(methodId, (problem) =>
    core.tick(() => {
      if (chat.disposed || !chat.signIn || chat.agent !== run || run.state === 'stopping') return;
      if (problem === undefined) {
        // One that was opening reports `started` by itself.
        if (during === 'prompt') signedInForPrompt(core, turns, chat);
        return;
      }
      // Some agents notice a sign-in only when they start; if this one asks again, it is said why.
      chat.signInProblem = problem;
      restartAgent(chat);
    }),
  );
}

function signedInForPrompt(core: Core, turns: Turns, chat: Chat): void {
  endOffer(core, chat);
  chat.signInTry = 'same';
  setProblem(core, chat.session.uri, undefined);
  setWanted(core, chat);
  turns.resumeSignedIn(chat);
}

/** What was asked for while the agent could not take it. */
export function setWanted(core: Core, chat: Chat): void {
  if (chat.wantedMode !== undefined) switchMode(core, chat, chat.wantedMode);
  applyConfig(core, chat);
}

function offered(core: Core, chat: Chat): readonly SignInMethod[] {
  const otto = core.sequencer.session(chat.session.uri)._meta?.['otto'] as
    | { signIn?: { methods: SignInMethod[] } }
    | undefined;
  return otto?.signIn?.methods ?? [];
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}
