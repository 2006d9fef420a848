import { findTestFunctions, type TestFunctions } from '../../common/find-test-functions.ts';
import { printDifference } from '../choices/behaviours.ts';
import type { Difference } from '../choices/choices.ts';
import type { ActingValue } from '../choices/count-effects.ts';

/** A mock or a session in this process or in another one. */
interface Controlled {
  configure(changes: { readonly behaviour: Difference }): unknown;
  reset(): unknown;
  countEffects(): unknown;
  actingValues(): ActingValue[] | Promise<ActingValue[]>;
}

/**
 * Declares one test: it runs a function with the default behaviour, and then with each value of a choice that would have changed one of
 * the responses, such as `{ order: 'oldest' }`. It fails with the names of all values with which the function fails, and with the first
 * of these errors as its cause. The mock is reset before each run and at the end.
 *
 * @param findMock returns the mock or the session that the function uses. The test calls it.
 * @param run is called with the values that differ from the default.
 * @param test declares a test. @default the global function, or else `test` of `node:test`
 * @throws UsageError in Vitest without global functions.
 */
export function forEachBehaviour(
  findMock: () => Controlled,
  run: (behaviour: Difference) => unknown,
  test: TestFunctions['test'] = findTestFunctions('forEachBehaviour(findMock, run, test)').test,
): void {
  test('each behaviour that changes a response', async () => {
    const mock = findMock();
    try {
      await mock.reset();
      await mock.countEffects();
      await run({});
      const acting = await mock.actingValues();
      if (acting.length === 0) throw new Error('No value of a choice would change a response of this test.');
      const failures: { readonly behaviour: Difference; readonly error: unknown }[] = [];
      for (const { choice, value } of acting) {
        const behaviour: Difference = { [choice]: value };
        await mock.reset();
        await mock.configure({ behaviour });
        try {
          await run(behaviour);
        } catch (error) {
          failures.push({ behaviour, error });
        }
      }
      expectNone(failures, acting.length);
    } finally {
      await mock.reset();
    }
  });
}

function expectNone(
  failures: readonly { readonly behaviour: Difference; readonly error: unknown }[],
  count: number,
): void {
  const [first] = failures;
  if (first === undefined) return;
  const lines = failures.map(({ behaviour, error }) => {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return `  ${printDifference(behaviour).join('')}: ${reason}`;
  });
  const found = `It fails with ${failures.length} of ${count} values that change a response:`;
  throw new Error([found, ...lines].join('\n'), { cause: first.error });
}
