// The version of this program, as its package says.
import { readFileSync } from 'node:fs';

/** `version` of package.json, which lies two folders above this file, built or not. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
