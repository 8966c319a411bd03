// Claude's whole turn, read back from the client's state and compared with the raw messages of the agent: whatever
// it said is there, but for what is dropped by name below.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChatInputAnswers } from '../../src/protocol/state-chat.ts';
import { agentSaid, leaves } from './support/acp-log.ts';
import { isInstalled } from './support/agents.ts';
import { createStage } from './support/stage.ts';
import { toolCallsOf } from './support/talk.ts';

/** Paths in the agent's messages that clients do not get, and why. */
const DROPPED: Record<string, string> = {
  '_meta.claudeCode.toolResponse': 'a third copy of the result',
  'usage._meta._claude/origin': 'not display data',
  'promptResult._meta.quota': 'counts side requests too and disagrees with the usage',
  'info.updatedAt': 'the time of the last change is computed from the actions',
  'permissions[].sessionId': 'the session of the agent; routing only',
  'forms[].sessionId': 'the session of the agent; routing only',
  'forms[].mode': 'the only kind of form there is',
  '.messageId': 'a boundary between texts only',
  '_custom.': 'a field for free text beside a choice: the choice allows free text',
};
const isDropped = (path: string) => Object.keys(DROPPED).some((name) => path.includes(name));

/** Words of ACP that clients get as other words of AHP; each is looked at on its own below. */
const REWORDED: readonly RegExp[] = [
  /^calls.*\.status$/,
  /^calls.*\.content\[\]\.(type|content\.type)$/,
  /^permissions.*\.(status|type)$/,
  /^forms\[\]\.requestedSchema\.(.*\.)?type$/,
  /^promptResult\.stopReason$/,
];

/** White space and a fence around the whole are presentation. */
const oneLine = (text: string) =>
  text
    .replace(/^```\w*\n|\n```$/g, '')
    .replace(/\s+/g, ' ')
    .trim();

describe.skipIf(!isInstalled('claude'))("claude-agent-acp's whole turn", () => {
  it('stands in the state of a client as the agent sent it', async () => {
    const stage = await createStage('claude', { tee: true });
    onTestFinished(() => stage.close());
    const talk = await stage.talk();
    const file = join(stage.folder, 'a.txt');
    talk.answers.permission = () => 'allow-once';
    talk.answers.input = ({ questions = [] }): ChatInputAnswers => ({
      [`${questions[0]?.id}`]: { state: 'submitted', value: { kind: 'selected', value: 'Red' } },
      [`${questions[1]?.id}`]: {
        state: 'submitted',
        value: { kind: 'selected-many', value: ['Top bar', 'Islands'], freeformValues: ['The rest'] },
      },
    });
    const turn = await talk.prompt(
      `think: Planning the work.\nbash: echo scripted; touch made\nask: 2\nwrite: ${file} one\ntodo:\nsay: Done, two files.`,
    );
    expect(turn.state).toBe('complete');
    expect(readFileSync(file, 'utf8')).toBe('one');

    const raw = stage.rawMessages();
    const said = agentSaid(raw);
    const [bash, ask, write] = [...said.calls.keys()];

    // The order of what happened.
    const parts = turn.responseParts;
    expect(parts.map((part) => (part.kind === 'toolCall' ? part.toolCall.toolCallId : part.kind))).toEqual([
      'reasoning',
      bash,
      ask,
      'inputRequest',
      write,
      'otto-plan:1',
      'markdown',
    ]);
    expect(parts[0]).toMatchObject({ content: said.thought });
    expect(parts.at(-1)).toMatchObject({ content: said.message });
    expect(said.thought).toBe('Planning the work.');
    expect(said.message).toBe('Done, two files.');
    expect(said.others).toEqual([]);

    // Every call ended as the agent said, with its input and its output.
    const calls = toolCallsOf(turn);
    for (const [id, call] of said.calls) {
      const shown = calls.find(({ toolCallId }) => toolCallId === id);
      expect(shown).toMatchObject({
        status: 'completed',
        success: call['status'] === 'completed',
        displayName: call['title'],
      });
      expect(JSON.parse(String(shown && 'toolInput' in shown && shown.toolInput))).toMatchObject({
        rawInput: call['rawInput'],
      });
      expect(JSON.stringify(shown)).toContain(JSON.stringify(call['rawOutput']).slice(1, -1));
    }
    expect(calls[0]).toMatchObject({ confirmed: 'user-action', selectedOption: { id: 'allow-once' } });
    expect(calls.find(({ toolCallId }) => toolCallId === write)).toMatchObject({
      content: expect.arrayContaining([expect.objectContaining({ type: 'fileEdit' })]),
      _meta: { otto: { diffs: [{ path: file, oldText: null, newText: 'one' }] } },
    });

    // The questions came as asked, and the answers arrived as given.
    const part = turn.responseParts.find(({ kind }) => kind === 'inputRequest');
    expect(part).toMatchObject({
      response: 'accept',
      request: {
        questions: [
          { kind: 'single-select', allowFreeformInput: true },
          { kind: 'multi-select', allowFreeformInput: true },
        ],
      },
    });
    const form = raw.find(({ message }) => message['method'] === 'elicitation/create')?.message['id'];
    const answer = raw.find(
      ({ from, message }) => from === 'service' && message['id'] === form && message['method'] === undefined,
    );
    expect(answer?.message['result']).toEqual({
      action: 'accept',
      content: { question_0: 'Red', question_1: ['Top bar', 'Islands'], question_1_custom: 'The rest' },
    });

    // Nothing is missing: each value of the agent is somewhere in what the client holds, or dropped by name.
    await talk.until(() => JSON.stringify(talk.sessionState()._meta).includes('outputTokens'), 'the totals');
    const ready = talk.envelopes.filter(({ action }) => action.type === 'chat/toolCallReady');
    const held = leaves([turn, talk.sessionState(), ready.map(({ action }) => action)], '');
    const inputs = calls.map((call) => ('toolInput' in call ? JSON.parse(String(call.toolInput)) : {}));
    const values = [...held, ...leaves(inputs, '')].map(({ value }) => value);
    const known = new Set(values.map((value) => (typeof value === 'string' ? oneLine(value) : value)));
    const texts = [...known].filter((value) => typeof value === 'string').join('\n');
    const isHeld = (value: string | number | boolean) =>
      known.has(value) ||
      (typeof value === 'string' && texts.includes(oneLine(value).slice(0, 190).trimEnd()));
    const { calls: byId, others, ...rest } = said;
    const missing = leaves({ calls: [...byId.values()], ...rest }, '')
      .map(({ path, value }) => ({ path: path.slice(1), value }))
      .filter(({ path }) => !isDropped(path) && !REWORDED.some((pattern) => pattern.test(path)))
      .filter(({ path, value }) => !(path === 'info.title' && value === oneLine(turn.message.text)))
      .filter(({ value }) => !isHeld(value));
    expect(missing).toEqual([]);
  });
});
