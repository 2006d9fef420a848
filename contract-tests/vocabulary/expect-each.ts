import { Failed, NoVerdict } from '../client/clause-errors.ts';
import { inParallel } from '../client/in-parallel.ts';
import { listDistinct } from '../failures/identify-failure.ts';

/** Number of failed cases after which a clause begins no other: a deployment that checks nothing would add an animal for each. */
const MOST_FAILED = 5;

/**
 * Runs a check with each case, a few at once, so that one defect hides no other.
 *
 * @throws Failed with the failures of the first cases that failed, or else the first other error
 */
export async function expectEach<T>(
  cases: readonly T[],
  check: (one: T) => Promise<unknown>,
  atOnce?: number,
): Promise<void> {
  const failed = new Map<number, Failed>();
  const checkOne = async (one: T, index: number) => {
    if (failed.size >= MOST_FAILED) return;
    await check(one).catch((error) => {
      if (!(error instanceof Failed)) throw error;
      failed.set(index, error);
    });
  };
  await inParallel(cases, checkOne, atOnce).catch((error) => {
    if (failed.size === 0 || error instanceof NoVerdict) throw error;
  });
  const inOrder = [...failed].toSorted(([one], [other]) => one - other).map(([, one]) => one);
  const [first, ...others] = inOrder.slice(0, MOST_FAILED);
  if (first !== undefined) throw joinFailures(first, others);
}

/** Runs independent checks one after the other, as `expectEach` does. */
export function expectInTurn(checks: readonly (() => Promise<unknown>)[]): Promise<void> {
  return expectEach(checks, (check) => check(), 1);
}

/** Adds what the failures of other cases show to a failure. Its own verdict stays. */
function joinFailures(first: Failed, others: readonly Failed[]): Failed {
  if (others.length === 0) return first;
  const { alike = [], more = [] } = first.details;
  const distinct = listDistinct([first, ...others].flatMap(({ failures }) => failures));
  const telling = others.filter(({ failures }) => failures.some((one) => distinct.includes(one)));
  const Verdict = first.constructor as typeof Failed;
  return new Verdict(first.fault, first.exchange, {
    ...first.details,
    others: distinct.slice(1),
    alike: [...alike, ...others.map(({ exchange }) => exchange)],
    more: [...more, ...telling.map(({ exchange }) => exchange)],
  });
}
