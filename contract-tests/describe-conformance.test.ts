import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import {
  type ConformanceOptions,
  CouldNotTell,
  describeConformance,
  type TestFunctions,
  UsageError,
} from './index.ts';
import { startForTest, withoutMaximum } from './testing/run-cli.ts';

const apiKey = 'test-key';

/** Starts all tests at once, as some runners may. @returns what became of each: undefined when it passed. */
async function runAtOnce(options: ConformanceOptions, context?: (reasons: string[]) => object) {
  const running: Promise<readonly [name: string, error: Error | undefined, reason: string | undefined]>[] =
    [];
  const functions: TestFunctions = {
    describe: (_, declare) => declare(),
    test: (name, run) => {
      const reasons: string[] = [];
      const given = context === undefined ? [] : [context(reasons)];
      const error = run(...given).then(
        () => undefined,
        (failure: Error) => failure,
      );
      running.push(error.then((failure) => [name.split(':')[0] ?? '', failure, reasons[0]] as const));
    },
  };
  describeConformance(options, functions);
  return Promise.all(running);
}

const skippable = (reasons: string[]) => ({ skip: (reason: string) => reasons.push(reason) });

test('each clause is a test; they are tried one after the other though all are started at once', async () => {
  let [open, most] = [0, 0];
  const baseUrl = await startForTest({
    createBehaviour: () => async (request, asMock) => {
      open += 1;
      most = Math.max(most, open);
      // All that came at once are open by then.
      await delay(10);
      const reply = await asMock(request);
      open -= 1;
      return reply;
    },
  });
  const only = ['list-pets/success', 'get-pet/success', 'create-pet/success'];
  const told = await runAtOnce({ baseUrl: async () => baseUrl, apiKey, only });
  expect(told).toEqual([
    ['create-pet/success', undefined, undefined],
    ['list-pets/success', undefined, undefined],
    ['get-pet/success', undefined, undefined],
  ]);
  expect(most).toBe(1);
});

test('a runner that cannot skip has a test passed whose clause cannot be tried here', async () => {
  const options = { baseUrl: await startForTest(), apiKey, readOnly: true, only: ['create-pet/success'] };
  const reason = 'it would write, which is not allowed here (--allow-writes)';
  expect(await runAtOnce(options)).toEqual([['create-pet/success', undefined, undefined]]);
  expect(await runAtOnce(options, skippable)).toEqual([['create-pet/success', undefined, reason]]);
});

test('what is left untried fails, since nothing would be told of it', async () => {
  let requests = 0;
  const headers = { 'content-type': 'application/json', 'retry-after': '3600' };
  const baseUrl = await startForTest({
    createBehaviour: () => async (request, asMock) => {
      requests += 1;
      return requests > 1 ? { status: 429, headers, body: '' } : asMock(request);
    },
  });
  const [told] = await runAtOnce({ baseUrl, apiKey, only: ['list-pets/pets'] }, skippable);
  expect(told?.[1]?.message).toMatch(/^Every element of .*\nthe deployment answers 429, Too Many Requests/);
});

test('what is advised and not followed fails nothing', async () => {
  const baseUrl = await startForTest({
    createBehaviour: () => async (request, asMock) => {
      const reply = await asMock(request);
      return { ...reply, headers: { 'content-type': 'application/json' } };
    },
  });
  const told = await runAtOnce({ baseUrl, apiKey, only: ['advised/challenge'] }, skippable);
  expect(told).toEqual([['advised/challenge', undefined, expect.stringMatching(/^expected .*, got /)]]);
});

test('where nothing can be told, each test says why', async () => {
  const baseUrl = await startForTest();
  const only = ['list-pets/pets', 'list-pets/success'];
  for (const [, error] of await runAtOnce({ baseUrl, apiKey: 'another-key', only })) {
    expect(error).toBeInstanceOf(CouldNotTell);
    expect(error?.message).toContain('refuses the API key');
  }
});

test('a wrong option is told before any test is declared', () => {
  const declare = (options: object) => () =>
    describeConformance({ baseUrl: () => '', apiKey, ...options }, { describe: () => {}, test: () => {} });
  expect(declare({ apiKey: undefined })).toThrow(UsageError);
  expect(declare({ only: ['nothing'] })).toThrow('only must be the id of a clause');
  expect(declare({ baseUrl: undefined })).toThrow('baseUrl is missing');
});

test('in Vitest without its global functions they have to be passed', () => {
  expect(() => describeConformance({ baseUrl: () => '', apiKey })).toThrow(
    'Vitest has no global functions here: describeConformance(options, { describe, test })',
  );
});

test('in node:test the functions are found, a clause that fails tells all, one that cannot be tried is skipped', async () => {
  const baseUrl = await startForTest(withoutMaximum);
  const options = { baseUrl, apiKey, readOnly: true, only: ['list-pets/limit-is', 'create-pet/success'] };
  const script = `
    const { describeConformance } = await import(${JSON.stringify(join(import.meta.dirname, 'index.ts'))});
    describeConformance(${JSON.stringify(options)});`;
  const args = ['--test-reporter=tap', '--input-type=module', '--eval', script];
  const { code, stdout } = await promisify(execFile)(process.execPath, args).catch((error) => error);
  expect(code).toBe(1);
  expect(stdout).toContain(' # SKIP it would write, which is not allowed here (--allow-writes)\n');
  expect(stdout).toMatch(/not ok 2 - list-pets\/limit-is-a-maximum: GET \/pets returns no more/);
  expect(stdout).toMatch(/ +GET \/pets returns .*\n +expected at most 5 animals, got 6\n +curl -i .*limit=5/);
});
