import { listColumns, listSingles } from '../../common/behaviour/behaviours.ts';
import { type Choice, type ChoiceName, choices, type Difference } from '../../common/behaviour/choices.ts';

/** `timeout`: the run did not end in time. */
export type Outcome = 'passed' | 'failed' | 'timeout';

/** What a run with a behaviour has shown. */
export interface Observation {
  readonly outcome: Outcome;
  /** The values that acted: each has changed a response. */
  readonly acted: Difference;
  /** Names of the tests that failed. */
  readonly failedTests: readonly string[];
  /** A part of the output, if it names no test. */
  readonly excerpt: readonly string[];
}

/** Values that make a run fail, as it failed first. */
export interface Cause extends Pick<Observation, 'failedTests' | 'excerpt'> {
  /** One value, or several that fail only together. */
  readonly behaviour: Difference;
  readonly outcome: Exclude<Outcome, 'passed'>;
  /** Added to the mock's seed: a value that is random may break the command with another seed only. */
  readonly seedShift: number;
  /** True if it failed each time that it was repeated, and acted each time. False if it has also passed, or was not repeated. */
  isConfirmed: boolean;
}

export interface Causes {
  readonly causes: readonly Cause[];
  /** Values that have changed no response. */
  readonly neverActed: readonly Difference[];
  /** Values of which nothing is known, because the runs ended before. */
  readonly untested: readonly Difference[];
  /** Number of values of which it is known whether they break the command. */
  readonly tried: number;
  /** Number of runs that failed without a value that acts, or that passed when they were repeated. */
  readonly flakyRuns: number;
  /** False if the runs ended before the search. */
  readonly isComplete: boolean;
}

/**
 * Runs the command with a behaviour. @throws EndOfRuns if there are no more runs
 * @param seedShift is added to the mock's seed.
 */
type Run = (behaviour: Difference, seedShift: number) => Promise<Observation>;

/** Ends the search: the result is what was found so far. */
export class EndOfRuns extends Error {}

/** Number of runs with the default behaviour, before the search. */
export const DEFAULT_RUNS = 2;

/** Number of runs that have every value once, or twice if some values act. */
export const COLUMN_RUNS = listColumns().length;

/** Number of runs in which a value has to fail again. */
const REPEATS = 1;

/** The same where few values fail, so that a test that is not stable is seen at a low price. */
const REPEATS_OF_FEW = 3;

/** Number of causes that are few. */
const FEW = 5;

/**
 * Number of runs in which a value has to fail again where tests are not stable, and if it has passed with the first seed: more
 * seeds are more chances for a test that is not stable.
 */
const REPEATS_IN_DOUBT = 4;

/** Counts the runs of values that all break the command. */
export function countMostRuns(values: number): number {
  return values * (1 + (values <= FEW ? REPEATS_OF_FEW : REPEATS));
}

/** Number of runs of three that decide about a value which has failed and then passed. */
const MAJORITY = 2;

/** Number of further seeds that a random value is tried with. */
export const FURTHER_SEEDS = 2;

/** Number of runs in which a behaviour may fail although no value acts. */
const MOST_FLAKY = 4;

/**
 * Finds the values that make a run fail. It learns from columns which values act, tries each of these alone, and repeats what
 * fails. If a column fails and none of its values does, it looks for a small combination.
 * @param run tries a behaviour. It passes with the default.
 * @param maxRuns Maximum number of runs.
 * @param onLearned is called with the numbers of values to try alone, and of runs that they take if nothing breaks.
 */
export async function findCauses(
  run: Run,
  maxRuns: number,
  onLearned: (values: number, runs: number) => void = () => {},
): Promise<Causes> {
  const search = new Search(run, maxRuns);
  let isComplete = false;
  try {
    for (const column of listColumns()) await search.learn(column);
    onLearned(...search.countLeft());
    await search.tryEach();
    await search.findCombinations();
    await search.confirmAgain();
    isComplete = true;
  } catch (error) {
    if (!(error instanceof EndOfRuns)) throw error;
  }
  return { ...search.result(), isComplete };
}

/** A column of values, the first run of it that failed, and the values that acted. */
interface Column {
  readonly acted: Difference;
  readonly failure: Observation | undefined;
  /** True if it is known why the run failed, or that it passes when it is repeated. */
  isSettled: boolean;
}

