import { describe, expect, it } from 'vitest';
import { ROOT_URI } from '../../src/protocol/state-root.ts';
import { createRig, userMessage } from '../support/host-rig.ts';

describe('the queue', () => {
  it('keeps a message for an agent that is still starting and runs it when it is ready (R-024)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    client.seen();
    client.queue(chat, 'hello', 'm1');
    expect(rig.agent().calls).toEqual([]);
    expect(client.chat(chat).queuedMessages).toEqual([{ id: 'm1', message: userMessage('hello') }]);
    rig.agent().started();
    expect(rig.agent().calls).toEqual([['prompt', client.chat(chat).activeTurn?.id, 'hello']]);
    expect(client.seen()).toEqual([
      'chat/pendingMessageSet',
      'chat/activityChanged',
      'session/ready',
      'chat/pendingMessageRemoved',
      'chat/turnStarted',
      'session/titleChanged',
      'session/chatAdded',
      'session/activityChanged',
    ]);
    expect(client.sessionState().title).toBe('hello');
  });

  it('runs three messages in order, one at a time, each named by its turn (R-027, C-32)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    for (const text of ['one', 'two', 'three']) client.queue(chat, text);
    const prompts = () => rig.agent().calls.map(([, , text]) => text);
    expect(prompts()).toEqual(['one']);
    rig.agent().endTurn();
    expect(prompts()).toEqual(['one', 'two']);
    rig.agent().endTurn();
    rig.agent().endTurn();
    expect(prompts()).toEqual(['one', 'two', 'three']);
    const started = client.envelopes.flatMap(({ action }) =>
      action.type === 'chat/turnStarted' ? [action.queuedMessageId] : [],
    );
    expect(started).toEqual(['q-one', 'q-two', 'q-three']);
    expect(client.chat(chat).queuedMessages).toBeUndefined();
    expect(client.chat(chat).turns.map(({ state }) => state)).toEqual(['complete', 'complete', 'complete']);
  });

  it('delivers five messages queued during a turn once each and in order (F-123)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'first');
    for (const text of ['a', 'b', 'c', 'd', 'e']) client.queue(chat, text);
    for (let turn = 0; turn < 6; turn++) rig.agent().endTurn();
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['first', 'a', 'b', 'c', 'd', 'e']);
  });

  it('never sends a message that was removed, and refuses to remove one that was sent (F-116, C-26)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'running');
    client.queue(chat, 'removed');
    client.queue(chat, 'edited', 'e');
    client.queue(chat, 'edited again', 'e');
    const remove = (id: string) =>
      client.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id });
    expect(remove('q-removed')?.rejectionReason).toBeUndefined();
    expect(remove('q-running')?.rejectionReason).toMatch(/may have been sent/);
    rig.agent().endTurn();
    rig.agent().endTurn();
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['running', 'edited again']);
  });

  it('follows a new order (chat/queuedMessagesReordered)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    for (const text of ['running', 'a', 'b', 'c']) client.queue(chat, text);
    client.dispatch(chat, { type: 'chat/queuedMessagesReordered', order: ['q-c', 'q-a'] });
    for (let turn = 0; turn < 4; turn++) rig.agent().endTurn();
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['running', 'c', 'a', 'b']);
  });

  it('titles the session by the first line that says something, at most 80 characters (R-042)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, `\n  \n  ${'x'.repeat(100)}\nmore`);
    expect(client.sessionState().title).toBe('x'.repeat(80));
    rig.agent().endTurn();
    client.queue(chat, 'another');
    expect(client.sessionState().title).toBe('x'.repeat(80));
  });

  it('titles the session by its attachments when there is no text (R-042)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    const attachments = ['a.txt', 'b.txt'].map((label) => ({
      type: 'resource' as const,
      label,
      uri: `file:///${label}`,
    }));
    client.dispatch(chat, {
      type: 'chat/pendingMessageSet',
      kind: 'queued',
      id: 'm',
      message: { ...userMessage(' '), attachments },
    });
    expect(client.sessionState().title).toBe('a.txt, b.txt');
  });
});

