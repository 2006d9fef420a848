import { expect, test } from 'vitest';
import { listColumns } from '../../common/behaviour/behaviours.ts';
import type { Difference } from '../../common/behaviour/choices.ts';
import { findCauses, type Outcome } from './find-causes.ts';

const columns = listColumns();

/** Runs an app that fails with each of these combinations. */
async function tryApp(assumptions: readonly Difference[], maxRuns = 80, outcome: Outcome = 'failed') {
  const tried: Difference[] = [];
  const run = async (behaviour: Difference): Promise<Outcome> => {
    tried.push(behaviour);
    const has = ([name, value]: [string, unknown]) => behaviour[name as keyof Difference] === value;
    return assumptions.some((assumption) => Object.entries(assumption).every(has)) ? outcome : 'passed';
  };
  return { tried, ...(await findCauses(run, maxRuns)) };
}

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
  const { tried, causes, untested } = await tryApp(assumptions);
  const print = (all: readonly object[]) => all.map((one) => JSON.stringify(one)).toSorted();
  const found = causes.map(({ behaviour }) => sortNames(behaviour));
  expect(print(found)).toEqual(print(assumptions.map(sortNames)));
  expect(causes.every(({ isConfirmed }) => isConfirmed)).toBe(true);
  expect(untested).toEqual([]);
  expect(tried.length).toBeLessThanOrEqual(80);
});

const sortNames = (behaviour: Difference) => Object.fromEntries(Object.entries(behaviour).toSorted());

test.for([
  ['a value', [1, 2], { order: 'oldest' }],
  ['a column', [1], columns[0]],
] as const)('%s that does not fail again is not confirmed', async ([, failing, behaviour]) => {
  let oldest = 0;
  const run = async ({ order }: Difference): Promise<Outcome> => {
    if (order !== 'oldest') return 'passed';
    oldest += 1;
    return failing.some((number) => number === oldest) ? 'failed' : 'passed';
  };
  const { causes } = await findCauses(run, 80);
  expect(causes).toEqual([{ behaviour, outcome: 'failed', isConfirmed: false }]);
  // Nothing is searched in a column that passes the second time.
  expect(oldest).toBe(3);
});

test('a value that could not be run again is not confirmed', async () => {
  const { causes } = await tryApp([{ order: 'oldest' }], 2);
  expect(causes).toEqual([{ behaviour: { order: 'oldest' }, outcome: 'failed', isConfirmed: false }]);
});

test('a command that cannot be started ends the search', async () => {
  const run = () => Promise.reject(new Error('It could not be started.'));
  await expect(findCauses(run, 80)).rejects.toThrow('It could not be started.');
});

test('if the runs end before the value is found, its column is reported', async () => {
  const { causes } = await tryApp([{ ids: 'random' }], 4);
  expect(causes).toEqual([{ behaviour: columns[0], outcome: 'failed', isConfirmed: false }]);
});

test('at the maximum number of runs the rest is untested', async () => {
  const { tried, causes, untested } = await tryApp([{ order: 'oldest' }, { pageSize: 25 }], 8, 'timeout');
  expect(tried).toHaveLength(8);
  const found = ([{ order: 'oldest' }, { pageSize: 25 }] as const).map((behaviour) => ({ behaviour }));
  expect(causes).toEqual(found.map((cause) => ({ ...cause, outcome: 'timeout', isConfirmed: true })));
  const values = columns.flatMap((column) => Object.entries(column));
  expect(untested).toEqual(values.slice(5).map(([name, value]) => ({ [name]: value })));
});