class Search {
  readonly #run: Run;
  readonly #columns: Column[] = [];
  readonly #causes: Cause[] = [];
  /** Values by what is known of them. The others are untested. */
  readonly #known = new Map<string, 'acts' | 'tried' | 'never acted'>();
  /** Number of runs in which each cause was repeated. */
  readonly #repeats = new Map<Cause, number>();
  #left: number;
  #flakyRuns = 0;

  constructor(run: Run, maxRuns: number) {
    this.#run = run;
    this.#left = maxRuns;
  }

  /**
   * Runs the values of a column, then the ones that have not acted, until no value acts. Then the command got the responses of
   * the default behaviour, so that none of these values would act alone.
   */
  async learn(column: Difference): Promise<void> {
    let rest = column;
    let acted: Difference = {};
    let failure: Observation | undefined;
    try {
      while (!isEmpty(rest)) {
        const observed = await this.#observe(rest);
        if (observed === undefined) return;
        if (isEmpty(observed.acted)) {
          for (const single of split(rest)) this.#mark(single, 'never acted');
          return;
        }
        for (const single of split(observed.acted)) this.#mark(single, 'acts');
        acted = { ...acted, ...observed.acted };
        if (observed.outcome !== 'passed' && count(observed.acted) > 1) failure ??= observed;
        if (count(observed.acted) === 1) await this.#decide(observed.acted, observed);
        rest = without(rest, observed.acted);
      }
    } finally {
      this.#columns.push({ acted, failure, isSettled: failure === undefined });
    }
  }

  /** Counts the values that act and have to be tried alone, and the runs that this takes if nothing breaks. */
  countLeft(): [values: number, runs: number] {
    const acting = this.#listActing();
    return [acting.length, acting.length + FURTHER_SEEDS * acting.filter(isRandom).length];
  }

  /** Tries each value alone that acts. */
  async tryEach(): Promise<void> {
    for (const single of this.#listActing()) {
      const observed = await this.#observe(single);
      if (observed === undefined) continue;
      // Without the other values of its column the command has sent other requests.
      if (isEmpty(observed.acted)) this.#mark(single, 'never acted');
      else await this.#decide(single, observed);
    }
  }

  /** Looks for a combination where a column has failed and none of its values fails. */
  async findCombinations(): Promise<void> {
    for (const column of this.#listUnexplained()) {
      const { acted, failure } = column;
      if (!(await this.#fails(acted))) {
        this.#flakyRuns += 1;
        column.isSettled = true;
        continue;
      }
      const found = merge(await findCombination(split(acted), (behaviour) => this.#fails(behaviour)));
      const observed = await this.#observe(found);
      // Without a smaller cause, all of the column is reported.
      const isFound = observed !== undefined && observed.outcome !== 'passed';
      const cause = this.#addCause(isFound ? found : acted, isFound ? observed : failure);
      cause.isConfirmed = true;
      column.isSettled = true;
    }
  }

  /** Repeats what was confirmed by few runs, and more often if a run has shown that tests are not stable. */
  async confirmAgain(): Promise<void> {
    const next = () => this.#causes.find((cause) => cause.isConfirmed && this.#needsRepeat(cause));
    for (let cause = next(); cause !== undefined; cause = next()) await this.#repeat(cause);
  }

  #needsRepeat(cause: Cause): boolean {
    const isFew = this.#causes.length <= FEW;
    const usual = isFew ? REPEATS_OF_FEW : REPEATS;
    const isInDoubt = this.#flakyRuns > 0 || cause.seedShift > 0;
    return (this.#repeats.get(cause) ?? 0) < (isInDoubt ? REPEATS_IN_DOUBT : usual);
  }

  async #repeat(cause: Cause): Promise<void> {
    const isAgain = await this.#fails(cause.behaviour, cause.seedShift);
    this.#repeats.set(cause, (this.#repeats.get(cause) ?? 0) + 1);
    cause.isConfirmed = isAgain;
    if (isAgain) return;
    this.#flakyRuns += 1;
    if (await this.#failsMostly(cause)) return;
    this.#causes.splice(this.#causes.indexOf(cause), 1);
  }

  /** Returns whether a cause fails in most of three runs. */
  async #failsMostly({ behaviour, seedShift }: Cause): Promise<boolean> {
    let failures = 0;
    let passes = 0;
    while (failures < MAJORITY && passes < MAJORITY)
      if (await this.#fails(behaviour, seedShift)) failures += 1;
      else passes += 1;
    return failures === MAJORITY;
  }

  result(): Omit<Causes, 'isComplete'> {
    for (const { acted, failure } of this.#listUnexplained()) this.#addCause(acted, failure);
    const singles = listSingles();
    const select = (state: 'acts' | 'tried' | 'never acted' | undefined) =>
      singles.filter((single) => this.#known.get(nameOf(single)) === state);
    return {
      causes: this.#causes,
      neverActed: select('never acted'),
      untested: [...select(undefined), ...select('acts')],
      tried: select('tried').length,
      flakyRuns: this.#flakyRuns,
    };
  }

  /** Lists the columns that have failed without any of their values, as far as these were tried. */
  #listUnexplained() {
    const isExplained = ({ acted }: Column) => this.#causes.some(({ behaviour }) => isPart(behaviour, acted));
    return this.#columns.filter(
      (column): column is Column & { readonly failure: Observation } =>
        column.failure !== undefined && !column.isSettled && !isExplained(column),
    );
  }

  #listActing(): Difference[] {
    return listSingles().filter((single) => this.#known.get(nameOf(single)) === 'acts');
  }

  #mark(single: Difference, state: 'acts' | 'tried' | 'never acted'): void {
    this.#known.set(nameOf(single), state);
  }

  async #tryOne(behaviour: Difference, seedShift: number): Promise<Observation> {
    if (this.#left === 0) throw new EndOfRuns();
    this.#left -= 1;
    return this.#run(behaviour, seedShift);
  }

  /**
   * Runs a behaviour, again if it fails although no value acts: its responses were those of the default behaviour, with which
   * the command passes. @returns undefined if this happens each time
   */
  async #observe(behaviour: Difference, seedShift = 0): Promise<Observation | undefined> {
    for (let tries = 0; tries < MOST_FLAKY; tries += 1) {
      const observed = await this.#tryOne(behaviour, seedShift);
      if (observed.outcome === 'passed' || !isEmpty(observed.acted)) return observed;
      this.#flakyRuns += 1;
    }
    return undefined;
  }

  /** Takes the run of a value that acted alone as the result of the value, and repeats a failure. */
  async #decide(single: Difference, observed: Observation): Promise<void> {
    if (observed.outcome === 'passed') {
      if (isRandom(single)) await this.#tryFurtherSeeds(single);
      this.#mark(single, 'tried');
      return;
    }
    this.#mark(single, 'tried');
    await this.#repeat(this.#addCause(single, observed));
  }

