// Reads agents.toml: which files, in which order, and what is said when one is wrong. All that is wrong is said at
// once. Only the system's and the person's own file count, or the one that was named: a folder configures nothing.
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import { messageOf, UserError } from '../base/errors.ts';
import { isFile } from '../system/files.ts';
import { configDir, home as homeOf } from '../system/xdg.ts';
import { BUILT_IN } from './built-in.ts';
import { type Issue, issuesOf, pathText } from './issues.ts';
import { type Locator, locator } from './locate.ts';
import { nearest } from './nearest.ts';
import {
  type AgentConfig,
  agentOf,
  type ConfigFile,
  configFile,
  isCommandLine,
  reservedIn,
} from './schema.ts';

export interface Config {
  /** Never empty; the first is the default. */
  agents: readonly AgentConfig[];
  /** No file sets an agent: `agents` is the one that comes with the program. */
  builtIn: boolean;
  /** Words before the command that enters a session in a terminal. */
  terminal: readonly string[];
  /** Seconds; 0: never stopped. */
  idleTimeout: number;
  /** What was taken but does not do what its author may think; one line each. */
  warnings: readonly string[];
}

const IDLE_TIMEOUT = 300;

/** The files read without `--config`, later ones winning (facts 9.1). */
export function configFiles(env: NodeJS.ProcessEnv): string[] {
  return ['/etc/otto/agents.toml', join(configDir(env), 'otto', 'agents.toml')];
}

export interface LoadOptions {
  /** Read alone when given, and then it must exist. */
  configPath?: string;
  files: readonly string[];
  /** What `~/` stands for; the home of this process when absent. */
  home?: string;
}

/**
 * Reads the files there are; of each setting the last one that makes it counts, `agents` as a whole. Throws
 * UserError (exit 1) with one line for each mistake: file, line, column, key, what was expected.
 */
export function loadConfig(options: LoadOptions): Config {
  const home = options.home ?? homeOf(process.env);
  const paths = options.configPath === undefined ? options.files : [options.configPath];
  const files = paths.flatMap((path) => readFile(path, options.configPath !== undefined) ?? []);
  const mistakes = files.flatMap((file) => file.mistakes);
  const last = <K extends keyof ConfigFile>(key: K) => files.findLast(({ data }) => data[key] !== undefined);
  const tables = last('agents')?.data.agents ?? [];
  const agents = tables.length === 0 ? [BUILT_IN] : tables.map((table) => agentOf(table, home));

  const chooser = last('default_agent');
  const chosen = chooser?.data.default_agent;
  const first = agents.find(({ id }) => id === chosen);
  if (mistakes.length === 0 && chooser !== undefined && chosen !== undefined && first === undefined) {
    mistakes.push(chooser.line({ path: ['default_agent'], text: notAnAgent(chosen, agents) }));
  }
  if (mistakes.length > 0) throw new UserError(mistakes.join('\n'));
  return {
    agents: first === undefined ? agents : [first, ...agents.filter((agent) => agent !== first)],
    builtIn: tables.length === 0,
    terminal: last('terminal')?.data.terminal ?? [],
    idleTimeout: last('idle_timeout')?.data.idle_timeout ?? IDLE_TIMEOUT,
    warnings: files.flatMap((file) => file.warnings),
  };
}

function notAnAgent(id: string, agents: readonly AgentConfig[]): string {
  const ids = agents.map((agent) => oneLine(agent.id));
  const near = nearest(id, ids);
  const meant = near === undefined ? '' : `; did you mean "${near}"?`;
  return `not the id of a configured agent${meant || `; there are ${ids.join(', ')}`}`;
}

/** A line break in `text` would make two lines of a message. */
const oneLine = (text: string): string => JSON.stringify(text).slice(1, -1);

interface File {
  data: ConfigFile;
  mistakes: string[];
  warnings: string[];
  /** `issue` in one line, with the place it is about. */
  line: (issue: Issue) => string;
}

function readFile(path: string, required: boolean): File | undefined {
  const text = readText(path, required);
  if (text === undefined) return undefined;
  const data = parseToml(path, text);
  if ('mistake' in data) return { data: {}, mistakes: [data.mistake], warnings: [], line: () => '' };
  const locate = locator(text);
  const line = (issue: Issue) => lineOf(path, locate, issue);
  const lines = (issues: Issue[]) => issues.toSorted(byPlace(locate)).map(line);
  const result = configFile.safeParse(data.table);
  if (!result.success) {
    return { data: {}, mistakes: lines(issuesOf(result.error, data.table)), warnings: [], line };
  }
  const mistakes = lines(agentMistakes(result.data));
  return { data: result.data, mistakes, warnings: lines(warningsOf(result.data)), line };
}

function readText(path: string, required: boolean): string | undefined {
  try {
    // A byte order mark is left out by the decoder.
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' && !required) return undefined;
    const reason =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
          ? 'it is not valid UTF-8; save it in that encoding'
          : messageOf(error);
    throw new UserError(`Cannot read ${path}: ${reason}`, 1, { cause: error });
  }
}

function parseToml(path: string, text: string): { table: unknown } | { mistake: string } {
  try {
    return { table: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the library's message quotes the file, which may hold values of env.
    const [reason = ''] = error.message.split('\n');
    return { mistake: `${path}:${error.line}:${error.column}: ${reason}` };
  }
}

function lineOf(path: string, locate: Locator, issue: Issue): string {
  const { line, column } = locate(issue.path);
  return `${path}:${line}:${column}: ${pathText(issue.path)}: ${issue.text}`;
}

function byPlace(locate: Locator): (a: Issue, b: Issue) => number {
  return (a, b) => {
    const [left, right] = [locate(a.path), locate(b.path)];
    return left.line - right.line || left.column - right.column;
  };
}

/** What no single key shows. */
function agentMistakes({ agents = [] }: ConfigFile): Issue[] {
  return agents.flatMap((agent, index) => {
    const issues: Issue[] = [];
    const at = (key: string, text: string) => issues.push({ path: ['agents', index, key], text });
    if (agents.findIndex(({ id }) => id === agent.id) !== index) {
      at('id', `"${oneLine(agent.id)}" is used twice; each id must differ`);
    }
    if (isCommandLine(agent.command)) at('command', NO_PROGRAM);
    if (agent.colour !== undefined && agent.color !== undefined) {
      at('color', 'the same as colour; keep one of the two');
    }
    return issues;
  });
}

const NO_PROGRAM =
  'there is no program of this name; write the program alone here, its flags in args, one string each, ' +
  'and its variables in env';

/** Whether a full path is that of no file while its beginning is: the program may yet be installed, so it counts. */
function seemsCommandLine(command: string): boolean {
  const [program = ''] = command.split(/\s/, 1);
  return program !== command && isAbsolute(program) && !isFile(command) && isFile(program);
}

function warningsOf(file: ConfigFile): Issue[] {
  const reserved = (table: object, of: 'file' | 'agent', path: Issue['path']): Issue[] =>
    reservedIn(table, of).map((key) => ({ path: [...path, key], text: 'reserved; it has no effect yet' }));
  const ofAgents = (file.agents ?? []).flatMap((agent, index): Issue[] => {
    const path = ['agents', index];
    const issues = reserved(agent, 'agent', path);
    if (seemsCommandLine(agent.command)) issues.push({ path: [...path, 'command'], text: NO_PROGRAM });
    if (agent.agent === undefined || agent.skills === 'claude') return issues;
    return [...issues, { path: [...path, 'agent'], text: 'has no effect without skills = "claude"' }];
  });
  return [...reserved(file, 'file', []), ...ofAgents];
}
