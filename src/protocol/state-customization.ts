// Customizations and MCP servers of a session (SHAPES 5).
import type { ErrorInfo, Icon, Meta, ProtectedResourceMetadata, TextRange, Uri } from './state-common.ts';

interface CustomizationBase {
  id: string;
  uri: Uri;
  name: string;
  icons?: readonly Icon[];
  range?: TextRange;
  _meta?: Meta;
}

type CustomizationLoadState =
  | { kind: 'loading' | 'loaded' }
  | { kind: 'degraded' | 'error'; message: string };

/** Sorted session, workspace, global; the first entry decides, an absent list means enabled. */
export type CustomizationEnablement =
  | { kind: 'session' | 'global'; enabled: boolean }
  | { kind: 'workspace'; uri: Uri; enabled: boolean };

interface ContainerFields extends CustomizationBase {
  clientId?: string;
  load?: CustomizationLoadState;
  /** Absent = not parsed yet, `[]` = parsed and nothing found (CU-4). */
  children?: readonly ChildCustomization[];
}

export interface PluginCustomization extends ContainerFields {
  type: 'plugin';
  enablement?: readonly CustomizationEnablement[];
  version?: string;
}

export interface ClientPluginCustomization extends PluginCustomization {
  nonce?: string;
  childEnablement?: Record<string, readonly CustomizationEnablement[]>;
}

interface DirectoryCustomization extends ContainerFields {
  type: 'directory';
  enabled: boolean;
  contents: string;
  writable: boolean;
}

export interface McpAuthRequirement {
  reason: string;
  resource: ProtectedResourceMetadata;
  oauthClient?: { clientId: string; clientSecret?: string };
  requiredScopes?: readonly string[];
  description?: string;
}

export type McpServerState =
  | { kind: 'starting'; blocking?: boolean }
  | { kind: 'ready' }
  | ({ kind: 'authRequired' } & McpAuthRequirement)
  | { kind: 'error'; error: ErrorInfo }
  | { kind: 'stopped' };

export interface McpServerCustomization extends CustomizationBase {
  type: 'mcpServer';
  enablement?: readonly CustomizationEnablement[];
  state: McpServerState;
  channel?: Uri;
  mcpApp?: { capabilities: Meta };
}

/** Everything that only lives inside a container; the fields of the six kinds, each optional (SHAPES 5.2). */
export interface LeafCustomization extends CustomizationBase {
  type: 'agent' | 'skill' | 'prompt' | 'rule' | 'hook';
  enabled?: boolean;
  description?: string;
  model?: string;
  tools?: readonly string[];
  disableModelInvocation?: boolean;
  disableUserInvocation?: boolean;
  alwaysApply?: boolean;
  globs?: readonly string[];
}

export type ChildCustomization = LeafCustomization | McpServerCustomization;
export type Customization = PluginCustomization | DirectoryCustomization | McpServerCustomization;
