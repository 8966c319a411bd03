import { defineConfig } from 'vitest/config';

// Projects are named by what they need: `unit` nothing at all, `socket` sockets and child processes.
const UNIT = ['test/architecture.test.ts', 'test/{base,protocol,host,config,docs}/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: UNIT } },
      {
        test: {
          name: 'socket',
          include: ['test/**/*.test.ts'],
          exclude: [...UNIT, '**/node_modules/**'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
