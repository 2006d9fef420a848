import { expect, test } from 'vitest';
import type { Answer } from './deployments/deployment.ts';
import { clauses } from './rules/clauses.ts';
import { noMaximum, startForTest } from './testing/run-suite.ts';
import { runToEnd } from './testing/run-to-end.ts';

/**
 * Runs what `npm run test:contract` runs. Variables of the run of Vitest that this test belongs to would reach the other run.
 */
function runTests(variables: Readonly<Record<string, string>>) {
  return runToEnd(process.execPath, ['contract-tests/dredd/test-contract.ts'], variables);
}

const ANIMAL_STORE_API_KEY = 'test-key';

// tools/testing/promises.test.ts has a run that passes.
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
  expect(Number(failed) + Number(passed) + Number(skipped)).toBe(clauses.length);
  expect([exitCode, [...methods]]).toEqual([1, ['GET']]);
  expect(printed).toContain('expected at most 5 animals, received 6');
  expect(printed).toMatch(/^pass: GET \(200\) \/pets\/1 /m);
  expect(printed).toContain('\nDredd passed, the contract suite failed\n');
});

test('without the variables nothing is sent, and the message names them', async () => {
  const { exitCode, printed } = await runTests({});
  const message = 'ANIMAL_STORE_URL and ANIMAL_STORE_API_KEY are missing. Set both variables, such as: ';
  expect([exitCode, printed.startsWith(message)]).toEqual([1, true]);
});
