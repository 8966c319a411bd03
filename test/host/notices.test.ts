import { describe, expect, it } from 'vitest';
import { createRig } from '../support/host-rig.ts';

function running() {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'please go');
  const parts = () => client.chat(chat).activeTurn?.responseParts ?? [];
  return { rig, client, chat, parts };
}

describe('a notice', () => {
  it('is a part of its turn, between the words around it', () => {
    const { rig, parts } = running();
    rig.agent().text('before');
    rig
      .agent()
      .report({ type: 'notice', severity: 'warning', title: 'Low on credit', description: 'Two turns left' });
    rig.agent().text('after');
    expect(parts()).toMatchObject([
      { content: 'before' },
      {
        kind: 'systemNotification',
        content: 'Low on credit\n\nTwo turns left',
        _meta: { otto: { notice: { severity: 'warning' } } },
      },
      { content: 'after' },
    ]);
  });

  it.each([
    ['info', false],
    ['odd', false],
    ['warning', true],
    ['error', true],
  ])('of severity %s outside a turn opens one: %s', (severity, opens) => {
    const { rig, client, chat } = running();
    rig.agent().endTurn();
    rig.agent().report({ type: 'notice', severity, title: 'Something' });
    expect(client.chat(chat).activeTurn !== undefined).toBe(opens);
  });
});

describe('a compaction', () => {
  it('is an activity while it lasts and a part when it is done', () => {
    const { rig, client, chat, parts } = running();
    rig.agent().report({ type: 'compaction', id: 'c', status: 'in_progress' });
    expect(client.chat(chat).activity).toBe('Compacting…');
    rig.agent().report({ type: 'compaction', id: 'c', status: 'completed', summary: 'All was well' });
    expect(client.chat(chat).activity).toBeUndefined();
    expect(parts()).toMatchObject([
      {
        kind: 'systemNotification',
        _meta: { otto: { compaction: { id: 'c', status: 'completed', summary: 'All was well' } } },
      },
    ]);
  });

  it('that failed says why; a cancelled one says nothing', () => {
    const { rig, parts } = running();
    rig.agent().report({ type: 'compaction', id: 'c', status: 'cancelled' });
    rig.agent().report({ type: 'compaction', id: 'd', status: 'failed', error: 'no room' });
    expect(parts()).toMatchObject([{ content: 'The conversation could not be summarised: no room' }]);
  });
});

describe('words of a user that come back from the agent', () => {
  it('are not shown when they repeat the prompt, in as many pieces as they like (F-077)', () => {
    const { rig, parts } = running();
    rig.agent().report({ type: 'userText', text: 'please ' });
    rig.agent().report({ type: 'userText', text: 'go' });
    expect(parts()).toEqual([]);
  });

  it('are shown when they say something else (F-077)', () => {
    const { rig, parts } = running();
    rig.agent().report({ type: 'userText', text: 'left\nthen right' });
    expect(parts()).toMatchObject([{ content: { markdown: '> left\n> then right' } }]);
  });

  it('open no turn by themselves', () => {
    const { rig, client, chat } = running();
    rig.agent().endTurn();
    rig.agent().report({ type: 'userText', text: 'late echo' });
    expect(client.chat(chat).activeTurn).toBeUndefined();
  });
});

it('a file is shown where it came, once', () => {
  const { rig, parts } = running();
  const ref = { uri: 'file:///cache/a.png', contentType: 'image/png' };
  rig.agent().text('look:');
  rig.agent().report({ type: 'media', ref });
  rig.agent().report({ type: 'media', ref });
  expect(parts()).toMatchObject([{ content: 'look:' }, { kind: 'contentRef', ...ref }]);
});

describe('updates that nobody knows', () => {
  const updatesOf = (client: ReturnType<typeof running>['client']) =>
    (client.sessionState()._meta?.['otto'] as { updates?: object[] } | undefined)?.updates;

  it('are kept as they came, of the newest turn, and not told to those who list', () => {
    const { rig, client, chat } = running();
    rig.agent().report({ type: 'unknown', update: { sessionUpdate: 'mood', mood: 'fine' } });
    rig.agent().endTurn();
    const turn = client.chat(chat).turns[0]?.id;
    expect(updatesOf(client)).toEqual([{ turn, update: { sessionUpdate: 'mood', mood: 'fine' } }]);
    expect(JSON.stringify(client.notices)).not.toContain('mood');
    client.queue(chat, 'again');
    rig.agent().endTurn();
    expect(updatesOf(client)).toBeUndefined();
  });

  it('are bounded: the oldest go first', () => {
    const { rig, client } = running();
    for (let n = 0; n < 100; n++)
      rig.agent().report({ type: 'unknown', update: { n, filler: 'x'.repeat(2000) } });
    rig.agent().endTurn();
    const kept = updatesOf(client) ?? [];
    expect(JSON.stringify(kept).length).toBeLessThan(70_000);
    expect(kept.at(-1)).toMatchObject({ update: { n: 99 } });
  });
});
