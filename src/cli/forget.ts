// `forget`: takes sessions out of the service. What their agents remember by themselves is left alone (facts 9.7).
import { UserError } from '../base/errors.ts';
import { findSession, listSessions } from '../client/sessions.ts';
import { type UrlOption, withClient } from './connection.ts';
import { print } from './output.ts';

export interface ForgetOptions extends UrlOption {
  all?: boolean;
}

export async function forget(query: string | undefined, options: ForgetOptions): Promise<number> {
  if (options.all === true && query !== undefined) {
    throw new UserError('--all forgets every session; give it or a session, not both', 2);
  }
  return await withClient(options, async (client) => {
    const sessions = await listSessions(client);
    const chosen = options.all === true ? sessions : [findSession(sessions, query)];
    if (chosen.length === 0) print('no sessions\n');
    for (const { resource } of chosen) {
      await client.request('disposeSession', { channel: resource });
      print(`forgotten: ${resource}\n`);
    }
    return 0;
  });
}
