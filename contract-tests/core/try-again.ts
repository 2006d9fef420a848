import type { Context } from './context.ts';
import { listAnimals } from './list-animals.ts';
import { Skipped, Unstable } from './result.ts';

/** How often something is tried that other clients may disturb. */
const MOST_TRIES = 3;

/**
 * Tries something again when other clients may have caused its failure.
 *
 * @throws what it threw the last time, or Skipped when statuses are seen to change all the time.
 */
export async function tryAgain<T>(context: Context, run: () => Promise<T>, left = MOST_TRIES): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Unstable)) throw error;
    if (left > 1) return tryAgain(context, run, left - 1);
    if (await isUnsteady(context)) {
      throw new Skipped(
        'the statuses of animals change all the time, though nothing was requested that would',
      );
    }
    throw error;
  }
}

/** Whether animals have other statuses at once: in one of three lists that follow each other. */
async function isUnsteady(context: Context): Promise<boolean> {
  const lists = [await listAnimals(context), await listAnimals(context), await listAnimals(context)];
  const seen = new Map<unknown, unknown>();
  return lists.flat().some(({ id, status }) => {
    const isOther = seen.has(id) && seen.get(id) !== status;
    seen.set(id, status);
    return isOther;
  });
}
