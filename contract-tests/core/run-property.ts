import fc from 'fast-check';
import { inParallel } from './in-parallel.ts';
import type { Target } from './target.ts';

/**
 * Tries a property with cases that fast-check makes, a few at once. When one fails, smaller ones are tried, and what the
 * smallest that fails has thrown is thrown.
 *
 * @param runs how many cases.
 */
export async function runProperty<T>(
  { seed, runs }: Pick<Target, 'seed' | 'runs'>,
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const failure = await inParallel(fc.sample(arbitrary, { seed, numRuns: runs }), check).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (failure === undefined) return;
  // The same seed makes the same cases.
  const { errorInstance } = await fc.check(fc.asyncProperty(arbitrary, check), {
    seed,
    numRuns: runs,
    // Each case is a request or more: a deployment is not to be asked for minutes about the smallest of them.
    interruptAfterTimeLimit: 20_000,
  });
  throw errorInstance ?? failure.error;
}
