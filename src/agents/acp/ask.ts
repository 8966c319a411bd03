// One question of an agent, from its request to the one answer it gets.
// Decides nothing: a later reply changes nothing, and a question that is taken back is answered as gone.
import type { AgentEvent } from '../../host/ports.ts';

/**
 * Reports the event made by `question` and resolves with what its reply was called with first. When `signal` fires
 * before that the agent no longer wants an answer: `withdrawn` is reported under `key`, and `gone` is the answer.
 */
export function ask<A>(
  { key, signal, report }: Asking,
  gone: A,
  question: (reply: (answer: A) => void) => AgentEvent,
): Promise<A> {
  return new Promise((answer) => {
    const withdraw = () => {
      report({ type: 'withdrawn', key });
      answer(gone);
    };
    if (signal.aborted) {
      answer(gone);
      return;
    }
    signal.addEventListener('abort', withdraw, { once: true });
    report(
      question((reply) => {
        signal.removeEventListener('abort', withdraw);
        answer(reply);
      }),
    );
  });
}

export interface Asking {
  /** Names the question in `withdrawn`. */
  key: string;
  /** Fires when the agent takes the question back. */
  signal: AbortSignal;
  report: (event: AgentEvent) => void;
}
