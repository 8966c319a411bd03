// The catalogue of sessions on the root channel: summaries that follow the state, and their announcements.
// `mirror` also keeps a chat's entry in its session equal to the chat's own fields (AHP SE-23, SE-24, SE-25).
import type { Disposable } from '../base/dispose.ts';
import { ProtocolError } from '../base/errors.ts';
import type { ListSessionsParams, SummaryChanges } from '../protocol/commands.ts';
import { INVALID_PARAMS } from '../protocol/errors.ts';
import { withOtto } from '../protocol/meta.ts';
import type { ChatState } from '../protocol/state-chat.ts';
import {
  STATUS_ACTIVITY_MASK,
  STATUS_ERROR,
  STATUS_IDLE,
  STATUS_INPUT_NEEDED,
  setActivity,
  type Uri,
} from '../protocol/state-common.ts';
import { ROOT_URI } from '../protocol/state-root.ts';
import type { ChatSummary, SessionState, SessionSummary } from '../protocol/state-session.ts';
import type { Clock } from './ports.ts';
import type { Sequencer } from './sequencer.ts';
import type { Session } from './session.ts';
import type { Subscriptions } from './subscriptions.ts';

/** What only moves by itself is announced at most this often per session. */
const ANNOUNCE_MS = 250;

const CHAT_SUMMARY_KEYS = [
  'resource',
  'title',
  'status',
  'activity',
  'modifiedAt',
  'changes',
  'origin',
  'movable',
  'interactivity',
  'workingDirectories',
] as const satisfies readonly (keyof ChatSummary)[];

interface Announced {
  summary: SessionSummary;
  at: number;
  timer: Disposable | undefined;
}

export class Catalogue {
  readonly #announced = new Map<Uri, Announced>();
  readonly #sequencer: Sequencer;
  readonly #subscriptions: Subscriptions;
  readonly #clock: Clock;

  constructor(sequencer: Sequencer, subscriptions: Subscriptions, clock: Clock) {
    this.#sequencer = sequencer;
    this.#subscriptions = subscriptions;
    this.#clock = clock;
  }

  add(session: Session): void {
    const summary = this.summary(session);
    this.#announced.set(session.uri, { summary, at: this.#clock.now(), timer: undefined });
    this.#subscriptions.announce('root/sessionAdded', { channel: ROOT_URI, summary });
  }

  remove(session: Session): void {
    this.#announced.get(session.uri)?.timer?.();
    this.#announced.delete(session.uri);
    this.#subscriptions.announce('root/sessionRemoved', { channel: ROOT_URI, session: session.uri });
  }

  /** Brings the session's chat list and its summary in step with the states they describe. */
  mirror(session: Session): void {
    for (const uri of session.chats.keys()) this.#mirrorChat(session.uri, this.#sequencer.chat(uri));
    const state = this.#sequencer.session(session.uri);
    const { activity } = this.#leading(state);
    if (state.activity !== activity) {
      const action = {
        type: 'session/activityChanged',
        ...(activity !== undefined && { activity }),
      } as const;
      this.#sequencer.commit(session.uri, action);
    }
    this.#announce(session);
  }

  summary(session: Session): SessionSummary {
    const state = this.#sequencer.session(session.uri);
    const {
      provider,
      title,
      activity,
      origin,
      project,
      workingDirectories,
      annotations,
      _meta,
      defaultChat,
    } = state;
    // What nobody lists sessions for stays in the session's own state.
    const listed = withOtto(_meta, { updates: undefined });
    return {
      resource: session.uri,
      provider,
      title,
      status: this.#status(state),
      ...(activity !== undefined && { activity }),
      ...(origin && { origin }),
      ...(project && { project }),
      ...(workingDirectories && { workingDirectories }),
      ...(annotations && { annotations }),
      createdAt: session.createdAt,
      modifiedAt: newest(state.chats) ?? session.createdAt,
      ...(listed && { _meta: listed }),
      chats: state.chats.map(({ resource, title: name, origin: from, interactivity, status, changes }) => ({
        resource,
        title: name,
        ...(from && { origin: from }),
        ...(interactivity && { interactivity }),
        status,
        ...(changes && { changes }),
      })),
      ...(defaultChat !== undefined && { defaultChat }),
    };
  }

  /** Newest first. Without a limit everything is one page; a cursor names the last entry of the page before. */
  list(
    sessions: Iterable<Session>,
    params: ListSessionsParams,
  ): { items: SessionSummary[]; nextCursor?: string } {
    const after = params.cursor === undefined ? undefined : parseCursor(params.cursor);
    const all = [...sessions].map((session) => this.summary(session)).sort(byNewest);
    const rest = after ? all.filter((summary) => byNewest(after, summary) < 0) : all;
    const items = rest.slice(0, params.limit ?? rest.length);
    const last = items.at(-1);
    const more = last !== undefined && items.length < rest.length;
    return { items, ...(more && { nextCursor: `${last.modifiedAt} ${last.resource}` }) };
  }

