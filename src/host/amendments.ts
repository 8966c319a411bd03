// What an agent says of a turn that has ended: late updates of its calls, and text right behind it (F-086). No action
// of AHP reaches a finished turn, so a copy is changed and, while no turn runs, all turns are told anew.
import type { Disposable } from '../base/dispose.ts';
import type { Action } from '../protocol/actions.ts';
import { reduceChat } from '../protocol/reduce/chat.ts';
import type { ChatState } from '../protocol/state-chat.ts';
import type { Uri } from '../protocol/state-common.ts';
import { appendText, closePart } from './parts.ts';
import type { AgentEvent } from './ports.ts';
import type { Chat, Core, RunningTurn } from './session.ts';
import { updateTool } from './tool-calls.ts';

/** Text this soon after the end still belongs to the turn, in milliseconds. */
const JOINS_MS = 2000;
/** Changes are told together after this long. */
const MERGE_MS = 1000;

interface Ended {
  readonly turn: RunningTurn;
  readonly at: number;
  /** The chat as it was before the end, with later output reduced into its active turn. */
  state: ChatState;
  timer: Disposable | undefined;
}

export class Amendments {
  readonly #core: Core;
  /** By chat: the last turn, and earlier ones with something still to tell. */
  readonly #ended = new Map<Uri, Ended[]>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** The turn is about to end; what comes later for it can still be taken in. */
  remember(chat: Chat, turn: RunningTurn): void {
    const state = this.#core.sequencer.chat(chat.uri);
    const untold = (this.#ended.get(chat.uri) ?? []).filter(({ timer }) => timer);
    this.#ended.set(chat.uri, [...untold, { turn, at: this.#core.clock.now(), state, timer: undefined }]);
  }

  /** Nothing of ended turns is taken in any more: the last was cancelled or taken back, or the chat is gone. */
  forget(chat: Chat): void {
    for (const { timer } of this.#ended.get(chat.uri) ?? []) timer?.();
    this.#ended.delete(chat.uri);
  }

  /** Takes output into the turn it belongs to; false when it belongs to no ended turn. */
  take(chat: Chat, event: AgentEvent): boolean {
    if (event.type !== 'tool' && event.type !== 'text') return false;
    const now = this.#core.clock.now();
    const ended = this.#ended.get(chat.uri)?.findLast((each) => belongs(each, chat, event, now));
    if (!ended) return false;
    const scratch = this.#scratch(ended);
    if (event.type === 'tool') updateTool(scratch, chat, ended.turn, event.id, event.patch);
    else {
      appendText(scratch, chat, ended.turn, event.to, event.text, event.messageId);
      closePart(scratch, chat, ended.turn);
    }
    this.#tellLater(chat, ended);
    return true;
  }

  /** The host's own parts, working on the copy in place of the chat. */
  #scratch(ended: Ended): Core {
    const { sequencer } = this.#core;
    const copy: Pick<Core['sequencer'], 'chat' | 'commit' | 'session'> = {
      chat: () => ended.state,
      session: (uri) => sequencer.session(uri),
      commit: (_channel, action) => {
        ended.state = reduceChat(ended.state, action);
        return undefined;
      },
    };
    return { ...this.#core, sequencer: copy as Core['sequencer'] };
  }

  #tellLater(chat: Chat, ended: Ended): void {
    ended.timer ??= this.#core.clock.after(MERGE_MS, () => {
      ended.timer = undefined;
      this.#core.tick(() => this.#tell(chat, ended));
    });
  }

  #tell(chat: Chat, ended: Ended): void {
    if (chat.disposed) return;
    const { turns } = this.#core.sequencer.chat(chat.uri);
    const at = turns.findIndex(({ id }) => id === ended.turn.id);
    const old = turns[at];
    if (!old) return;
    if (chat.turn) {
      this.#tellLater(chat, ended);
      return;
    }
    const { responseParts } = endedLike(
      ended.state,
      old.state === 'error' ? old.responseParts.at(-1) : undefined,
      ended.turn.id,
    );
    const told = turns.with(at, { ...old, responseParts });
    this.#core.sequencer.commit(chat.uri, { type: 'chat/truncated' });
    this.#core.sequencer.commit(chat.uri, { type: 'chat/turnsLoaded', turns: told });
  }
}

function belongs(ended: Ended, chat: Chat, event: AgentEvent, now: number): boolean {
  if (event.type === 'text') return !chat.turn && now - ended.at <= JOINS_MS;
  if (event.type !== 'tool') return false;
  const record = ended.turn.tools.get(event.id);
  if (!record || chat.turn?.tools.has(event.id)) return false;
  // While another turn runs, the id of a call that was finished names a new call there.
  return !chat.turn || record.state !== 'finished';
}

type Part = ChatState['turns'][number]['responseParts'][number];

/** The copy's active turn, ended as the real one was. */
function endedLike(
  state: ChatState,
  error: Part | undefined,
  turnId: string,
): { responseParts: readonly Part[] } {
  const end: Action =
    error?.kind === 'error'
      ? { type: 'chat/error', turnId, duration: 0, part: error }
      : { type: 'chat/turnComplete', turnId, duration: 0 };
  return reduceChat(state, end).turns.at(-1) ?? { responseParts: [] };
}
