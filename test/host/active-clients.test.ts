import { describe, expect, it } from 'vitest';
import { createRig, FOLDER, SESSION } from '../support/host-rig.ts';

function joined() {
  const rig = createRig();
  const { client } = rig.session();
  const activeClient = { clientId: 'client', displayName: 'Editor', tools: [] };
  client.dispatch(SESSION, { type: 'session/activeClientSet', activeClient });
  const watcher = rig.client('watcher');
  watcher.subscribe(SESSION);
  const active = () => watcher.sessionState().activeClients.map(({ clientId }) => clientId);
  return { rig, client, active };
}

describe('an active client', () => {
  it('can join and leave only for itself (SE-17, SE-18)', () => {
    const { rig, client, active } = joined();
    const set = { type: 'session/activeClientSet', activeClient: { clientId: 'other', tools: [] } } as const;
    const remove = (clientId: string) => ({ type: 'session/activeClientRemoved', clientId }) as const;
    const other = rig.client('other');
    expect(client.dispatch(SESSION, set)?.rejectionReason).toMatch(/for itself/);
    expect(other.dispatch(SESSION, remove('client'))?.rejectionReason).toMatch(/for itself/);
    expect(client.dispatch(SESSION, remove('other'))?.rejectionReason).toMatch(/for itself/);
    expect(active()).toEqual(['client']);
    client.dispatch(SESSION, remove('client'));
    expect(active()).toEqual([]);
    expect(client.dispatch(SESSION, remove('client'))?.rejectionReason).toMatch(/not active/);
  });

  it('is there from the start when createSession names it (SE-7)', () => {
    const rig = createRig();
    const client = rig.client();
    rig.host.createSession(client, {
      channel: SESSION,
      workingDirectories: [FOLDER],
      activeClient: { clientId: 'client', tools: [] },
    });
    client.subscribe(SESSION);
    expect(client.sessionState().activeClients).toEqual([{ clientId: 'client', tools: [] }]);
  });

  it('goes when it unsubscribes from the session (CU-33)', () => {
    const { rig, client, active } = joined();
    rig.host.unsubscribe(client, SESSION);
    expect(active()).toEqual([]);
  });

  it('goes a minute after its connection, and stays when it comes back in time (HOST-CHECKLIST 24.37)', () => {
    const { rig, client, active } = joined();
    rig.host.detach(client);
    rig.clock.advance(59_999);
    const again = rig.client('client');
    rig.host.reconnect(again, rig.host.serverSeq, [SESSION]);
    rig.clock.advance(600_000);
    expect(active()).toEqual(['client']);
    rig.host.detach(again);
    rig.clock.advance(60_000);
    expect(active()).toEqual([]);
  });

  it('goes when it comes back without the session (L-28)', () => {
    const { rig, client, active } = joined();
    rig.host.detach(client);
    rig.host.reconnect(rig.client('client'), rig.host.serverSeq, []);
    expect(active()).toEqual([]);
  });
});
