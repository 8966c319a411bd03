// Which reducer a channel has. A channel is bound to its kind when it is made; the look of its URI never decides
// (S-14). Automation, automation run and canvas channels are not served and have no reducer here.
import type { Action } from '../actions.ts';
import type { ChannelState } from '../commands.ts';
import { reduceAnnotations } from './annotations.ts';
import { reduceChangeset } from './changeset.ts';
import { reduceChat } from './chat.ts';
import { reduceResourceWatch } from './resource-watch.ts';
import { reduceRoot } from './root.ts';
import { reduceSession } from './session.ts';
import { reduceTerminal } from './terminal.ts';

export type ChannelKind =
  | 'root'
  | 'session'
  | 'chat'
  | 'terminal'
  | 'changeset'
  | 'annotations'
  | 'resourceWatch';

type Reducer = (state: ChannelState, action: Action) => ChannelState;

/**
 * The reducer of each kind of channel. Pure: no clock, no mutation, no exception for an action that fits its
 * schema. An unknown action, or one of another channel, gives back the same object. The state passed must
 * be of the channel's own kind; that binding is made where the channel is made.
 */
export const REDUCERS: Readonly<Record<ChannelKind, Reducer>> = {
  root: reduceRoot as Reducer,
  session: reduceSession as Reducer,
  chat: reduceChat as Reducer,
  terminal: reduceTerminal as Reducer,
  changeset: reduceChangeset as Reducer,
  annotations: reduceAnnotations as Reducer,
  resourceWatch: reduceResourceWatch as Reducer,
};
