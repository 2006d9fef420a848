import type { TriedValue } from '../choices/behaviours.ts';
import type { Difference } from '../choices/choices.ts';
import type { ActingValue } from '../choices/count-effects.ts';

export interface BrokenBy<Failure> extends TriedValue {
  readonly failure: Failure;
}

export interface TriedValues<Failure> {
  /** Values with which the tests fail each time. */
  readonly broken: readonly BrokenBy<Failure>[];
  readonly passed: readonly TriedValue[];
  /** Values with which the tests fail, but not each time, or not only with them. */
  readonly unstable: readonly BrokenBy<Failure>[];
  /** Values that were not tried before the end. */
  readonly untested: readonly TriedValue[];
}

/**
 * Runs tests with each value. A run that fails is repeated at once, and the plain service once more after all of them: without that, a
 * test that fails now and then, or that an earlier run has broken for good, would blame a value.
 * @param run runs the tests. @returns why they failed
 * @param isEnded says that nothing more should be run, and that the last run means nothing.
 */
export async function tryValues<Failure>(
  values: readonly ActingValue[],
  run: (behaviour: Difference, progress: string) => Promise<Failure | undefined>,
  isEnded: () => boolean = () => false,
): Promise<TriedValues<Failure>> {
  const broken: BrokenBy<Failure>[] = [];
  const passed: TriedValue[] = [];
  const unstable: BrokenBy<Failure>[] = [];
  for (const [index, one] of values.entries()) {
    const first = await run(one.behaviour, `${index + 1} of ${values.length}`);
    const failure = first && !isEnded() && (await run(one.behaviour, 'again'));
    if (isEnded()) return { broken, passed, unstable, untested: values.slice(index) };
    if (first === undefined) passed.push(one);
    else if (failure) broken.push({ ...one, failure });
    else unstable.push({ ...one, failure: first });
  }
  const isBroken = broken.length > 0 && (await run({}, 'again')) !== undefined;
  if (!isBroken || isEnded()) return { broken, passed, unstable, untested: [] };
  return { broken: [], passed, unstable: [...unstable, ...broken], untested: [] };
}
