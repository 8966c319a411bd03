// The echo: an agent without a process that streams each prompt back word by word (`serve --echo`).
// It shows the whole way from queue to answer on a machine with no coding agent; it asks nothing and keeps nothing.
import type { Disposable } from '../base/dispose.ts';
import type { AgentBackend, AgentEvent, AgentHandle } from '../host/ports.ts';
import type { Message } from '../protocol/state-chat.ts';

/** `delay` is the pause before each word in milliseconds; 0 waits one turn of the event loop. */
export function createEcho(options: { delay?: number } = {}): AgentBackend {
  const info = {
    provider: 'echo',
    displayName: 'Echo',
    description: 'Repeats what you write, word by word',
    models: [],
  };
  return {
    agents: () => [{ info, permissions: 'deny', forgets: true }],
    start: (_spec, report) => startEcho(options.delay ?? 0, report),
  };
}

function startEcho(delay: number, report: (event: AgentEvent) => void): AgentHandle {
  let running: { turn: string; words: string[] } | undefined;
  let timer: Disposable = () => {};
  let stopped = false;

  const next = () => {
    if (running === undefined) return;
    const word = running.words.shift();
    if (word === undefined) return end('end_turn');
    report({ type: 'text', to: 'message', text: word });
    timer = later(delay, next);
  };
  const end = (stop: string) => {
    if (running === undefined) return;
    const { turn } = running;
    running = undefined;
    timer();
    report({ type: 'turnEnded', turn, outcome: { stop } });
  };

  later(0, () => {
    if (!stopped) report({ type: 'started', fresh: true, can: { steer: true } });
  });

  return {
    prompt: (turn, message) => {
      if (stopped) return;
      running = { turn, words: wordsOf(message) };
      timer = later(delay, next);
    },
    cancel: (turn) => {
      later(0, () => {
        if (running?.turn === turn) end('cancelled');
      });
    },
    steer: (message, reply) => {
      if (stopped) return;
      const taken = running !== undefined;
      running?.words.unshift('\n', ...wordsOf(message), '\n');
      reply(taken);
    },
    setMode: (_mode, reply) => {
      if (!stopped) reply('The echo has no modes');
    },
    setOption: (_id, _value, reply) => {
      if (!stopped) reply('The echo has no options');
    },
    signIn: (_method, reply) => {
      if (!stopped) reply('The echo needs no sign-in');
    },
    stop: () => {
      if (stopped) return;
      stopped = true;
      running = undefined;
      timer();
      later(0, () => report({ type: 'stopped', asked: true }));
    },
  };
}

/** The words of a message, each with the space behind it; the attachments' labels when there is no text. */
function wordsOf({ text, attachments = [] }: Message): string[] {
  const shown = text.trim() === '' ? attachments.map(({ label }) => label).join('\n') : text;
  return shown.split(/(?<=\s)(?=\S)/).filter((word) => word !== '');
}

function later(ms: number, run: () => void): Disposable {
  if (ms > 0) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  }
  const immediate = setImmediate(run);
  return () => clearImmediate(immediate);
}
