import { findTestFunctions, type TestFunctions } from '../../common/find-test-functions.ts';
import { listSingles, printDifference } from '../choices/behaviours.ts';
import type { Difference } from '../choices/choices.ts';
import type { Control } from '../session/control.ts';

/**
 * Declares a test for the default behaviour, and one for each other value of each choice, such as "order: oldest". A test sets
 * its behaviour, runs the function, and then resets the mock.
 *
 * @param findMock returns the mock or the session that the function uses. Each test calls it.
 * @param run is the body of each test.
 * @param test declares a test. @default the global function, or else `test` of `node:test`
 * @throws UsageError in Vitest without global functions.
 */
export function forEachBehaviour(
  findMock: () => Pick<Control, 'configure' | 'reset'>,
  run: (behaviour: Difference) => unknown,
  test: TestFunctions['test'] = findTestFunctions('forEachBehaviour(findMock, run, test)').test,
): void {
  for (const behaviour of [{}, ...listSingles()]) {
    test(`behaviour ${printDifference(behaviour)[0] ?? 'default'}`, async () => {
      const mock = findMock();
      mock.configure({ behaviour });
      try {
        await run(behaviour);
      } finally {
        mock.reset();
      }
    });
  }
}
