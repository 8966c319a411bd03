// Recent envelopes, per channel and bounded in bytes, for clients that come back. Each channel has a floor: the
// number at or below which its history is incomplete. A busy chat cannot evict a quiet session's replay.
import type { ActionEnvelope } from '../protocol/actions.ts';
import type { Uri } from '../protocol/state-common.ts';

interface Ring {
  envelopes: ActionEnvelope[];
  sizes: number[];
  bytes: number;
  limit: number;
  floor: number;
}

export interface ReplayLimits {
  /** Bytes of one chat, of every other channel, and of all together. */
  chat: number;
  other: number;
  total: number;
}

const REPLAY_LIMITS: ReplayLimits = { chat: 1 << 20, other: 64 << 10, total: 8 << 20 };

export class ReplayLog {
  // Insertion order is order of use: the first ring is the least recently used one.
  readonly #rings = new Map<Uri, Ring>();
  readonly #limits: ReplayLimits;
  #bytes = 0;

  constructor(limits: ReplayLimits = REPLAY_LIMITS) {
    this.#limits = limits;
  }

  /** Starts a channel at `seq`: a client that saw less of a channel of that name saw another one. */
  open(channel: Uri, isChat: boolean, seq: number): void {
    const limit = isChat ? this.#limits.chat : this.#limits.other;
    this.#rings.set(channel, { envelopes: [], sizes: [], bytes: 0, limit, floor: seq });
  }

  close(channel: Uri): void {
    this.#bytes -= this.#rings.get(channel)?.bytes ?? 0;
    this.#rings.delete(channel);
  }

  append(envelope: ActionEnvelope): void {
    const ring = this.#rings.get(envelope.channel);
    if (!ring) return;
    this.#rings.delete(envelope.channel);
    this.#rings.set(envelope.channel, ring);
    const size = sizeOf(envelope);
    ring.envelopes.push(envelope);
    ring.sizes.push(size);
    ring.bytes += size;
    this.#bytes += size;
    if (ring.bytes > ring.limit) this.#trim(ring, ring.limit / 2);
    if (this.#bytes > this.#limits.total) this.#trimOldest();
  }

  /**
   * The envelopes after `seq` on `channels`, in order of `serverSeq`; undefined when any of the channels has
   * forgotten some of them, in which case the client needs snapshots (AHP L-21).
   */
  since(seq: number, channels: Iterable<Uri>): ActionEnvelope[] | undefined {
    const found: ActionEnvelope[] = [];
    for (const channel of channels) {
      const ring = this.#rings.get(channel);
      if (!ring || ring.floor > seq) return undefined;
      for (let at = ring.envelopes.length - 1; at >= 0; at--) {
        const envelope = ring.envelopes[at];
        if (!envelope || envelope.serverSeq <= seq) break;
        found.push(envelope);
      }
    }
    return found.sort((a, b) => a.serverSeq - b.serverSeq);
  }

  // Trimming to a half at once keeps the cost of removing from the front constant per envelope.
  #trim(ring: Ring, limit: number): void {
    let count = 0;
    while (ring.bytes > limit && count < ring.envelopes.length) {
      const size = ring.sizes[count] ?? 0;
      ring.bytes -= size;
      this.#bytes -= size;
      count++;
    }
    const removed = ring.envelopes.splice(0, count);
    ring.sizes.splice(0, count);
    ring.floor = removed.at(-1)?.serverSeq ?? ring.floor;
  }

  #trimOldest(): void {
    for (const ring of this.#rings.values()) {
      this.#trim(ring, 0);
      if (this.#bytes <= this.#limits.total * 0.75) return;
    }
  }
}

/** Roughly the bytes of an envelope on the wire; deltas are the many, so they are not serialised for it. */
function sizeOf(envelope: ActionEnvelope): number {
  const { action } = envelope;
  const body =
    action.type === 'chat/delta' || action.type === 'chat/reasoning'
      ? action.content.length
      : JSON.stringify(action).length;
  return body + 200;
}
