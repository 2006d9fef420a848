import { Unfulfilled } from './verdict.ts';

/** How often something is tried that others may have come between: they may sell an animal at any time. */
const MOST_TRIES = 3;

/**
 * Tries something again when a clause was not fulfilled.
 *
 * @throws what it threw the last time.
 */
export async function tryAgain<T>(run: () => Promise<T>, left = MOST_TRIES): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (left === 1 || !(error instanceof Unfulfilled)) throw error;
    return tryAgain(run, left - 1);
  }
}
