// Whether a folder can be a session's. Looks at the disk once and keeps nothing.
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** Why `path` cannot be a session's folder, in a sentence for a person, or undefined when it can. */
export function folderProblem(path: string): string | undefined {
  if (!isAbsolute(path)) return `the working directory ${path} is not an absolute path`;
  try {
    return statSync(path).isDirectory() ? undefined : `the working directory ${path} is not a folder`;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return `the working directory ${path} does not exist`;
    if (code === 'ENOTDIR')
      return `the working directory ${path} leads through something that is not a folder`;
    if (code === 'EACCES') return `the working directory ${path} may not be looked into`;
    return `the working directory ${path} cannot be used (${String(code ?? error)})`;
  }
}
