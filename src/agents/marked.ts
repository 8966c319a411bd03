// The mark of one start of an agent: a variable that all it starts inherits, also in a group or a session of its own.
// Ends what has the mark and nothing else; where the system lists no processes it finds none.
import { setTimeout as pause } from 'node:timers/promises';
import { processesWith } from '../system/processes.ts';

export const MARK = 'OTTO_AGENTS_RUN';

const POLL_MS = 20;
/** For what was killed to be gone, and for what starts others faster than they are found. */
const LIMIT_MS = 1000;
/** From the asking to the killing. */
const GRACE_MS = 300;

export const isMarkThere = (mark: string): boolean => processesWith(MARK, mark).length > 0;

/**
 * Ends whatever has `mark`, again until nothing has it; false when something still has after a second. A program that
 * an agent opened for a person, such as a browser for a sign-in, gets to put its things away first.
 */
export async function killMarked(mark: string): Promise<boolean> {
  const asked = new Set<number>();
  for (let waited = 0; waited <= LIMIT_MS; waited += POLL_MS) {
    const found = processesWith(MARK, mark);
    if (found.length === 0) return true;
    for (const pid of found) {
      if (waited >= GRACE_MS) signal(pid, 'SIGKILL');
      else if (!asked.has(pid)) signal(pid, 'SIGTERM');
      asked.add(pid);
    }
    // A service that is stopped meanwhile does not wait for this.
    await pause(POLL_MS, undefined, { ref: false });
  }
  return false;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone in this moment, or not ours to signal.
  }
}
