import { expect, it } from 'vitest';
import { Sequencer } from '../../src/host/sequencer.ts';
import type { ActionEnvelope } from '../../src/protocol/actions.ts';

function sequencer(onPublish?: (self: Sequencer) => void) {
  const published: ActionEnvelope[] = [];
  const self: Sequencer = new Sequencer((envelope) => {
    published.push(envelope);
    onPublish?.(self);
  });
  self.open('ahp-root://', 'root', { agents: [], activeSessions: 0 });
  return { self, published };
}

const count = (activeSessions: number) => ({ type: 'root/activeSessionsChanged', activeSessions }) as const;

it('reduces, numbers and publishes in one step (R-043)', () => {
  const { self, published } = sequencer();
  self.commit('ahp-root://', count(1));
  self.commit('ahp-root://', count(2));
  expect(published.map(({ serverSeq }) => serverSeq)).toEqual([1, 2]);
  expect(self.root().activeSessions).toBe(2);
  expect(self.snapshot('ahp-root://')).toEqual({ resource: 'ahp-root://', state: self.root(), fromSeq: 2 });
});

it('leaves origin out of what the host says itself, and never writes null (A-4)', () => {
  const { self, published } = sequencer();
  self.commit('ahp-root://', count(1));
  self.commit('ahp-root://', count(2), { clientId: 'c', clientSeq: 7 });
  expect(published.map((envelope) => 'origin' in envelope)).toEqual([false, true]);
});

it('drops a host action that changes nothing and echoes a client one all the same (A-32)', () => {
  const { self, published } = sequencer();
  const nothing = { type: 'root/configChanged', config: {} } as const;
  expect(self.commit('ahp-root://', nothing)).toBeUndefined();
  expect(self.commit('ahp-root://', nothing, { clientId: 'c', clientSeq: 1 })).toMatchObject({
    serverSeq: 1,
  });
  expect(published).toHaveLength(1);
});

it('refuses to be called from inside itself, and goes on afterwards', () => {
  const { self } = sequencer((inner) => inner.commit('ahp-root://', count(9)));
  expect(() => self.commit('ahp-root://', count(1))).toThrow(/inside a reducer or a subscriber/);
  const { self: other } = sequencer();
  other.commit('ahp-root://', count(1));
  expect(other.serverSeq).toBe(1);
});

it('knows its channels by how they were opened, not by their names (S-14)', () => {
  const { self } = sequencer();
  self.open('ahp-session:/x/annotations', 'annotations', { annotations: [] });
  expect(self.kindOf('ahp-session:/x/annotations')).toBe('annotations');
  expect(() => self.session('ahp-session:/x/annotations')).toThrow(/not a session/);
  self.close('ahp-session:/x/annotations');
  expect(() => self.commit('ahp-session:/x/annotations', count(1))).toThrow(/unknown channel/);
});
