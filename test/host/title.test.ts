import { describe, expect, it } from 'vitest';
import { createRig, SESSION } from '../support/host-rig.ts';

function titled() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  const say = (title: string | null) => rig.agent().report({ type: 'title', title });
  return { rig, client, chat, say, title: () => client.sessionState().title };
}

describe("the agent's own title", () => {
  it('is taken back by null: the session has the title of its first prompt again', () => {
    const { rig, client, chat, say, title } = titled();
    client.queue(chat, 'make two files\nplease');
    say('Two files');
    expect(title()).toBe('Two files');
    rig.agent().endTurn();
    client.queue(chat, 'another');
    say(null);
    expect(title()).toBe('make two files');
  });

  it('leaves an empty title behind where nothing was prompted yet', () => {
    const { say, title } = titled();
    say('Welcome');
    say(null);
    expect(title()).toBe('');
  });

  it('moves nothing once a client has chosen one', () => {
    const { client, chat, say, title } = titled();
    client.queue(chat, 'make two files');
    client.dispatch(SESSION, { type: 'session/titleChanged', title: 'Mine' });
    say(null);
    say('Two files');
    expect(title()).toBe('Mine');
  });
});
