// Permission requests through the ACP backend: asked once, answered once, and never answered with what was not offered.
import { describe, expect, it } from 'vitest';
import { startRig } from './acp-rig.ts';

async function asking(...steps: string[]) {
  const rig = startRig({ script: { prompts: [steps] } });
  await rig.next('started');
  rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
  return { ...rig, asked: await rig.next('permissionAsked') };
}

describe('a permission request', () => {
  it('carries the call and the options in order, and passes the choice back', async () => {
    const rig = await asking(
      'permission {"toolCall":{"toolCallId":"c","title":"rm -r build","kind":"delete","rawInput":{"path":"build"}}}',
    );
    expect(rig.asked).toEqual({
      type: 'permissionAsked',
      key: 'permission-1',
      toolCallId: 'c',
      patch: { title: 'rm -r build', kind: 'delete', rawInput: { path: 'build' } },
      options: [
        { id: 'yes', label: 'Allow', kind: 'allow_once' },
        { id: 'no', label: 'Reject', kind: 'reject_once' },
      ],
      hints: { defaultToNo: false },
      reply: expect.any(Function),
    });
    rig.asked.reply({ outcome: 'selected', optionId: 'yes' });
    rig.asked.reply({ outcome: 'selected', optionId: 'no' });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[selected yes]');
    expect(rig.of('withdrawn')).toEqual([]);
  });

  it('answered cancelled reaches the agent as cancelled', async () => {
    const rig = await asking('permission');
    rig.asked.reply({ outcome: 'cancelled' });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[cancelled]');
  });

  it('answered with an option that was not offered is cancelled', async () => {
    const rig = await asking('permission');
    rig.asked.reply({ outcome: 'selected', optionId: 'always' });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[cancelled]');
  });

  it('with kinds unknown to ACP is asked all the same, kinds unchanged', async () => {
    const rig = await asking(
      'permission {"options":[{"optionId":"s","name":"For now","kind":"allow_session"},{"optionId":"n","name":"No","kind":"reject_once"}]}',
    );
    expect(rig.asked.options.map(({ kind }) => kind)).toEqual(['allow_session', 'reject_once']);
    rig.asked.reply({ outcome: 'selected', optionId: 's' });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[selected s]');
  });

  it.each([
    ['a hint on the request', '{"_meta":{"permission":{"defaultToNo":true}}}'],
    [
      'a hint on the call',
      '{"toolCall":{"toolCallId":"c","_meta":{"jetbrains":{"air":{"permission":{"defaultToNo":true}}}}}}',
    ],
    [
      'a rejecting option in first place',
      '{"options":[{"optionId":"n","name":"No","kind":"reject_once"},{"optionId":"y","name":"Yes","kind":"allow_once"}]}',
    ],
  ])('starts on no because of %s', async (_, request) => {
    const rig = await asking(`permission ${request}`);
    expect(rig.asked.hints.defaultToNo).toBe(true);
    rig.asked.reply({ outcome: 'cancelled' });
    await rig.next('turnEnded');
  });

  it('may say how it wants to be presented, on the request or on its call (acp-to-ahp 3.1)', async () => {
    const rig = await asking(
      'permission {"_meta":{"permission":{"title":"T","defaultToNo":"yes"}},"toolCall":{"toolCallId":"c","_meta":{"jetbrains":{"air":{"permission":{"version":1,"title":"other","description":"D"}}}}}}',
    );
    expect(rig.asked.hints).toEqual({ title: 'T', description: 'D', defaultToNo: false });
    rig.asked.reply({ outcome: 'cancelled' });
    await rig.next('turnEnded');
  });

  it.each(['"x"', '{"title":3,"defaultToNo":1}', 'null', '[]'])(
    'with the unreadable hint %s is asked without it',
    async (hint) => {
      const rig = await asking(`permission {"_meta":{"permission":${hint}}}`);
      expect(rig.asked.hints).toEqual({ defaultToNo: false });
      rig.asked.reply({ outcome: 'cancelled' });
      await rig.next('turnEnded');
    },
  );

  it('of only an id says nothing else of its call, so that the announced call stays (F-015)', async () => {
    const rig = await asking('permission {"toolCall":{"toolCallId":"c","kind":"delete","status":"pending"}}');
    expect(rig.asked.patch).toEqual({ kind: 'delete', status: 'pending' });
    rig.asked.reply({ outcome: 'cancelled' });
    await rig.next('turnEnded');
  });

  it('of a sub-agent keeps the call it belongs to, also from a session nobody announced (F-054)', async () => {
    const meta = '"_meta":{"claudeCode":{"parentToolUseId":"task"}}';
    const rig = await asking(
      `permission {${meta}}`,
      `permission {"sessionId":"child",${meta}}`,
      `permission {"toolCall":{"toolCallId":"c",${meta}}}`,
    );
    expect(rig.asked.patch.parent).toBe('task');
    rig.asked.reply({ outcome: 'selected', optionId: 'yes' });
    for (const _ of [2, 3]) {
      const asked = await rig.next('permissionAsked');
      expect(asked.patch.parent).toBe('task');
      asked.reply({ outcome: 'selected', optionId: 'no' });
    }
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[selected yes][selected no][selected no]');
  });

  it('of a session nobody announced is asked when its call alone names the task (F-054)', async () => {
    const rig = await asking(
      'permission {"sessionId":"child","toolCall":{"toolCallId":"c","_meta":{"claudeCode":{"parentToolUseId":"task"}}}}',
    );
    expect(rig.asked).toMatchObject({ toolCallId: 'c', patch: { parent: 'task' } });
    rig.asked.reply({ outcome: 'selected', optionId: 'yes' });
    await rig.next('turnEnded');
    expect(rig.text()).toBe('[selected yes]');
  });

  it('of a session that is not ours is cancelled unasked', async () => {
    const rig = startRig({ script: { prompts: [['ask {"sessionId":"other"}', 'permission']] } });
    await rig.next('started');
    rig.handle.prompt('a', { text: 'x', origin: { kind: 'user' } });
    (await rig.next('permissionAsked')).reply({ outcome: 'selected', optionId: 'yes' });
    await rig.next('turnEnded');
    expect(rig.of('permissionAsked')).toHaveLength(1);
    const results = rig.entries().flatMap(({ received }) => {
      const { id, result } = (received ?? {}) as { id?: string; result?: object };
      return id === 'agent-1' ? [result] : [];
    });
    expect(results).toEqual([{ outcome: { outcome: 'cancelled' } }]);
  });

  it('outside a turn is asked like any other (F-054)', async () => {
    const rig = startRig({ script: { prompts: [['answer {"stopReason":"end_turn"}', 'ask']] } });
    await rig.next('started');
    await rig.prompt('x');
    (await rig.next('permissionAsked')).reply({ outcome: 'selected', optionId: 'no' });
  });

  it('the agent takes back is withdrawn under its key, and a late reply changes nothing', async () => {
    const rig = await asking('ask', 'ask', 'withdraw', 'say gone');
    const second = await rig.next('permissionAsked');
    expect(await rig.next('withdrawn')).toEqual({ type: 'withdrawn', key: second.key });
    second.reply({ outcome: 'selected', optionId: 'yes' });
    rig.asked.reply({ outcome: 'selected', optionId: 'no' });
    await rig.next('turnEnded');
    rig.handle.stop();
    await rig.next('stopped');
    const answers = rig.entries().flatMap(({ received }) => {
      const answer = received as { id?: unknown; result?: { outcome?: unknown } } | undefined;
      return answer?.result === undefined ? [] : [[answer.id, answer.result.outcome]];
    });
    expect(Object.fromEntries(answers)).toEqual({
      'agent-1': { outcome: 'selected', optionId: 'no' },
      'agent-2': { outcome: 'cancelled' },
    });
  });

  it('without a call or without options is cancelled unasked', async () => {
    const rig = startRig({
      script: { prompts: [['permission {"options":[]}', 'permission {"toolCall":null}']] },
    });
    await rig.next('started');
    await rig.prompt('x');
    expect(rig.text()).toBe('[cancelled][cancelled]');
    expect(rig.of('permissionAsked')).toEqual([]);
  });

  it('before the session is there is cancelled unasked', async () => {
    const rig = startRig({ script: { on: { 'session/new': ['permission'] } } });
    await rig.next('started');
    expect((await rig.next('text')).text).toBe('[cancelled]');
    expect(rig.of('permissionAsked')).toEqual([]);
  });

  it('open while the agent dies ends with it; a late reply is ignored', async () => {
    const rig = await asking('ask', 'exit 2');
    await rig.next('stopped');
    rig.asked.reply({ outcome: 'selected', optionId: 'yes' });
    expect(rig.events.at(-1)?.type).toBe('stopped');
    expect(rig.of('withdrawn')).toEqual([]);
  });
});
