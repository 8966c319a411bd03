// What was configured in confidence is in nothing that is reported or logged, however the agent fails.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactedEvent, redactedHandle, redactor } from '../../src/agents/redact.ts';
import type { AgentEvent, AgentHandle } from '../../src/host/ports.ts';
import { message, SCRIPTED_AGENT, startRig, tempFolder } from './acp-rig.ts';

describe('redacting', () => {
  it.each([
    [['sesame'], 'open sesame, Sesame', 'open [hidden], Sesame'],
    [['sesame', 'open sesame'], 'open sesame; sesame', '[hidden]; [hidden]'],
    [['1', 'yes', ''], 'status 1, yes', 'status 1, yes'],
    [['say "it"\n'], '{"a":"say \\"it\\"\\n"} say "it"', '{"a":"[hidden]"} [hidden]'],
    [['first line\n  a second one\nend'], 'line 2: a second one, end', 'line 2: [hidden], end'],
    [['open  the\n\tdoor'], 'open the door', '[hidden]'],
    [['a.*b$&'], 'a.*b$& axxb', '[hidden] axxb'],
  ])('%j in %j', (values, text, redacted) => {
    expect(redactor(values)(text)).toBe(redacted);
  });
});

describe('every message about an agent is redacted', () => {
  const redact = redactor(['sesame']);
  const fault = { kind: 'refused' as const, message: 'no sesame', code: 1, detail: 'sesame_error' };
  const hidden = { kind: 'refused' as const, message: 'no [hidden]', code: 1, detail: '[hidden]_error' };
  it.each<[AgentEvent, object]>([
    [{ type: 'starting', activity: 'a sesame' }, { activity: 'a [hidden]' }],
    [
      { type: 'refused', what: 'mode', id: 'm', message: 'sesame?' },
      { what: 'mode', id: 'm', message: '[hidden]?' },
    ],
    [
      {
        type: 'signInNeeded',
        during: 'open',
        methods: [
          { id: 't', name: 'T', kind: 'terminal', command: ['env', 'KEY=sesame', 'agent'] },
          { id: 'a', name: 'A', kind: 'agent' },
        ],
      },
      {
        during: 'open',
        methods: [
          { id: 't', name: 'T', kind: 'terminal', command: ['env', 'KEY=[hidden]', 'agent'] },
          { id: 'a', name: 'A', kind: 'agent' },
        ],
      },
    ],
    [
      { type: 'stopped', asked: false, error: fault },
      { asked: false, error: hidden },
    ],
    [
      { type: 'turnEnded', turn: 't', outcome: { failed: fault } },
      { turn: 't', outcome: { failed: hidden } },
    ],
    [
      { type: 'text', to: 'message', text: 'sesame' },
      { to: 'message', text: 'sesame' },
    ],
  ])('%j', (event, expected) => {
    expect(redactedEvent(event, redact)).toEqual({ type: event.type, ...expected });
  });

  it('and so is every refusal', () => {
    const refuse = (reply: (refusal?: string) => void) => reply('not sesame');
    const plain: AgentHandle = {
      prompt: () => {},
      cancel: () => {},
      steer: () => {},
      setMode: (_, reply) => refuse(reply),
      setOption: (_, __, reply) => refuse(reply),
      signIn: (_, reply) => refuse(reply),
      stop: () => {},
    };
    const handle = redactedHandle(plain, redact);
    const said: unknown[] = [];
    const reply = (refusal?: string) => said.push(refusal);
    handle.setMode('m', reply);
    handle.setOption('o', true, reply);
    handle.signIn('s', reply);
    expect(said).toEqual(Array(3).fill('not [hidden]'));
  });
});

it('a value is not in the log where a long line is cut, nor any half of it', async () => {
  const script = { start: [`line ${'x'.repeat(278)}sesame-env${'x'.repeat(1000)}`] };
  const env = { TOKEN: 'sesame-env', AGENT_SCRIPT: JSON.stringify(script) };
  const rig = startRig({ agent: { args: [SCRIPTED_AGENT], env } });
  await rig.next('started');
  const [line = ''] = rig.logged.filter((each) => each.includes('not a message'));
  expect(line).toContain('xxx[');
  expect(line).not.toContain('ses');
  expect(line.length).toBeLessThan(400);
});

const SECRETS = ['sesame-env', 'sesame-config', 'sesame-file', 'sesame-arg'];

function configured() {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), 'sesame-file\n');
  writeFileSync(join(folder, 'arg'), 'sesame-arg\n');
  return {
    env: { TOKEN: 'sesame-env', KEY: `{file:${join(folder, 'file')}}` },
    config: { effort: 'sesame-config' },
    extra: `{file:${join(folder, 'arg')}}`,
  };
}

const SPILL = `err ${SECRETS.join(' ')}`;

describe.each([
  ['leaves while it starts', { start: [SPILL, 'exit 3'] }],
  ['refuses to start', { on: { initialize: [SPILL, `fail -32603 ${SECRETS.join(' ')}`] } }],
  ['refuses a session', { on: { 'session/new': [`fail -32603 ${SECRETS.join(' ')}`] } }],
  ['sends rubbish', { start: [`line ${SECRETS.join(' ')}`, 'exit 1'] }],
  ['fails a prompt and then leaves', { prompts: [[`fail -32603 ${SECRETS.join(' ')}`], [SPILL, 'exit 1']] }],
])('an agent that %s', (_, script) => {
  it('spills nothing', async () => {
    const { env, config, extra } = configured();
    const scripted = { ...env, AGENT_SCRIPT: JSON.stringify(script) };
    const rig = startRig({ agent: { args: [SCRIPTED_AGENT, '', extra], env: scripted, config } });
    if ('prompts' in script) {
      await rig.next('started');
      rig.handle.prompt('t1', message('one'));
      expect((await rig.next('turnEnded')).outcome).toMatchObject({ failed: expect.anything() });
      rig.handle.prompt('t2', message('two'));
    }
    await rig.next('stopped');
    const shown = JSON.stringify([rig.events, rig.logged]);
    expect(shown).toContain('[hidden]');
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
  });
});

it('a file that cannot be put in is warned of by the place that names it, and the agent starts all the same', async () => {
  const rig = startRig({ agent: { env: { TOKEN: '{file:/nowhere/at-all}' } } });
  await rig.next('started');
  expect(rig.logged).toContain(
    'warn scripted env.TOKEN: {file:/nowhere/at-all} is left empty: there is no such file',
  );
});
