import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../tools/testing/create-folder.ts';
import type { Answer } from './deployments/deployment.ts';
import { clauses } from './rules/clauses.ts';
import { noMaximum, startForTest } from './testing/run-suite.ts';
import { runToEnd } from './testing/run-to-end.ts';

/** Runs `npm run test:contract`. */
function runTests(variables: Readonly<Record<string, string>>) {
  // Variables of the run of Vitest that this test belongs to would reach the other run.
  const { PATH = '', HOME = '' } = process.env;
  return runToEnd('npm', ['run', '--silent', 'test:contract'], { PATH, HOME, ...variables });
}

const ANIMAL_STORE_API_KEY = 'test-key';
const count = clauses.length;

test('npm run test:contract only reads, has one test for each clause, and fails the one that is broken', async () => {
  const methods = new Set<string>();
  const createAnswer = (): Answer => {
    const answer = noMaximum.createAnswer();
    return (request, asMock) => {
      methods.add(request.method);
      return answer(request, asMock);
    };
  };
  const ANIMAL_STORE_URL = await startForTest({ createAnswer });
  const { exitCode, printed } = await runTests({ ANIMAL_STORE_URL, ANIMAL_STORE_API_KEY });
  const [, failed, passed, skipped] =
    / Tests {2}(\d+) failed \| (\d+) passed \| (\d+) skipped/.exec(printed) ?? [];
  expect(Number(failed) + Number(passed) + Number(skipped)).toBe(count);
  expect([exitCode, [...methods]]).toEqual([1, ['GET']]);
  expect(printed).toContain('expected at most 5 animals, received 6');
});

test('with ALLOW_WRITES=1 every clause is tested', async () => {
  const variables = { ANIMAL_STORE_URL: await startForTest(), ANIMAL_STORE_API_KEY, ALLOW_WRITES: '1' };
  const { exitCode, printed } = await runTests(variables);
  expect(printed).toContain(` Tests  ${count} passed (${count})\n`);
  expect(exitCode).toBe(0);
});

test('without a deployment the message names both variables', async () => {
  const { exitCode, printed } = await runTests({});
  expect(printed).toContain(
    'ANIMAL_STORE_URL and ANIMAL_STORE_API_KEY are missing. Set both variables, such as: ',
  );
  expect(exitCode).toBe(1);
});

test('an address that is no URL is named, and nothing is sent', async () => {
  const { exitCode, printed } = await runTests({
    ANIMAL_STORE_URL: '127.0.0.1:4010/v1',
    ANIMAL_STORE_API_KEY,
  });
  expect(printed).toBe(
    'ANIMAL_STORE_URL must be a URL such as https://staging.example/v1, with http or https\n',
  );
  expect(exitCode).toBe(1);
});

test('hooks that do not load fail Dredd, which then reaches no deployment', async () => {
  let requests = 0;
  const url = await startForTest({
    createAnswer: () => (request, asMock) => {
      requests += 1;
      return asMock(request);
    },
  });
  const folder = createFolder({ 'hooks.cjs': "throw new Error('no hooks');" });
  const configuration = readFileSync(join(import.meta.dirname, 'dredd/dredd.yml'), 'utf8');
  const config = join(folder, 'dredd.yml');
  writeFileSync(config, configuration.replace('contract-tests/dredd/hooks.cjs', join(folder, 'hooks.cjs')));
  const command = ['--no-warnings', 'node_modules/dredd/bin/dredd', '--config', config];
  const { exitCode } = await runToEnd(process.execPath, command, {
    ANIMAL_STORE_URL: url,
    ANIMAL_STORE_API_KEY,
  });
  expect([exitCode, requests]).toEqual([1, 0]);
});
