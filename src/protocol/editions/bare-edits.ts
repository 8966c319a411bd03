// A variant of an edition for Otto's own clients, which read the `edits` of a waiting call as the bare list
// `[{path, oldText, newText}]` of `_meta.otto.diffs`. Where that list was too long to be sent, there are no `edits`.
import type { Action, ActionEnvelope } from '../actions.ts';
import type { ChannelState, Snapshot } from '../commands.ts';
import { ottoOf } from '../meta.ts';
import type { ChatState, ResponsePart } from '../state-chat.ts';
import type { Meta } from '../state-common.ts';
import type { SessionInputRequest, SessionState } from '../state-session.ts';
import type { Edition } from './edition.ts';

/** Whether a client is one of Otto's own; our command line and our other programs are not meant. */
export function readsBareEdits(clientId: string, clientName: string | undefined): boolean {
  const names = [clientId, clientName ?? ''];
  return (
    names.some((name) => name.startsWith('otto-')) && !names.some((name) => name.startsWith('otto-agents'))
  );
}

export function withBareEdits(edition: Edition): Edition {
  return {
    ...edition,
    name: `${edition.name}+bare-edits`,
    lowerEnvelope: (envelope) => {
      const lowered = edition.lowerEnvelope(envelope);
      return lowered && lowerEnvelope(lowered);
    },
    lowerSnapshot: (snapshot) => lowerSnapshot(edition.lowerSnapshot(snapshot)),
  };
}

function lowerEnvelope(envelope: ActionEnvelope): ActionEnvelope {
  const { action } = envelope;
  const lowered = lowerAction(action);
  return lowered === action ? envelope : { ...envelope, action: lowered };
}

function lowerAction(action: Action): Action {
  if (action.type === 'chat/toolCallReady') return bare(action);
  if (action.type !== 'session/inputNeededSet') return action;
  const request = lowerRequest(action.request);
  return request === action.request ? action : { ...action, request };
}

function lowerSnapshot(snapshot: Snapshot): Snapshot {
  const { state } = snapshot;
  const lowered = 'turns' in state ? lowerChat(state) : 'chats' in state ? lowerSession(state) : state;
  return lowered === state ? snapshot : { ...snapshot, state: lowered };
}

/** Only a running turn has calls that wait. */
function lowerChat(state: ChatState): ChannelState {
  const { activeTurn } = state;
  if (!activeTurn) return state;
  const responseParts = activeTurn.responseParts.map(lowerPart);
  if (responseParts.every((part, at) => part === activeTurn.responseParts[at])) return state;
  return { ...state, activeTurn: { ...activeTurn, responseParts } };
}

function lowerPart(part: ResponsePart): ResponsePart {
  if (part.kind !== 'toolCall') return part;
  const toolCall = bare(part.toolCall);
  return toolCall === part.toolCall ? part : { ...part, toolCall };
}

function lowerSession(state: SessionState): SessionState {
  const { inputNeeded } = state;
  if (!inputNeeded) return state;
  const lowered = inputNeeded.map(lowerRequest);
  return lowered.every((request, at) => request === inputNeeded[at])
    ? state
    : { ...state, inputNeeded: lowered };
}

function lowerRequest(request: SessionInputRequest): SessionInputRequest {
  if (request.kind !== 'toolConfirmation') return request;
  const toolCall = bare(request.toolCall);
  return toolCall === request.toolCall ? request : { ...request, toolCall };
}

/** A call or an action about one, with the bare list in place of AHP's collection. */
function bare<T extends object>(told: T): T {
  if (!('edits' in told)) return told;
  const { edits: _edits, ...rest } = told;
  const { diffs } = ottoOf('_meta' in told ? (told._meta as Meta | undefined) : undefined);
  // Another shape than AHP's under AHP's name: that is what this variant is for.
  return { ...rest, ...(Array.isArray(diffs) && { edits: diffs }) } as T;
}
