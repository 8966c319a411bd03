// A turn that runs, an agent that asks, and the actions with which clients answer.
import type { InputReply, PermissionDecision, PermissionOption } from '../../src/host/ports.ts';
import type { ChatInputRequest } from '../../src/protocol/state-chat.ts';
import { createRig, type Rig, type RigOptions } from './host-rig.ts';

const OPTIONS: PermissionOption[] = [
  { id: 'always', label: 'Always Allow', kind: 'allow_always' },
  { id: 'once', label: 'Allow', kind: 'allow_once' },
  { id: 'no', label: 'Reject', kind: 'reject_once' },
];

export function running(options: RigOptions = {}) {
  const rig = createRig({ permissions: 'ask', ...options });
  const { client, chat } = rig.session();
  rig.agent().started();
  client.queue(chat, 'go');
  const turnId = rig.agent().turn();
  return { rig, client, chat, turnId };
}

export function ask(
  rig: Rig,
  id = 'x',
  more: { options?: PermissionOption[]; kind?: string; defaultToNo?: boolean } = {},
) {
  const decisions: PermissionDecision[] = [];
  rig.agent().report({
    type: 'permissionAsked',
    key: `key-${id}`,
    toolCallId: id,
    patch: {
      title: `Delete ${id}`,
      kind: more.kind ?? 'execute',
      rawInput: { command: `rm ${id}` },
    },
    options: more.options ?? OPTIONS,
    hints: { defaultToNo: more.defaultToNo ?? false },
    reply: (decision) => void decisions.push(decision),
  });
  return decisions;
}

export const FORM: ChatInputRequest = {
  id: 'form',
  message: 'Which?',
  questions: [
    {
      id: 'colour',
      message: 'Colour?',
      kind: 'single-select',
      required: true,
      options: [{ id: 'red', label: 'Red' }],
    },
    { id: 'note', message: 'Note?', kind: 'text' },
  ],
};

export function askForm(rig: Rig) {
  const replies: InputReply[] = [];
  rig.agent().report({
    type: 'inputAsked',
    key: 'key-form',
    request: FORM,
    reply: (reply) => void replies.push(reply),
  });
  return replies;
}

export const confirm = (turnId: string, toolCallId: string, selectedOptionId?: string) =>
  ({
    type: 'chat/toolCallConfirmed',
    turnId,
    toolCallId,
    approved: true,
    confirmed: 'user-action',
    ...(selectedOptionId !== undefined && { selectedOptionId }),
  }) as const;

export const deny = (turnId: string, toolCallId: string) =>
  ({ type: 'chat/toolCallConfirmed', turnId, toolCallId, approved: false, reason: 'denied' }) as const;
