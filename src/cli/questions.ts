// The open questions at this terminal: one after the other, and what is on screen never changes under the person
// (F-052). One that was answered elsewhere is taken down and said so; one that is left stays open for others.
import { messageOf } from '../base/errors.ts';
import type { Client, DispatchOutcome } from '../client/client.ts';
import { type Ending, type OpenQuestion, sameQuestion } from '../client/questions.ts';
import { answerForm } from './answer-form.ts';
import { answerPermission } from './answer-permission.ts';
import { answerSignIn } from './answer-sign-in.ts';
import type { Exchange, Sent } from './exchange.ts';
import { readLine } from './keyboard.ts';
import { plain } from './output.ts';

const ENDINGS: Record<Ending, string> = {
  allowed: 'Answered elsewhere: allowed.',
  refused: 'Answered elsewhere: refused.',
  answered: 'Answered elsewhere.',
  declined: 'Answered elsewhere: declined.',
  signedIn: 'Signed in.',
  gone: 'No longer asked.',
};

export interface QuestionHooks {
  /** A question is about to be shown: nothing else may be written until `hidden`. */
  shown(): void;
  /** No question is on screen, and none comes at once. */
  hidden(): void;
  /** What is said of a question that the person leaves without an answer. */
  left(question: OpenQuestion): string;
  /** What became of a question that is no longer open. */
  ending(question: OpenQuestion): Ending;
}

interface Showing {
  readonly question: OpenQuestion;
  readonly takeDown: AbortController;
  sending: boolean;
  /** It was closed in between; one that looks the same was asked anew. */
  closed: boolean;
  how?: 'answered' | 'left';
}

export class TerminalQuestions {
  readonly #client: Client;
  readonly #hooks: QuestionHooks;
  readonly #answered = new Set<string>();
  #open: readonly OpenQuestion[] = [];
  /** Answered here but not yet off the list, or left by the person. */
  #over: readonly { question: OpenQuestion; left: boolean }[] = [];
  #showing: Showing | undefined;
  #shown: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(client: Client, hooks: QuestionHooks) {
    this.#client = client;
    this.#hooks = hooks;
  }

  /** How many of the open ones the person left as they are. */
  get left(): number {
    return this.#over.filter(({ left }) => left).length;
  }

  /** Whether this terminal answered the question about this tool call or request, or is just doing so. */
  answered(id: string): boolean {
    const showing = this.#showing;
    return this.#answered.has(id) || (showing?.sending === true && subjectOf(showing.question) === id);
  }

  /** `open` are all that are open now. */
  update(open: readonly OpenQuestion[]): void {
    this.#open = open;
    this.#over = this.#over.filter(({ question }) => this.#isOpen(question));
    const showing = this.#showing;
    if (showing !== undefined && !this.#isOpen(showing.question)) {
      showing.closed = true;
      if (!showing.sending) showing.takeDown.abort();
    }
    this.#next();
  }

  /** Takes down what is shown, without a word, and shows nothing more; resolves when it is off the screen. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#showing?.takeDown.abort();
    await this.#shown;
  }

  #next(): boolean {
    if (this.#showing !== undefined) return true;
    const over = this.#over.map(({ question }) => question);
    const next = this.#open.find((one) => !over.some((other) => sameQuestion(one, other)));
    if (next === undefined || this.#closed) return false;
    this.#shown = this.#show(next);
    return true;
  }

  async #show(question: OpenQuestion): Promise<void> {
    const showing: Showing = { question, takeDown: new AbortController(), sending: false, closed: false };
    this.#showing = showing;
    this.#hooks.shown();
    try {
      if (await converse(this.#exchange(showing), question)) showing.how = 'answered';
    } catch (error) {
      showing.how = 'left';
      say([messageOf(error)]);
    }
    this.#showing = undefined;
    if (!this.#closed) this.#settle(showing);
    if (!this.#next()) this.#hooks.hidden();
  }

  #settle({ question, how, closed }: Showing): void {
    if (how === 'answered') this.#answered.add(subjectOf(question));
    if (how !== undefined && !closed) {
      this.#over = [...this.#over, { question, left: how === 'left' }];
    }
    if (how === 'left') say([this.#hooks.left(question)]);
    if (how !== undefined) return;
    const changed = this.#open.some(({ session, id }) => session === question.session && id === question.id);
    if (!changed) say([ENDINGS[this.#hooks.ending(question)]]);
    else if (question.kind === 'permission') say(['The request has changed:']);
  }

  #exchange(showing: Showing): Exchange {
    const { signal } = showing.takeDown;
    return {
      client: this.#client,
      say: (lines) => {
        if (!signal.aborted) say(lines);
      },
      read: async (prompt) => {
        const line = signal.aborted ? undefined : await readLine(prompt, signal);
        if (line === undefined && !signal.aborted) showing.how = 'left';
        if (line === undefined) process.stderr.write(signal.aborted ? '\r\u001b[K' : '\n');
        return line?.trim();
      },
      send: (answer) => this.#send(showing, answer),
    };
  }

  async #send(showing: Showing, answer: () => Promise<DispatchOutcome>): Promise<Sent> {
    showing.sending = true;
    const outcome = await answer();
    showing.sending = false;
    if (showing.closed) showing.takeDown.abort();
    if (outcome.kind === 'accepted') return { kind: 'accepted' };
    if (showing.closed) return { kind: 'gone' };
    const lost = 'the connection was lost before the answer arrived; answer again';
    return { kind: 'rejected', reason: outcome.kind === 'rejected' ? outcome.reason : lost };
  }

  #isOpen(question: OpenQuestion): boolean {
    return this.#open.some((one) => sameQuestion(one, question));
  }
}

/** Resolves with whether it was answered here. */
function converse(exchange: Exchange, question: OpenQuestion): Promise<boolean> {
  switch (question.kind) {
    case 'permission':
      return answerPermission(exchange, question);
    case 'form':
      return answerForm(exchange, question);
    case 'signIn':
      return answerSignIn(exchange, question);
  }
}

function subjectOf(question: OpenQuestion): string {
  if (question.kind === 'permission') return question.toolCallId;
  return question.kind === 'form' ? question.request.id : question.id;
}

function say(lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${plain(line)}\n`).join(''));
}
