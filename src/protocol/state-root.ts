// State of the root channel (SHAPES 3). Sessions are not in it: they are listed and announced.
import type { ConfigSchema, ConfigState, Meta, ProtectedResourceMetadata, Uri } from './state-common.ts';
import type { Customization } from './state-customization.ts';
import type { TerminalInfo } from './state-terminal.ts';

export interface SessionModelInfo {
  id: string;
  provider: string;
  name: string;
  maxContextWindow?: number;
  maxOutputTokens?: number;
  maxPromptTokens?: number;
  supportsVision?: boolean;
  policyState?: string;
  configSchema?: ConfigSchema;
  _meta?: Meta;
}

/** Presence is support: `{}` means yes, an absent key means no and its commands are refused. */
interface AgentCapabilities {
  multipleChats?: { fork?: boolean; sideChat?: boolean };
  multipleWorkingDirectories?: { immutablePrimary?: boolean; primaryReplacement?: boolean };
}

export interface AgentInfo {
  provider: string;
  displayName: string;
  description: string;
  models: readonly SessionModelInfo[];
  protectedResources?: readonly ProtectedResourceMetadata[];
  customizations?: readonly Customization[];
  capabilities?: AgentCapabilities;
}

export interface RootState {
  agents: readonly AgentInfo[];
  activeSessions?: number;
  terminals?: readonly TerminalInfo[];
  config?: ConfigState;
  _meta?: Meta;
}

export const ROOT_URI: Uri = 'ahp-root://';
