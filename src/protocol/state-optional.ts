// Automation and canvas channels as types only: neither is served nor advertised (SHAPES 16).

import type { Message } from './state-chat.ts';
import type { ErrorInfo, Meta, Timestamp, Uri, UsageInfo } from './state-common.ts';
import type { ClientPluginCustomization, PluginCustomization } from './state-customization.ts';

interface AutomationSessionTemplate {
  provider?: string;
  model?: { id: string };
  agent?: { uri: Uri };
  workingDirectories?: readonly Uri[];
  config?: Record<string, unknown>;
  customizations?: readonly ClientPluginCustomization[];
}

type AutomationTrigger =
  | {
      kind: 'schedule';
      id: string;
      schedule: { expression: string; timeZone: string };
      misfirePolicy?: 'skip' | 'runOnce';
    }
  | {
      kind: 'event';
      id: string;
      type: string;
      title: string;
      events: readonly { id: string; title: string; description?: string }[];
      description?: string;
      config?: Record<string, unknown>;
    };

export interface AutomationDefinition {
  title: string;
  message: Message;
  session: AutomationSessionTemplate;
  enabled: boolean;
  triggers: readonly AutomationTrigger[];
  disableConditions?: readonly ({ kind: 'afterRuns'; max: number } | { kind: 'afterDate'; date: string })[];
  _meta?: Meta;
}

type AutomationRunOrigin =
  | { kind: 'manual' }
  | { kind: 'trigger'; triggerId: string; scheduledFor?: Timestamp; catchUp?: boolean; event?: Meta };

export interface AutomationRunLifecycle {
  status: 'pending' | 'running' | 'completed' | 'failed' | 'cancelled';
  createdAt: Timestamp;
  startedAt?: Timestamp;
  completedAt?: Timestamp;
  usage?: UsageInfo;
  error?: ErrorInfo;
}

interface AutomationRunSummary {
  resource: Uri;
  automation: Uri;
  origin: AutomationRunOrigin;
  lifecycle: AutomationRunLifecycle;
  sessionCount: number;
  primarySession?: Uri;
  _meta?: Meta;
}

export interface AutomationEntry {
  resource: Uri;
  definition: AutomationDefinition;
  runs: readonly AutomationRunSummary[];
  operations: readonly ('update' | 'remove' | 'run')[];
  createdAt: Timestamp;
  modifiedAt: Timestamp;
  nextRunAt?: Timestamp;
  runCount?: number;
  runsNextCursor?: string;
  customizations?: readonly PluginCustomization[];
  _meta?: Meta;
}

export interface CanvasState {
  instanceId: string;
  extensionId: string;
  canvasId: string;
  extensionName?: string;
  title?: string;
  status?: string;
  url?: Uri;
}
