// An agent that is asked to go hears first what became of its questions and its prompt, then the end of its stdin.
import { describe, expect, it } from 'vitest';
import { message, startRig } from './acp-rig.ts';

/** What the agent received after its prompt: answers as their outcome, other messages as their method, and the end. */
function heard(entries: Record<string, unknown>[]): unknown[] {
  const words = entries.map((entry) => {
    const got = entry['received'] as { method?: string; result?: Record<string, unknown> } | undefined;
    if (got === undefined) return Object.keys(entry)[0];
    return got.method ?? (got.result?.['outcome'] as { outcome: string })?.outcome ?? got.result?.['action'];
  });
  return words.slice(words.indexOf('session/prompt') + 1);
}

async function asking(...steps: string[]) {
  // No signal may come before it has read all: how it ends is then its own doing.
  const slow = { polite: { term: 30_000, kill: 30_000 } };
  const rig = startRig({ script: { prompts: [[...steps, 'hang']] }, limits: slow });
  await rig.next('started');
  rig.handle.prompt('turn-1', message('go'));
  return rig;
}

describe('an agent that is stopped', () => {
  it('with two permissions and a form open gets three answers, the cancel, then the end (F-048, F-074)', async () => {
    const rig = await asking('ask', 'elicit:later', 'ask');
    const [first, form, second] = [
      await rig.next('permissionAsked'),
      await rig.next('inputAsked'),
      await rig.next('permissionAsked'),
    ];
    for (const { reply } of [first, second]) reply({ outcome: 'cancelled' });
    form.reply({ response: 'cancel' });
    rig.handle.cancel('turn-1');
    rig.handle.stop();
    expect(await rig.next('stopped')).toEqual({ type: 'stopped', asked: true });
    expect(heard(rig.entries())).toEqual(['cancelled', 'cancelled', 'cancel', 'session/cancel', 'eof']);
  });

  it('with a prompt running hears of the cancel before the end', async () => {
    const rig = await asking('say working');
    await rig.next('text');
    rig.handle.cancel('turn-1');
    rig.handle.stop();
    await rig.next('stopped');
    expect(heard(rig.entries())).toEqual(['session/cancel', 'eof']);
  });

  it('gets every answer however many there are (F-074)', async () => {
    const rig = await asking(...Array(200).fill('ask'));
    const asked = [];
    while (asked.length < 200) asked.push(await rig.next('permissionAsked'));
    for (const { reply } of asked) reply({ outcome: 'cancelled' });
    rig.handle.stop();
    await rig.next('stopped');
    expect(heard(rig.entries())).toEqual([...Array(200).fill('cancelled'), 'eof']);
  });
});
