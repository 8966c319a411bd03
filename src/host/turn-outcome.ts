// What a stop reason or a fault makes of its turn, and whether the queue waits afterwards (acp-to-ahp 6.2). Pure.
import type { ErrorPart } from '../protocol/state-chat.ts';
import type { AgentFault, TurnOutcome } from './ports.ts';
import type { RunningTurn } from './session.ts';

export type Verdict = { end: 'complete' | 'cancelled' | ErrorPart; holds?: true };

export function verdict(outcome: TurnOutcome, turn: RunningTurn): Verdict {
  if ('failed' in outcome) return faultVerdict(outcome.failed);
  switch (outcome.stop) {
    case 'cancelled':
      return { end: 'cancelled' };
    case 'max_tokens':
      return { end: resumable('maxTokens', 'The agent reached its limit of tokens for one turn') };
    case 'max_turn_requests':
      return { end: resumable('maxTurnRequests', 'The agent reached its limit of requests for one turn') };
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

/** ACP's code for a session the agent does not have. */
const SESSION_GONE = -32002;

function faultVerdict(fault: AgentFault): Verdict {
  const { kind, message } = fault;
  switch (kind) {
    case 'auth':
      return { end: resumable('authRequired', message, fault), holds: true };
    case 'prompt':
      return { end: errorPart('invalidPrompt', message) };
    case 'refused':
    case 'protocol':
    case 'timeout':
      if (fault.code === SESSION_GONE) return { end: errorPart('sessionLost', message, fault), holds: true };
      return { end: resumable('agentError', message, fault) };
    case 'exit':
    case 'spawn':
      return { end: resumable('agentExited', message, fault) };
  }
}

/**
 * Whether the agent turned a prompt away because it was not done with something else; it has no code of its own
 * for that. A turn in which it already did something was not turned away.
 */
export function isBusy(outcome: TurnOutcome, turn: RunningTurn): boolean {
  if (!('failed' in outcome) || outcome.failed.kind !== 'refused' || turn.output || turn.unprompted)
    return false;
  return /\b(busy|already (running|in progress|processing)|in progress)\b/i.test(outcome.failed.message);
}

function errorPart(errorType: string, message: string, fault?: AgentFault): ErrorPart {
  const otto = {
    ...(fault?.code !== undefined && { code: fault.code }),
    ...(fault?.detail !== undefined && { kind: fault.detail }),
  };
  const _meta = Object.keys(otto).length > 0 && { _meta: { otto } };
  return { kind: 'error', error: { errorType, message, ..._meta } };
}

function resumable(errorType: string, message: string, fault?: AgentFault): ErrorPart {
  return { ...errorPart(errorType, message, fault), resumable: true };
}
