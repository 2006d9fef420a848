import { expect, test } from 'vitest';
import { triedValues } from '../choices/behaviours.ts';
import { tryValues } from './try-values.ts';

const isTried = ({ choice, value }: (typeof triedValues)[number]) =>
  choice === 'order' || (choice === 'pageSize' && value === 7);
/** Page size 7, and order oldest, name and random. */
const values = triedValues.filter(isTried).map((one) => ({ ...one, responses: 1 }));

/** Tries the values with runs that end so, and lists what was run: 7, oldest, name, random, or usual. */
async function tryRuns(
  outcomes: Readonly<Record<string, readonly boolean[]>>,
  ended = Number.POSITIVE_INFINITY,
) {
  const runs: string[] = [];
  const run = async (behaviour: object) => {
    const [name = 'usual'] = Object.values(behaviour).map(String);
    const count = runs.filter((one) => one === name).length;
    runs.push(name);
    return outcomes[name]?.[count] === false ? `${name} failed` : undefined;
  };
  const { broken, unstable, ...others } = await tryValues(values, run, () => runs.length >= ended);
  const names = Object.entries(others).map(([list, all]) => [list, all.map(({ value }) => value)]);
  const [broke, failedOnce] = [broken, unstable].map((all) => all.map(({ failure }) => failure));
  return { runs, broken: broke, unstable: failedOnce, ...Object.fromEntries(names) };
}

test('if no run fails, each value has one run', async () => {
  expect(await tryRuns({})).toEqual({
    runs: ['7', 'oldest', 'name', 'random'],
    broken: [],
    passed: [7, 'oldest', 'name', 'random'],
    unstable: [],
    untested: [],
  });
});

test('a value is to blame if its run fails twice, and the default behaviour still passes', async () => {
  expect(await tryRuns({ oldest: [false, false], name: [false, true] })).toEqual({
    runs: ['7', 'oldest', 'oldest', 'name', 'name', 'random', 'usual'],
    broken: ['oldest failed'],
    passed: [7, 'random'],
    unstable: ['name failed'],
    untested: [],
  });
});

test('if the default behaviour fails as well at the end, no value is to blame', async () => {
  expect(await tryRuns({ oldest: [false, false], name: [false, false], usual: [false] })).toMatchObject({
    broken: [],
    passed: [7, 'random'],
    unstable: ['oldest failed', 'name failed'],
  });
});

test.for([
  [2, { broken: [], passed: [7], untested: ['oldest', 'name', 'random'] }],
  [3, { broken: [], passed: [7], untested: ['oldest', 'name', 'random'] }],
  [4, { broken: ['oldest failed'], passed: [7], untested: ['name', 'random'] }],
  [6, { broken: ['oldest failed'], passed: [7, 'name', 'random'], untested: [] }],
] as const)('what was found before an end in run %i is the result', async ([ended, found]) => {
  const result = await tryRuns({ oldest: [false, false], usual: [false] }, ended);
  expect(result).toMatchObject({ ...found, unstable: [] });
  expect(result.runs.length).toBe(ended);
});
