// Tool calls of the active turn: which action moves a call from which status to which (SHAPES 14.3, 14.4). Every
// transition writes the call anew, so what a status does not list is gone after it.
import type {
  ToolCallAction,
  ToolCallApprovedAction,
  ToolCallReadyAction,
  ToolCallRefusedAction,
} from '../actions-chat.ts';
import type { ChatState, ResponsePart } from '../state-chat.ts';
import type { Meta } from '../state-common.ts';
import type {
  PendingToolCall,
  ToolCall,
  ToolCallBase,
  ToolCallContributor,
  ToolInput,
} from '../state-tool.ts';
import { appendPart, findPart, replacePart, restat } from './chat-part.ts';
import { present, setKey } from './same.ts';

type Step = Exclude<ToolCallAction, { type: 'chat/toolCallStart' }>;
type ActionOf<T extends Step['type']> = Extract<Step, { type: T }>;

export function reduceToolCall(state: ChatState, action: ToolCallAction): ChatState {
  const turn = state.activeTurn;
  if (turn?.id !== action.turnId) return state;
  if (action.type === 'chat/toolCallStart') {
    return appendPart(state, turn, { kind: 'toolCall', toolCall: started(action) });
  }
  const index = findPart(turn, action.toolCallId);
  const part = turn.responseParts[index];
  if (part?.kind !== 'toolCall') return state;
  const toolCall = step(part.toolCall, action);
  if (toolCall === part.toolCall) return state;
  const next = replacePart(state, turn, index, { ...part, toolCall });
  const statusStays = action.type === 'chat/toolCallDelta' || action.type === 'chat/toolCallContentChanged';
  return statusStays ? next : restat(next);
}

/** The part as it stays in a turn that has ended: an open call is cancelled as skipped (C-12). */
export function skipOpenCall(part: ResponsePart): ResponsePart {
  if (part.kind !== 'toolCall') return part;
  const { toolCall } = part;
  if (toolCall.status === 'completed' || toolCall.status === 'cancelled') return part;
  const cancelled = present<ToolCall>({
    ...base(toolCall),
    status: 'cancelled',
    invocationMessage: toolCall.invocationMessage ?? '',
    toolInput: inputOf(toolCall),
    reason: 'skipped',
  });
  return { kind: 'toolCall', toolCall: cancelled };
}

/** The call after one action; the same object where the action does not fit its status. */
function step(call: ToolCall, action: Step): ToolCall {
  switch (action.type) {
    case 'chat/toolCallDelta':
      return call.status === 'streaming' ? streamed(call, action) : call;
    case 'chat/toolCallReady':
      return ready(call, action);
    case 'chat/toolCallConfirmed':
      if (call.status !== 'pending-confirmation') return call;
      return action.approved ? approved(call, action) : refused(call, action);
    case 'chat/toolCallComplete':
      return completed(call, action);
    case 'chat/toolCallResultConfirmed':
      return resultConfirmed(call, action);
    case 'chat/toolCallContentChanged':
      if (call.status !== 'running') return call;
      return setKey(setKey(call, 'content', action.content), '_meta', action._meta ?? call._meta);
    case 'chat/toolCallAuthRequired':
      if (call.status !== 'running' || call.contributor?.kind !== 'mcp') return call;
      return present<ToolCall>({ ...kept(call, action._meta), status: 'auth-required', auth: action.auth });
    case 'chat/toolCallAuthResolved':
      if (call.status !== 'auth-required') return call;
      return present<ToolCall>({ ...kept(call, action._meta), status: 'running' });
  }
}

function started(action: Extract<ToolCallAction, { type: 'chat/toolCallStart' }>): ToolCall {
  return present<ToolCall>({ ...base(action), status: 'streaming' });
}

function streamed(
  call: Extract<ToolCall, { status: 'streaming' }>,
  action: ActionOf<'chat/toolCallDelta'>,
): ToolCall {
  const input = action.content === undefined ? call.partialInput : (call.partialInput ?? '') + action.content;
  const longer = setKey(call, 'partialInput', input);
  const told = setKey(longer, 'invocationMessage', action.invocationMessage ?? call.invocationMessage);
  return setKey(told, '_meta', action._meta ?? call._meta);
}

