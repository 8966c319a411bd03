// State of a terminal channel and its entry in the root list (SHAPES 8).
import type { Uri } from './state-common.ts';

export type TerminalLifecycle = { status: 'running' } | { status: 'exited'; exitCode?: number };

export type TerminalClaim =
  | { kind: 'client'; clientId: string }
  | { kind: 'session'; session: Uri; chat: Uri; turnId?: string; toolCallId?: string };

export type TerminalContentPart =
  | { type: 'unclassified'; value: string }
  | {
      type: 'command';
      commandId: string;
      commandLine: string;
      output: string;
      /** Unix milliseconds, unlike every other time in AHP. */
      timestamp: number;
      isComplete: boolean;
      exitCode?: number;
      durationMs?: number;
    };

export interface TerminalState {
  title: string;
  content: readonly TerminalContentPart[];
  lifecycle: TerminalLifecycle;
  claim: TerminalClaim;
  cwd?: Uri;
  cols?: number;
  rows?: number;
  supportsCommandDetection?: boolean;
  isPty?: boolean;
}

export interface TerminalInfo {
  resource: Uri;
  title: string;
  claim: TerminalClaim;
  lifecycle: TerminalLifecycle;
}
