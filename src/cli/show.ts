// `show`: what was said in a session, and with `--follow` what is being said until nothing runs or waits.
import { homedir } from 'node:os';
import { Conversation } from '../client/conversation.ts';
import { findSession, folderOf, listSessions, shortId } from '../client/sessions.ts';
import { type UrlOption, withClient } from './connection.ts';
import { complain, plainLine, print, statusLine } from './output.ts';
import { folderName } from './sessions.ts';

export interface ShowOptions extends UrlOption {
  follow?: boolean;
}

/** Exit code 1 when the session's agent never started. */
export function show(query: string | undefined, options: ShowOptions): Promise<number> {
  return withClient(options, async (client) => {
    const { resource } = findSession(await listSessions(client), query);
    const status = statusLine();
    status.show('Opening the session…');
    const conversation = await Conversation.open(client, resource);
    status.clear();
    const { title, provider, workingDirectories = [] } = conversation.session;
    const folder = folderName(folderOf({ workingDirectories }), homedir());
    print(`${plainLine(title) || '(untitled)'} · ${plainLine(provider)} · ${folder}\n\n`);
    if (options.follow === true) {
      await conversation.until(() => {
        print(conversation.read());
        return !conversation.running;
      });
    } else {
      const blocks = [conversation.read().trimEnd(), ...conversation.queued()];
      if (conversation.running) {
        blocks.push(`Still running; \`otto-agents show --follow ${shortId(resource)}\` follows it.`);
      }
      const text = blocks.filter((block) => block !== '').join('\n\n');
      if (text !== '') print(`${text}\n`);
    }
    const { lifecycle, creationError } = conversation.session;
    if (lifecycle === 'failed') {
      complain(creationError?.message ?? 'the agent did not start');
      return 1;
    }
    return 0;
  });
}
