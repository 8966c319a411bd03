import { describe, expect, it } from 'vitest';
import type {
  PermissionDecision,
  PermissionHints,
  PermissionOption,
  ToolPatch,
} from '../../src/host/ports.ts';
import type { PendingToolCall } from '../../src/protocol/state-tool.ts';
import { confirm, deny } from '../support/questions.ts';
import { text, toolTurn } from '../support/tools.ts';

const OPTIONS: PermissionOption[] = [
  { id: 'once', label: 'Yes', kind: 'allow_once' },
  { id: 'no', label: 'No', kind: 'reject_once' },
];

function asking(permissions: 'ask' | 'allow' | 'deny' = 'ask') {
  const turn = toolTurn({ permissions });
  const ask = (id: string, patch: ToolPatch, hints: Partial<PermissionHints> = {}) => {
    const decisions: PermissionDecision[] = [];
    turn.rig.agent().report({
      type: 'permissionAsked',
      key: `key-${id}`,
      toolCallId: id,
      patch,
      options: OPTIONS,
      hints: { defaultToNo: false, ...hints },
      reply: (decision) => void decisions.push(decision),
    });
    return decisions;
  };
  return { ...turn, ask, pending: () => turn.call() as PendingToolCall };
}

describe('a call that asks', () => {
  it('has what its announcement said where the request only names it (F-015)', () => {
    const { client, rig, tool, ask, pending } = asking();
    tool('x', {
      title: 'Delete build/',
      kind: 'delete',
      status: 'pending',
      rawInput: { path: 'build' },
      locations: [{ path: '/folder/build' }],
    });
    ask('x', { status: 'pending' });
    const known = {
      status: 'pending-confirmation',
      displayName: 'Delete build/',
      invocationMessage: 'Delete build/',
      toolInput: '{"path":"/folder/build","rawInput":{"path":"build"}}',
      confirmationTitle: 'Fake wants to delete a file',
    };
    expect(pending()).toMatchObject(known);
    expect(client.sessionState().inputNeeded).toMatchObject([{ toolCall: known }]);
    rig.clock.advance(20_000);
    expect(rig.dialogs[0]?.request.about).toMatchObject({ title: 'Delete build/' });
  });

  it.each([['rm -rf ~'], [['rm', '-rf']], [0], [false]])(
    'shows the input %j although it is no object, and says nothing else of it',
    (rawInput) => {
      const { client, rig, chat, turnId, tool, ask, call, pending } = asking();
      tool('x', { title: 'Run it', status: 'pending', rawInput: Array.isArray(rawInput) ? [] : '' });
      ask('x', { rawInput });
      const toolInput = JSON.stringify({ rawInput });
      expect(pending()).toMatchObject({ status: 'pending-confirmation', toolInput });
      expect(pending()).not.toHaveProperty('intention');
      expect(client.sessionState().inputNeeded).toMatchObject([{ toolCall: { toolInput } }]);
      client.dispatch(chat, confirm(turnId, 'x'));
      tool('x', { status: 'completed', rawInput: [] });
      rig.clock.advance(1000);
      expect(call()).toMatchObject({ status: 'completed', toolInput });
    },
  );

  it('is made from the request where nothing was announced, and what follows is the same call (F-013)', () => {
    const { rig, client, chat, turnId, tool, ask, call, parts } = asking();
    const patch: ToolPatch = { title: 'Run it', kind: 'execute', rawInput: { command: 'it' } };
    ask('x', patch);
    client.dispatch(chat, confirm(turnId, 'x'));
    tool('x', { ...patch, status: 'pending' });
    rig.clock.advance(1000);
    tool('x', { status: 'completed' });
    expect(parts()).toHaveLength(1);
    expect(call()).toMatchObject({
      status: 'completed',
      displayName: 'Run it',
      toolInput: '{"rawInput":{"command":"it"}}',
      confirmed: 'user-action',
    });
  });

  describe('a second time while its question is open', () => {
    const twice = () => {
      const turn = asking();
      const first = turn.ask('x', { title: 'Run it', rawInput: { command: 'it' } });
      const second = turn.ask('x', { rawInput: { command: 'it --really' } });
      expect([first, second]).toEqual([[], []]);
      expect(turn.client.sessionState().inputNeeded).toHaveLength(1);
      expect(JSON.parse(turn.pending().toolInput as string)).toEqual({ rawInput: { command: 'it' } });
      return { ...turn, first, second };
    };
    const once = { outcome: 'selected', optionId: 'once' };
    const no = { outcome: 'selected', optionId: 'no' };

    it('asks again once the first was allowed', () => {
      const { client, chat, turnId, first, second, pending } = twice();
      client.dispatch(chat, confirm(turnId, 'x', 'once'));
      expect([first, second]).toEqual([[once], []]);
      expect(pending()).toMatchObject({ status: 'pending-confirmation' });
      expect(JSON.parse(pending().toolInput as string)).toEqual({ rawInput: { command: 'it --really' } });
      client.dispatch(chat, deny(turnId, 'x'));
      expect(second).toEqual([no]);
      expect(client.sessionState().inputNeeded).toBeUndefined();
    });

    it('is refused with the first', () => {
      const { client, chat, turnId, first, second } = twice();
      client.dispatch(chat, deny(turnId, 'x'));
      expect([first, second]).toEqual([[no], [no]]);
    });

    it('is refused with the first when nobody answers', () => {
      const { rig, client, chat, first, second } = twice();
      rig.host.unsubscribe(client, chat);
      rig.dialogs[0]?.reply({ kind: 'ended' });
      expect([first, second]).toEqual([[no], [no]]);
    });

    it('is cancelled with the turn', () => {
      const { client, chat, turnId, first, second } = twice();
      client.dispatch(chat, { type: 'chat/turnCancelled', turnId, duration: 0 });
      expect([first, second]).toEqual([[{ outcome: 'cancelled' }], [{ outcome: 'cancelled' }]]);
    });

    it('is withdrawn alone', () => {
      const turn = asking();
      const first = turn.ask('x', { title: 'Run it' });
      const second: PermissionDecision[] = [];
      turn.rig.agent().report({
        type: 'permissionAsked',
        key: 'second',
        toolCallId: 'x',
        patch: {},
        options: OPTIONS,
        hints: { defaultToNo: false },
        reply: (decision) => void second.push(decision),
      });
      turn.rig.agent().report({ type: 'withdrawn', key: 'second' });
      expect([first, second]).toEqual([[], [{ outcome: 'cancelled' }]]);
      turn.client.dispatch(turn.chat, confirm(turn.turnId, 'x', 'once'));
      expect([first, second]).toEqual([[once], [{ outcome: 'cancelled' }]]);
    });
  });

  it('says how many of its paths are not named (F-065)', () => {
    const { ask, pending } = asking();
    const locations = Array.from({ length: 60 }, (_, at) => ({ path: `/folder/${at}` }));
    ask('x', { title: 'Delete them', kind: 'delete', locations });
    expect(pending()._meta).toMatchObject({ otto: { locations: locations.slice(0, 50), locationsCut: 10 } });
  });

  it('shows the whole command (F-065)', () => {
    const { ask, pending } = asking();
    const command = `${'x'.repeat(4000)} && rm -rf /\u202e`;
    ask('x', { title: command, rawInput: { command } });
    expect(JSON.parse(pending().toolInput as string)).toEqual({ rawInput: { command } });
  });

  it('is not seen running first when the request follows at once', () => {
    const { rig, said, tool, ask } = asking();
    tool('x', { title: 'Run', status: 'running', rawInput: { command: 'x' } });
    rig.clock.advance(10);
    ask('x', {});
    rig.clock.advance(5000);
    expect(said()).toEqual(['chat/toolCallStart', 'chat/toolCallReady']);
  });

  it('while it runs gets back after the answer what asking erased', () => {
    const { rig, client, chat, turnId, tool, ask, call, said } = asking();
    tool('x', { title: 'Run', status: 'running', content: [text('so far')] });
    rig.clock.advance(1000);
    ask('x', { content: [text('what it wants')] });
    expect(call()).toMatchObject({ status: 'pending-confirmation' });
    expect(call()?.content).toBeUndefined();
    said();
    client.dispatch(chat, confirm(turnId, 'x'));
    rig.clock.advance(16);
    expect(said()).toEqual(['chat/toolCallConfirmed', 'chat/toolCallContentChanged']);
    expect(call()).toMatchObject({ status: 'running', content: [text('so far')] });
    expect(client.chat(chat).activity).toBe('Run');
  });

  it('stays as it was asked while a person looks at it', () => {
    const { rig, client, chat, turnId, tool, ask, call, said } = asking();
    ask('x', { title: 'ls', rawInput: { command: 'ls' } });
    said();
    tool('x', { title: 'rm', rawInput: { command: 'rm' } });
    rig.clock.advance(1000);
    expect(said()).toEqual([]);
    client.dispatch(chat, confirm(turnId, 'x'));
    rig.clock.advance(16);
    expect(said()).toEqual(['chat/toolCallConfirmed', 'chat/toolCallReady']);
    expect(call()).toMatchObject({ invocationMessage: 'rm', confirmed: 'user-action' });
  });

  it('is cancelled when a person refuses it, and what the agent then says changes nothing', () => {
    const { rig, client, chat, turnId, tool, ask, call, said } = asking();
    ask('x', { title: 'Run' });
    client.dispatch(chat, deny(turnId, 'x'));
    said();
    tool('x', { status: 'failed', content: [text('refused')] });
    tool('x', { status: 'running' });
    rig.clock.advance(1000);
    expect(said()).toEqual([]);
    expect(call()).toMatchObject({ status: 'cancelled', reason: 'denied' });
    rig.agent().endTurn();
    expect(client.chat(chat).activeTurn).toBeUndefined();
  });

  it('again after it was over is asked as another call', () => {
    const { client, chat, turnId, ask, call } = asking();
    ask('x', { title: 'Run' });
    client.dispatch(chat, deny(turnId, 'x'));
    const decisions = ask('x', { title: 'Run' });
    expect(call()).toMatchObject({ toolCallId: 'x#2', status: 'pending-confirmation' });
    client.dispatch(chat, confirm(turnId, 'x#2'));
    expect(decisions).toEqual([{ outcome: 'selected', optionId: 'once' }]);
  });

  it('and goes ahead without the answer is no longer a question', () => {
    const { rig, client, tool, ask, call } = asking();
    const decisions = ask('x', { title: 'Run' });
    tool('x', { status: 'completed', rawOutput: 'done' });
    expect(call()).toMatchObject({ status: 'completed', content: [text('done')] });
    expect(client.sessionState().inputNeeded).toBeUndefined();
    expect(decisions).toEqual([{ outcome: 'cancelled' }]);
    rig.clock.advance(60_000);
    expect(rig.dialogs).toEqual([]);
  });

  it('is presented in the words of the agent behind its name, on one line each (R-139)', () => {
    const { ask, pending } = asking();
    ask(
      'x',
      { title: 'Run' },
      { title: 'System:\n update now', description: 'because\n so', defaultToNo: true },
    );
    expect(pending().confirmationTitle).toBe('Fake: System: update now');
    expect(pending()._meta).toEqual({
      otto: {
        defaultOption: 'no',
        optionKinds: { once: 'allow_once', no: 'reject_once' },
        note: 'because so',
      },
    });
  });

  it('without such words names what it wants, in a form that others can say too (facts 2.4)', () => {
    const { ask, pending } = asking();
    ask('x', { title: 'Run', kind: 'execute' });
    expect(pending().confirmationTitle).toBe('Fake wants to run a command');
    expect(pending()._meta?.['otto']).toMatchObject({
      title: {
        key: 'agents-permission-title',
        args: { agent: 'Fake', action: 'agents-permission-execute' },
      },
    });
  });
});

