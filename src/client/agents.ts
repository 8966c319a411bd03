// Agents as a client names them, and new sessions with one of them in a folder of this machine.
import { UserError } from '../base/errors.ts';
import type { Uri } from '../protocol/state-common.ts';
import { type AgentInfo, ROOT_URI } from '../protocol/state-root.ts';
import { fileUri, sessionUri } from '../protocol/uri.ts';
import type { Client } from './client.ts';

/**
 * The agent called `name`: its id, else its display name without regard to case; the first one without a name.
 * A UserError lists what there is. Subscribes to root, which also tells of removed sessions.
 */
export async function findAgent(client: Client, name?: string): Promise<AgentInfo> {
  const { agents } = await client.subscribe('root', ROOT_URI);
  const wanted = name?.toLowerCase();
  const found =
    name === undefined
      ? agents[0]
      : (agents.find(({ provider }) => provider === name) ??
        agents.find(({ displayName }) => displayName.toLowerCase() === wanted));
  if (found !== undefined) return found;
  if (agents.length === 0) throw new UserError('the service has no agents; name one in agents.toml');
  const known = agents.map(({ provider, displayName }) => `${provider} (${displayName})`).join(', ');
  throw new UserError(`there is no agent "${name}"; there is ${known}`);
}

/** Creates a session and returns its URI; the service says what is wrong with the folder. */
export async function newSession(
  client: Client,
  { id, provider, folder }: { id: string; provider: string; folder: string },
): Promise<Uri> {
  const channel = sessionUri(id);
  await client.request('createSession', { channel, provider, workingDirectories: [fileUri(folder)] });
  return channel;
}
