import { describe, expect, test } from 'vitest';
import type { ChatInputQuestion } from '../../src/protocol/state-chat.ts';
import { agentInHand } from '../support/agent-in-hand.ts';
import { askForm, onlooker } from './support/asking.ts';
import { place } from './support/rig.ts';
import { scriptedAgent } from './support/scripted-agent.ts';

async function asking() {
  const here = place();
  const hand = agentInHand({ permissions: 'ask' });
  const service = await here.serve(hand.backend);
  const terminal = here.terminal(['ask', 'go']);
  await hand.prompted();
  return { here, hand, service, terminal };
}

const COLOURS = [
  { id: 'r', label: 'Red', description: 'loud' },
  { id: 'b', label: 'Blue' },
  { id: 'g', label: 'Green' },
];
const colour = (more: object = {}): ChatInputQuestion => ({
  id: 'colour',
  message: 'Which colour?',
  kind: 'single-select',
  required: true,
  options: COLOURS,
  ...more,
});
const colours = (more: object = {}) =>
  ({ ...colour(), id: 'colours', kind: 'multi-select', ...more }) as ChatInputQuestion;

const submitted = (value: object) => ({ state: 'submitted', value });

describe('a form on the terminal', () => {
  test('of an agent over ACP is answered under the names of its fields', async () => {
    const form = {
      message: 'About the list',
      requestedSchema: {
        type: 'object',
        properties: {
          order: { type: 'string', enum: ['up', 'down'], description: 'Which order?' },
          limit: { type: 'integer', minimum: 1, maximum: 5, description: 'How many?' },
        },
        required: ['order', 'limit'],
      },
    };
    const { serve, terminal: start } = place();
    await serve(scriptedAgent({ prompts: [[`elicit ${JSON.stringify(form)}`]] }, 'ask'));
    const terminal = start(['ask', 'x']);
    await terminal.next('Number: ');
    terminal.type('down\r');
    await terminal.next('Whole number: ');
    terminal.type('6\r');
    await terminal.next('the answer to limit is more than 5');
    await terminal.next('Whole number: ');
    terminal.type('3\r');
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.screen()).toContain('[accept {"order":"down","limit":3}]\n');
  });

  test('asks its questions one after the other, each by its kind; optional ones are left out with Enter', async () => {
    const { hand, terminal } = await asking();
    const replied = askForm(hand, [
      colour({ title: 'Colour' }),
      colours(),
      { id: 'name', message: 'Name?', kind: 'text', required: true },
      { id: 'size', message: 'Size?', kind: 'number', required: true },
      { id: 'sure', message: 'Sure?', kind: 'boolean', required: true },
      { id: 'note', message: 'Note?', kind: 'text' },
    ]);
    await terminal.next('Number: ');
    expect(terminal.screen()).toContain('Hand asks\n  | Some questions\n');
    expect(terminal.screen()).toContain(
      '  Colour: Which colour?\n   1  Red – loud\n   2  Blue\n   3  Green\nNumber: ',
    );
    terminal.type('bl\r');
    await terminal.next('Numbers, such as 1,3-4: ');
    terminal.type('3, 1-2\r');
    await terminal.next('Text: ');
    terminal.type(' Ada \r');
    await terminal.next('Number: ');
    terminal.type('1.5\r');
    await terminal.next('y/n: ');
    terminal.type('Y\r');
    await terminal.next('Note? (optional)');
    await terminal.next('Text: ');
    terminal.type('\r');
    expect(await replied).toEqual({
      response: 'accept',
      answers: {
        colour: submitted({ kind: 'selected', value: 'b' }),
        colours: submitted({ kind: 'selected-many', value: ['r', 'b', 'g'] }),
        name: submitted({ kind: 'text', value: 'Ada' }),
        size: submitted({ kind: 'number', value: 1.5 }),
        sure: submitted({ kind: 'boolean', value: true }),
        note: { state: 'skipped' },
      },
    });
    hand.endTurn();
    expect((await terminal.ended).code).toBe(0);
  });

  test('what the service does not take is told in its words and asked again', async () => {
    const { hand, terminal } = await asking();
    const replied = askForm(hand, [
      { id: 'size', message: 'Size?', kind: 'integer', min: 1, max: 9, required: true },
    ]);
    await terminal.next('Whole number: ');
    terminal.type('12\r');
    await terminal.next('the answer to size is more than 9');
    await terminal.next('Whole number: ');
    terminal.type('1.5\r');
    await terminal.next('"1.5" is not a whole number');
    await terminal.next('Whole number: ');
    terminal.type('many\r');
    await terminal.next('"many" is not a number');
    await terminal.next('Whole number: ');
    terminal.type('\r');
    await terminal.next('this one has to be answered');
    await terminal.next('Whole number: ');
    terminal.type('7\r');
    expect((await replied).answers).toEqual({ size: submitted({ kind: 'number', value: 7 }) });
  });

  test('other clients see each answer as it is given (SE-35)', async () => {
    const { hand, terminal, here, service } = await asking();
    void askForm(hand, [colour(), { id: 'note', message: 'Note?', kind: 'text' }]);
    await terminal.next('Number: ');
    const other = await onlooker(here, service);
    terminal.type('1\r');
    await other.until(({ session }) => {
      const [block] = session.inputNeeded ?? [];
      return block?.kind === 'chatInput' && block.request.answers?.['colour'] !== undefined;
    });
    await terminal.next('Note?');
  });

  test('own words are welcome where the form says so, alone or beside options', async () => {
    const { hand, terminal } = await asking();
    const own = { allowFreeformInput: true };
    const replied = askForm(hand, [colour(own), colours(own), { ...colour(own), id: 'third' }]);
    await terminal.next('Number or your own words: ');
    terminal.type('bluish grey\r');
    await terminal.next('Numbers, such as 1,3-4 or your own words: ');
    terminal.type('1,3: and a little black\r');
    await terminal.next('Number or your own words: ');
    terminal.type('red\r');
    expect((await replied).answers).toEqual({
      colour: { state: 'skipped', freeformValues: ['bluish grey'] },
      colours: submitted({
        kind: 'selected-many',
        value: ['r', 'g'],
        freeformValues: ['and a little black'],
      }),
      third: submitted({ kind: 'selected', value: 'r' }),
    });
  });

  test('Enter takes what the form proposes, and the prompt says what that is', async () => {
    const { hand, terminal } = await asking();
    const recommended = COLOURS.map((option) => ({ ...option, recommended: option.id === 'g' }));
    const replied = askForm(hand, [
      colour({ options: recommended, required: false }),
      { id: 'name', message: 'Name?', kind: 'text', defaultValue: 'Ada' },
    ]);
    await terminal.next('Number [3]: ');
    terminal.type('\r');
    await terminal.next('Text [Ada]: ');
    terminal.type('/skip\r');
    expect((await replied).answers).toEqual({
      colour: submitted({ kind: 'selected', value: 'g' }),
      name: { state: 'skipped' },
    });
  });

  test.each(['decline', 'cancel'])('/%s ends it without an answer', async (response) => {
    const { hand, terminal } = await asking();
    const replied = askForm(hand, [colour()]);
    await terminal.next('Number: ');
    terminal.type(`/${response}\r`);
    expect(await replied).toEqual({ response });
  });

  test('one without questions is accepted or declined', async () => {
    const { hand, terminal } = await asking();
    const first = askForm(hand, [], { id: 'first', message: 'Go ahead?' });
    await terminal.next('Accept? y/n: ');
    terminal.type('\r');
    await terminal.next('answer y or n');
    await terminal.next('Accept? y/n: ');
    terminal.type('y\r');
    expect(await first).toEqual({ response: 'accept', answers: {} });
    const second = askForm(hand, [], { id: 'second', message: 'And now?' });
    await terminal.next('And now?');
    await terminal.next('Accept? y/n: ');
    terminal.type('n\r');
    expect(await second).toEqual({ response: 'decline' });
  });

  test('that another client answers half-way is taken down', async () => {
    const { hand, terminal, here, service } = await asking();
    const replied = askForm(hand, [colour(), { id: 'note', message: 'Note?', kind: 'text' }]);
    await terminal.next('Number: ');
    terminal.type('1\r');
    await terminal.next('Text: ');
    const other = await onlooker(here, service);
    const answers = { colour: submitted({ kind: 'selected', value: 'b' }) } as never;
    const completed = {
      type: 'chat/inputCompleted',
      requestId: 'form',
      response: 'accept',
      answers,
    } as const;
    expect(await other.dispatch(other.chat, completed)).toEqual({ kind: 'accepted' });
    await terminal.next('Answered elsewhere.');
    expect((await replied).answers).toEqual(answers);
    hand.endTurn();
    expect((await terminal.ended).code).toBe(0);
  });

  test('no invisible character of it reaches the terminal as it is (F-135)', async () => {
    const { hand, terminal } = await asking();
    const options = [{ id: 'x', label: 'Re\u202ed', description: 'a\u001b[2J' }];
    void askForm(hand, [colour({ message: 'Wh\u200bich?\nthis', options })], { message: 'Hi\u2066' });
    await terminal.next('Number: ');
    expect(terminal.screen()).toContain(
      '  | Hi\\u{2066}\n  /skip leaves out an optional answer, /decline refuses the form, /cancel takes it back\n' +
        '  Wh\\u{200b}ich?\n  | this\n   1  Re\\u{202e}d – a\\u{1b}[2J\n',
    );
  });
});
