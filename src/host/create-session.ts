// Making a session: what may be asked for, and the state a new session and its one chat begin with (facts 4.2,
// 4.6). Several folders are refused: an agent works in one.
import { ProtocolError } from '../base/errors.ts';
import type { CreateSessionParams } from '../protocol/commands.ts';
import { INVALID_PARAMS, PROVIDER_NOT_FOUND, SESSION_ALREADY_EXISTS } from '../protocol/errors.ts';
import { ottoOf, withOtto } from '../protocol/meta.ts';
import { type Meta, STATUS_IDLE, type Uri } from '../protocol/state-common.ts';
import type { ChatSummary, SessionState } from '../protocol/state-session.ts';
import { chatUri, filePath, isSessionUri } from '../protocol/uri.ts';
import type { AgentEntry } from './ports.ts';
import { type Chat, type Core, isoTime, newChat, type Session } from './session.ts';
import { initialConfig } from './session-config.ts';

interface Place {
  agent: AgentEntry;
  cwd: string;
  config: SessionState['config'] | undefined;
}

/** The agent and the folder of a session that may be made; throws the code of facts 4.2 otherwise. */
export function checkCreation(
  core: Core,
  folderProblem: (path: string) => string | undefined,
  clientId: string,
  params: CreateSessionParams,
): Place {
  const { channel, provider, workingDirectories = [], activeClient } = params;
  if (!isSessionUri(channel)) throw invalid(`${channel} is not a session URI; use ahp-session:/<id>`);
  if (core.sequencer.kindOf(channel))
    throw new ProtocolError(SESSION_ALREADY_EXISTS, `${channel} exists already`);
  if (activeClient && activeClient.clientId !== clientId) {
    throw invalid('activeClient.clientId must be the clientId of this connection');
  }
  const agent = findAgent(core, provider);
  const cwd = findFolder(workingDirectories, folderProblem);
  return { agent, cwd, config: initialConfig(core, agent.info.provider, params.config ?? {}) };
}

/** Opens the channels of the session and of its chat, and says so on them. */
export function openSession(core: Core, params: CreateSessionParams, place: Place): Chat {
  const { agent, cwd, config } = place;
  const { sequencer, sessions, chats } = core;
  const { channel, workingDirectories = [], _meta } = params;
  const createdAt = isoTime(core.clock.now());
  const session: Session = { uri: channel, agent, cwd, createdAt, renamed: false, chats: new Map() };
  const chat = newChat(chatUri(core.newId()), session);
  const summary: ChatSummary = {
    resource: chat.uri,
    title: '',
    status: STATUS_IDLE,
    modifiedAt: createdAt,
    origin: { kind: 'user' },
  };
  sessions.set(channel, session);
  session.chats.set(chat.uri, chat);
  chats.set(chat.uri, chat);
  chat.asked = params.config ?? {};
  const state = sessionState(agent, workingDirectories, _meta);
  sequencer.open(channel, 'session', { ...state, ...(config && { config }) });
  sequencer.open(chat.uri, 'chat', { ...summary, turns: [] });
  sequencer.commit(channel, { type: 'session/chatAdded', summary });
  sequencer.commit(channel, { type: 'session/defaultChatChanged', defaultChat: chat.uri });
  return chat;
}

function sessionState(
  { info }: AgentEntry,
  workingDirectories: readonly Uri[],
  asked: Meta | undefined,
): SessionState {
  const { app, subject } = ottoOf(asked);
  const _meta = withOtto(undefined, {
    app: typeof app === 'string' ? app : undefined,
    subject: Array.isArray(subject) && subject.every((uri) => typeof uri === 'string') ? subject : undefined,
  });
  return {
    provider: info.provider,
    title: '',
    status: STATUS_IDLE,
    workingDirectories,
    lifecycle: 'creating',
    activeClients: [],
    chats: [],
    ...(info.customizations && { customizations: info.customizations }),
    ...(_meta && { _meta }),
  };
}

function findAgent(core: Core, provider: string | undefined): AgentEntry {
  const agents = core.backend.agents();
  const found = provider === undefined ? agents[0] : agents.find(({ info }) => info.provider === provider);
  if (found) return found;
  const known = agents.map(({ info }) => info.provider).join(', ') || 'none';
  throw new ProtocolError(PROVIDER_NOT_FOUND, `there is no agent ${provider ?? ''}; there are: ${known}`);
}

function findFolder(
  workingDirectories: readonly Uri[],
  folderProblem: (path: string) => string | undefined,
): string {
  const [uri, ...others] = workingDirectories;
  if (uri === undefined) throw invalid('a working directory is required: one absolute file:// URI');
  if (others.length > 0) throw invalid('a session has exactly one working directory');
  const path = filePath(uri);
  if (path === undefined) throw invalid(`the working directory ${uri} is not an absolute file:// URI`);
  const problem = folderProblem(path);
  if (problem !== undefined) throw invalid(problem);
  return path;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}
