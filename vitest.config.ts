import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { agentVariables } from './common/cli/is-agent.ts';
import { LongestFirst } from './tools/testing/longest-first.ts';

// Dozens of tests start a command: what Node has compiled for one, it finds again for the next.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

// The tests assert what people read, whoever runs them.
for (const name of agentVariables) delete process.env[name];

/** A busy machine takes its time. */
const unit = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 30_000 } },
};

const native = {
  // The next file finds the modules that are loaded; no test changes them.
  isolate: false,
  // Node loads them itself, as it does for users.
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

/** Tests of drawn behaviours, of most deployments and of requests in a page: some in `npm run check`, all of them each night. */
const drawn = [
  'contract-tests/**/{drawn-*,hard-cases,other-deployments}.test.ts',
  'mock/browser/create-browser-mock.browser.test.ts',
];

/**
 * Every choice of a behaviour, whole trials, the proofs of the suite again in hard conditions, memory, the runner of
 * Playwright, random requests, a console with many of them, what npm does, and that the gate accuses no deployment that conforms:
 * each night.
 */
const hard = [
  'contract-tests/deployments/{behaviours,disturbed-deployments}.test.ts',
  'contract-tests/cli-bounds.test.ts',
  'console/many-requests.browser.test.ts',
  'mock/playwright/test.browser.test.ts',
  'mock/{assumptions/whole-trials,learn/round-trips}.test.ts',
  'tools/testing/project/{gate-and-suite,random-requests,scarf}.test.ts',
  'tools/install/install-folder.test.ts',
];

/** Each request of a run, answered wrongly in several ways: each night. */
const wrongAnswers = 'contract-tests/deployments/wrong-answers.test.ts';

/** Tests that take tens of seconds, what reports say of further deployments, and the suite with another contract: `npm run check`. */
const slow = [
  'contract-tests/{cli-end,test-contract,dredd/dredd,deployments/{changed-contract,findings}}.test.ts',
  '{console,contract-tests,mock}/**/*.browser.test.ts',
  ...drawn,
];

/** Tests of the packed packages, which a globalSetup builds and installs. */
const packages = {
  ...unit,
  include: ['tools/testing/project/{packages,page-commands}.test.ts'],
  globalSetup: 'tools/testing/project/install-packages.ts',
};

const startBrowser = 'tools/testing/start-browser.ts';

export default defineConfig({
  test: {
    maxWorkers: 3,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // What the product promises to its users: read this file first.
        test: {
          name: 'promises',
          ...unit,
          ...native,
          include: ['tools/testing/promises.test.ts'],
          globalSetup: startBrowser,
        },
      },
      {
        test: {
          name: 'unit',
          ...unit,
          ...native,
          // Most tests that run at once wait.
          maxConcurrency: 5,
          include: [
            '{tools/testing,tools/bench,tools/install,common,fixtures,mock,console,proxy,contract-tests}/**/*.test.ts',
            'tools/executable/build-executable.test.ts',
          ],
          exclude: [
            ...[...configDefaults.exclude, ...slow, ...packages.include, ...hard],
            ...[wrongAnswers, '**/promises.test.ts'],
          ],
        },
      },
      {
        test: {
          name: 'slow',
          ...unit,
          isolate: false,
          include: slow,
          exclude: [...configDefaults.exclude, ...hard],
          globalSetup: startBrowser,
          provide: { drawnBehaviours: 1, everyOther: 24 },
        },
      },
      {
        // What a new user meets first: `npm run check`.
        test: { name: 'packages', ...packages, provide: { isWhole: false } },
      },
      {
        // Every page of the documents, and every environment: each night.
        test: { name: 'packages-whole', ...packages, provide: { isWhole: true } },
      },
      {
        test: {
          name: 'drawn',
          ...unit,
          include: [...drawn, ...hard],
          globalSetup: startBrowser,
          provide: { drawnBehaviours: 200, roundTrips: 60, everyOther: 1 },
        },
      },
      { test: { name: 'wrong-answers', ...unit, include: [wrongAnswers] } },
      { test: { name: 'executable', ...unit, include: ['tools/executable/executable.test.ts'] } },
      {
        // The contract suite against ANIMAL_STORE_URL: `npm run test:contract`. It is a project of its own, so that a
        // variable that a developer has exported does not make `npm test` reach a deployment.
        test: {
          name: 'deployment',
          include: ['contract-tests/conformance.contract.ts'],
          globalSetup: 'contract-tests/testing/provide-deployment.ts',
        },
      },
    ],
  },
});
