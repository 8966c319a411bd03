// The ACP backend against a well-behaved agent: what is sent, what comes back, in which order.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAcpBackend } from '../../src/agents/backend.ts';
import { createLog } from '../../src/base/log.ts';
import { agentBackendContract } from '../contract/agent-backend.ts';
import { collector, message, SCRIPTED_AGENT, startRig, tempFolder } from './acp-rig.ts';

const SILENT = createLog(() => {});

function configured(id: string) {
  return {
    id,
    name: id.toUpperCase(),
    description: `the ${id}`,
    command: process.execPath,
    args: [SCRIPTED_AGENT],
    env: {},
    permissions: 'ask' as const,
  };
}

agentBackendContract('ACP', () => ({
  backend: createAcpBackend({ agents: [configured('scripted')], version: '0', log: SILENT }),
  spec: { provider: 'scripted', cwd: tempFolder() },
  answered: 'one two three',
  endless: '@say going\n@hang',
}));

const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask', description: 'asks' },
    { id: 'plan', name: 'Plan' },
  ],
};

describe('the ACP backend', () => {
  it('lists the configured agents in order, with their policies, and forgets nothing', () => {
    const backend = createAcpBackend({
      agents: [configured('a'), configured('b')],
      version: '0',
      log: SILENT,
    });
    expect(backend.agents()).toEqual([
      {
        info: { provider: 'a', displayName: 'A', description: 'the a', models: [] },
        permissions: 'ask',
        forgets: false,
      },
      {
        info: { provider: 'b', displayName: 'B', description: 'the b', models: [] },
        permissions: 'ask',
        forgets: false,
      },
    ]);
  });

  it('reports an agent that is not configured as a failed start', async () => {
    const seen = collector();
    createAcpBackend({ agents: [], version: '0', log: SILENT }).start(
      { provider: 'x', cwd: '/' },
      seen.report,
    );
    expect(await seen.next('stopped')).toEqual({
      type: 'stopped',
      asked: false,
      error: { kind: 'spawn', message: 'No agent "x" is configured' },
    });
  });

  it('offers neither files nor a terminal nor forms, and opens a session in the folder', async () => {
    const rig = startRig();
    expect(await rig.next('started')).toEqual({
      type: 'started',
      agentSession: 's1',
      fresh: true,
      can: { steer: false },
    });
    expect(rig.messages('initialize')).toMatchObject([
      {
        params: {
          protocolVersion: 1,
          clientInfo: { name: 'otto-agents', version: '0' },
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        },
      },
    ]);
    expect(rig.messages('initialize')[0]?.params).not.toHaveProperty('clientCapabilities.elicitation');
    expect(rig.messages('session/new')).toMatchObject([{ params: { cwd: rig.folder, mcpServers: [] } }]);
  });

  it('gives the agent the configured environment on top of the inherited one', async () => {
    const rig = startRig({
      agent: {
        args: [SCRIPTED_AGENT],
        env: { AGENT_SCRIPT: JSON.stringify({ prompts: [['say from the environment']] }) },
      },
    });
    await rig.next('started');
    await rig.prompt('hi');
    expect(rig.text()).toBe('from the environment');
  });

  it('sends text and one link per attachment, and leaves blank text out (R-055)', async () => {
    const rig = startRig();
    await rig.next('started');
    const file = { type: 'resource' as const, label: 'é #1.txt', uri: 'file:///tmp/%C3%A9%20%231.txt' };
    rig.handle.prompt('a', message('look', [file]));
    await rig.next('turnEnded');
    rig.handle.prompt('b', message(' \n', [file]));
    await rig.next('turnEnded');
    const link = { type: 'resource_link', uri: file.uri, name: file.label };
    expect(rig.messages('session/prompt').map(({ params }) => params)).toEqual([
      { sessionId: 's1', prompt: [{ type: 'text', text: 'look' }, link] },
      { sessionId: 's1', prompt: [link] },
    ]);
  });

  it.each([
    { type: 'simple' as const, label: 'A note' },
    { type: 'resource' as const, label: 'Elsewhere', uri: 'x-other:/thing' },
  ])('refuses an attachment it cannot send, by name: $label', async (attachment) => {
    const rig = startRig();
    await rig.next('started');
    rig.handle.prompt('a', message('look', [attachment]));
    expect(await rig.next('turnEnded')).toMatchObject({
      turn: 'a',
      outcome: { failed: { kind: 'prompt', message: expect.stringContaining(attachment.label) } },
    });
    expect(rig.received()).not.toContain('session/prompt');
  });

  it('keeps a prompt on one line whatever its text holds (F-008)', async () => {
    const rig = startRig();
    await rig.next('started');
    const text = `a\nb\r\0c\u2028d\u2029${'"'.repeat(10_000)}`;
    rig.handle.prompt('a', message(`${text}\ud800`));
    await rig.next('turnEnded');
    expect(rig.messages('session/prompt')).toMatchObject([
      { params: { prompt: [{ type: 'text', text: `${text}\ufffd` }] } },
    ]);
  });

  it('reports text, thoughts, tool calls, mode and title in the order read, before the end of the turn', async () => {
    const rig = startRig({
      script: {
        prompts: [
          [
            'think Hm',
            'update {"sessionUpdate":"tool_call","toolCallId":"c","title":"ls","kind":"execute","status":"pending","rawInput":{"command":"ls"}}',
            'update {"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed"}',
            'update {"sessionUpdate":"current_mode_update","currentModeId":"plan"}',
            'update {"sessionUpdate":"session_info_update","title":"A title"}',
            'update {"sessionUpdate":"from_the_future"}',
            'update:other {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"not ours"}}',
            'say Done',
            'stop max_tokens',
          ],
        ],
      },
    });
    await rig.next('started');
    rig.handle.prompt('a', message('go'));
    await rig.next('turnEnded');
    expect(rig.events.slice(1)).toEqual([
      { type: 'text', to: 'thought', text: 'Hm' },
      {
        type: 'tool',
        id: 'c',
        patch: { title: 'ls', kind: 'execute', status: 'running', input: '{"command":"ls"}' },
      },
      { type: 'tool', id: 'c', patch: { status: 'completed' } },
      { type: 'modes', current: 'plan' },
      { type: 'title', title: 'A title' },
      { type: 'text', to: 'message', text: 'Done' },
      { type: 'turnEnded', turn: 'a', outcome: { stop: 'max_tokens' } },
    ]);
  });

  it('reports what an agent says right after its answer only after the end of the turn', async () => {
    const rig = startRig({
      script: { prompts: [['say in', 'answer {"stopReason":"end_turn"}', 'say late']] },
    });
    await rig.next('started');
    await rig.prompt('go');
    await rig.next('text');
    await rig.next('text');
    expect(rig.events.slice(1).map((event) => (event.type === 'text' ? event.text : event.type))).toEqual([
      'in',
      'turnEnded',
      'late',
    ]);
  });

  it('holds updates that come before session/new is answered and applies them in order (F-012)', async () => {
    const rig = startRig({
      script: {
        session: { modes: MODES },
        on: {
          'session/new': [
            'update {"sessionUpdate":"current_mode_update","currentModeId":"plan"}',
            'update:other {"sessionUpdate":"session_info_update","title":"not ours"}',
            'update {"sessionUpdate":"session_info_update","title":"Early"}',
            'say Early too',
          ],
        },
      },
    });
    await rig.next('text');
    expect(rig.events.map((event) => event.type)).toEqual(['modes', 'started', 'modes', 'title', 'text']);
    expect(rig.of('modes')).toEqual([
      {
        type: 'modes',
        current: 'ask',
        available: [
          { id: 'ask', name: 'Ask', description: 'asks' },
          { id: 'plan', name: 'Plan', description: null },
        ],
      },
      { type: 'modes', current: 'plan' },
    ]);
    expect(rig.of('title')).toEqual([{ type: 'title', title: 'Early' }]);
  });

  it('sets a mode the agent lists, and passes on its refusal', async () => {
    const rig = startRig({ script: { session: { modes: MODES } } });
    await rig.next('modes');
    const set = (mode: string) => new Promise<string | undefined>((done) => rig.handle.setMode(mode, done));
    expect(await set('plan')).toBeUndefined();
    expect(rig.messages('session/set_mode')).toMatchObject([{ params: { sessionId: 's1', modeId: 'plan' } }]);
    expect(rig.of('modes').at(-1)).toEqual({ type: 'modes', current: 'plan' });
    expect(await set('nowhere')).toBe('Scripted has no mode "nowhere"');

    const strict = startRig({
      script: { session: { modes: MODES }, on: { 'session/set_mode': ['fail -32602 not on this model'] } },
    });
    await strict.next('modes');
    const refusal = await new Promise((done) => strict.handle.setMode('plan', done));
    expect(refusal).toContain('not on this model');
    expect(strict.of('modes')).toHaveLength(1);
  });

  it('takes a session up again and drops the replay, but not what it says about now', async () => {
    const text = (words: string) => ({ type: 'text', text: words });
    const rig = startRig({
      spec: { resume: 'old' },
      script: {
        capabilities: { loadSession: true },
        replay: [
          { sessionUpdate: 'user_message_chunk', content: text('before') },
          { sessionUpdate: 'agent_message_chunk', content: text('answer before') },
          { sessionUpdate: 'session_info_update', title: 'Old title' },
        ],
        prompts: [['say new']],
      },
    });
    expect(await rig.next('started')).toEqual({
      type: 'started',
      agentSession: 'old',
      fresh: false,
      can: { steer: false },
    });
    expect((await rig.next('title')).title).toBe('Old title');
    await rig.prompt('go on');
    expect(rig.text()).toBe('new');
    expect(rig.received()).toEqual(['initialize', 'session/load', 'session/prompt']);
    expect(rig.messages('session/load')).toMatchObject([
      { params: { sessionId: 'old', cwd: rig.folder, mcpServers: [] } },
    ]);
  });

  it('never starts a new session in place of one that could not be taken up (F-080)', async () => {
    const rig = startRig({
      spec: { resume: 'old' },
      script: {
        capabilities: { loadSession: true },
        on: { 'session/load': ['fail -32002 no such session'] },
      },
    });
    const { asked, error } = await rig.next('stopped');
    expect(asked).toBe(false);
    expect(error?.message).toContain('session/load: no such session');
    expect(rig.received()).toEqual(['initialize', 'session/load']);
  });

  it('starts afresh and says so when the agent cannot load sessions', async () => {
    const rig = startRig({ spec: { resume: 'old' } });
    expect(await rig.next('started')).toMatchObject({ agentSession: 's1', fresh: true });
  });

  it('leaves with the agent as one asked stop when stdin ends', async () => {
    const rig = startRig();
    await rig.next('started');
    rig.handle.stop();
    expect(await rig.next('stopped')).toEqual({ type: 'stopped', asked: true });
    expect(rig.entries().at(-1)).toEqual({ eof: true });
  });

  it('passes folders with spaces, brackets and decomposed letters untouched (F-106)', async () => {
    const folder = join(tempFolder(), 'a b (c)', '项目 #1%', 'e\u0301');
    mkdirSync(folder, { recursive: true });
    const rig = startRig({ spec: { cwd: folder } });
    await rig.next('started');
    expect(rig.messages('session/new')).toMatchObject([{ params: { cwd: folder } }]);
  });
});
