import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROOT_URI } from '../../src/protocol/state-root.ts';
import { type Client, connect, createRig, type Rig, SESSION } from '../support/host-rig.ts';

/** Leaves and comes back under the same name, with the state it had. */
function back(rig: Rig, old: Client, channels: string[], lastSeen = lastSeenOf(old)) {
  const client = connect(rig.host, old.clientId);
  for (const [channel, state] of old.states) client.states.set(channel, state);
  const result = rig.host.reconnect(client, lastSeen, channels);
  if (result.type === 'snapshot') for (const snapshot of result.snapshots) client.take(snapshot);
  else for (const envelope of result.actions) client.deliver(envelope);
  return { client, result };
}

function lastSeenOf(client: Client): number {
  return Math.max(...client.envelopes.map(({ serverSeq }) => serverSeq), 0);
}

function streaming() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  rig.agent().text('one ');
  return { rig, client, chat };
}

describe('reconnect', () => {
  it('replays exactly what was missed, inside the answer, and goes on from there (HOST-CHECKLIST 24.16, L-22)', () => {
    const { rig, client, chat } = streaming();
    const channels = [ROOT_URI, SESSION, chat];
    const seen = lastSeenOf(client);
    rig.host.detach(client);
    rig.agent().text('two ');
    rig.agent().endTurn();
    const { client: again, result } = back(rig, client, channels, seen);
    if (result.type !== 'replay') throw new Error('expected a replay');
    expect(result.missing).toEqual([]);
    expect(result.actions.every(({ serverSeq }) => serverSeq > seen)).toBe(true);
    expect(again.chat(chat)).toEqual(rig.host.subscribe(rig.client('x'), { channel: chat }).snapshot?.state);
    expect(again.chat(chat).activeTurn).toBeUndefined();
    client.seen();
    again.queue(chat, 'more');
    expect(client.seen()).toEqual([]);
    expect(again.envelopes.at(-1)?.serverSeq).toBe(rig.host.serverSeq);
  });

  it('tells a finished turn as finished after a sleep (F-109)', () => {
    const { rig, client, chat } = streaming();
    rig.host.detach(client);
    rig.agent().report({ type: 'tool', id: 'x', patch: { title: 'T', status: 'completed' } });
    rig.agent().endTurn();
    const { client: again } = back(rig, client, [chat]);
    expect(again.chat(chat)).toMatchObject({ status: 1, turns: [{ state: 'complete' }] });
  });

  it('gives snapshots when too much was missed, and for a number from another life (HOST-CHECKLIST 24.17, L-29)', () => {
    const { rig, client, chat } = streaming();
    const seen = lastSeenOf(client);
    rig.host.detach(client);
    for (let n = 0; n < 40; n++) {
      rig.agent().text('x'.repeat(50_000));
      rig.clock.advance(16);
    }
    const { client: again, result } = back(rig, client, [chat, SESSION], seen);
    expect(result.type).toBe('snapshot');
    expect(again.chat(chat).activeTurn?.responseParts).toMatchObject([
      { content: expect.stringMatching(/x{2000000}$/) },
    ]);
    expect(back(rig, client, [chat], rig.host.serverSeq + 1).result.type).toBe('snapshot');
  });

  it('lists what is gone and resumes the rest (HOST-CHECKLIST 24.18, F-111)', () => {
    const { rig, client } = streaming();
    rig.host.createSession(client, { channel: 'ahp-session:/b', workingDirectories: ['file:///folder'] });
    const seen = lastSeenOf(client);
    rig.host.detach(client);
    rig.host.disposeSession(SESSION);
    const { result } = back(rig, client, [SESSION, 'ahp-session:/b'], seen);
    expect(result).toMatchObject({ type: 'replay', missing: [SESSION] });
  });

  it('takes a session made anew under the old name for another one', () => {
    const { rig, client } = streaming();
    const seen = lastSeenOf(client);
    rig.host.detach(client);
    rig.host.disposeSession(SESSION);
    rig.host.createSession(client, { channel: SESSION, workingDirectories: ['file:///folder'] });
    expect(back(rig, client, [SESSION], seen).result).toMatchObject({
      type: 'snapshot',
      snapshots: [{ resource: SESSION }],
    });
  });

  it('does not repeat what was announced meanwhile (HOST-CHECKLIST 24.20, L-26)', () => {
    const { rig, client } = streaming();
    const seen = lastSeenOf(client);
    rig.host.detach(client);
    rig.host.createSession(client, { channel: 'ahp-session:/b', workingDirectories: ['file:///folder'] });
    const { client: again, result } = back(rig, client, [ROOT_URI], seen);
    expect(result).toMatchObject({
      actions: [{ action: { type: 'root/activeSessionsChanged', activeSessions: 2 } }],
    });
    expect(again.notices).toEqual([]);
  });

  it('counts as watching again, so that a question waits for the client', () => {
    const { rig, client, chat } = streaming();
    rig.host.detach(client);
    back(rig, client, [chat]);
    const reply = () => undefined;
    const options = [{ id: 'y', label: 'Y', kind: 'allow_once' }];
    rig.agent().report({
      type: 'permissionAsked',
      key: 'k',
      toolCallId: 'x',
      patch: {},
      options,
      hints: { defaultToNo: false },
      reply,
    });
    expect(rig.dialogs).toEqual([]);
  });
});