function ready(call: ToolCall, action: ToolCallReadyAction): ToolCall {
  const { status } = call;
  if (status !== 'streaming' && status !== 'running' && status !== 'pending-confirmation') return call;
  const common = {
    ...base(call, action._meta),
    contributor: refinedContributor(call.contributor, action.contributor),
    intention: action.intention ?? call.intention,
    invocationMessage: action.invocationMessage,
    toolInput: action.toolInput ?? inputOf(call),
  };
  if (action.confirmed !== undefined) {
    return present<ToolCall>({ ...common, status: 'running', confirmed: action.confirmed });
  }
  const old: Partial<PendingToolCall> = status === 'pending-confirmation' ? call : {};
  return present<ToolCall>({
    ...common,
    status: 'pending-confirmation',
    confirmationTitle: action.confirmationTitle ?? old.confirmationTitle,
    riskAssessment: action.riskAssessment ?? old.riskAssessment,
    edits: action.edits ?? old.edits,
    editable: action.editable ?? old.editable,
    options: action.options ?? old.options,
  });
}

// Whether a client owns a call, and which, is settled at its start: whoever owns it executes it (SHAPES 7.1).
function refinedContributor(
  old: ToolCallContributor | undefined,
  given: ToolCallContributor | undefined,
): ToolCallContributor | undefined {
  if (!given) return old;
  if (old?.kind === 'client') {
    return given.kind === 'client' && given.clientId === old.clientId ? given : old;
  }
  return given.kind === 'client' ? old : given;
}

function approved(call: PendingToolCall, action: ToolCallApprovedAction): ToolCall {
  // An input by reference is edited at its source, not in state (SHAPES 7.2).
  const edited = typeof call.toolInput === 'string' ? action.editedToolInput : undefined;
  return present<ToolCall>({
    ...base(call, action._meta),
    status: 'running',
    invocationMessage: call.invocationMessage,
    toolInput: edited ?? call.toolInput,
    confirmed: action.confirmed,
    selectedOption: optionOf(call, action.selectedOptionId),
  });
}

function refused(call: PendingToolCall, action: ToolCallRefusedAction): ToolCall {
  return present<ToolCall>({
    ...base(call, action._meta),
    status: 'cancelled',
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    reason: action.reason,
    reasonMessage: action.reasonMessage,
    userSuggestion: action.userSuggestion,
    selectedOption: optionOf(call, action.selectedOptionId),
  });
}

function optionOf(call: PendingToolCall, id: string | undefined) {
  return call.options?.find((option) => option.id === id);
}

function completed(call: ToolCall, action: ActionOf<'chat/toolCallComplete'>): ToolCall {
  const { result } = action;
  if (call.status === 'running' || call.status === 'auth-required') {
    const waited = call.status === 'auth-required';
    if (waited && result.success) return call;
    const old = kept(call, action._meta);
    const status = action.requiresResultConfirmation && !waited ? 'pending-result-confirmation' : 'completed';
    return present<ToolCall>({ ...old, content: waited ? old.content : undefined, status, ...result });
  }
  if (call.status !== 'pending-confirmation') return call;
  return present<ToolCall>({
    ...base(call, action._meta),
    status: action.requiresResultConfirmation ? 'pending-result-confirmation' : 'completed',
    invocationMessage: call.invocationMessage,
    toolInput: call.toolInput,
    confirmed: 'not-needed',
    ...result,
  });
}

function resultConfirmed(call: ToolCall, action: ActionOf<'chat/toolCallResultConfirmed'>): ToolCall {
  if (call.status !== 'pending-result-confirmation') return call;
  const { success, pastTenseMessage, structuredContent, error } = call;
  const old = kept(call, action._meta);
  if (action.approved) {
    return present<ToolCall>({
      ...old,
      status: 'completed',
      success,
      pastTenseMessage,
      structuredContent,
      error,
    });
  }
  const { confirmed: _confirmed, content: _content, ...rest } = old;
  return present<ToolCall>({ ...rest, status: 'cancelled', reason: 'result-denied' });
}

/** What every status has; `meta` takes the place of the old `_meta` where it is given. */
function base(call: ToolCallBase, meta?: Meta) {
  const { toolCallId, toolName, displayName, intention, contributor, _meta } = call;
  return { toolCallId, toolName, displayName, intention, contributor, _meta: meta ?? _meta };
}

/** What a call that was confirmed once keeps while it runs, waits for sign-in and ends. */
function kept(call: Extract<ToolCall, { confirmed: unknown }>, meta?: Meta) {
  const { invocationMessage, toolInput, confirmed, selectedOption, content } = call;
  return { ...base(call, meta), invocationMessage, toolInput, confirmed, selectedOption, content };
}

function inputOf(call: ToolCall): ToolInput | undefined {
  return call.status === 'streaming' ? undefined : call.toolInput;
}
