// Where things of a person live, by the XDG base directory specification. Reads variables and nothing else,
// except `runtimeDir`, which asks whether `/run/user/<uid>` is there. A path that is not absolute counts as unset.
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** `$HOME`, or what the password database says. */
export function home(env: Environment): string {
  return absolute(env['HOME']) ?? homedir();
}

/** `$XDG_RUNTIME_DIR`, else `<base>/<uid>` where that directory exists, else undefined (seed "The transport"). */
export function runtimeDir(env: Environment, base = '/run/user'): string | undefined {
  const named = absolute(env['XDG_RUNTIME_DIR']);
  if (named !== undefined) return named;
  const own = join(base, String(process.getuid?.() ?? 0));
  return statSync(own, { throwIfNoEntry: false })?.isDirectory() ? own : undefined;
}

/** `$XDG_STATE_HOME`, else `~/.local/state`. */
export function stateDir(env: Environment): string {
  return absolute(env['XDG_STATE_HOME']) ?? join(home(env), '.local', 'state');
}

/** `$XDG_CONFIG_HOME`, else `~/.config`. */
export function configDir(env: Environment): string {
  return absolute(env['XDG_CONFIG_HOME']) ?? join(home(env), '.config');
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
