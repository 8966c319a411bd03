// What one question needs of the terminal while it is answered, and what may come of an answer. How questions take
// turns, and when one is taken down, is not its business.
import type { Client, DispatchOutcome } from '../client/client.ts';

/** `gone`: it is no longer open, whoever saw to that. */
export type Sent = { kind: 'accepted' } | { kind: 'gone' } | { kind: 'rejected'; reason: string };

export interface Exchange {
  readonly client: Client;
  say(lines: readonly string[]): void;
  /** One line without the blanks around it; undefined when the question is gone or left open. */
  read(prompt: string): Promise<string | undefined>;
  /** Sends an answer. While it is under way the question is not taken down. */
  send(answer: () => Promise<DispatchOutcome>): Promise<Sent>;
}
