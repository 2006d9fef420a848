import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Dozens of tests start a command: what Node has compiled for one, it finds again for the next.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

export default defineConfig({
  test: {
    // The tests wait more than they compute.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          // A busy machine may take its time.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // The next file finds the modules that are loaded; no test changes them.
          isolate: false,
          include: [
            '{common,fixtures,mock,console,proxy,contract-tests,bench,fuzz,soak,generated-clients}/**/*.test.ts',
          ],
        },
      },
      {
        // The contract suite, against BASE_URL or a mock of its own.
        test: {
          name: 'contract',
          include: ['contract-tests/conformance.contract.ts'],
          globalSetup: 'contract-tests/testing/provide-target.ts',
        },
      },
    ],
  },
});