describe('cancelling', () => {
  it('ends the turn at once, tells the agent, and waits for its answer before the next prompt (R-031, R-057)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'first');
    client.queue(chat, 'second');
    const turnId = rig.agent().turn();
    const echo = client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    expect(echo?.rejectionReason).toBeUndefined();
    expect(client.chat(chat)).toMatchObject({ activity: 'Stopping…', turns: [{ state: 'cancelled' }] });
    expect(rig.agent().calls.slice(1)).toEqual([['cancel', turnId]]);
    rig.agent().report({ type: 'turnEnded', turn: turnId, outcome: { stop: 'cancelled' } });
    expect(rig.agent().calls).toHaveLength(2);
    rig.clock.advance(250);
    expect(rig.agent().calls.at(-1)?.[2]).toBe('second');
    expect(client.chat(chat).activity).toBeUndefined();
  });

  it('drops what a cancelled prompt still says (F-041) and gives it a quiet moment', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'first');
    client.queue(chat, 'second');
    const turnId = rig.agent().turn();
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    rig.agent().text('OLD');
    rig.agent().report({ type: 'turnEnded', turn: turnId, outcome: { stop: 'cancelled' } });
    rig.clock.advance(200);
    rig.agent().text('OLD');
    rig.clock.advance(200);
    expect(rig.agent().calls).toHaveLength(2);
    rig.clock.advance(50);
    rig.agent().text('NEW');
    rig.agent().endTurn();
    expect(JSON.stringify(client.chat(chat))).not.toContain('OLD');
    expect(client.chat(chat).turns).toHaveLength(2);
  });

  it('stops an agent that never lets go, and takes its session up again for the queue (F-039)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'first');
    client.queue(chat, 'second');
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId: rig.agent().turn(), duration: 0 });
    rig.clock.advance(9_999);
    expect(rig.agents).toHaveLength(1);
    rig.clock.advance(1);
    expect(rig.agent().calls.at(-1)).toEqual(['stop']);
    rig.agent().stopped();
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().spec).toMatchObject({ resume: 'a1' });
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls).toEqual([['prompt', client.chat(chat).activeTurn?.id, 'second']]);
  });

  it('is refused without a turn, and for another turn (C-23, HOST-CHECKLIST 24.27)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    const cancel = (turnId: string) =>
      client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
    expect(cancel('t')?.rejectionReason).toMatch(/no active turn/);
    client.queue(chat, 'go');
    expect(cancel('t')?.rejectionReason).toMatch(/no active turn/);
    expect(client.chat(chat).activeTurn).toBeDefined();
  });

  it('never sends a prompt that was cancelled before it went out', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    rig.agent().endTurn();
    rig.agent().stopped('gone');
    rig.clock.advance(60_000);
    const started = {
      type: 'chat/turnStarted',
      turnId: 'mine',
      startedAt: '2026-01-01T00:00:00.000Z',
    } as const;
    client.dispatch(chat, { ...started, message: userMessage('two') });
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId: 'mine', duration: 0 });
    rig.agent().started();
    expect(rig.agents).toHaveLength(2);
    expect(rig.agent().calls).toEqual([['stop']]);
  });
});

describe('how a turn ends', () => {
  it.each([
    ['end_turn', 'complete', undefined],
    ['something_new', 'complete', undefined],
    ['cancelled', 'cancelled', undefined],
    ['max_tokens', 'error', 'maxTokens'],
    ['max_turn_requests', 'error', 'maxTurnRequests'],
    ['refusal', 'error', 'refusal'],
  ])('stop reason %s: %s %s (R-056)', (stop, state, errorType) => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    client.queue(chat, 'next');
    rig.agent().text('words');
    rig.agent().endTurn(stop);
    const [turn] = client.chat(chat).turns;
    expect(turn?.state).toBe(state);
    const last = turn?.responseParts.at(-1);
    expect(last?.kind === 'error' ? last.error.errorType : undefined).toBe(errorType);
    expect(rig.agent().calls.at(-1)?.[2]).toBe('next');
  });

  it('a refusal without a word holds the queue until somebody writes again (F-079)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    client.queue(chat, 'two');
    rig.agent().endTurn('refusal');
    expect(client.chat(chat).turns[0]?.responseParts).toMatchObject([
      { error: { errorType: 'sessionLost' } },
    ]);
    expect(rig.agent().calls).toHaveLength(1);
    client.queue(chat, 'three');
    expect(rig.agent().calls.at(-1)?.[2]).toBe('two');
  });

  it('counts its duration on the host clock, in whole milliseconds (C-11)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.clock.advance(1234);
    rig.agent().endTurn();
    expect(client.chat(chat).turns[0]?.duration).toBe(1234);
    expect(client.chat(chat).modifiedAt).toBe('2026-01-02T03:04:06.234Z');
  });

  it('a prompt error is the error of its turn, and the next prompt works', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    client.queue(chat, 'two');
    const failed = { kind: 'protocol', message: 'no credit' } as const;
    rig.agent().report({ type: 'turnEnded', turn: rig.agent().turn(), outcome: { failed } });
    expect(client.chat(chat).turns[0]?.responseParts).toEqual([
      { kind: 'error', error: { errorType: 'agentError', message: 'no credit' }, resumable: true },
    ]);
    expect(rig.agent().calls.at(-1)?.[2]).toBe('two');
  });
});

