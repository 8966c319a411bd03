// Texts too large or too dull for shared state, which clients fetch with `resourceRead` (acp-to-ahp 2.4, AHP C-14).
// Bounded per session, the oldest out first. Holds what agents showed and nothing of the disk.
import type { ContentRef, Uri } from '../protocol/state-common.ts';
import { byteLength } from './text.ts';

/** Per session, in bytes of UTF-8. */
const LIMIT = 16 << 20;
const PREFIX = 'x-otto-content:/';

interface Kept {
  readonly text: string;
  readonly bytes: number;
}

export class ContentStore {
  readonly #hash: (text: string) => string;
  /** By session, then by hash, the oldest first. */
  readonly #sessions = new Map<Uri, Map<string, Kept>>();

  /** `hash` gives a text's name: equal for equal texts, and never for others. */
  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  /** Keeps `text` for `session`; a text above the limit is not kept, and reading it fails. */
  put(session: Uri, text: string): ContentRef {
    const name = this.#hash(text);
    const bytes = byteLength(text);
    const kept = this.#sessions.get(session) ?? new Map<string, Kept>();
    this.#sessions.set(session, kept);
    kept.delete(name);
    if (bytes <= LIMIT) kept.set(name, { text, bytes });
    let total = 0;
    for (const each of kept.values()) total += each.bytes;
    for (const [oldest, each] of kept) {
      if (total <= LIMIT) break;
      kept.delete(oldest);
      total -= each.bytes;
    }
    return { uri: PREFIX + name, sizeHint: bytes, contentType: 'text/plain' };
  }

  /** The text behind a URI of `put`, or undefined when it is not one or no longer kept. */
  read(uri: Uri): string | undefined {
    if (!uri.startsWith(PREFIX)) return undefined;
    const name = uri.slice(PREFIX.length);
    for (const kept of this.#sessions.values()) {
      const found = kept.get(name);
      if (found) return found.text;
    }
    return undefined;
  }

  drop(session: Uri): void {
    this.#sessions.delete(session);
  }
}
