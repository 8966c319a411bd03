// Keeps what was configured in confidence out of messages and logs: values of an agent's variables and options, and
// the texts put into its arguments. What the agent says in the conversation is its own and is not touched.
import type { Log } from '../base/log.ts';
import type { AgentEvent, AgentFault, AgentHandle } from '../host/ports.ts';

export type Redact = (text: string) => string;

const HIDDEN = '[hidden]';
/** A shorter value is no secret, and to hide each `1` would make messages unreadable. */
const SHORTEST = 4;
/** A line of a long text is worth hiding by itself from here on. */
const SHORTEST_LINE = 8;

/** Characters of one line of the log. Cut only here: half of a value would not be known again. */
const LOG_LINE = 300;

/**
 * A function that replaces every one of `values`, also where it stands in JSON or with its white space folded, and each
 * longer line of it.
 */
export function redactor(values: readonly string[]): Redact {
  const words = values.flatMap((value) => {
    const lines = value.split('\n').map((line) => line.trim());
    return [value, value.trim(), ...lines.filter((line) => line.length >= SHORTEST_LINE)];
  });
  const all = words
    .flatMap((word) => [word, word.replace(/\s+/g, ' ').trim()])
    .flatMap((word) => [word, JSON.stringify(word).slice(1, -1)]);
  // The longest first: one value may be a part of another.
  const secrets = [...new Set(all)]
    .filter(({ length }) => length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
}

/** A log in front of `log` whose lines are redacted, and cut when they are long. */
export function redactedLog(log: Log, redact: Redact): Log {
  const line = (message: string) => {
    const said = redact(message);
    return said.length > LOG_LINE ? `${said.slice(0, LOG_LINE - 1)}…` : said;
  };
  return {
    debug: (message) => log.debug(line(message)),
    info: (message) => log.info(line(message)),
    warn: (message) => log.warn(line(message)),
    error: (message) => log.error(line(message)),
    scope: (name) => redactedLog(log.scope(name), redact),
  };
}

/** `event` with the messages about the agent redacted. */
export function redactedEvent(event: AgentEvent, redact: Redact): AgentEvent {
  switch (event.type) {
    case 'starting':
      return { ...event, activity: redact(event.activity) };
    case 'signInNeeded':
      return {
        ...event,
        methods: event.methods.map(({ command, ...method }) => ({
          ...method,
          ...(command !== undefined && { command: command.map(redact) }),
        })),
      };
    case 'refused':
      return { ...event, message: redact(event.message) };
    case 'stopped':
      return event.error === undefined ? event : { ...event, error: redactedFault(event.error, redact) };
    case 'turnEnded':
      if (!('failed' in event.outcome)) return event;
      return { ...event, outcome: { failed: redactedFault(event.outcome.failed, redact) } };
    default:
      return event;
  }
}

/** `handle`, whose refusals are redacted. */
export function redactedHandle(handle: AgentHandle, redact: Redact): AgentHandle {
  const quiet = (reply: (refusal?: string) => void) => (refusal?: string) =>
    refusal === undefined ? reply() : reply(redact(refusal));
  return {
    prompt: (turn, message) => handle.prompt(turn, message),
    cancel: (turn) => handle.cancel(turn),
    steer: (message, reply) => handle.steer(message, reply),
    setMode: (mode, reply) => handle.setMode(mode, quiet(reply)),
    setOption: (id, value, reply) => handle.setOption(id, value, quiet(reply)),
    signIn: (method, reply) => handle.signIn(method, quiet(reply)),
    stop: () => handle.stop(),
  };
}

function redactedFault(fault: AgentFault, redact: Redact): AgentFault {
  return {
    ...fault,
    message: redact(fault.message),
    ...(fault.detail !== undefined && { detail: redact(fault.detail) }),
  };
}
