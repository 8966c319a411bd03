import { describe, expect, it } from 'vitest';
import { createRig } from '../support/host-rig.ts';

describe('an agent that fails', () => {
  it('fails the session with the reason and is not started again by itself (F-024)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.queue(chat, 'hello');
    rig.agent().stopped('Process exited with status 3: boom');
    expect(client.sessionState()).toMatchObject({
      lifecycle: 'failed',
      creationError: { errorType: 'agentStartFailed', message: 'Process exited with status 3: boom' },
    });
    rig.clock.advance(60_000);
    expect(rig.agents).toHaveLength(1);
    expect(client.chat(chat).queuedMessages).toHaveLength(1);
    expect(client.chat(chat).activity).toBeUndefined();
  });

  it('is tried again by a retry, which keeps the request (F-030)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.queue(chat, 'hello');
    rig.agent().stopped('EIDLETIMEOUT');
    rig.host.retry('ahp-session:/s');
    rig.agent().started();
    expect(client.sessionState().lifecycle).toBe('ready');
    expect(rig.agent().calls).toEqual([['prompt', client.chat(chat).activeTurn?.id, 'hello']]);
  });

  it('is tried again by a new message, which comes after the one that waited', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.queue(chat, 'one');
    rig.agent().stopped('boom');
    client.queue(chat, 'two');
    expect(rig.agents).toHaveLength(2);
    rig.agent().started();
    rig.agent().endTurn();
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['one', 'two']);
  });

  it('ends a running turn with the reason, and the next prompt starts it again (F-028)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    rig.agent().text('half');
    rig.agent().stopped('killed by SIGKILL');
    expect(client.chat(chat).turns[0]).toMatchObject({
      state: 'error',
      responseParts: [
        { content: 'half' },
        { error: { errorType: 'agentExited', message: 'killed by SIGKILL' } },
      ],
    });
    client.queue(chat, 'two');
    rig.agent().started({ fresh: false });
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['two']);
  });

  it('is restarted for its queue with growing pauses, three times, and then waits for a person (F-024)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    for (const text of ['a', 'b', 'c', 'd']) client.queue(chat, text);
    const crash = () => rig.agent().stopped('boom');
    crash();
    rig.clock.advance(999);
    expect(rig.agents).toHaveLength(1);
    rig.clock.advance(1);
    expect(rig.agents).toHaveLength(2);
    rig.agent().started({ fresh: false });
    crash();
    rig.clock.advance(2000);
    expect(rig.agents).toHaveLength(3);
    rig.agent().started({ fresh: false });
    crash();
    rig.clock.advance(600_000);
    expect(rig.agents).toHaveLength(3);
    expect(client.sessionState()._meta).toMatchObject({
      otto: { problem: { text: expect.stringContaining('boom') } },
    });
    expect(client.chat(chat).queuedMessages?.map(({ id }) => id)).toEqual(['q-d']);
    rig.host.retry('ahp-session:/s');
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['d']);
    expect(client.sessionState()._meta).toBeUndefined();
  });

  it('says so when it was started anew and knows nothing of what is above (F-080)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    rig.agent().endTurn();
    rig.agent().stopped('gone');
    client.queue(chat, 'two');
    rig.agent().started({ fresh: true });
    const [first] = client.chat(chat).activeTurn?.responseParts ?? [];
    expect(first).toMatchObject({
      kind: 'systemNotification',
      content: expect.stringContaining('does not know'),
    });
  });
});

describe('release', () => {
  it('cancels the turn, lets the agent go and keeps the queue until the chat is opened again (R-112)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    client.queue(chat, 'two');
    const turn = rig.agent().turn();
    rig.host.releaseSession('ahp-session:/s');
    expect(client.chat(chat).turns).toMatchObject([{ state: 'cancelled' }]);
    expect(rig.agent().calls.slice(1)).toEqual([['cancel', turn], ['stop']]);
    rig.agent().stopped();
    rig.clock.advance(60_000);
    expect(rig.agents).toHaveLength(1);
    expect(client.chat(chat).queuedMessages).toHaveLength(1);
    rig.client('other').subscribe(chat);
    expect(rig.agent().spec.resume).toBe('a1');
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['two']);
  });

  it('opened again while the agent is still leaving, starts the next one only after it has gone', () => {
    const rig = createRig();
    const { chat } = rig.session();
    rig.agent().started();
    rig.host.releaseSession('ahp-session:/s');
    rig.client('other').subscribe(chat);
    expect(rig.agents).toHaveLength(1);
    rig.agent().stopped();
    expect(rig.agents).toHaveLength(2);
  });

  it('of a session whose agent does not run leaves it usable (R-113)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().stopped('gone');
    rig.host.releaseSession('ahp-session:/s');
    rig.host.releaseSession('ahp-session:/s');
    client.subscribe(chat);
    rig.agent().started();
    client.queue(chat, 'go');
    expect(rig.agent().calls.at(-1)?.[2]).toBe('go');
  });
});

describe('a start that nothing waits for any more', () => {
  const START = { turnId: 'mine', startedAt: '2026-01-01T00:00:00.000Z' } as const;

  it('is ended when the only message is taken back, and begun again by the next (F-029)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().stopped('gone');
    rig.clock.advance(60_000);
    client.queue(chat, 'one');
    client.queue(chat, 'two');
    rig.agent().report({ type: 'starting', activity: 'downloading' });
    const remove = (id: string) =>
      client.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id });
    remove('q-one');
    expect(rig.agent().calls).toEqual([]);
    remove('q-two');
    expect(rig.agent().calls).toEqual([['stop']]);
    expect(client.chat(chat).activity).toBeUndefined();
    rig.agent().report({ type: 'starting', activity: 'still downloading' });
    rig.agent().started();
    expect(client.chat(chat).activity).toBeUndefined();
    rig.agent().stopped();
    rig.clock.advance(600_000);
    expect(rig.agents).toHaveLength(2);
    client.queue(chat, 'three');
    rig.agent().started();
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['three']);
  });

  it('goes on where it is the first of its session, which is ready then', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.queue(chat, 'one');
    client.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'q-one' });
    expect(rig.agent().calls).toEqual([]);
    rig.agent().started();
    expect(client.sessionState().lifecycle).toBe('ready');
  });

  it('is ended when the turn is cancelled; a message that comes meanwhile starts the next (F-029, R-061)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().stopped('gone');
    rig.clock.advance(60_000);
    const message = { text: 'one', origin: { kind: 'user' } };
    client.dispatch(chat, { type: 'chat/turnStarted', ...START, message });
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId: 'mine', duration: 0 });
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls).toEqual([['stop']]);
    client.queue(chat, 'two');
    expect(rig.agents).toHaveLength(2);
    rig.agent().stopped();
    rig.agent().started({ fresh: false });
    expect(rig.agents).toHaveLength(3);
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['two']);
  });

  it('goes on while a mode waits for it', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    const available = [{ id: 'plan', name: 'Plan', description: null }];
    rig.agent().report({ type: 'modes', current: 'ask', available });
    rig.agent().stopped('gone');
    rig.clock.advance(60_000);
    rig.host.setMode({ channel: 'ahp-session:/s', modeId: 'plan' });
    client.queue(chat, 'one');
    client.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'q-one' });
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls).toEqual([['setMode', 'plan']]);
  });

  it('goes on while somebody is asked to sign in', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.queue(chat, 'one');
    rig.agent().report({ type: 'signInNeeded', methods: [], during: 'open' });
    client.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'q-one' });
    expect(rig.agent().calls).toEqual([]);
  });
});