  /** Tries a random value with further seeds, until it fails with one with which the default behaviour passes. */
  async #tryFurtherSeeds(single: Difference): Promise<void> {
    for (let seedShift = 1; seedShift <= FURTHER_SEEDS; seedShift += 1) {
      const observed = await this.#observe(single, seedShift);
      if (observed === undefined || observed.outcome === 'passed') continue;
      // The seed also makes the animals of the mock.
      const usual = await this.#tryOne({}, seedShift);
      if (usual.outcome !== 'passed') continue;
      await this.#repeat(this.#addCause(single, observed, seedShift));
      return;
    }
  }

  #addCause(behaviour: Difference, { outcome, failedTests, excerpt }: Observation, seedShift = 0): Cause {
    const failed = outcome === 'timeout' ? outcome : 'failed';
    const cause: Cause = {
      behaviour,
      outcome: failed,
      seedShift,
      failedTests,
      excerpt,
      isConfirmed: false,
    };
    this.#causes.push(cause);
    return cause;
  }

  async #fails(behaviour: Difference, seedShift = 0): Promise<boolean> {
    const observed = await this.#observe(behaviour, seedShift);
    return observed !== undefined && observed.outcome !== 'passed';
  }
}

const count = (difference: Difference): number => Object.keys(difference).length;
const isEmpty = (difference: Difference): boolean => count(difference) === 0;
const nameOf = (single: Difference): string => JSON.stringify(single);

/** Returns whether a difference is one value that does something else with each seed. */
function isRandom(single: Difference): boolean {
  return Object.entries(single).every(([name, value]) => {
    const { random }: Choice = choices[name as ChoiceName];
    return random === value;
  });
}

/** Returns one difference for each value. */
function split(difference: Difference): Difference[] {
  return Object.entries(difference).map(([name, value]) => ({ [name]: value }));
}

function without(difference: Difference, left: Difference): Difference {
  return Object.fromEntries(Object.entries(difference).filter(([name]) => !Object.hasOwn(left, name)));
}

function isPart(part: Difference, whole: Difference): boolean {
  return Object.entries(part).every(([name, value]) => whole[name as ChoiceName] === value);
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
