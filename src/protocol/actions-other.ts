// Actions of the root, terminal, changeset, annotations and watch channels, and of the channels we know as
// types only (SHAPES 14.1, 14.5 to 14.8).
import type { Annotation, AnnotationEntry, AnnotationOrigin } from './state-annotations.ts';
import type {
  ChangesetFile,
  ChangesetOperation,
  ChangesetOperationStatus,
  ChangesetStatus,
} from './state-changeset.ts';
import type { ConfigState, ErrorInfo, TextRange, Uri } from './state-common.ts';
import type {
  AutomationDefinition,
  AutomationEntry,
  AutomationRunLifecycle,
  CanvasState,
} from './state-optional.ts';
import type { ResourceChange } from './state-resource-watch.ts';
import type { AgentInfo } from './state-root.ts';
import type { TerminalClaim, TerminalInfo } from './state-terminal.ts';

export type RootAction =
  | { type: 'root/agentsChanged'; agents: readonly AgentInfo[] }
  | { type: 'root/activeSessionsChanged'; activeSessions: number }
  | { type: 'root/terminalsChanged'; terminals: readonly TerminalInfo[] }
  | { type: 'root/configChanged'; config: ConfigState['values']; replace?: boolean };

export type TerminalAction =
  | { type: 'terminal/data'; data: string }
  | { type: 'terminal/input'; data: string }
  | { type: 'terminal/resized'; cols: number; rows: number }
  | { type: 'terminal/claimed'; claim: TerminalClaim }
  | { type: 'terminal/titleChanged'; title: string }
  | { type: 'terminal/cwdChanged'; cwd: Uri }
  | { type: 'terminal/exited'; exitCode?: number }
  | { type: 'terminal/cleared' }
  | { type: 'terminal/commandDetectionAvailable' }
  | { type: 'terminal/commandExecuted'; commandId: string; commandLine: string; timestamp: number }
  | { type: 'terminal/commandFinished'; commandId: string; exitCode?: number; durationMs?: number };

export type ChangesetAction =
  | { type: 'changeset/statusChanged'; status: ChangesetStatus; error?: ErrorInfo }
  | { type: 'changeset/fileSet'; file: ChangesetFile }
  | { type: 'changeset/fileRemoved'; fileId: string }
  | { type: 'changeset/filesReviewChanged'; files: readonly string[]; reviewed: boolean }
  | {
      type: 'changeset/contentChanged';
      files: readonly ChangesetFile[];
      operations?: readonly ChangesetOperation[];
    }
  | { type: 'changeset/operationsChanged'; operations?: readonly ChangesetOperation[] }
  | {
      type: 'changeset/operationStatusChanged';
      operationId: string;
      status: ChangesetOperationStatus;
      error?: ErrorInfo;
    }
  | { type: 'changeset/cleared' };

export type AnnotationsAction =
  | { type: 'annotations/set'; annotation: Annotation }
  | {
      type: 'annotations/updated';
      annotationId: string;
      origin?: AnnotationOrigin;
      resource?: Uri;
      range?: TextRange;
      resolved?: boolean;
    }
  | { type: 'annotations/removed'; annotationId: string }
  | { type: 'annotations/entrySet'; annotationId: string; entry: AnnotationEntry }
  | { type: 'annotations/entryRemoved'; annotationId: string; entryId: string };

export type ResourceWatchAction = {
  type: 'resourceWatch/changed';
  changes: { items: readonly ResourceChange[] };
};

export type OptionalAction =
  | { type: 'automation/createRequested'; resource: Uri; definition: AutomationDefinition }
  | { type: 'automation/updateRequested'; resource: Uri; changes: Partial<AutomationDefinition> }
  | { type: 'automation/set'; automation: AutomationEntry }
  | { type: 'automation/removed'; resource: Uri }
  | { type: 'automationRun/lifecycleChanged'; lifecycle: AutomationRunLifecycle }
  | { type: 'automationRun/sessionSet'; session: Uri }
  | { type: 'automationRun/sessionRemoved'; session: Uri }
  | { type: 'automationRun/primarySessionChanged'; primarySession?: Uri }
  | { type: 'automationRun/cancelRequested' }
  | { type: 'canvas/stateChanged'; canvas: CanvasState };
