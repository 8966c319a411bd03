import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/protocol/actions.ts';
import { ACTIONS } from '../../../src/protocol/actions.ts';
import type { ChannelState } from '../../../src/protocol/commands.ts';
import { type ChannelKind, REDUCERS } from '../../../src/protocol/reduce/channel.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';

const STATES: Readonly<Record<ChannelKind, ChannelState>> = deepFreeze({
  root: { agents: [] },
  session: { provider: 'p', title: 't', status: 1, lifecycle: 'ready', activeClients: [], chats: [] },
  chat: { resource: 'ahp-chat:/1', title: 't', status: 1, modifiedAt: '2026-01-01T00:00:00.000Z', turns: [] },
  terminal: {
    title: 't',
    content: [],
    lifecycle: { status: 'running' },
    claim: { kind: 'client', clientId: 'c' },
  },
  changeset: { status: 'ready', files: [] },
  annotations: { annotations: [] },
  resourceWatch: { root: 'file:///w', recursive: true },
});
const KINDS = Object.keys(REDUCERS) as ChannelKind[];

// A Proxy answers every field, so an action that is not refused by its type would leave a trace or throw.
function wildAction(type: string): Action {
  const wild = new Proxy({ type }, { get: (target, key) => (key === 'type' ? target.type : 'x') });
  return wild as unknown as Action;
}

describe('every channel', () => {
  it.each(KINDS)('a %s keeps its object for an action of an unknown type (A-8)', (kind) => {
    for (const type of [`${kind}/fromTheFuture`, '', 'toString', '__proto__']) {
      expect(REDUCERS[kind](STATES[kind], wildAction(type))).toBe(STATES[kind]);
    }
  });

  it.each(KINDS)('a %s keeps its object for every action of another channel', (kind) => {
    const foreign = Object.keys(ACTIONS).filter((type) => !type.startsWith(`${kind}/`));
    expect(foreign.length).toBeGreaterThan(60);
    for (const type of foreign) expect(REDUCERS[kind](STATES[kind], wildAction(type))).toBe(STATES[kind]);
  });

  it('a resource watch never changes (SHAPES 14.8)', () => {
    const changes = { items: [{ uri: 'file:///w/a', type: 'added' }] };
    const watch = STATES.resourceWatch;
    expect(REDUCERS.resourceWatch(watch, { type: 'resourceWatch/changed', changes })).toBe(watch);
  });
});
