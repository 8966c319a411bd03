// How a command reaches the service: which address was meant, and a client under a name of its own.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Address, parseAddress } from '../client/address.ts';
import { Client } from '../client/client.ts';
import { packageVersion } from '../system/version.ts';
import { runtimeDir } from '../system/xdg.ts';
import { complain } from './output.ts';

export interface UrlOption {
  url?: string;
}

/** What `--url` or OTTO_AGENTS_URL says, else where a service listens by itself. */
export function serviceAddress(url: string | undefined, env: NodeJS.ProcessEnv): Address {
  if (url !== undefined && url !== '') return parseAddress(url);
  const runtime = runtimeDir(env);
  if (runtime === undefined) return { kind: 'tcp', host: '127.0.0.1', port: 4800 };
  return { kind: 'socket', path: join(runtime, 'otto-agents', 'agents.sock') };
}

/** Runs `use` with a connected client and lets go of the connection whatever happens. */
export async function withClient<T>(options: UrlOption, use: (client: Client) => Promise<T>): Promise<T> {
  const client = await Client.connect({
    address: serviceAddress(options.url, process.env),
    clientId: `otto-agents-cli-${randomUUID().slice(0, 8)}`,
    clientInfo: { name: 'otto-agents-cli', version: packageVersion() },
    onLink: (link) => {
      if (link === 'lost') complain('the connection was lost; trying again');
    },
  });
  try {
    return await use(client);
  } finally {
    client.close();
  }
}
