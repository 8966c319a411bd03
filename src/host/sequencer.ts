// Every change to shared state goes through `commit`: reduce, number, log, publish, in one synchronous step.
// Refuses to be called from inside itself; what follows from an action is committed by its caller afterwards.
import type { Action, ActionEnvelope, ActionOrigin } from '../protocol/actions.ts';
import type { ChannelState, Snapshot } from '../protocol/commands.ts';
import { type ChannelKind, REDUCERS } from '../protocol/reduce/channel.ts';
import type { ChatState } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import { ROOT_URI, type RootState } from '../protocol/state-root.ts';
import type { SessionState } from '../protocol/state-session.ts';
import { ReplayLog } from './replay-log.ts';

interface Channel {
  kind: ChannelKind;
  state: ChannelState;
}

export class Sequencer {
  readonly replayLog = new ReplayLog();
  readonly #channels = new Map<Uri, Channel>();
  readonly #publish: (envelope: ActionEnvelope) => void;
  #seq = 0;
  #busy = false;

  constructor(publish: (envelope: ActionEnvelope) => void) {
    this.#publish = publish;
  }

  /** The number of the newest envelope; 0 before the first. */
  get serverSeq(): number {
    return this.#seq;
  }

  /** Makes a channel. Its kind decides the reducer, not the look of its URI (AHP S-14). */
  open(channel: Uri, kind: ChannelKind, state: ChannelState): void {
    this.#channels.set(channel, { kind, state });
    this.replayLog.open(channel, kind === 'chat', this.#seq);
  }

  close(channel: Uri): void {
    this.#channels.delete(channel);
    this.replayLog.close(channel);
  }

  kindOf(channel: Uri): ChannelKind | undefined {
    return this.#channels.get(channel)?.kind;
  }

  root(): RootState {
    return this.#state(ROOT_URI, 'root') as RootState;
  }

  session(uri: Uri): SessionState {
    return this.#state(uri, 'session') as SessionState;
  }

  chat(uri: Uri): ChatState {
    return this.#state(uri, 'chat') as ChatState;
  }

  snapshot(channel: Uri): Snapshot | undefined {
    const found = this.#channels.get(channel);
    return found && { resource: channel, state: found.state, fromSeq: this.#seq };
  }

  /**
   * Applies one action. A host's action that changes nothing is dropped; a client's is echoed all the same, to
   * settle its optimistic copy (AHP A-32).
   */
  commit(channel: Uri, action: Action, origin?: ActionOrigin): ActionEnvelope | undefined {
    const target = this.#channels.get(channel);
    if (!target) throw new Error(`commit of ${action.type} on the unknown channel ${channel}`);
    return this.#exclusively(() => {
      const next = REDUCERS[target.kind](target.state, action);
      if (next === target.state && !origin) return undefined;
      target.state = next;
      this.#seq += 1;
      const envelope: ActionEnvelope = { channel, action, serverSeq: this.#seq, ...(origin && { origin }) };
      this.replayLog.append(envelope);
      this.#publish(envelope);
      return envelope;
    });
  }

  /** A number for an envelope that only one client gets: a rejection or older turns. It is not replayed. */
  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  #state(uri: Uri, kind: ChannelKind): ChannelState {
    const found = this.#channels.get(uri);
    if (found?.kind !== kind) throw new Error(`${uri} is not a ${kind} channel`);
    return found.state;
  }

  #exclusively<T>(run: () => T): T {
    if (this.#busy) throw new Error('commit was called from inside a reducer or a subscriber');
    this.#busy = true;
    try {
      return run();
    } finally {
      this.#busy = false;
    }
  }
}
