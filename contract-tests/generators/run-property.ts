import fc from 'fast-check';
import type { Target } from '../target.ts';

/**
 * Tries a property with cases that fast-check makes, and throws what the smallest failing case has thrown.
 *
 * @param runs how many cases. @default those of the target
 */
export async function runProperty<T>(
  { seed, runs }: Pick<Target, 'seed' | 'runs'>,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const { errorInstance } = await fc.check(fc.asyncProperty(arbitrary, check), {
    seed,
    numRuns: runs,
    // Each case is a request or more: a deployment is not to be asked for minutes about the smallest of them.
    interruptAfterTimeLimit: 20_000,
  });
  if (errorInstance !== null && errorInstance !== undefined) throw errorInstance;
}
