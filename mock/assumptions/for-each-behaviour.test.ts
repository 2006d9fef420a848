import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Pet } from '../../common/json/pet.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import type { Difference } from '../choices/choices.ts';
import type { Mock } from '../mock.ts';
import { forEachBehaviour } from './for-each-behaviour.ts';

const get = async (url: string, path = '/pets') => {
  const response = await fetch(url + path, { headers: { Authorization: 'Bearer test-key' } });
  return (await response.json()) as Pick<Pet<number>, 'id'>[];
};

/** Declares the test for a mock with 20 animals, and runs it. @returns the behaviours of the runs, and the error. */
async function tryFunction(run: (url: string, mock: Mock) => unknown) {
  const mock = await startTestMock({ animals: 20 });
  mock.animals.replace([]);
  const seen: Difference[] = [];
  const tests: (() => Promise<void>)[] = [];
  const observed = (behaviour: Difference) => {
    expect(mock.settings().behaviour).toEqual(behaviour);
    expect(mock.animals.size).toBe(20);
    seen.push(behaviour);
    return run(mock.url, mock);
  };
  forEachBehaviour(
    () => mock,
    observed,
    (_, body) => tests.push(body),
  );
  expect(tests.length).toBe(1);
  const error: Error | undefined = await tests[0]?.().then(
    () => undefined,
    (one) => one,
  );
  expect([mock.settings().behaviour, mock.animals.size]).toEqual([{}, 20]);
  return { seen, error };
}

test('forEachBehaviour runs the function with each value that changes a response, and resets the mock after each', async () => {
  const { seen, error } = await tryFunction(async (url) => {
    const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
    await fetch(`${url}/pets`, { method: 'POST', headers, body });
  });
  expect(error).toBeUndefined();
  expect(seen[0]).toEqual({});
  expect(seen).toContainEqual({ location: 'present' });
  // Only a list has an order.
  expect(seen.flatMap((behaviour) => Object.keys(behaviour))).not.toContain('order');
});

test('a function that fails names each value that breaks it, and those that change nothing', async () => {
  const { seen, error } = await tryFunction(async (url) => {
    const [first, ...others] = await get(url);
    if (first?.id !== 20) throw new Error('not the newest\nin 2 lines');
    if (others.length < 7) throw new TypeError('short');
  });
  const [first, ...lines] = `${error?.message}`.split('\n');
  expect(first).toBe('The function passes with the default behaviour, and fails with other values:');
  expect(lines.slice(0, 5).toSorted()).toEqual([
    '  order: name: Error: not the newest',
    '  order: oldest: Error: not the newest',
    '  order: random: Error: not the newest',
    '  page size: 1: TypeError: short',
    '  page size: 7: TypeError: short',
  ]);
  expect(lines[5]).toBe('It passes with: animal members, charset, etag.');
  expect(lines[6]).toMatch(/^These values changed no response: .*page size \(25\), .*location, /);
  expect(error?.cause).toBeInstanceOf(Error);
  // 9 values, 5 of them again, and the default behaviour before and after.
  expect(seen.length).toBe(1 + 9 + 5 + 1);
});

test('a function that fails again without a value blames no value', async () => {
  let runs = 0;
  const { error } = await tryFunction(async (url) => {
    runs += 1;
    await get(url, '/pets?limit=1');
    if (runs > 1) throw new Error('two of them');
  });
  expect(error?.message).toMatch(
    /^The function does not fail each time, or also with the default behaviour,/,
  );
  expect(error?.message).toContain('order');
});

test.for<[string, (url: string) => unknown, string]>([
  [
    'sends no request',
    () => {},
    'No request of the function with a valid key reached the mock that findMock returns.',
  ],
  [
    'sends no key',
    (url) => fetch(`${url}/pets`),
    'No request of the function with a valid key reached the mock that findMock returns.',
  ],
  [
    'fails with the default behaviour',
    () => {
      throw new Error('An error of the app.');
    },
    'An error of the app.',
  ],
])('a function that %s fails', async ([, run, message]) => {
  const { seen, error } = await tryFunction(run);
  expect(error?.message).toBe(message);
  expect(seen).toEqual([{}]);
});

test.for<[name: string, change: (mock: Mock) => unknown, instead: string]>([
  ['resets the mock', (mock) => mock.reset(), 'page size: 7'],
  ['sets a behaviour', (mock) => mock.configure({ behaviour: 'strict' }), 'the default behaviour'],
])('a function that %s fails, because it would run without the values', async ([, change, instead]) => {
  const { error } = await tryFunction(async (url, mock) => {
    await get(url);
    change(mock);
  });
  expect(error?.message).toBe(
    `The function has reset the mock or set a behaviour, so it did not run with ${instead}. The mock is reset before each run.`,
  );
});

test('a function that does not end with a value names it, after at least 5 s', {
  timeout: 20_000,
}, async () => {
  const { error } = await tryFunction(async (url) => {
    const { length } = await get(url);
    if (length === 7) await new Promise(() => {});
  });
  expect(error?.message).toBe('The function did not end within 5 s with page size: 7.');
});

test('what is no mock, or no function that returns one, is refused', async () => {
  const declare = (findMock: unknown) => {
    const bodies: (() => Promise<void>)[] = [];
    forEachBehaviour(
      findMock as () => Mock,
      () => {},
      (_, body) => bodies.push(body),
    );
    return bodies[0]?.();
  };
  const expected = 'forEachBehaviour takes a function that returns a mock of startMock or a session of it';
  expect(() => declare({})).toThrow(`${expected}, such as () => mock, not an object.`);
  await expect(declare(() => undefined)).rejects.toThrow(`${expected}. The function has returned undefined.`);
});

test('forEachBehaviour uses node:test where there are no global functions', async () => {
  const script = `
    const { forEachBehaviour, startMock } = await import(${JSON.stringify(join(import.meta.dirname, '../index.ts'))});
    const mock = await startMock({ port: 0, log: 'silent' });
    const get = () => fetch(mock.url + '/pets', { headers: { Authorization: 'Bearer test-key' } });
    forEachBehaviour(() => mock, async () => { if ((await (await get()).json()).length < 7) throw 'short'; });
    (await import('node:test')).after(() => mock.close());`;
  const args = ['--test-reporter=tap', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  expect(stdout.match(/^not ok .*/gm)).toEqual([
    'not ok 1 - works with each behaviour that changes a response',
  ]);
  expect(stdout).toContain('page size: 1: short');
});
