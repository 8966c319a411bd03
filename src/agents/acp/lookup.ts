// Where an agent's program is, and a sentence for each way it can be missing (F-100, F-103).
// Looks anew at every start: an agent installed after the service started is found (F-101). Runs nothing.
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isFile, isFolder } from '../../system/files.ts';

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

export type Lookup =
  | { file: string }
  /** `again` when the reason may pass by itself, as while a program replaces its own file (F-034). */
  | { reason: string; again: boolean };

/** Finds `command` on the PATH the child will have; a full path is checked as it is. `cwd` must be a folder. */
export function lookUp(command: string, cwd: string, env: NodeJS.ProcessEnv): Lookup {
  const found = findProgram(command, env['PATH'] ?? SYSTEM_PATH);
  if (!isFolder(cwd)) {
    const also = 'file' in found ? '' : `; also, ${found.reason}`;
    return { reason: `The folder ${cwd} does not exist${also}`, again: false };
  }
  return found;
}

function findProgram(command: string, path: string): Lookup {
  const folders = path.split(delimiter).filter(isAbsolute);
  const candidates = isAbsolute(command) ? [command] : folders.map((folder) => join(folder, command));
  const files = candidates.filter(isFile);
  const file = files.find(isExecutable);
  if (file !== undefined) return { file };
  const [blocked] = files;
  if (blocked !== undefined) {
    return { reason: `${blocked} is not executable; allow it with chmod +x`, again: false };
  }
  const reason = isAbsolute(command)
    ? `there is no program ${command}; correct the agent's command`
    : `there is no program "${command}" in PATH (${path}); give its full path as the agent's command, ` +
      `or set PATH in the agent's env or in the service's unit`;
  return { reason, again: true };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
