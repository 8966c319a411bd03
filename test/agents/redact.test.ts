// What was configured in confidence is in nothing that is reported or logged, however the agent fails.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactor } from '../../src/agents/redact.ts';
import { message, SCRIPTED_AGENT, startRig, tempFolder } from './acp-rig.ts';

describe('redacting', () => {
  it.each([
    [['sesame'], 'open sesame, Sesame', 'open [hidden], Sesame'],
    [['sesame', 'open sesame'], 'open sesame; sesame', '[hidden]; [hidden]'],
    [['1', 'yes', ''], 'status 1, yes', 'status 1, yes'],
    [['say "it"\n'], '{"a":"say \\"it\\"\\n"} say "it"', '{"a":"[hidden]"} [hidden]'],
    [['first line\n  a second one\nend'], 'line 2: a second one, end', 'line 2: [hidden], end'],
    [['a.*b$&'], 'a.*b$& axxb', '[hidden] axxb'],
  ])('%j in %j', (values, text, redacted) => {
    expect(redactor(values)(text)).toBe(redacted);
  });
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
