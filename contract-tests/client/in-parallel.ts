import pLimit from 'p-limit';

/**
 * Runs a function with each item, a few at once. After the first failure no other item is begun.
 * @throws the failure of the first item that failed, after the others have ended.
 */
export async function inParallel<T, Result>(
  items: readonly T[],
  run: (one: T, index: number) => Promise<Result>,
  most = 8,
) {
  const failures = new Map<number, unknown>();
  const results = await pLimit(most).map(items, async (item, index) => {
    if (failures.size > 0) return undefined;
    return run(item, index).catch((error) => void failures.set(index, error));
  });
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
  return results as Result[];
}
