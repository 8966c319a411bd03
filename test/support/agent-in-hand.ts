// An agent that does what a test says, when it says so, behind the host's own port.
import type { AgentBackend, AgentEvent, AgentHandle, PermissionPolicy } from '../../src/host/ports.ts';

/** An agent in the test's hand. It starts, answers and ends only when told to. */
export interface Hand {
  readonly backend: AgentBackend;
  /** Reports of the newest agent that was started. */
  report(event: AgentEvent): void;
  say(text: string): void;
  endTurn(stop?: string): void;
  /** Resolve with the next prompt's text, or when the next cancel arrives. */
  prompted(): Promise<string>;
  cancelled(): Promise<void>;
}

interface HandOptions {
  starts?: boolean;
  permissions?: PermissionPolicy;
  /** What the agent does otherwise than here. */
  handle?: Partial<AgentHandle>;
}

export function agentInHand({ starts = true, permissions = 'deny', handle }: HandOptions = {}): Hand {
  let report: (event: AgentEvent) => void = () => {};
  let turn = '';
  const prompts = queue<string>();
  const cancels = queue<void>();
  return {
    backend: {
      agents: () => [
        {
          info: { provider: 'hand', displayName: 'Hand', description: '', models: [] },
          permissions,
          forgets: true,
        },
      ],
      start: (_, hear) => {
        report = hear;
        if (starts) setImmediate(() => hear({ type: 'started', fresh: true, can: { steer: false } }));
        return {
          prompt: (id, message) => {
            turn = id;
            prompts.put(message.text);
          },
          cancel: () => cancels.put(),
          steer: (_message, reply) => reply(false),
          setMode: (_mode, reply) => reply('no modes'),
          setOption: (_id, _value, reply) => reply('no options'),
          signIn: (_method, reply) => reply('no sign-in'),
          stop: () => setImmediate(() => hear({ type: 'stopped', asked: true })),
          ...handle,
        };
      },
    },
    report: (event) => report(event),
    say: (text) => report({ type: 'text', to: 'message', text }),
    endTurn: (stop = 'end_turn') => report({ type: 'turnEnded', turn, outcome: { stop } }),
    prompted: prompts.take,
    cancelled: cancels.take,
  };
}

function queue<T>(): { put(value: T): void; take(): Promise<T> } {
  const values: T[] = [];
  const takers: ((value: T) => void)[] = [];
  return {
    put: (value) => {
      const taker = takers.shift();
      if (taker === undefined) values.push(value);
      else taker(value);
    },
    take: () => {
      if (values.length > 0) return Promise.resolve(values.shift() as T);
      return new Promise((resolve) => takers.push(resolve));
    },
  };
}
