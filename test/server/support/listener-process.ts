// A process that does nothing but hold a socket, for tests of simultaneous starts. Runs as emitted JavaScript.
// stdout: `ready` once it listens. Exit code: that of the UserError when it cannot.
import { createLog } from '../../../src/base/log.ts';
import { parseListen } from '../../../src/server/address.ts';
import { listen } from '../../../src/server/listen.ts';

const log = createLog(() => {});
try {
  const address = parseListen(process.argv[2] ?? '');
  const listener = await listen({ address, log, accept: (client) => client.send(String(process.pid)) });
  process.once('SIGTERM', () => void listener.close().then(() => process.exit(0)));
  process.stdout.write('ready\n');
} catch (error) {
  const exitCode = error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 70;
  process.exit(exitCode);
}
