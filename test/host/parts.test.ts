import { describe, expect, it } from 'vitest';
import { createRig } from '../support/host-rig.ts';

function partsOf(state: { responseParts: readonly object[] } | undefined): object[] {
  return [...(state?.responseParts ?? [])];
}

describe('text', () => {
  it('opens a part with the first chunk and merges what follows for 16 ms (S-5, C-8)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    client.seen();
    for (const text of ['a', 'b', 'c']) rig.agent().text(text);
    expect(client.seen()).toEqual(['chat/responsePart']);
    rig.clock.advance(16);
    expect(client.seen()).toEqual(['chat/delta']);
    const turnId = client.chat(chat).activeTurn?.id;
    expect(partsOf(client.chat(chat).activeTurn)).toEqual([
      { kind: 'markdown', id: `${turnId}:0`, content: 'abc' },
    ]);
  });

  it('numbers every chunk at once for a subscriber that wants no delay (HOST-CHECKLIST 24.14)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    const eager = rig.client('eager');
    eager.subscribe(chat, { delivery: { maxLatencyMs: 0 } });
    client.queue(chat, 'go');
    client.seen();
    for (const text of ['a', 'b', 'c']) rig.agent().text(text);
    expect(client.seen()).toEqual(['chat/responsePart', 'chat/delta', 'chat/delta']);
    expect(eager.chat(chat)).toEqual(client.chat(chat));
  });

  it('keeps thoughts and text apart, in order of arrival (R-030)', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.agent().report({ type: 'text', to: 'thought', text: 'hm' });
    rig.agent().report({ type: 'text', to: 'thought', text: 'm' });
    rig.agent().text('yes');
    rig.agent().report({ type: 'text', to: 'thought', text: 'but' });
    rig.agent().report({ type: 'text', to: 'message', text: '1', messageId: 'm1' });
    rig.agent().report({ type: 'text', to: 'message', text: '2', messageId: 'm2' });
    rig.agent().endTurn();
    const parts = client
      .chat(chat)
      .turns[0]?.responseParts.map((part) =>
        part.kind === 'markdown' || part.kind === 'reasoning' ? [part.kind, part.content] : [],
      );
    expect(parts).toEqual([
      ['reasoning', 'hmm'],
      ['markdown', 'yes'],
      ['reasoning', 'but'],
      ['markdown', '1'],
      ['markdown', '2'],
    ]);
  });

  it('joins white space to what follows and drops it at the end of a part', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.agent().text('\n');
    rig.agent().text(' hello');
    rig.agent().report({ type: 'text', to: 'thought', text: '  ' });
    rig.agent().endTurn();
    const turn = client.chat(chat).turns[0];
    expect(partsOf(turn)).toEqual([{ kind: 'markdown', id: `${turn?.id}:0`, content: '\n hello' }]);
  });

  it('is complete before the turn ends', () => {
    const rig = createRig();
    const { client, chat } = rig.session();
    rig.agent().started();
    client.queue(chat, 'go');
    rig.agent().text('a');
    rig.agent().text('b');
    rig.agent().endTurn();
    const { turns, activeTurn } = client.chat(chat);
    expect(partsOf(turns[0])).toMatchObject([{ content: 'ab' }]);
    expect(activeTurn).toBeUndefined();
    expect(rig.clock.pending()).toBe(0);
  });
});
