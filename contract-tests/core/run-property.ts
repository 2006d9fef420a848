import fc from 'fast-check';
import { inParallel } from './in-parallel.ts';
import type { Target } from './target.ts';

/**
 * Checks a property on generated cases, a few at once. When one fails, it is shrunk, and the error of the smallest case
 * that fails is thrown.
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
    // Each case is at least one request: shrinking must not take minutes.
    interruptAfterTimeLimit: 20_000,
  });
  throw errorInstance ?? failure.error;
}
