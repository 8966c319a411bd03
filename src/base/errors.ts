// The three kinds of exception that are not bugs. Each is mapped once, at the boundary that meets it:
// ProtocolError by the server, AgentError by the ACP adapter, UserError by the command line.

/** A request that cannot be served; becomes a JSON-RPC error for that client alone. `code` is an AHP or JSON-RPC code. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** `refused`: the agent answered with an error. `prompt`: what was asked cannot be put to this agent. */
export type AgentFaultKind = 'spawn' | 'exit' | 'auth' | 'protocol' | 'timeout' | 'refused' | 'prompt';

/** What went wrong with an agent; the message is one a person can read. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly kind: AgentFaultKind;

  constructor(kind: AgentFaultKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A mistake of the person at the keyboard. `exitCode` is 2 for wrong usage and 1 for everything else. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: number;

  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
