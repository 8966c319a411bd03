import { describe, expect, it } from 'vitest';
import { createRig } from '../support/host-rig.ts';

function failing(words?: string) {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  const turn = rig.agent().turn();
  if (words !== undefined) rig.agent().text(words);
  rig.clock.advance(100);
  const failed = { kind: 'refused', message: 'overloaded', code: -32603, detail: 'rate_limit' } as const;
  rig.agent().report({ type: 'turnEnded', turn, outcome: { failed } });
  const resume = (turnId: string) => client.dispatch(chat, { type: 'chat/turnResume', turnId });
  return { rig, client, chat, turn, resume };
}

describe('chat/turnResume', () => {
  it('sends the same message again where nothing had come of it (acp-to-ahp 6.2)', () => {
    const { rig, client, chat, turn, resume } = failing();
    expect(client.chat(chat).turns[0]?.responseParts).toEqual([
      {
        kind: 'error',
        error: {
          errorType: 'agentError',
          message: 'overloaded',
          _meta: { otto: { code: -32603, kind: 'rate_limit' } },
        },
        resumable: true,
      },
    ]);
    expect(resume(turn)?.rejectionReason).toBeUndefined();
    expect(rig.agent().calls.at(-1)).toEqual(['prompt', turn, 'go']);
    rig.clock.advance(1000);
    rig.agent().text('here');
    rig.agent().endTurn();
    expect(client.chat(chat).turns).toMatchObject([
      {
        id: turn,
        state: 'complete',
        duration: 1100,
        responseParts: [{ kind: 'error' }, { content: 'here' }],
      },
    ]);
  });

  it('asks to go on where something had', () => {
    const { rig, turn, resume } = failing('half of it');
    resume(turn);
    expect(rig.agent().calls.at(-1)).toEqual(['prompt', turn, 'Continue where you left off.']);
  });

  it('starts the agent where it is gone', () => {
    const { rig, turn, resume } = failing();
    rig.agent().stopped('boom');
    rig.clock.advance(60_000);
    resume(turn);
    expect(rig.agents).toHaveLength(2);
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls).toEqual([['prompt', turn, 'go']]);
  });

  it('is refused before anything is sent: while a turn runs, for another turn, for one that did not fail', () => {
    const { rig, client, chat, turn, resume } = failing();
    expect(resume('other')?.rejectionReason).toMatch(/newest/);
    client.queue(chat, 'next');
    expect(resume(turn)?.rejectionReason).toMatch(/in progress/);
    rig.agent().endTurn();
    expect(resume(turn)?.rejectionReason).toMatch(/newest/);
    expect(resume(client.chat(chat).turns[1]?.id ?? '')?.rejectionReason).toMatch(/cannot be resumed/);
    expect(rig.agent().calls.filter(([name]) => name === 'prompt')).toHaveLength(2);
  });
});

describe('a prompt that is turned away as busy (F-123)', () => {
  const busy = { kind: 'refused', message: 'The session is busy' } as const;

  it('goes back to the head of the queue and is tried again, without a trace in the chat', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    for (const text of ['one', 'two']) client.queue(chat, text);
    rig.agent().endTurn();
    rig.agent().report({ type: 'turnEnded', turn: rig.agent().turn(), outcome: { failed: busy } });
    expect(client.chat(chat)).toMatchObject({
      turns: [{ state: 'complete' }],
      queuedMessages: [{ message: { text: 'two' } }],
    });
    expect(client.chat(chat).activeTurn).toBeUndefined();
    rig.clock.advance(500);
    rig.agent().endTurn();
    expect(rig.agent().calls.map(([, , text]) => text)).toEqual(['one', 'two', 'two']);
    expect(client.chat(chat).turns.map(({ message, state }) => [message.text, state])).toEqual([
      ['one', 'complete'],
      ['two', 'complete'],
    ]);
  });

  it('is an error after three tries', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'one');
    for (let n = 0; n < 4; n++) {
      rig.agent().report({ type: 'turnEnded', turn: rig.agent().turn(), outcome: { failed: busy } });
      rig.clock.advance(10_000);
    }
    expect(rig.agent().calls).toHaveLength(4);
    expect(client.chat(chat).turns).toMatchObject([
      { state: 'error', responseParts: [{ error: { errorType: 'agentError' } }] },
    ]);
  });
});
