import { expect, test } from 'vitest';
import type { Answer } from './deployments/deployment.ts';
import { CouldNotTell, type VerifyOptions, verifyDeployment } from './index.ts';
import { clauses } from './rules/clauses.ts';
import { idsOf, startForTest } from './testing/run-suite.ts';

const apiKey = 'test-key';
/** Options of most tests. */
const given = { apiKey, allowWrites: true, settle: 100 };

test('a result for each clause is reported', async () => {
  const [baseUrl, ids] = [await startForTest(), [] as string[]];
  const chosen = clauses.map(({ id }) => id).filter((id) => id.startsWith('get-pet/'));
  const options = { ...given, baseUrl, concurrency: 3, only: chosen };
  const report = await verifyDeployment({ ...options, onResult: ({ clause }) => ids.push(clause.id) });
  expect(report).toMatchObject({ baseUrl, options: { concurrency: 3, allowsWrites: true } });
  expect([idsOf(report, 'passed'), ids.toSorted()]).toEqual([chosen, chosen.toSorted()]);
});

test('every request has the headers, the category and the same User-Agent', async () => {
  const [received, bodies]: [Set<string>, string[]] = [new Set(), []];
  const createAnswer = (): Answer => (request, asMock) => {
    received.add(`${request.headers['x-tenant']} ${request.headers['user-agent']}`);
    if (request.method === 'POST') bodies.push(request.body);
    return asMock(request);
  };
  const baseUrl = await startForTest({ createAnswer });
  const only = ['create-pet/id-assigned'];
  const others = { headers: { 'X-Tenant': 'zoo' }, categoryId: 77 };
  const { outcomes } = await verifyDeployment({ ...given, baseUrl, only, ...others });
  expect(bodies).toContainEqual(expect.stringContaining('"categoryId":77'));
  expect(outcomes.map(({ clause }) => clause.id)).toEqual(only);
  const agent = /^zoo animal-store-verify\/[\d.]+ \(run [\da-z]{8}\)$/;
  expect([...received]).toEqual([expect.stringMatching(agent)]);
  await verifyDeployment({ ...given, baseUrl, only, ...others });
  // Another run has another id.
  expect(received.size).toBe(2);
});

test.for<[string, Partial<VerifyOptions>, string]>([
  ['does not listen', { baseUrl: 'http://127.0.0.1:9/MyOwnKey99' }, '9/[key] cannot be reached: '],
  ['refuses the key', {}, 'refuses the API key: GET /pets returned 401'],
  ['is tested after the signal', { signal: AbortSignal.abort() }, 'the run was interrupted'],
])('a deployment that %s gets no verdict, and no key is in the error', async ([, options, message]) => {
  const all = { baseUrl: await startForTest(), apiKey: 'MyOwnKey99', allowWrites: true, ...options };
  const error = await verifyDeployment(all).catch((failure) => failure);
  expect(error).toBeInstanceOf(CouldNotTell);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain(all.apiKey);
});
