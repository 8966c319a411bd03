// What stands at a path, as yes or no: where nothing can be seen, there is nothing. Reads no contents.
import { type Stats, statSync } from 'node:fs';

export const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

/** The option alone would still throw for a path that leads through a file, and for a folder closed to us. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