  close(): void {
    for (const { timer } of this.#announced.values()) timer?.();
  }

  #mirrorChat(session: Uri, chat: ChatState): void {
    const entry = this.#sequencer.session(session).chats.find(({ resource }) => resource === chat.resource);
    if (!entry) return;
    const moved = CHAT_SUMMARY_KEYS.filter((key) => entry[key] !== chat[key]);
    if (moved.length === 0) return;
    // A partial update cannot take a field away, the whole entry can (SHAPES 6.7).
    const vanished = moved.some((key) => chat[key] === undefined);
    this.#sequencer.commit(
      session,
      vanished
        ? { type: 'session/chatAdded', summary: pick(chat, CHAT_SUMMARY_KEYS) as ChatSummary }
        : { type: 'session/chatUpdated', chat: chat.resource, changes: pick(chat, moved) },
    );
  }

  #announce(session: Session): void {
    const known = this.#announced.get(session.uri);
    if (!known) return;
    const summary = this.summary(session);
    const changes = difference(known.summary, summary);
    const keys = Object.keys(changes);
    if (keys.length === 0) return;
    const noisy = keys.every((key) => key === 'modifiedAt' || key === 'activity');
    const wait = known.at + ANNOUNCE_MS - this.#clock.now();
    if (noisy && wait > 0) {
      known.timer ??= this.#clock.after(wait, () => {
        known.timer = undefined;
        this.#announce(session);
      });
      return;
    }
    known.timer?.();
    this.#announced.set(session.uri, { summary, at: this.#clock.now(), timer: undefined });
    this.#subscriptions.announce('root/sessionSummaryChanged', {
      channel: ROOT_URI,
      session: session.uri,
      changes,
    });
  }

  /** The chat whose activity the session shows: the default one, else the newest (SE-24). */
  #leading(state: SessionState): { status: number; activity?: string } {
    const newestFirst = [...state.chats].sort((a, b) => b.modifiedAt.localeCompare(a.modifiedAt));
    return (
      state.chats.find(({ resource }) => resource === state.defaultChat) ??
      newestFirst[0] ?? { status: STATUS_IDLE }
    );
  }

  #status(state: SessionState): number {
    const activities = state.chats.map(({ status }) => status & STATUS_ACTIVITY_MASK);
    const promoted = [STATUS_INPUT_NEEDED, STATUS_ERROR].find((activity) => activities.includes(activity));
    return setActivity(state.status, promoted ?? this.#leading(state).status & STATUS_ACTIVITY_MASK);
  }
}

function newest(chats: readonly ChatSummary[]): string | undefined {
  return chats
    .map(({ modifiedAt }) => modifiedAt)
    .sort()
    .at(-1);
}

function byNewest(
  a: { modifiedAt: string; resource: Uri },
  b: { modifiedAt: string; resource: Uri },
): number {
  if (a.modifiedAt !== b.modifiedAt) return a.modifiedAt > b.modifiedAt ? -1 : 1;
  return a.resource < b.resource ? -1 : Number(a.resource > b.resource);
}

function parseCursor(cursor: string): { modifiedAt: string; resource: Uri } {
  const space = cursor.indexOf(' ');
  const modifiedAt = cursor.slice(0, Math.max(0, space));
  const resource = cursor.slice(space + 1);
  if (resource === '' || Number.isNaN(Date.parse(modifiedAt))) {
    throw new ProtocolError(INVALID_PARAMS, 'unknown cursor; ask again without one');
  }
  return { modifiedAt, resource };
}

/** The fields that differ. What is gone is said with an empty value: a partial has no other way (SHAPES 6.7). */
function difference(before: SessionSummary, after: SessionSummary): SummaryChanges {
  const changes: SummaryChanges = {};
  if (before.title !== after.title) changes.title = after.title;
  if (before.status !== after.status) changes.status = after.status;
  if (before.modifiedAt !== after.modifiedAt) changes.modifiedAt = after.modifiedAt;
  if (before.activity !== after.activity) changes.activity = after.activity ?? '';
  if (JSON.stringify(before._meta) !== JSON.stringify(after._meta)) changes._meta = after._meta ?? {};
  if (before.defaultChat !== after.defaultChat && after.defaultChat !== undefined) {
    changes.defaultChat = after.defaultChat;
  }
  if (after.chats && JSON.stringify(before.chats) !== JSON.stringify(after.chats))
    changes.chats = after.chats;
  return changes;
}

function pick<T, K extends keyof T>(from: T, keys: readonly K[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
}
