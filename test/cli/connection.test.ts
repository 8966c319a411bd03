import { expect, test } from 'vitest';
import { serviceAddress } from '../../src/cli/connection.ts';

test.each([
  [undefined, '/run/user/7', { kind: 'socket', path: '/run/user/7/otto-agents/agents.sock' }],
  ['', '/run/user/7/', { kind: 'socket', path: '/run/user/7/otto-agents/agents.sock' }],
  ['ws://localhost:99', '/run/user/7', { kind: 'tcp', host: 'localhost', port: 99 }],
])('--url %j with the runtime directory %j means %j (R-005, R-014)', (url, runtime, address) => {
  expect(serviceAddress(url, { XDG_RUNTIME_DIR: runtime })).toEqual(address);
});
