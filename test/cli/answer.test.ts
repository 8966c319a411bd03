import { describe, expect, test } from 'vitest';
import type { ChatInputQuestion } from '../../src/protocol/state-chat.ts';
import { agentInHand } from '../support/agent-in-hand.ts';
import { askForm, askPermission, onlooker } from './support/asking.ts';
import { place } from './support/rig.ts';

const FIELDS: ChatInputQuestion[] = [
  {
    id: 'colour',
    message: 'Which colour?',
    kind: 'single-select',
    required: true,
    options: [
      { id: 'r', label: 'Red' },
      { id: 'b', label: 'Blue' },
    ],
  },
  {
    id: 'extras',
    message: 'Extras?',
    kind: 'multi-select',
    allowFreeformInput: true,
    options: [
      { id: 'x', label: 'X' },
      { id: 'y', label: 'Y' },
    ],
  },
  { id: 'size', message: 'Size?', kind: 'integer', max: 9 },
];

/** A session whose turn runs, and nobody but an onlooker at it. */
async function running() {
  const here = place();
  const hand = agentInHand({ permissions: 'ask' });
  const service = await here.serve(hand.backend);
  const client = await here.client(service, 'starter');
  const session = 'ahp-session:/0123456789';
  await client.request('createSession', { channel: session, workingDirectories: [`file://${here.home}`] });
  const other = await onlooker(here, service);
  const message = { text: 'go', origin: { kind: 'user' } };
  await other.dispatch(other.chat, { type: 'chat/pendingMessageSet', kind: 'queued', id: 'm', message });
  await hand.prompted();
  const turnId = other.state().chat.activeTurn?.id;
  return { here, hand, other, client, requestOf: (id: string) => `tool:${turnId}:${id}` };
}

describe('without anything open', () => {
  test.each([[[]], [['--list']], [['--option', 'x']]])('`answer %j` says so and is content', async (args) => {
    const { here } = await running();
    const nothing = { code: 0, stdout: 'Nothing waits for an answer.\n', stderr: '' };
    expect(await here.run(['answer', ...args])).toEqual(nothing);
  });

  test('--json is an empty list; a session that is not there is an error', async () => {
    const { here } = await running();
    expect(await here.run(['answer', '--json'])).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
    expect((await here.run(['answer', 'nope'])).code).toBe(1);
  });
});

