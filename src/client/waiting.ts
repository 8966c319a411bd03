// Everything that waits for an answer, over all sessions or in one, kept up to date. Looks only into sessions whose
// summary says that something is open there, since opening others may start their agents.
import { ottoOf } from '../protocol/meta.ts';
import type { ChatState } from '../protocol/state-chat.ts';
import { STATUS_INPUT_NEEDED, type Uri } from '../protocol/state-common.ts';
import { ROOT_URI, type RootState } from '../protocol/state-root.ts';
import type { SessionSummary } from '../protocol/state-session.ts';
import type { Client } from './client.ts';
import { type OpenQuestion, openQuestions } from './questions.ts';
import { findSession, listSessions } from './sessions.ts';

export class Waiting {
  readonly #client: Client;
  readonly #root: RootState;
  readonly #sessions: readonly Uri[];
  /** Called after every change of what `open` answers. */
  onChange: () => void = () => {};

  private constructor(client: Client, root: RootState, sessions: readonly Uri[]) {
    this.#client = client;
    this.#root = root;
    this.#sessions = sessions;
  }

  /** `query` names one session as `findSession` reads it; without one it is all of them. */
  static async open(client: Client, query?: string): Promise<Waiting> {
    const root = await client.subscribe('root', ROOT_URI);
    const sessions = await listSessions(client);
    const meant = query === undefined ? sessions : [findSession(sessions, query)];
    const uris = meant.filter(waits).map(({ resource }) => resource);
    const waiting = new Waiting(client, root, uris);
    for (const uri of uris) await client.subscribe('session', uri, () => waiting.onChange());
    return waiting;
  }

  /** What is open now, session by session. */
  open(): OpenQuestion[] {
    return this.#sessions.flatMap((uri) => {
      const state = this.#client.state('session', uri);
      return state === undefined ? [] : openQuestions(uri, state, this.#agentName(state.provider));
    });
  }

  /** Looks at the chats, too: whoever answers has to, and the service then knows that somebody is there. */
  async watch(): Promise<void> {
    for (const uri of this.#sessions) {
      for (const { resource } of this.#client.state('session', uri)?.chats ?? []) {
        await this.#client.subscribe('chat', resource);
      }
    }
  }

  chatOf(question: OpenQuestion): ChatState | undefined {
    return question.kind === 'signIn' ? undefined : this.#client.state('chat', question.chat);
  }

  #agentName(provider: string): string {
    return this.#root.agents.find((agent) => agent.provider === provider)?.displayName ?? provider;
  }
}

function waits({ status, _meta }: SessionSummary): boolean {
  return (status & STATUS_INPUT_NEEDED) === STATUS_INPUT_NEEDED || ottoOf(_meta)['signIn'] !== undefined;
}
