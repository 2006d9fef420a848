/** How many run at once: enough for a slow deployment to be done with soon, few enough to be no load. */
const MOST_AT_ONCE = 8;

/**
 * Does something with each item, a few at once. After the first failure no other item is begun.
 *
 * @throws what the first of the items that failed has thrown, once all that were begun have ended.
 */
export async function inParallel<T>(
  items: readonly T[],
  run: (item: T) => Promise<void>,
  most = MOST_AT_ONCE,
): Promise<void> {
  const failures = new Map<number, unknown>();
  const waiting = items.entries();
  const work = async () => {
    for (const [index, item] of waiting) {
      await run(item).catch((error) => failures.set(index, error));
      if (failures.size > 0) return;
    }
  };
  await Promise.all(Array.from({ length: most }, work));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
}
