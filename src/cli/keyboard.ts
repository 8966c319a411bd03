// One line from the person at the terminal. What was typed before the line was asked for is thrown away: nobody
// answers a question that they have not seen (F-052). Between lines the terminal is left as it was.

import { createInterface } from 'node:readline/promises';
import { setImmediate as loopTurn } from 'node:timers/promises';

/** Whether somebody can be asked here: keys come in, and what is asked is seen. */
export function isAtKeyboard(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** The line, or undefined when `signal` took the question down or the person closed the input (Ctrl+D). */
export async function readLine(prompt: string, signal: AbortSignal): Promise<string | undefined> {
  const { stdin, stderr } = process;
  stdin.setRawMode(true);
  await discardTyped();
  if (signal.aborted) {
    stdin.setRawMode(false);
    return undefined;
  }
  const line = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 });
  line.on('SIGINT', interrupt);
  const closed = new Promise<undefined>((resolve) => line.once('close', () => resolve(undefined)));
  try {
    return await Promise.race([line.question(prompt, { signal }), closed]);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    line.close();
  }
}

/** Reads away what is there; two turns of the loop, since the first may be past the point of reading. */
async function discardTyped(): Promise<void> {
  const look = (data: Buffer | string): void => {
    if (String(data).includes('\u0003')) interrupt();
  };
  process.stdin.on('data', look);
  await loopTurn();
  await loopTurn();
  process.stdin.pause();
  process.stdin.off('data', look);
}

/** In raw mode Ctrl+C is a key like any other; here it means what it always means. */
function interrupt(): void {
  process.kill(process.pid, 'SIGINT');
}