describe('the list', () => {
  test('names every request with its options by id, in words and as JSON', async () => {
    const { here, hand, requestOf } = await running();
    void askPermission(hand);
    void askForm(hand, FIELDS);
    const listed = await here.run(['answer', '0123', '--list']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain(`01234567  Hand  --request ${requestOf('t1')}\n`);
    expect(listed.stdout).toContain('  | touch t1\n     1  Always Allow (always) – allows it always\n');
    expect(listed.stdout).toContain(
      '01234567  Hand  --request input:form\n  Hand asks\n    | Some questions\n',
    );
    expect(listed.stdout).toContain('    Which colour? (colour)\n     1  Red (r)\n');
    expect(listed.stdout).toContain('    Size? (size) (optional)\n');
    const json = JSON.parse((await here.run(['answer', '--json'])).stdout);
    expect(json).toMatchObject([
      { kind: 'permission', id: requestOf('t1'), command: 'touch t1', start: 'once' },
      { kind: 'form', id: 'input:form', request: { id: 'form' } },
    ]);
  });

  test('shows nothing of the agent as it came; what is shown names it (F-135)', async () => {
    const { here, hand, requestOf } = await running();
    const id = 't\u001b[2J\nx\u202e';
    const option = { id: 'o\u001b[1A', label: 'Yes', kind: 'allow_once' };
    const decided = askPermission(hand, { id, command: 'ls', options: [option] });
    const shown = requestOf('t\\u{1b}[2J\\nx\\u{202e}');
    const listed = await here.run(['answer', '--list']);
    expect(listed.stdout).toContain(`01234567  Hand  --request ${shown}\n`);
    expect(listed.stdout).toContain('     1  Yes (o\\u{1b}[1A) – allows it once\n');
    expect(listed.stdout).not.toMatch(/[\p{Bidi_Control}]|(?!\n)\p{Cc}/u);
    expect(await here.run(['answer', '--option', 'x'])).toMatchObject({
      stderr: 'otto-agents: --option x: it is one of o\\u{1b}[1A\n',
    });
    const args = ['answer', '--request', shown, '--option', 'o\\u{1b}[1A'];
    expect(await here.run(args)).toEqual({ code: 0, stdout: 'Answered.\n', stderr: '' });
    expect(await decided).toEqual({ outcome: 'selected', optionId: option.id });
  });

  test('without a terminal and without an answer it is shown, and that one is missing', async () => {
    const { here, hand } = await running();
    void askPermission(hand);
    const { code, stdout, stderr } = await here.run(['answer']);
    expect(code).toBe(2);
    expect(stdout).toContain('touch t1');
    expect(stderr).toBe(
      'otto-agents: say what to answer: --option, --refuse, --set, --accept or --decline\n',
    );
  });
});

describe('options instead of keys', () => {
  const taken = { code: 0, stdout: 'Answered.\n', stderr: '' };

  test.each([
    [['--option', 'always'], 'always'],
    [['--option', 'no'], 'no'],
    [['--refuse'], 'no'],
  ])('%j answers a permission', async (args, optionId) => {
    const { here, hand } = await running();
    const decided = askPermission(hand);
    expect(await here.run(['answer', ...args])).toEqual(taken);
    expect(await decided).toEqual({ outcome: 'selected', optionId });
  });

  test('--refuse with a reason tells it to the agent with the next message', async () => {
    const { here, hand } = await running();
    const decided = askPermission(hand);
    expect(await here.run(['answer', '--refuse', 'not there'])).toEqual(taken);
    await decided;
    hand.endTurn();
    expect(await hand.prompted()).toBe('not there');
  });

  test('--set answers a form by ids or labels, several times where several fit', async () => {
    const { here, hand } = await running();
    const replied = askForm(hand, FIELDS);
    const set = ['colour=Blue', 'extras=y', 'extras=x', 'extras=a=b', 'size=3'].flatMap((one) => [
      '--set',
      one,
    ]);
    expect(await here.run(['answer', ...set])).toEqual(taken);
    expect(await replied).toEqual({
      response: 'accept',
      answers: {
        colour: { state: 'submitted', value: { kind: 'selected', value: 'b' } },
        extras: {
          state: 'submitted',
          value: { kind: 'selected-many', value: ['y', 'x'], freeformValues: ['a=b'] },
        },
        size: { state: 'submitted', value: { kind: 'number', value: 3 } },
      },
    });
  });

  test('an id is that option, also where another one has it as its label', async () => {
    const { here, hand } = await running();
    const options = [
      { id: 'drop', label: 'keep' },
      { id: 'keep', label: 'Drop it' },
    ];
    const replied = askForm(hand, [{ id: 'q', message: 'What?', kind: 'single-select', options }]);
    expect(await here.run(['answer', '--set', 'q=keep'])).toEqual(taken);
    expect((await replied).answers).toEqual({
      q: { state: 'submitted', value: { kind: 'selected', value: 'keep' } },
    });
  });

  test('a label that several have names none of them', async () => {
    const { here, hand } = await running();
    const options = ['a', 'b'].map((id) => ({ id, label: 'Same', kind: 'allow_once' }));
    const decided = askPermission(hand, { options });
    expect(await here.run(['answer', '--option', 'Same'])).toMatchObject({
      code: 2,
      stderr: 'otto-agents: --option Same: several are called that; give one of a, b\n',
    });
    expect(await here.run(['answer', '--option', 'b'])).toEqual(taken);
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'b' });
    void askForm(hand, [{ id: 'q', message: 'What?', kind: 'single-select', options }]);
    expect(await here.run(['answer', '--set', 'q=Same'])).toMatchObject({
      code: 2,
      stderr: 'otto-agents: --set q=Same: several are called that; give one of a, b\n',
    });
  });

  test.each([
    [['--decline'], { response: 'decline' }],
    [['--accept'], { response: 'accept', answers: {} }],
  ])('%j ends a form that requires nothing', async (args, reply) => {
    const { here, hand } = await running();
    const replied = askForm(hand, FIELDS.slice(1));
    expect(await here.run(['answer', ...args])).toEqual(taken);
    expect(await replied).toEqual(reply);
  });

  test.each([
    [['--set', 'size=12', '--set', 'colour=r'], 'the answer to size is more than 9'],
    [['--accept'], 'the required question colour has no submitted answer'],
  ])('%j is not taken, with the reason of the service; the form stays open', async (args, reason) => {
    const { here, hand, other } = await running();
    void askForm(hand, FIELDS);
    expect(await here.run(['answer', ...args])).toEqual({
      code: 1,
      stdout: '',
      stderr: `otto-agents: ${reason}\n`,
    });
    expect(other.state().session.inputNeeded).toHaveLength(1);
  });

  test.each([
    [['--option', 'maybe'], '--option maybe: it is one of always, once, no'],
    [['--decline'], 'is answered with --option or --refuse'],
    [['--option', 'once', '--refuse'], 'give one answer'],
    [['--request', 'x', '--list'], '--list and --json only list'],
  ])('%j is wrong usage for a permission and answers nothing', async (args, sentence) => {
    const { here, hand, other } = await running();
    void askPermission(hand);
    const { code, stdout, stderr } = await here.run(['answer', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(other.state().session.inputNeeded).toHaveLength(1);
  });

  test.each([
    [['--set', 'size'], 'write question=value; the questions are: colour, extras, size'],
    [['--set', 'shape=round'], 'write question=value; the questions are: colour, extras, size'],
    [['--set', 'colour=Pink'], '--set colour=Pink: it is one of r, b'],
    [['--set', 'colour=r', '--set', 'colour=b'], '--set colour: it takes one value'],
    [['--set', 'size=big'], '--set size=big: "big" is not a number'],
    [['--set', 'size='], '--set size=: give a number'],
    [['--set', 'size=0x5'], '--set size=0x5: "0x5" is not a number'],
    [['--option', 'r'], 'is answered with --set, --accept or --decline'],
  ])('%j is wrong usage for a form', async (args, sentence) => {
    const { here, hand, other } = await running();
    void askForm(hand, FIELDS);
    const { code, stdout, stderr } = await here.run(['answer', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(other.state().session.inputNeeded).toHaveLength(1);
  });

  test('of several one has to be named, and only that is answered', async () => {
    const { here, hand, other, requestOf } = await running();
    const first = askPermission(hand, { id: 'one' });
    void askPermission(hand, { id: 'two' });
    const ids = `${requestOf('one')}, ${requestOf('two')}`;
    expect(await here.run(['answer', '--option', 'once'])).toMatchObject({
      code: 1,
      stderr: `otto-agents: several wait for an answer; name one with --request: ${ids}\n`,
    });
    expect(await here.run(['answer', '--request', 'three', '--option', 'once'])).toMatchObject({
      code: 1,
      stderr: `otto-agents: nothing is open under "three"; open: ${ids}\n`,
    });
    expect(await here.run(['answer', '--request', requestOf('one'), '--option', 'once'])).toEqual(taken);
    expect(await first).toEqual({ outcome: 'selected', optionId: 'once' });
    expect(other.state().session.inputNeeded).toHaveLength(1);
  });
});

describe('at the keyboard', () => {
  test('everything that is open is asked, one after the other', async () => {
    const { here, hand } = await running();
    const decided = askPermission(hand);
    const replied = askForm(hand, FIELDS.slice(0, 1));
    const terminal = here.terminal(['answer']);
    await terminal.next('Answer [2]: ');
    terminal.type('\r');
    await terminal.next('Number: ');
    terminal.type('2\r');
    expect((await terminal.ended).code).toBe(0);
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'once' });
    expect((await replied).response).toBe('accept');
  });

  test('what is left with Ctrl+D stays open, and the exit code says so', async () => {
    const { here, hand, other } = await running();
    void askPermission(hand);
    const terminal = here.terminal(['answer']);
    await terminal.next('Answer [2]: ');
    terminal.type('\u0004');
    expect((await terminal.ended).code).toBe(1);
    expect(terminal.screen()).toContain('otto-agents: 1 not answered\n');
    expect(other.state().session.inputNeeded).toHaveLength(1);
  });

  test('what is left with Ctrl+D while nobody else looks on is refused, as was said (F-061)', async () => {
    const { here, hand, other } = await running();
    const decided = askPermission(hand);
    const terminal = here.terminal(['answer']);
    await terminal.next('Answer [2]: ');
    other.leave();
    terminal.type('\u0004');
    await terminal.next('Not answered. If nobody else watches, it is refused when this command ends; else');
    expect((await terminal.ended).code).toBe(1);
    expect(await decided).toEqual({ outcome: 'selected', optionId: 'no' });
  });

  test('Ctrl+C leaves at once and answers nothing', async () => {
    const { here, hand, other } = await running();
    void askPermission(hand);
    const terminal = here.terminal(['answer']);
    await terminal.next('Answer [2]: ');
    terminal.type('1\u0003');
    expect((await terminal.ended).code).toBe(130);
    expect(other.state().session.inputNeeded).toHaveLength(1);
  });
});
