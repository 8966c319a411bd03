import { defineConfig } from 'vitest/config';
import { CountReporter } from './test/support/count-reporter.ts';

// Projects are named by what they need: `unit` nothing at all, `socket` sockets and child processes.
const UNIT = ['test/architecture.test.ts', 'test/{protocol,host,docs}/**/*.test.ts'];

export default defineConfig({
  test: {
    reporters: ['default', new CountReporter()],
    projects: [
      { test: { name: 'unit', include: UNIT } },
      {
        test: {
          name: 'socket',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
