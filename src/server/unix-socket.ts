// The socket file: a private directory, one owner at a time, and a name that is only ever removed by its owner.
// A server listens under a name of its own first, claims the place by linking that socket as the next lock, and
// only then moves it to the public name. A lock is held while its socket answers, so a killed owner holds nothing.
// The highest lock is never removed, only outnumbered: that makes taking over a dead one a single atomic link.
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf, UserError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';

/** What `sun_path` holds, less the closing NUL (unix(7)). */
const LONGEST_PATH = 107;
/** How long one that has the lock but no socket (it is starting or stopping) is waited for. */
const PATIENCE_MS = 10_000;
const POLL_MS = 20;
/** Exit code of "already running". */
export const ALREADY_RUNNING = 3;

interface BoundSocket {
  /** Takes the public name away; the place stays taken until the server is closed. */
  withdraw(): void;
}

/**
 * Makes `server` listen on `path`, mode 0600 in a directory of mode 0700. UserError 3 when something
 * answers there already, 1 when the place is not fit to be used.
 */
export async function bindUnixSocket(server: Server, path: string, log: Log): Promise<BoundSocket> {
  if (Buffer.byteLength(path) > LONGEST_PATH) {
    throw new UserError(
      `The socket path ${path} is longer than ${LONGEST_PATH} bytes; choose a shorter one.`,
    );
  }
  prepareDirectory(dirname(path), log);
  const directory = openSync(dirname(path), 'r');
  // Through the descriptor and with names of a known length: Node cuts a path that is too long without a word.
  const inside = (name: string) => `/proc/self/fd/${directory}/${name}`;
  const place = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16);
  const own = `.${randomUUID()}`;
  try {
    await listening(server, inside(own));
    chmodSync(inside(own), 0o600);
    const inode = lstatSync(inside(own)).ino;
    await claim(inside, `.${place}.lock-`, own, path);
    renameSync(inside(own), path);
    return { withdraw: () => removeOwn(path, inode) };
  } catch (error) {
    await new Promise((resolve) => server.close(resolve));
    throw error;
  } finally {
    closeSync(directory);
  }
}

/** Returns holding the lock, with nothing alive under the public name. */
async function claim(
  inside: (name: string) => string,
  prefix: string,
  own: string,
  path: string,
): Promise<void> {
  const newest = () => Math.max(0, ...locks(inside('.'), prefix));
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    checkReplaceable(path);
    const generation = newest();
    if (await answers(path)) throw alreadyRunning(path);
    if (generation > 0 && (await answers(inside(prefix + generation)))) {
      if (Date.now() > deadline) throw alreadyRunning(path);
      await delay(POLL_MS);
      continue;
    }
    const mine = generation + 1;
    if (!linked(inside(own), inside(prefix + mine))) continue;
    if (newest() > mine) {
      // Lower numbers are cleared away, so one can be had again long after its time.
      unlinkSync(inside(prefix + mine));
      continue;
    }
    for (const old of locks(inside('.'), prefix)) if (old < mine) remove(inside(prefix + old));
    // The one before may have published, served and died since the look above; nobody else can now.
    if (await answers(path)) throw alreadyRunning(path);
    return;
  }
}

function locks(directory: string, prefix: string): number[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith(prefix))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((number) => Number.isSafeInteger(number) && number > 0);
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The directory is made or tightened before the socket appears, so there is no moment at which others connect. */
function prepareDirectory(path: string, log: Log): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UserError(`Cannot make the directory ${path} for the socket: ${messageOf(error)}.`, 1, {
      cause: error,
    });
  }
  const found = lstatSync(path);
  if (!found.isDirectory())
    throw new UserError(`${path} is not a directory of its own; the socket needs one.`);
  checkOwner(path, found);
  if ((found.mode & 0o1000) !== 0) {
    throw new UserError(`${path} is shared by everyone; put the socket into a directory of its own.`);
  }
  if ((found.mode & 0o777) === 0o700) return;
  chmodSync(path, 0o700);
  log.info(`tightened ${path} to mode 0700`);
}

function checkReplaceable(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  checkOwner(path, found);
  if (!found.isSocket()) throw new UserError(`${path} is not a socket; move it away or listen elsewhere.`);
}

function checkOwner(path: string, found: Stats): void {
  if (found.uid !== process.getuid?.()) {
    throw new UserError(`${path} belongs to user ${found.uid}; listen in a directory of your own.`);
  }
}

function removeOwn(path: string, inode: number): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) remove(path);
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function alreadyRunning(path: string): UserError {
  return new UserError(`otto-agents is already running: something answers on ${path}.`, ALREADY_RUNNING);
}

/** Whether something listens there. What cannot be told counts as yes, so that nothing alive is replaced. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(codeOf(error))));
  });
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
