import { Unstable } from './result.ts';

/** How often something is tried that others may have come between. */
const MOST_TRIES = 3;

/**
 * Tries something again when others may be to blame: they may sell an animal at any time.
 *
 * @throws what it threw the last time.
 */
export async function tryAgain<T>(run: () => Promise<T>, left = MOST_TRIES): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (left === 1 || !(error instanceof Unstable)) throw error;
    return tryAgain(run, left - 1);
  }
}
