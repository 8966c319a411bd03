// `serve` without the command line, for tests of signals and faults. Runs as emitted JavaScript.
// stdout: the address once it listens. SIGUSR1 throws where nobody catches it, SIGUSR2 rejects.
import { stopWithProcess } from '../../../src/app/lifecycle.ts';
import { startService } from '../../../src/app/service.ts';
import type { AgentBackend } from '../../../src/host/ports.ts';

/** An agent that starts and, with `stubborn`, never ends. */
const backend = (stubborn: boolean): AgentBackend => ({
  agents: () => [
    {
      info: { provider: 'p', displayName: 'P', description: '', models: [] },
      permissions: 'deny',
      forgets: true,
    },
  ],
  start(_spec, report) {
    setImmediate(() => report({ type: 'started', fresh: true, can: { steer: false } }));
    return {
      prompt: () => {},
      cancel: () => {},
      steer: (_message, reply) => reply(false),
      setMode: (_mode, reply) => reply(),
      setOption: (_id, _value, reply) => reply('no options'),
      signIn: (_method, reply) => reply('no sign-in'),
      stop: () => {
        process.stdout.write('asked to stop\n');
        if (!stubborn) setImmediate(() => report({ type: 'stopped', asked: true }));
      },
    };
  },
});

const service = await startService({
  env: process.env,
  backend: () => backend(process.argv[2] === 'stubborn'),
  write: (line) => process.stderr.write(line),
});
stopWithProcess(() => service.stop(), service.log);
process.on('SIGUSR1', () => {
  throw new Error('thrown on purpose');
});
process.on('SIGUSR2', () => {
  void Promise.reject(new Error('rejected on purpose'));
});
process.stdout.write(`${service.address}\n`);
