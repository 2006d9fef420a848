import { expect, test } from 'vitest';
import { listColumns, listSingles } from '../../common/behaviour/behaviours.ts';
import { type ChoiceName, choiceNames, type Difference } from '../../common/behaviour/choices.ts';
import { createRandom } from '../../common/create-random.ts';
import { USUAL_RUNS } from '../options.ts';
import {
  type Causes,
  DEFAULT_RUNS,
  EndOfRuns,
  FURTHER_SEEDS,
  findCauses,
  type Observation,
  type Outcome,
} from './find-causes.ts';

const columns = listColumns();

/** Runs that are left after those with the default behaviour. */
const MOST = USUAL_RUNS - DEFAULT_RUNS;

/** An app for a trial. */
interface App {
  /** The choices whose values change a response to it, in the order of its requests. @default all */
  readonly touches?: readonly ChoiceName[];
  /** Values with which it fails, and combinations that fail only together. */
  readonly assumptions?: readonly Difference[];
  /** True if it sends no request after the first assumption that fails. */
  readonly isBrokenOff?: boolean;
  /** A value, and the choice that hides its assumption, with any other value than the default. */
  readonly hidden?: readonly { readonly value: Difference; readonly by: ChoiceName }[];
  /** Share of the runs that fail for no reason. */
  readonly flaky?: number;
  readonly failsAs?: Exclude<Outcome, 'passed'>;
}

const has =
  (behaviour: Difference) =>
  ([name, value]: [string, unknown]) =>
    behaviour[name as ChoiceName] === value;

const isPart = (part: Difference, behaviour: Difference) => Object.entries(part).every(has(behaviour));

function createRun(app: App, random = createRandom(1)) {
  const { touches = choiceNames, assumptions = [], isBrokenOff = false, hidden = [], flaky = 0 } = app;
  const tried: Difference[] = [];
  const run = async (behaviour: Difference): Promise<Observation> => {
    tried.push(behaviour);
    const acted: Difference = {};
    let fails = random() < flaky;
    for (const name of touches) {
      if (fails && isBrokenOff) break;
      if (behaviour[name] === undefined) continue;
      Object.assign(acted, { [name]: behaviour[name] });
      fails ||= assumptions.some((assumption) => isPart(assumption, acted));
      fails ||= hidden.some(({ value, by }) => isPart(value, acted) && behaviour[by] === undefined);
    }
    const outcome = fails ? (app.failsAs ?? 'failed') : 'passed';
    return { outcome, acted, failedTests: [], excerpt: [] };
  };
  return { tried, run };
}

/** Tries an app. */
async function tryApp(app: App, maxRuns = MOST) {
  const { tried, run } = createRun(app);
  const found = await findCauses(run, maxRuns);
  return { ...found, runs: tried };
}

const sortNames = (behaviour: Difference) => Object.fromEntries(Object.entries(behaviour).toSorted());
const print = (all: readonly Difference[]) => all.map((one) => JSON.stringify(sortNames(one))).toSorted();
const behavioursOf = ({ causes }: Pick<Causes, 'causes'>) => print(causes.map(({ behaviour }) => behaviour));

const sixValues: readonly Difference[] = [
  ...([{ order: 'oldest' }, { statusWhenOmitted: 'sold' }, { pageSize: 25 }] as const),
  ...([{ ids: 'large' }, { charset: 'utf-8' }, { errorCodes: 'upper' }] as const),
];

test.for<[string, readonly Difference[]]>([
  ['one value', [{ location: 'present' }]],
  ['six values of three columns', sixValues],
  ['a pair that fails only together', [{ order: 'oldest', pageSize: 25 }]],
  ['three values that fail only together', [{ order: 'name', ids: 'large', listDelay: 1500 }]],
])('%s: the causes are found, and each is confirmed', async ([, assumptions]) => {
  const { runs, causes, neverActed, untested, isComplete } = await tryApp({ assumptions });
  expect(behavioursOf({ causes })).toEqual(print(assumptions));
  expect(causes.every(({ isConfirmed }) => isConfirmed)).toBe(true);
  expect({ neverActed, untested, isComplete }).toEqual({ neverActed: [], untested: [], isComplete: true });
  expect(runs.length).toBeLessThanOrEqual(MOST);
});

const five: readonly ChoiceName[] = ['order', 'statusWhenOmitted', 'ids', 'pageSize', 'animalMembers'];
const ofFive = listSingles().filter((single) => five.some((name) => Object.hasOwn(single, name)));
const others = listSingles().filter((single) => !five.some((name) => Object.hasOwn(single, name)));

