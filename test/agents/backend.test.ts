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
    config: {},
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

  it('offers forms and what it can show, neither files nor a terminal, and opens a session in the folder (R-050, R-051)', async () => {
    const rig = startRig();
    expect(await rig.next('started')).toEqual({
      type: 'started',
      agentSession: 's1',
      fresh: true,
      can: { steer: false },
    });
    expect(rig.messages('initialize').map(({ params }) => params)).toEqual([
      {
        protocolVersion: 1,
        clientInfo: { name: 'otto-agents', version: '0' },
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          terminal: false,
          auth: { terminal: true },
          elicitation: { form: {} },
          session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
        },
      },
    ]);
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
        patch: { title: 'ls', kind: 'execute', status: 'pending', rawInput: { command: 'ls' } },
      },
      { type: 'tool', id: 'c', patch: { status: 'completed' } },
      { type: 'modes', current: 'plan' },
      { type: 'title', title: 'A title' },
      { type: 'unknown', update: { sessionUpdate: 'from_the_future' } },
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

  it('reports what the turn used with its end', async () => {
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
    const rig = startRig({
      script: { prompts: [[`answer ${JSON.stringify({ stopReason: 'end_turn', usage })}`]] },
    });
    await rig.next('started');
    expect(await rig.prompt('x')).toEqual({
      stop: 'end_turn',
      tokens: { inputTokens: 1, outputTokens: 2, total: 3 },
    });
  });

  it('never sends a prompt that was cancelled before it was written', async () => {
    const rig = startRig();
    await rig.next('started');
    rig.handle.prompt('a', message('never'));
    rig.handle.cancel('a');
    expect(await rig.next('turnEnded')).toMatchObject({ turn: 'a', outcome: { stop: 'cancelled' } });
    expect(await rig.prompt('hello', 'b')).toEqual({ stop: 'end_turn' });
    expect(rig.received()).toEqual(['initialize', 'session/new', 'session/prompt']);
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
            'update {"sessionUpdate":"available_commands_update","availableCommands":[{"name":"c","description":""}]}',
          ],
        },
      },
    });
    await rig.next('text');
    // How things stand is there when the session starts; what was said comes after it.
    expect(rig.events.map((event) => event.type)).toEqual([
      'modes',
      'modes',
      'title',
      'commands',
      'started',
      'text',
    ]);
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

  it('steers where the agent says that it can, and passes on whether it did (acp-to-ahp 5)', async () => {
    const steer = (rig: ReturnType<typeof startRig>, text = 'rather this') =>
      new Promise<boolean>((done) => rig.handle.steer(message(text), done));
    const plain = startRig();
    await plain.next('started');
    expect(await steer(plain)).toBe(false);
    expect(plain.received()).not.toContain('_session/steering');

    const hello = { _meta: { steering: { supported: true } } };
    const rig = startRig({
      script: { hello, on: { '_session/steering': ['answer {"outcome":"injected"}'] } },
    });
    expect((await rig.next('started')).can).toEqual({ steer: true });
    expect(await steer(rig)).toBe(true);
    expect(await steer(rig, ' ')).toBe(false);
    expect(rig.messages('_session/steering').map(({ params }) => params)).toEqual([
      {
        sessionId: 's1',
        prompt: [{ type: 'text', text: 'rather this' }],
        _meta: { steering: { idleBehavior: 'promptRequired' } },
      },
    ]);
    for (const step of ['answer {"outcome":"promptRequired"}', 'fail -32603 no']) {
      const idle = startRig({ script: { hello, on: { '_session/steering': [step] } } });
      await idle.next('started');
      expect(await steer(idle)).toBe(false);
    }
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
