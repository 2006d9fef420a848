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

type Run = (behaviour: Difference) => Promise<Outcome>;

class OutOfRuns extends Error {}

/**
 * Finds the choices that make a run fail: first all values in columns, then each value of a failed column. If no value fails
 * it looks for a small combination.
 * @param run tries a behaviour. It passes with the default.
 * @param maxRuns Maximum number of runs.
 */
export async function findCauses(run: Run, maxRuns: number): Promise<Causes> {
  const columns = listColumns().map((column) => ({ column, singles: splitDifference(column) }));
  const untested = new Set(columns.flatMap(({ singles }) => singles));
  const failures: { readonly whole: Cause; readonly found: Cause[] }[] = [];
  let runs = 0;
  const tryOne: Run = async (behaviour) => {
    if (runs === maxRuns) throw new OutOfRuns();
    runs += 1;
    return run(behaviour);
  };
  const fails = async (behaviour: Difference) => (await tryOne(behaviour)) !== 'passed';
  const tryColumn = async ({ column, singles }: (typeof columns)[number]) => {
    const outcome = await tryOne(column);
    if (outcome === 'passed') {
      for (const single of singles) untested.delete(single);
      return;
    }
    const whole: Cause = { behaviour: column, outcome, isConfirmed: false };
    const found: Cause[] = [];
    failures.push({ whole, found });
    for (const single of singles) {
      const outcome = await tryOne(single);
      untested.delete(single);
      if (outcome === 'passed') continue;
      const cause: Cause = { behaviour: single, outcome, isConfirmed: false };
      found.push(cause);
      cause.isConfirmed = await fails(single);
    }
    if (found.length > 0) return;
    whole.isConfirmed = await fails(column);
    if (!whole.isConfirmed) return;
    const combination = merge(await findCombination(singles, fails));
    if (await fails(combination)) whole.behaviour = combination;
  };
  try {
    for (const column of columns) await tryColumn(column);
  } catch (error) {
    if (!(error instanceof OutOfRuns)) throw error;
  }
  // Without a smaller cause, the whole column is reported.
  const causes = failures.flatMap(({ whole, found }) => (found.length > 0 ? found : [whole]));
  return { causes, untested: [...untested] };
}

function splitDifference(difference: Difference): Difference[] {
  return Object.entries(difference).map(([name, value]) => ({ [name]: value }));
}

type Parts = readonly Difference[];
type Fails = (behaviour: Difference) => Promise<boolean>;
const merge = (parts: Parts): Difference => Object.assign({}, ...parts);

/** Halves values that fail together until no part can be left out. @param kept Values of every run. */
async function findCombination(values: Parts, fails: Fails, kept: Parts = []): Promise<Parts> {
  if (values.length === 1) return values;
  const half = Math.ceil(values.length / 2);
  const first = values.slice(0, half);
  const second = values.slice(half);
  if (await fails(merge([...kept, ...first]))) return findCombination(first, fails, kept);
  if (await fails(merge([...kept, ...second]))) return findCombination(second, fails, kept);
  const ofFirst = await findCombination(first, fails, [...kept, ...second]);
  return [...ofFirst, ...(await findCombination(second, fails, [...kept, ...ofFirst]))];
}
