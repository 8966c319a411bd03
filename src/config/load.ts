// Reads agents.toml: which files, in which order, and what is said when one is wrong.
// Never invents an agent: with no file at all the list is empty, and whoever starts the service says what to write.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { messageOf, UserError } from '../base/errors.ts';
import { configDir } from '../system/xdg.ts';
import { type AgentConfig, configFile } from './schema.ts';

export interface Config {
  agents: readonly AgentConfig[];
}

/** The files read without `--config`, later ones winning (facts 9.1). */
export function configFiles(env: NodeJS.ProcessEnv): string[] {
  return ['/etc/otto/agents.toml', join(configDir(env), 'otto', 'agents.toml')];
}

/**
 * Reads `configPath` alone when given (then it must exist), else those of `files` that exist; the last one that sets
 * `agents` decides the whole list. Throws UserError (exit 1) naming file, place and what was expected.
 */
export function loadConfig(options: { configPath?: string; files: readonly string[] }): Config {
  const paths = options.configPath === undefined ? options.files : [options.configPath];
  let agents: readonly AgentConfig[] = [];
  for (const path of paths) {
    const text = readText(path, options.configPath !== undefined);
    if (text !== undefined) agents = readAgents(path, text) ?? agents;
  }
  return { agents };
}

function readText(path: string, required: boolean): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && !required) return undefined;
    const reason = missing ? 'there is no such file' : messageOf(error);
    throw new UserError(`Cannot read ${path}: ${reason}`, 1, { cause: error });
  }
}

function readAgents(path: string, text: string): readonly AgentConfig[] | undefined {
  const result = configFile.safeParse(parseToml(path, text));
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${path}: ${issueText(issue)}`);
    throw new UserError(lines.join('\n'), 1, { cause: result.error });
  }
  const { agents } = result.data;
  agents?.forEach((agent, index) => {
    if (agents.findIndex((other) => other.id === agent.id) !== index) {
      throw new UserError(`${path}: agents[${index}].id: "${agent.id}" is used twice; each id must differ`);
    }
    if (/\s/.test(agent.command) && !existsSync(agent.command)) {
      throw new UserError(
        `${path}: agents[${index}].command: there is no program "${agent.command}"; put flags in args, ` +
          `one string each, and the program alone in command`,
      );
    }
  });
  return agents;
}

function parseToml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The rest of the library's message quotes the file, which may hold values of env.
    const [reason = ''] = error.message.split('\n');
    throw new UserError(`${path}:${error.line}:${error.column}: ${reason}`, 1, { cause: error });
  }
}

type Issue = z.core.$ZodIssue;

function issueText(issue: Issue): string {
  const at = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path === '' ? String(key) : `${path}.${String(key)}`,
    '',
  );
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => (at === '' ? key : `${at}.${key}`));
    return `${keys.join(', ')}: unknown key; check the spelling or remove it`;
  }
  if (issue.code === 'invalid_type') return `${at}: expected ${EXPECTED[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `${at}: expected one of ${issue.values.map(String).join(', ')}`;
  return `${at}: ${issue.message}`;
}

const EXPECTED: Record<string, string> = {
  string: 'a string',
  array: 'a list',
  object: 'a table',
  record: 'a table of strings',
};
