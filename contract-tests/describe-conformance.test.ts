import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { change } from './deployments/changes.ts';
import type { Answer } from './deployments/deployment.ts';
import { type ConformanceOptions, describeConformance, UsageError } from './index.ts';
import { refuseSome, startForTest, zeroRedirects } from './testing/run-suite.ts';

const apiKey = 'test-key';

/** Options of most tests. */
const given = { apiKey, allowWrites: true, settle: 100 };

type Run = (...context: unknown[]) => Promise<void>;

/** Declares the tests. @returns each with the id of its clause. */
function declare(options: ConformanceOptions) {
  const tests: [id: string, run: Run][] = [];
  const test = (name: string, run: Run) => tests.push([name.split(':')[0] ?? '', run]);
  describeConformance(options, { describe: (_, body) => body(), test });
  return tests;
}

/** Starts all tests at once, as some runners may. @returns of each why it failed, and why it was skipped. */
function runAtOnce(options: ConformanceOptions) {
  const running = declare(options).map(async ([id, run]) => {
    const reasons: string[] = [];
    const error = await run({ skip: (why: string) => reasons.push(why) }).catch((failure: Error) => failure);
    return [id, error, ...reasons] as const;
  });
  return Promise.all(running);
}

test('each clause is a test, and one run has the results of all, whichever test starts first', async () => {
  let requests = 0;
  const createAnswer = (): Answer => (request, asMock) => {
    requests += 1;
    return asMock(request);
  };
  const url = await startForTest({ createAnswer });
  const only = ['list-pets/limit-invalid', 'list-pets/invalid-key', 'create-pet/text-exact'];
  const options = { baseUrl: async () => url, ...given, only, concurrency: 1 };
  const inOrder = ['list-pets/limit-invalid', 'create-pet/text-exact', 'list-pets/invalid-key'];
  expect(await runAtOnce(options)).toEqual(inOrder.map((id) => [id, undefined]));
  const tests = declare(options);
  expect(tests.map(([id]) => id)).toEqual(inOrder);
  await tests.at(-1)?.[1]();
  const afterFirst = requests;
  for (const [, run] of tests) await run();
  expect(requests).toBe(afterFirst);
});

test('a clause without a result is skipped, and a required one fails if the run ended', async () => {
  const options = { baseUrl: await startForTest(), apiKey, allowWrites: false, only: ['create-pet/success'] };
  const reason = 'Needs POST, which adds animals that nobody can delete. Test it on staging.';
  expect(await runAtOnce(options)).toEqual([['create-pet/success', undefined, reason]]);
  // A runner that cannot skip.
  expect(await declare(options)[0]?.[1]()).toBeUndefined();
  const createAnswer = () => refuseSome((count) => count > 1, 429, { 'retry-after': '3600' });
  const baseUrl = await startForTest({ createAnswer });
  const only = ['list-pets/limit-bounds', 'recommended/challenge'];
  const [required, recommended] = await runAtOnce({ baseUrl, ...given, only });
  expect(required?.[1]?.message).toMatch(/^GET \/pets accepts .*\nthe deployment returned 429, Too Many/);
  const ended = expect.stringMatching(/^the deployment returned 429, Too Many/);
  expect(recommended).toEqual(['recommended/challenge', undefined, ended]);
});

test('a recommendation that is not met fails nothing', async () => {
  const headers = { 'content-type': 'application/json' };
  const baseUrl = await startForTest({ createAnswer: change.error(() => ({ headers })) });
  expect(await runAtOnce({ baseUrl, ...given, only: ['recommended/challenge'] })).toEqual([
    ['recommended/challenge', undefined, expect.stringMatching(/^expected .*, received /)],
  ]);
});

test('a wrong option or missing test functions throw before any test is declared', () => {
  const options = { baseUrl: () => '', ...given };
  expect(() => declare({ ...options, apiKey: undefined as unknown as string })).toThrow(UsageError);
  expect(() => describeConformance(options)).toThrow(
    'Vitest has no global functions here. Call describeConformance(options, { describe, test }).',
  );
});

test('node:test runs the clauses: a failed one shows the evidence, one without a result is skipped', async () => {
  const baseUrl = await startForTest(zeroRedirects);
  const only = ['list-pets/limit-invalid', 'create-pet/success'];
  const options = { baseUrl, apiKey, allowWrites: false, only };
  const script = `
    const { describeConformance } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
    describeConformance(${JSON.stringify(options)});`;
  const args = ['--test-reporter=tap', '--input-type=module', '--eval', script];
  const { code, stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  expect(code).toBe(1);
  expect(stdout).toContain(
    ' # SKIP Needs POST, which adds animals that nobody can delete. Test it on staging.\n',
  );
  expect(stdout).toMatch(/not ok 1 - list-pets\/limit-invalid: GET \/pets with a limit that/);
  expect(stdout).toMatch(/ +GET \/pets with .*\n +expected .*, received 302.*\n +curl .*=0/);
});
