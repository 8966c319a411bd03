import { describe, expect, it } from 'vitest';
import { createRig } from '../support/host-rig.ts';

function running() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  const tool = (status: 'running' | 'completed', text?: string) =>
    rig.agent().report({
      type: 'tool',
      id: 'x',
      patch: {
        title: 'Build',
        kind: 'execute',
        status,
        ...(text !== undefined && { content: [{ type: 'text', text }] }),
      },
    });
  return { rig, client, chat, tool };
}

describe('a prompt that is answered while a call still runs', () => {
  it('waits a moment, so that the last word of the call is in its turn (F-086)', () => {
    const { rig, client, chat, tool } = running();
    tool('running');
    rig.agent().endTurn();
    expect(client.chat(chat).activeTurn).toBeDefined();
    rig.clock.advance(400);
    tool('completed');
    expect(client.chat(chat).turns).toMatchObject([
      { state: 'complete', responseParts: [{ toolCall: { status: 'completed' } }] },
    ]);
  });

  it('ends without it when nothing comes', () => {
    const { rig, client, chat, tool } = running();
    tool('running');
    rig.clock.advance(1000);
    rig.agent().endTurn();
    rig.clock.advance(500);
    expect(client.chat(chat).turns).toMatchObject([
      { responseParts: [{ toolCall: { status: 'cancelled', reason: 'skipped' } }] },
    ]);
  });

  it('can be cancelled meanwhile without the agent being asked to stop', () => {
    const { rig, client, chat, tool } = running();
    tool('running');
    const turnId = rig.agent().turn();
    rig.agent().endTurn();
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 5 });
    client.queue(chat, 'next');
    expect(rig.agent().calls.map(([name]) => name)).toEqual(['prompt', 'prompt']);
  });
});

describe('what an agent says of a turn that has ended', () => {
  it('changes a call of that turn, told once and to everybody, and opens no turn (F-086)', () => {
    const { rig, client, chat, tool } = running();
    tool('running');
    rig.agent().endTurn();
    rig.clock.advance(500);
    client.seen();
    rig.clock.advance(10_000);
    tool('running', 'half');
    tool('completed', 'all of it');
    expect(client.chat(chat).activeTurn).toBeUndefined();
    rig.clock.advance(1000);
    expect(client.seen().filter((type) => type.startsWith('chat/'))).toEqual([
      'chat/truncated',
      'chat/turnsLoaded',
    ]);
    expect(client.chat(chat).turns).toMatchObject([
      { state: 'complete', responseParts: [{ toolCall: { status: 'completed', success: true } }] },
    ]);
  });

  it('joins it when it is text right behind the end, and opens a turn of its own later (F-086, F-085)', () => {
    const { rig, client, chat } = running();
    rig.agent().text('one');
    rig.agent().endTurn();
    rig.clock.advance(1000);
    rig.agent().text(' two');
    rig.clock.advance(1000);
    const contents = () =>
      client
        .chat(chat)
        .turns.map(({ responseParts }) =>
          responseParts.map((part) => (part.kind === 'markdown' ? part.content : part.kind)),
        );
    expect(contents()).toEqual([['one', ' two']]);
    rig.clock.advance(1000);
    rig.agent().text('three');
    expect(client.chat(chat).activeTurn?.message.origin.kind).toBe('agent');
  });

  it('waits while another turn runs, which keeps only its own output', () => {
    const { rig, client, chat, tool } = running();
    tool('running');
    rig.agent().endTurn();
    rig.clock.advance(500);
    client.queue(chat, 'next');
    tool('completed');
    rig.agent().text('new');
    rig.clock.advance(5000);
    expect(client.chat(chat).activeTurn?.responseParts).toMatchObject([{ content: 'new' }]);
    expect(client.chat(chat).turns).toMatchObject([
      { responseParts: [{ toolCall: { status: 'cancelled' } }] },
    ]);
    rig.agent().endTurn();
    rig.clock.advance(5000);
    expect(client.chat(chat).turns).toMatchObject([
      { responseParts: [{ toolCall: { status: 'completed' } }] },
      { responseParts: [{ content: 'new' }] },
    ]);
  });

  it('does not touch a turn that was cancelled (F-041)', () => {
    const { rig, client, chat, tool } = running();
    tool('running');
    const turn = rig.agent().turn();
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId: turn, duration: 0 });
    rig.agent().report({ type: 'turnEnded', turn, outcome: { stop: 'cancelled' } });
    rig.clock.advance(1000);
    tool('completed');
    rig.clock.advance(5000);
    expect(client.chat(chat).turns[0]).toMatchObject({
      state: 'cancelled',
      responseParts: [{ toolCall: { status: 'cancelled' } }],
    });
  });
});
