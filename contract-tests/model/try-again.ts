import { NotApplicable, Unstable } from '../client/result.ts';
import type { Context } from './context.ts';

/** Tries something again when other clients may have caused its failure. @throws the last error, or NotApplicable */
export async function tryAgain<T>(context: Context, run: () => Promise<T>, tries = 3): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Unstable)) throw error;
    if (tries > 1) return tryAgain(context, run, tries - 1);
    const reason = 'the statuses of animals change all the time, though nothing was requested that would';
    throw (await isUnsteady(context)) ? new NotApplicable(reason) : error;
  }
}

/** Returns whether an animal has two statuses in three lists that follow each other. */
async function isUnsteady(context: Context): Promise<boolean> {
  const animals = [];
  for (let count = 0; count < 3; count += 1) animals.push(...(await context.listAnimals()));
  const byId = Map.groupBy(animals, ({ id }) => id);
  return [...byId.values()].some((same) => same.some(({ status }) => status !== same[0]?.status));
}