test.for<[string, App, runs: number]>([
  ['of an app that touches nothing only the columns are run', { touches: [] }, 3],
  [
    'of five choices each value is tried alone, and two random ones with further seeds, if nothing breaks',
    { touches: five },
    6 + ofFive.length + 2 * FURTHER_SEEDS,
  ],
  ['each value that breaks takes a run more', { touches: five, assumptions: ofFive }, 6 + 2 * ofFive.length],
])('%s', async ([, app, expected]) => {
  const { runs, causes, neverActed, untested, tried, flakyRuns } = await tryApp(app);
  expect(runs).toHaveLength(expected);
  expect(behavioursOf({ causes })).toEqual(print(app.assumptions ?? []));
  const idle = app.touches?.length === 0 ? listSingles() : others;
  expect({ neverActed, untested, flakyRuns }).toEqual({ neverActed: idle, untested: [], flakyRuns: 0 });
  expect(tried + idle.length).toBe(listSingles().length);
});

test('an app that touches five choices, and stops at what breaks it, takes at most 40 runs', async () => {
  const { runs, causes } = await tryApp({ touches: five, assumptions: ofFive, isBrokenOff: true });
  expect(behavioursOf({ causes })).toEqual(print(ofFive));
  // And two runs with the default behaviour.
  expect(runs.length + 2).toBeLessThanOrEqual(40);
});

/** Of so many pairs of a value and another choice one is tried. All of them would take half a minute. */
const PAIRS = 5;

test('no value is hidden by another value of its column', async () => {
  for (const [index, value] of listSingles().entries())
    for (const [place, by] of choiceNames.entries()) {
      if (Object.hasOwn(value, by) || (index + place) % PAIRS > 0) continue;
      const found = await tryApp({ hidden: [{ value, by }] });
      expect(behavioursOf(found)).toEqual(print([value]));
    }
});

test('a value that acts only with another one is not tried alone', async () => {
  const run = async (behaviour: Difference): Promise<Observation> => {
    const { order, charset } = behaviour;
    const acted: Difference = { ...(order && { order }), ...(order && charset && { charset }) };
    return { outcome: 'passed', acted, failedTests: [], excerpt: [] };
  };
  const { neverActed, tried } = await findCauses(run, MOST);
  expect(neverActed).toContainEqual({ charset: 'utf-8' });
  // oldest, name and random
  expect(tried).toBe(3);
});

test('a run that fails although no value acts is no cause, and is repeated', async () => {
  let runs = 0;
  const run = async (): Promise<Observation> => {
    runs += 1;
    return { outcome: runs === 2 ? 'failed' : 'passed', acted: {}, failedTests: [], excerpt: [] };
  };
  const found = await findCauses(run, MOST);
  expect(found).toMatchObject({ causes: [], untested: [], flakyRuns: 1 });
  expect(runs).toBe(4);
});

test('if each run fails although no value acts, nothing is known, and nothing is a cause', async () => {
  const run = async (): Promise<Observation> => ({
    outcome: 'failed',
    acted: {},
    failedTests: [],
    excerpt: [],
  });
  const { causes, untested, neverActed, isComplete } = await findCauses(run, MOST);
  expect({ causes, untested, neverActed }).toEqual({ causes: [], untested: listSingles(), neverActed: [] });
  expect(isComplete).toBe(true);
});

test.for<[string, failing: readonly number[], runs: number, causes: readonly object[]]>([
  ['fails once is no cause', [1], 4, []],
  ['fails more often than it passes is not confirmed', [1, 3, 4], 4, [{ isConfirmed: false }]],
  ['fails each time is confirmed', [1, 2, 3, 4], 4, [{ isConfirmed: true }]],
])('a value that %s', async ([, failing, expectedRuns, expected]) => {
  let runs = 0;
  const run = async (behaviour: Difference): Promise<Observation> => {
    const acted: Difference = isPart({ order: 'oldest' }, behaviour) ? { order: 'oldest' } : {};
    if (acted.order) runs += 1;
    const outcome = acted.order && failing.includes(runs) ? 'failed' : 'passed';
    return { outcome, acted, failedTests: ['lists'], excerpt: [] };
  };
  const { causes, flakyRuns } = await findCauses(run, MOST);
  const failed = { outcome: 'failed', seedShift: 0, failedTests: ['lists'], excerpt: [] };
  const usual = { behaviour: { order: 'oldest' }, ...failed };
  expect(causes).toEqual(expected.map((cause) => ({ ...usual, ...cause })));
  expect(runs).toBe(expectedRuns);
  expect(flakyRuns).toBe(failing.includes(2) ? 0 : 1);
});

