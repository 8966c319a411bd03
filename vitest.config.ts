import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

// Projects are named by what they need: `unit` nothing at all, `socket` sockets and child processes, `real-agents`
// the packages of that folder and much memory, so it runs alone and one file at a time.
const UNIT = ['test/architecture.test.ts', 'test/{protocol,host,docs}/**/*.test.ts'];
const REAL_AGENTS = ['test/real-agents/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', new CountReporter()],
    projects: [
      { test: { name: 'unit', include: UNIT } },
      {
        test: {
          name: 'socket',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, ...REAL_AGENTS, '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real-agents',
          include: REAL_AGENTS,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
