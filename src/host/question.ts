// One question as a pure machine: where it is shown and what happens next (ARCHITECTURE, Questions). It knows no
// clock, no renderer and no agent; effects are data that `questions.ts` carries out.
//
// Never granted unseen: the only way to `granted` is a reply that says so.
import type { DialogReply } from './ports.ts';

export type QuestionKind = 'permission' | 'input';

export type Question =
  /** A client is looking at the chat; a timer runs. */
  | { kind: QuestionKind; at: 'watched' }
  /** A dialog is up. */
  | { kind: QuestionKind; at: 'asked' }
  /** The person chose to answer in a full client; a timer runs. */
  | { kind: QuestionKind; at: 'handed' }
  /** Nothing shows it but the chat: an input request nobody could be asked, what somebody watches, or after a fault. */
  | { kind: QuestionKind; at: 'waiting' }
  | { kind: QuestionKind; at: 'settled' };

export type QuestionEvent =
  | { type: 'opened'; watched: boolean }
  | { type: 'watchersChanged'; watched: boolean }
  | { type: 'draftChanged' }
  | { type: 'graceElapsed'; watched: boolean }
  | { type: 'replied'; reply: DialogReply; watched: boolean }
  /** The dialog failed by a fault of the host: nobody has said anything (F-068). */
  | { type: 'faulted' }
  /** A client's answer was accepted; whoever accepted it tells the agent. */
  | { type: 'answered' }
  /** The turn ended, or the agent no longer wants to know. */
  | { type: 'cancelled' };

/** `unanswered` is a refusal that no person spoke (F-061); `cancelled` is no refusal at all (seed rule 4). */
export type Settlement =
  | { as: 'granted'; reply: Extract<DialogReply, { kind: 'granted' }> }
  | { as: 'denied' | 'unanswered' | 'cancelled' };

export type QuestionEffect =
  | { do: 'startGrace' | 'stopGrace' | 'withdraw' | 'open' }
  | { do: 'present'; quiet: boolean }
  | { do: 'settle'; settlement: Settlement };

type Step = readonly [Question, readonly QuestionEffect[]];

export function openQuestion(kind: QuestionKind): Question {
  return { kind, at: 'waiting' };
}

export function step(question: Question, event: QuestionEvent): Step {
  if (question.at === 'settled') return [question, []];
  switch (event.type) {
    case 'opened':
      return event.watched
        ? [{ ...question, at: 'watched' }, [{ do: 'startGrace' }]]
        : present(question, false);
    case 'watchersChanged':
      return watchersChanged(question, event.watched);
    case 'draftChanged':
      return hasTimer(question) ? [question, [{ do: 'startGrace' }]] : [question, []];
    case 'graceElapsed':
      return hasTimer(question) ? present(question, event.watched) : [question, []];
    case 'replied':
      return question.at === 'asked' ? replied(question, event.reply, event.watched) : [question, []];
    case 'faulted':
      return question.at === 'asked' ? [{ ...question, at: 'waiting' }, []] : [question, []];
    case 'answered':
      return [{ ...question, at: 'settled' }, leave(question)];
    case 'cancelled':
      return settle(question, { as: 'cancelled' }, leave(question));
  }
}

function watchersChanged(question: Question, watched: boolean): Step {
  const unseen = question.at === 'watched' || question.at === 'waiting';
  if (watched || !unseen) return [question, []];
  const [next, effects] = present(question, false);
  return [next, [...leave(question), ...effects]];
}

function replied(question: Question, reply: DialogReply, watched: boolean): Step {
  switch (reply.kind) {
    case 'granted':
      return settle(question, { as: 'granted', reply });
    case 'denied':
      return settle(question, { as: 'denied' });
    case 'open':
      return [{ ...question, at: 'handed' }, [{ do: 'open' }, { do: 'startGrace' }]];
    case 'ended':
      if (watched) return [{ ...question, at: 'waiting' }, []];
      return settle(question, { as: question.kind === 'permission' ? 'unanswered' : 'denied' });
    case 'unavailable':
      if (watched || question.kind === 'input') return [{ ...question, at: 'waiting' }, []];
      return settle(question, { as: 'unanswered' });
  }
}

function present(question: Question, quiet: boolean): Step {
  return [{ ...question, at: 'asked' }, [{ do: 'present', quiet }]];
}

function settle(question: Question, settlement: Settlement, before: readonly QuestionEffect[] = []): Step {
  return [{ ...question, at: 'settled' }, [...before, { do: 'settle', settlement }]];
}

/** What must be undone when the question leaves where it is. */
function leave(question: Question): readonly QuestionEffect[] {
  if (hasTimer(question)) return [{ do: 'stopGrace' }];
  return question.at === 'asked' ? [{ do: 'withdraw' }] : [];
}

function hasTimer(question: Question): boolean {
  return question.at === 'watched' || question.at === 'handed';
}