test.for<[string, failsWithDefault: boolean, expected: readonly object[]]>([
  [
    'with the third seed only is found',
    false,
    [{ behaviour: { order: 'random' }, seedShift: 2, isConfirmed: true }],
  ],
  ['with the animals of the third seed is no cause', true, []],
])('a random value that fails %s', async ([, failsWithDefault, expected]) => {
  const run = async (behaviour: Difference, seedShift: number): Promise<Observation> => {
    const { order } = behaviour;
    const isOther = order === 'random' || (order === undefined && failsWithDefault);
    const outcome = seedShift === 2 && isOther ? 'failed' : 'passed';
    return { outcome, acted: order ? { order } : {}, failedTests: [], excerpt: [] };
  };
  const { causes, untested, flakyRuns } = await findCauses(run, MOST);
  expect({ causes, untested, flakyRuns }).toMatchObject({ causes: expected, untested: [], flakyRuns: 0 });
  expect(causes).toHaveLength(expected.length);
});

test('a column that does not fail again is no cause', async () => {
  let runs = 0;
  const { run } = createRun({ touches: ['order', 'pageSize'] });
  const found = await findCauses(async (behaviour) => {
    runs += 1;
    const observed = await run(behaviour);
    return runs === 1 ? { ...observed, outcome: 'failed' } : observed;
  }, MOST);
  expect(found).toMatchObject({ causes: [], flakyRuns: 1, isComplete: true });
});

const planted: readonly Difference[] = [{ order: 'oldest' }, { pageSize: 7 }, { ids: 'large' }];

test('with tests that fail in 10 % of the runs, each planted value is confirmed, and no other', async () => {
  const SEEDS = 200;
  let falselyConfirmed = 0;
  let falselyFound = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { run } = createRun({ touches: five, assumptions: planted, flaky: 0.1 }, createRandom(seed));
    const { causes } = await findCauses(run, 1_000);
    const confirmed = print(
      causes.filter(({ isConfirmed }) => isConfirmed).map(({ behaviour }) => behaviour),
    );
    expect(confirmed).toEqual(expect.arrayContaining(print(planted)));
    falselyConfirmed += confirmed.length - planted.length;
    falselyFound += causes.length - planted.length;
  }
  expect(falselyConfirmed).toBe(0);
  // A value that has failed in most of its runs is named, as not confirmed.
  expect(falselyFound / SEEDS).toBeLessThan(0.05);
});

test('a value that could not be run again is not confirmed', async () => {
  const { causes } = await tryApp({ touches: ['order'], assumptions: [{ order: 'oldest' }] }, 1);
  expect(causes).toMatchObject([{ behaviour: { order: 'oldest' }, outcome: 'failed', isConfirmed: false }]);
});

test('a command that cannot be started ends the search', async () => {
  const run = () => Promise.reject(new Error('It could not be started.'));
  await expect(findCauses(run, 80)).rejects.toThrow('It could not be started.');
});

test('if the runs end before the value is found, its column is reported', async () => {
  const { causes, isComplete } = await tryApp({ assumptions: [{ ids: 'random' }] }, 4);
  expect(causes).toMatchObject([{ behaviour: columns[0], outcome: 'failed', isConfirmed: false }]);
  expect(isComplete).toBe(false);
});

test('at the maximum number of runs, and after a signal, the rest is untested', async () => {
  const app: App = { touches: ['order', 'pageSize'], assumptions: [{ order: 'oldest' }], failsAs: 'timeout' };
  // Two for each column, and two for the first value.
  const most = 8;
  const { run } = createRun(app);
  let runs = 0;
  const endless = await findCauses(async (behaviour) => {
    if (runs === most) throw new EndOfRuns();
    runs += 1;
    return run(behaviour);
  }, MOST);
  const limited = await tryApp(app, most);
  expect(limited.runs).toHaveLength(most);
  for (const { causes, untested, tried } of [limited, endless]) {
    expect(causes).toMatchObject([{ behaviour: { order: 'oldest' }, outcome: 'timeout', isConfirmed: true }]);
    expect(tried).toBe(1);
    const left = [{ order: 'name' }, { order: 'random' }, { pageSize: 25 }, { pageSize: 7 }, { pageSize: 1 }];
    expect(untested).toEqual(left);
  }
});