describe('a call that a policy answers', () => {
  it.each([
    ['allow', true],
    ['deny', false],
  ] as const)('%s is said with the decision, also when it seemed to run', (policy, allowed) => {
    const { rig, tool, ask, call } = asking(policy);
    tool('x', { title: 'Run', status: 'running', rawInput: { command: 'x' }, content: [text('so far')] });
    rig.clock.advance(300);
    ask('x', {});
    rig.clock.advance(16);
    expect(call()).toMatchObject({
      status: 'running',
      confirmed: 'setting',
      content: [text('so far')],
      _meta: { otto: { decision: { by: 'policy', allowed } } },
    });
  });

  it('deny ends as refused, by the word of the agent or with the turn', () => {
    const { rig, client, chat, tool, ask, call, parts } = asking('deny');
    ask('x', { title: 'Run' });
    tool('x', { status: 'failed', content: [text('no')] });
    const refused = { status: 'completed', success: false, error: { code: 'denied' } };
    expect(call()).toMatchObject(refused);
    ask('y', { title: 'Run' });
    rig.agent().endTurn();
    rig.clock.advance(500);
    expect(client.chat(chat).activeTurn).toBeUndefined();
    expect(parts()).toMatchObject([{ toolCall: refused }, { toolCall: refused }]);
  });

  it('allow takes what follows as its result', () => {
    const { tool, ask, call } = asking('allow');
    ask('x', { title: 'Run', status: 'pending', content: [text('what it does')] });
    tool('x', { content: [text('what came of it')] });
    tool('x', { status: 'completed' });
    expect(call()?.content).toEqual([text('what came of it')]);
  });
});
