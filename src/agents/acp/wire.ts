// The two pipes of an agent as the message stream its SDK connection runs on. The SDK sees requests, answers to our
// own requests and `$/cancel_request`; session updates go around it, since it drops whole what it does not know.
// Keeps order: nothing after an answer or a request is read before that one has been dealt with.

import type { Readable, Writable } from 'node:stream';
import { setImmediate as turnOver } from 'node:timers/promises';
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';
import { wellFormed } from './json.ts';
import { LineSplitter, parseMessage } from './lines.ts';

/** So much of a line that is no message is passed on: longer than anything that has to be found in it whole. */
const JUNK_BYTES = 256 * 1024;

export interface WireEvents {
  /** Params of one `session/update`, in the order read, and the bytes of its line. */
  update(params: unknown, bytes: number): void;
  /** A line that is no message, or an answer nobody waits for. */
  junk(line: string): void;
  /** A line passed the ceiling; nothing more is read. */
  overflow(): void;
}

export interface Wire {
  stream: Stream;
  /** Settles when stdout has been read to its end. */
  drained: Promise<void>;
}

export function openWire(stdin: Writable, stdout: Readable, limit: number, on: WireEvents): Wire {
  const asked = new Set<string | number>();
  let open = true;
  let finish = () => {};
  const drained = new Promise<void>((done) => {
    finish = done;
  });

  const deliver = async (line: Buffer, out: ReadableStreamDefaultController<AnyMessage>) => {
    const message = parseMessage(line);
    if (message === undefined) return on.junk(line.toString('utf8', 0, JUNK_BYTES));
    if ('method' in message) {
      if (message.method === 'session/update' && !('id' in message))
        return on.update(message.params, line.length);
      if (!('id' in message) && message.method !== '$/cancel_request') return;
    } else if (message.id === null || !asked.delete(message.id)) {
      return on.junk(`answer to no request of ours, id ${message.id}`);
    }
    out.enqueue(message);
    await turnOver();
  };

  const read = async (out: ReadableStreamDefaultController<AnyMessage>) => {
    const lines = new LineSplitter(limit);
    for await (const chunk of stdout) {
      const complete = open ? lines.push(chunk) : [];
      if (complete === undefined) {
        on.overflow();
        break;
      }
      for (const line of complete) {
        if (open && line.length > 0) await deliver(line, out);
      }
    }
  };

  const readable = new ReadableStream<AnyMessage>({
    start: (out) => {
      // A broken pipe ends the stream like a closed one: what became of the process says the rest.
      void read(out)
        .catch(() => {})
        .then(() => {
          if (open) out.close();
          open = false;
          finish();
        });
    },
    cancel: () => {
      open = false;
    },
  });
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if ('method' in message && 'id' in message && message.id !== null) asked.add(message.id);
      return new Promise((done, fail) => {
        stdin.write(`${JSON.stringify(message, sendable)}\n`, (error) => (error ? fail(error) : done()));
      });
    },
  });
  return { stream: { readable, writable }, drained };
}

/** For `JSON.stringify`. Names of fields are ours or the agent's own and stay. */
function sendable(_: string, value: unknown): unknown {
  return typeof value === 'string' ? wellFormed(value) : value;
}
