// Messages as the bytes of a text frame. An envelope goes to many clients: it is written once per edition and the
// same bytes are sent to each.
import type { ActionEnvelope } from '../protocol/actions.ts';
import type { Edition } from '../protocol/editions/edition.ts';
import { notification } from '../protocol/rpc.ts';

/** The frame of an envelope in `edition`, or undefined when readers of that edition cannot know its action. */
export type EncodeEnvelope = (envelope: ActionEnvelope, edition: Edition) => Buffer | undefined;

/** An encoder that remembers what it wrote for as long as the envelope itself is kept by somebody. */
export function envelopeEncoder(): EncodeEnvelope {
  const written = new WeakMap<ActionEnvelope, Map<Edition, Buffer | undefined>>();
  return (envelope, edition) => {
    let frames = written.get(envelope);
    if (frames === undefined) {
      frames = new Map();
      written.set(envelope, frames);
    }
    if (frames.has(edition)) return frames.get(edition);
    const lowered = edition.lowerEnvelope(envelope);
    const frame = lowered === undefined ? undefined : encode(notification('action', lowered));
    frames.set(edition, frame);
    return frame;
  };
}

/** The frame of any other message. */
export function encode(message: object): Buffer {
  return Buffer.from(JSON.stringify(message));
}
