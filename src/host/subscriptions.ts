// Who listens to what: the subscribers of each channel, their delivery wishes, and which chats are watched.
import type { ActionEnvelope } from '../protocol/actions.ts';
import type { NotificationMap } from '../protocol/commands.ts';

/** One connection, as the host sees it. Both calls only queue; neither may call back into the host. */
export interface Subscriber {
  readonly clientId: string;
  deliver(envelope: ActionEnvelope): void;
  notify<M extends keyof NotificationMap>(method: M, params: NotificationMap[M]): void;
}