describe('wherever a client joins or is cut off', () => {
  const steps = fc.array(
    fc.constantFrom(
      'text',
      'thought',
      'tick',
      'tool',
      'end',
      'queue',
      'cancel',
      'crash',
      'start',
      'draft',
      'rename',
      'ask',
      'deny',
      'modes',
      'unprompted',
    ),
    { minLength: 1, maxLength: 40 },
  );

  it('snapshot and stream give the state of the host: fold(actions) = snapshot + replay (R-043, R-044, HOST-CHECKLIST 24.12)', () => {
    fc.assert(
      fc.property(steps, fc.nat(40), fc.nat(40), (names, joinAt, cutAt) => {
        const rig = createRig({ forgets: true });
        const { client, chat } = rig.session();
        const channels = [ROOT_URI, SESSION, chat];
        let late: Client | undefined;
        let cut: { client: Client; seen: number } | undefined;
        names.forEach((name, at) => {
          if (at === joinAt) {
            late = rig.client('late');
            for (const channel of channels) late.subscribe(channel);
          }
          if (at === cutAt) {
            const gone = rig.client('cut');
            for (const channel of channels) gone.subscribe(channel);
            cut = { client: gone, seen: rig.host.serverSeq };
            rig.host.detach(gone);
          }
          act(rig, client, chat, name, at);
        });
        const judge = rig.client('judge');
        for (const channel of channels) judge.subscribe(channel);
        const followers = [
          client,
          ...(late ? [late] : []),
          ...(cut ? [back(rig, cut.client, channels, cut.seen).client] : []),
        ];
        for (const follower of followers) {
          for (const channel of channels)
            expect(follower.states.get(channel)).toEqual(judge.states.get(channel));
        }
        const seqs = client.envelopes.map(({ serverSeq }) => serverSeq);
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      }),
      { numRuns: 200 },
    );
  });
});

function act(rig: Rig, client: Client, chat: string, name: string, at: number): void {
  const agent = rig.agent();
  const turnId = client.chat(chat).activeTurn?.id ?? 'none';
  if (name === 'start') agent.started();
  else if (name === 'text') agent.text(`t${at} `);
  else if (name === 'thought') agent.report({ type: 'text', to: 'thought', text: `h${at}` });
  else if (name === 'unprompted') agent.report({ type: 'title', title: `Title ${at}` });
  else if (name === 'tick') rig.clock.advance(at * 37);
  else if (name === 'tool')
    agent.report({
      type: 'tool',
      id: `c${at % 3}`,
      patch: { title: `Do ${at}`, status: at % 2 ? 'running' : 'completed' },
    });
  else if (name === 'end') agent.endTurn();
  else if (name === 'queue') client.queue(chat, `m${at}`);
  else if (name === 'cancel') client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
  else if (name === 'crash') agent.stopped('boom');
  else if (name === 'draft')
    client.dispatch(chat, { type: 'chat/draftChanged', draft: { text: `d${at}`, origin: { kind: 'user' } } });
  else if (name === 'rename') client.dispatch(SESSION, { type: 'session/titleChanged', title: `n${at}` });
  else if (name === 'modes') agent.report({ type: 'modes', current: `m${at % 2}`, available: [] });
  else if (name === 'deny')
    client.dispatch(chat, {
      type: 'chat/toolCallConfirmed',
      turnId,
      toolCallId: 'q',
      approved: false,
      reason: 'denied',
    });
  else if (name === 'ask') {
    const options = [{ id: 'y', label: 'Y', kind: 'allow_once' }];
    agent.report({
      type: 'permissionAsked',
      key: `k${at}`,
      toolCallId: 'q',
      patch: {},
      options,
      hints: { defaultToNo: false },
      reply: () => undefined,
    });
  }
}