describe('output that nobody asked for', () => {
  it('opens a turn of the agent that ends after a quiet moment (decision 6, F-085)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().text('done in the background');
    expect(client.chat(chat).activeTurn?.message.origin).toEqual({ kind: 'agent' });
    rig.clock.advance(1500);
    rig.agent().text(', twice');
    rig.clock.advance(1999);
    expect(client.chat(chat).activeTurn).toBeDefined();
    rig.clock.advance(1);
    expect(client.chat(chat)).toMatchObject({
      turns: [{ state: 'complete', responseParts: [{ content: 'done in the background, twice' }] }],
    });
  });

  it('ends at once before the next prompt, and as failed when the agent exits', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    rig.agent().text('a');
    client.queue(chat, 'go');
    expect(client.chat(chat).turns.map(({ state }) => state)).toEqual(['complete']);
    rig.agent().endTurn();
    rig.clock.advance(2001);
    rig.agent().text('b');
    rig.agent().stopped('boom');
    expect(client.chat(chat).turns.map(({ state }) => state)).toEqual(['complete', 'complete', 'error']);
  });
});

describe('steering', () => {
  const steer = {
    type: 'chat/pendingMessageSet',
    kind: 'steering',
    id: 's',
    message: userMessage('rather left'),
  } as const;

  it('is refused by an agent that cannot be steered', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    expect(client.dispatch(chat, steer)?.rejectionReason).toMatch(/queue the message instead/);
  });

  it('goes into the running turn and is shown there (C-34)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started({ can: { steer: true } });
    client.queue(chat, 'go');
    client.dispatch(chat, steer);
    expect(rig.agent().calls.at(-1)).toEqual(['steer', 'rather left']);
    rig.agent().steerReply(true);
    expect(client.chat(chat).steeringMessage).toBeUndefined();
    expect(client.chat(chat).activeTurn?.responseParts).toEqual([
      {
        kind: 'systemNotification',
        content: { markdown: '> rather left' },
        _meta: { otto: { steered: { text: 'rather left' } } },
      },
    ]);
  });

  it('waits while idle for a turn to run (C-35)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started({ can: { steer: true } });
    client.dispatch(chat, steer);
    expect(rig.agent().calls).toEqual([]);
    expect(client.chat(chat).steeringMessage?.id).toBe('s');
    client.queue(chat, 'go');
    expect(rig.agent().calls.at(-1)).toEqual(['steer', 'rather left']);
  });

  it('goes to the head of the queue when the agent does not take it', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started({ can: { steer: true } });
    client.queue(chat, 'go');
    client.queue(chat, 'later');
    client.dispatch(chat, steer);
    rig.agent().steerReply(false);
    expect(client.chat(chat).queuedMessages?.map(({ id }) => id)).toEqual(['s', 'q-later']);
    rig.agent().endTurn();
    expect(rig.agent().calls.at(-1)?.[2]).toBe('rather left');
  });
});

it('a session without an agent that ever answers is still listed and disposed', () => {
  const rig = createRig();
  const { client, chat } = rig.session();
  client.queue(chat, 'go');
  rig.host.disposeSession('ahp-session:/s');
  expect(rig.host.listSessions({ channel: ROOT_URI }).items).toEqual([]);
  expect(rig.agent().calls).toEqual([['stop']]);
  client.seen();
  rig.agent().started();
  rig.agent().text('late');
  rig.agent().stopped();
  rig.clock.advance(100_000);
  expect(client.seen()).toEqual([]);
});
