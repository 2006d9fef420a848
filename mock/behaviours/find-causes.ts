import { listColumns } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';

/** `timeout`: the run did not end in time. */
export type Outcome = 'passed' | 'failed' | 'timeout';

/** Choices that make a run fail. */
export interface Cause {
  behaviour: Difference;
  readonly outcome: Exclude<Outcome, 'passed'>;
  /** True if it failed again in a second run. */
  isConfirmed: boolean;
}

export interface Causes {
  readonly causes: readonly Cause[];
  /** Values that were not tried, or only together with values that fail. */
  readonly untested: readonly Difference[];
}

class OutOfRuns extends Error {}

/**
 * Finds the choices that make a run fail: first all values in columns, then each value of a failed column. If no value fails
 * by itself, it looks for a small combination.
 * @param run tries a behaviour. It passes with the default.
 * @param maxRuns Maximum number of runs.
 */
export async function findCauses(
  run: (behaviour: Difference) => Promise<Outcome>,
  maxRuns: number,
): Promise<Causes> {
  const causes: Cause[] = [];
  const columns = listColumns().map((column) => ({ column, singles: splitDifference(column) }));
  const untested = new Set(columns.flatMap(({ singles }) => singles));
  let runs = 0;
  const tryOne: typeof run = async (behaviour) => {
    if (runs === maxRuns) throw new OutOfRuns();
    runs += 1;
    return run(behaviour);
  };
  /** @returns the cause if the behaviour fails */
  const tryTwice = async (behaviour: Difference): Promise<Cause | undefined> => {
    const outcome = await tryOne(behaviour);
    if (outcome === 'passed') return undefined;
    const cause: Cause = { behaviour, outcome, isConfirmed: false };
    causes.push(cause);
    cause.isConfirmed = (await tryOne(behaviour)) !== 'passed';
    return cause;
  };
  try {
    for (const { column, singles } of columns) {
      const hasFailed = (await tryOne(column)) !== 'passed';
      const before = causes.length;
      for (const single of singles) {
        if (hasFailed) await tryTwice(single);
        untested.delete(single);
      }
      if (!hasFailed || causes.length > before) continue;
      const cause = await tryTwice(column);
      if (cause?.isConfirmed) cause.behaviour = merge(await findCombination(singles, tryOne));
    }
  } catch (error) {
    if (!(error instanceof OutOfRuns)) throw error;
  }
  return { causes, untested: [...untested] };
}

function splitDifference(difference: Difference): Difference[] {
  return Object.entries(difference).map(([name, value]) => ({ [name]: value }));
}

const merge = (parts: readonly Difference[]): Difference => Object.assign({}, ...parts);

/** Halves values that fail together until no part can be left out. @param kept Values of every run. */
async function findCombination(
  values: readonly Difference[],
  tryOne: (behaviour: Difference) => Promise<Outcome>,
  kept: readonly Difference[] = [],
): Promise<readonly Difference[]> {
  if (values.length === 1) return values;
  const fails = async (parts: readonly Difference[]) =>
    (await tryOne(merge([...kept, ...parts]))) !== 'passed';
  const half = Math.ceil(values.length / 2);
  const [first, second] = [values.slice(0, half), values.slice(half)];
  if (await fails(first)) return findCombination(first, tryOne, kept);
  if (await fails(second)) return findCombination(second, tryOne, kept);
  const ofFirst = await findCombination(first, tryOne, [...kept, ...second]);
  return [...ofFirst, ...(await findCombination(second, tryOne, [...kept, ...ofFirst]))];
}
