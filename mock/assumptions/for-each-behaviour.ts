import { UsageError } from '../../common/cli/usage-error.ts';
import { findTestFunctions, type TestFunctions } from '../../common/find-test-functions.ts';
import { describeValue } from '../../common/http/api-error.ts';
import { clearTimeout, performance, setTimeout } from '../../common/real-time.ts';
import { printDifference } from '../choices/behaviours.ts';
import type { Difference } from '../choices/choices.ts';
import type { Control } from '../session/control.ts';
import { type ChoiceValues, findNeverActing, groupValues, printValues } from './print-values.ts';
import { type TriedValues, tryValues } from './try-values.ts';

const MILLISECONDS_OF_SECOND = 1_000;

/** Time that the test may take, in ms: it runs the function many times, and the usual time of a test runner is for one. */
const LONGEST_TEST = 600_000;

/** Time that the function gets with a value, in ms, and as a multiple of its time with the default behaviour. */
const LEAST_TIME = 5_000;
const TIMES_DEFAULT_RUN = 5;

interface Failure {
  readonly error: unknown;
}

/** Ends the test, because another run would mean nothing. */
class RunError extends Error {}

/**
 * Declares a test that runs a function with the default behaviour, and then with each value of a choice that would have changed a
 * response to it, such as "order: oldest". It fails with the names of all values with which the function fails twice, and with the
 * first of their errors as its cause. The mock is reset before each run and at the end.
 *
 * @param findMock returns the mock or the session that the function uses. The test calls it once.
 * @param run must clean up what it leaves, because hooks such as `beforeEach` run once, and must not reset the mock.
 * @param test declares a test. @default the global function, or else `test` of `node:test`
 * @throws UsageError in Vitest without global functions, and for a mock instead of a function.
 */
export function forEachBehaviour(
  findMock: () => Pick<Control, 'configure' | 'settings' | 'reset' | 'findActingValues'>,
  run: (behaviour: Difference) => unknown,
  test: TestFunctions['test'] = findTestFunctions('forEachBehaviour(findMock, run, test)').test,
): void {
  const expected = 'forEachBehaviour takes a function that returns a mock of startMock or a session of it';
  if (typeof findMock !== 'function')
    throw new UsageError(`${expected}, such as () => mock, not ${describeValue(findMock)}.`);
  const tryAll = async (mock: ReturnType<typeof findMock>) => {
    const runWith = async (behaviour: Difference, timeout: number) => {
      mock.reset();
      mock.configure({ behaviour });
      await endInTime(async () => run(behaviour), timeout, behaviour);
      if (JSON.stringify(mock.settings().behaviour) === JSON.stringify(behaviour)) return;
      throw new RunError(
        `The function has reset the mock or set a behaviour, so it did not run with ${print(behaviour)}. The mock is reset before each run.`,
      );
    };
    const start = performance.now();
    const acting = await mock.findActingValues(() => runWith({}, LONGEST_TEST));
    if (acting.length === 0)
      throw new Error('No request of the function with a valid key reached the mock that findMock returns.');
    const timeout = Math.max(LEAST_TIME, TIMES_DEFAULT_RUN * (performance.now() - start));
    const tried = await tryValues(acting, async (behaviour): Promise<Failure | undefined> => {
      try {
        await runWith(behaviour, timeout);
        return undefined;
      } catch (error) {
        if (error instanceof RunError) throw error;
        return { error };
      }
    });
    const [first] = [...tried.broken, ...tried.unstable];
    if (first === undefined) return;
    throw new Error(describe(tried, findNeverActing(acting)), { cause: first.failure.error });
  };
  const body = async () => {
    const mock = findMock();
    if (typeof mock?.findActingValues !== 'function')
      throw new UsageError(`${expected}. The function has returned ${describeValue(mock)}.`);
    await tryAll(mock).finally(() => mock.reset());
  };
  test('works with each behaviour that changes a response', body, LONGEST_TEST);
}

const print = (behaviour: Difference) => printDifference(behaviour)[0] ?? 'the default behaviour';

/** The function may still be running after its time, and would disturb other runs. */
async function endInTime(run: () => Promise<unknown>, timeout: number, behaviour: Difference): Promise<void> {
  const seconds = Math.ceil(timeout / MILLISECONDS_OF_SECOND);
  const late = new RunError(`The function did not end within ${seconds} s with ${print(behaviour)}.`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const time = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), timeout);
  });
  await Promise.race([run(), time]).finally(() => clearTimeout(timer));
}

function describe({ broken, passed, unstable }: TriedValues<Failure>, neverActing: readonly ChoiceValues[]) {
  const causes = broken.map(({ behaviour, failure }) => {
    const [first] = String(failure.error).split('\n');
    return `  ${print(behaviour)}: ${first}`;
  });
  const lines = [
    broken.length > 0 && 'The function passes with the default behaviour, and fails with other values:',
    ...causes,
    unstable.length > 0 &&
      `The function does not fail each time, or also with the default behaviour, so it is not stable: ${printValues(groupValues(unstable))}. Does it clean up what it leaves?`,
    passed.length > 0 && `It passes with: ${printValues(groupValues(passed))}.`,
    `These values changed no response: ${printValues(neverActing)}.`,
  ];
  return lines.filter(Boolean).join('\n');
}
