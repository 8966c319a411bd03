// One open connection as JSON-RPC 2.0: requests with their answers, notifications in and out, one message per
// text frame. Ends once and for good; coming back with a new connection is the client's business.
import type { WebSocket } from 'ws';
import { ProtocolError, UserError } from '../base/errors.ts';
import type { CommandMap, Method } from '../protocol/commands.ts';

const ANSWER_MS = 30_000;
const CLOSE_MS = 1_000;

export interface LinkEvents {
  notified(method: string, params: unknown): void;
  /** The connection is gone; called once. `code` is the WebSocket close code. */
  lost(code: number, reason: string): void;
}

interface Waiting {
  answered(result: unknown): void;
  failed(error: Error): void;
}

interface Incoming {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

export class Link {
  readonly #socket: WebSocket;
  readonly #events: LinkEvents;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(socket: WebSocket, events: LinkEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (data, isBinary) => {
      if (!isBinary) this.#receive(String(data));
    });
    // An error is always followed by `close`, which says what there is to say.
    socket.on('error', () => {});
    socket.once('close', (code, reason) => this.#closed(code, String(reason)));
  }

  /**
   * Asks and waits for the answer. `received` runs before any later frame is looked at, so that state taken from
   * an answer is in place when the actions behind it arrive.
   * Rejects with the ProtocolError that the service answered, or a UserError when no answer came.
   */
  request<M extends Method>(
    method: M,
    params: CommandMap[M]['params'],
    received?: (result: CommandMap[M]['result']) => void,
  ): Promise<CommandMap[M]['result']> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new UserError(`the service did not answer ${method} within ${ANSWER_MS / 1000} seconds`));
      }, ANSWER_MS);
      this.#waiting.set(id, {
        answered: (answer) => {
          clearTimeout(timer);
          const result = answer as CommandMap[M]['result'];
          received?.(result);
          resolve(result);
        },
        failed: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Says goodbye, and hangs up when the other side does not answer that. */
  close(): void {
    this.#socket.close(1000);
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref();
  }

  #send(message: object): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  #receive(text: string): void {
    const message = parseObject(text);
    if (message === undefined) {
      this.#socket.close(1002, 'not JSON-RPC');
      return;
    }
    if (typeof message.method === 'string') {
      if (message.id === undefined) this.#events.notified(message.method, message.params);
      return;
    }
    const waiting = typeof message.id === 'number' ? this.#waiting.get(message.id) : undefined;
    if (waiting === undefined) return;
    this.#waiting.delete(message.id as number);
    const error = message.error;
    if (error === undefined) waiting.answered(message.result);
    else waiting.failed(new ProtocolError(error.code, error.message, error.data));
  }

  #closed(code: number, reason: string): void {
    const error = new UserError('the connection to the service was lost before it answered');
    for (const waiting of this.#waiting.values()) waiting.failed(error);
    this.#waiting.clear();
    this.#events.lost(code, reason);
  }
}

function parseObject(text: string): Incoming | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
