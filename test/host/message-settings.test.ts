import { describe, expect, it } from 'vitest';
import type { AgentOption } from '../../src/host/ports.ts';
import type { Message } from '../../src/protocol/state-chat.ts';
import { createRig, SESSION } from '../support/host-rig.ts';

const model = (current: string): AgentOption => ({
  id: 'm',
  name: 'Model',
  category: 'model',
  type: 'select',
  current,
  choices: [
    { value: 'big', name: 'Big' },
    { value: 'small', name: 'Small' },
  ],
});
const fast = (current: boolean): AgentOption => ({ id: 'fast', name: 'Fast', type: 'boolean', current });

function ready(options: AgentOption[] = [model('big'), fast(false)]) {
  const rig = createRig();
  const { client, chat } = rig.session();
  rig.agent().report({ type: 'options', options });
  rig.agent().started();
  const message = (more: Partial<Message>): Message => ({ text: 'go', origin: { kind: 'user' }, ...more });
  const queue = (more: Partial<Message>, id = 'q') =>
    client.dispatch(chat, { type: 'chat/pendingMessageSet', kind: 'queued', id, message: message(more) });
  const own = (more: Partial<Message>) =>
    client.dispatch(chat, {
      type: 'chat/turnStarted',
      turnId: 'mine',
      startedAt: '2026-01-01T00:00:00.000Z',
      message: message(more),
    });
  const parts = () => client.chat(chat).activeTurn?.responseParts ?? [];
  return { rig, client, chat, queue, own, parts, calls: () => rig.agent().calls };
}

describe('the model of a queued message', () => {
  it('is set, and its options after it, before the turn starts, which records what is true (C-16)', () => {
    const { rig, client, chat, queue, calls } = ready();
    queue({ model: { id: 'small', config: { fast: true, odd: 1 } } });
    expect(calls()).toEqual([['setOption', 'm', 'small']]);
    expect(client.chat(chat).activeTurn).toBeUndefined();
    rig.agent().report({ type: 'options', options: [model('small'), fast(false)] });
    rig.agent().optionReply();
    expect(calls().slice(1)).toEqual([['setOption', 'fast', true]]);
    rig.agent().report({ type: 'options', options: [model('small'), fast(true)] });
    rig.agent().optionReply();
    expect(calls()[2]?.[0]).toBe('prompt');
    expect(client.chat(chat).activeTurn?.message.model).toEqual({ id: 'small', config: { fast: true } });
  });

  it('that is current already is not set again (F-121)', () => {
    const { queue, calls } = ready();
    queue({ model: { id: 'big' } });
    expect(calls().map(([name]) => name)).toEqual(['prompt']);
  });

  it('that the agent refuses is said in the turn, and the prompt still goes (C-16)', () => {
    const { rig, client, chat, queue, calls, parts } = ready();
    queue({ model: { id: 'small' } });
    rig.agent().optionReply('not today');
    expect(calls().map(([name]) => name)).toEqual(['setOption', 'prompt']);
    expect(parts()).toMatchObject([
      { kind: 'systemNotification', content: expect.stringContaining('not today') },
    ]);
    expect(client.chat(chat).activeTurn?.message.model).toEqual({ id: 'big' });
  });

  it.each([
    ['the agent does not offer', [model('big')], { id: 'big' }, /one of big, small/],
    ['no option stands for', [], undefined, /no choice of models/],
  ])('that %s is said in the turn and not recorded', (_name, options, recorded, text) => {
    const { client, chat, queue, calls, parts } = ready(options);
    queue({ model: { id: 'huge' } });
    expect(calls().map(([name]) => name)).toEqual(['prompt']);
    expect(parts()).toMatchObject([{ content: expect.stringMatching(text) }]);
    expect(client.chat(chat).activeTurn?.message.model).toEqual(recorded);
  });

  it('is set for that message alone: one taken back meanwhile is not sent', () => {
    const { rig, client, chat, queue, calls } = ready();
    queue({ model: { id: 'small' } });
    queue({ text: 'other' }, 'other');
    client.dispatch(chat, { type: 'chat/pendingMessageRemoved', kind: 'queued', id: 'q' });
    rig.agent().optionReply();
    rig.agent().endTurn();
    expect(calls().map(([name, , text]) => [name, text])).toEqual([
      ['setOption', 'small'],
      ['prompt', 'other'],
    ]);
  });

  it('is set by the next agent where the first one goes meanwhile', () => {
    const { rig, client, chat, queue } = ready();
    queue({ model: { id: 'small' } });
    rig.agent().stopped('boom');
    rig.clock.advance(1000);
    rig.agent().started({ fresh: false });
    expect(rig.agent().calls).toEqual([['setOption', 'm', 'small']]);
    expect(client.chat(chat).queuedMessages).toHaveLength(1);
  });

  it('that wants a sign-in first keeps the message, and is set again afterwards', () => {
    const { rig, client, chat, queue, calls } = ready();
    const methods = [{ id: 'login', name: 'Log in', kind: 'agent' as const }];
    queue({ model: { id: 'small' } });
    rig.agent().report({ type: 'signInNeeded', methods, during: 'prompt' });
    rig.agent().optionReply('sign in first');
    expect(client.chat(chat).queuedMessages).toHaveLength(1);
    rig.host.signIn({ channel: SESSION, methodId: 'login' });
    rig.agent().signInReply();
    expect(calls().map(([name]) => name)).toEqual(['setOption', 'signIn', 'setOption']);
    rig.agent().optionReply();
    expect(calls().at(-1)?.[0]).toBe('prompt');
  });
});

describe("the model of a client's own turn", () => {
  it('is set before the prompt is sent', () => {
    const { rig, own, calls, parts } = ready();
    own({ model: { id: 'small' } });
    expect(calls()).toEqual([['setOption', 'm', 'small']]);
    rig.agent().optionReply('not today');
    expect(calls().slice(1)).toEqual([['prompt', 'mine', 'go']]);
    expect(parts()).toMatchObject([{ content: expect.stringContaining('not today') }]);
  });

  it('is of no consequence for a turn that was cancelled meanwhile', () => {
    const { rig, client, chat, own, calls } = ready();
    own({ model: { id: 'small' } });
    client.dispatch(chat, { type: 'chat/turnCancelled', turnId: 'mine', duration: 0 });
    rig.agent().optionReply();
    expect(calls().map(([name]) => name)).toEqual(['setOption']);
  });
});

it('a message for another agent is refused, queued or as a turn', () => {
  const { queue, own, calls } = ready();
  const agent = { uri: 'agent:/other' };
  expect(queue({ agent })?.rejectionReason).toMatch(/agent of a session cannot be changed/);
  expect(own({ agent })?.rejectionReason).toMatch(/agent of a session cannot be changed/);
  expect(calls()).toEqual([]);
});
