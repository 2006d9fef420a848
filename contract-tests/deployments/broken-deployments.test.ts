import { expect, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../client/target.ts';
import { listHeadlines, printReason } from '../runner/report.ts';
import { runSuite } from '../runner/run.ts';
import { testVerdicts, withoutDredd } from '../testing/test-verdicts.ts';
import { askDeployment } from './ask-deployment.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { conformingDeployments } from './conforming-deployments.ts';
import type { Deployment } from './deployment.ts';

test('every clause is broken by a deployment', () => {
  const broken = new Set(brokenDeployments.flatMap(({ breaks }) => breaks));
  // What Dredd replays and the quickstart have tests of their own.
  expect(withoutDredd.filter((id) => !broken.has(id))).toEqual([]);
});

test('every deployment breaks something, and clauses alone', () => {
  const ids = new Set(clauses.map(({ id }) => id));
  const isLost = (breaks: readonly string[]) => breaks.length === 0 || breaks.some((id) => !ids.has(id));
  expect(brokenDeployments.filter(({ breaks }) => isLost(breaks))).toEqual([]);
});

test('no two deployments have one name', () => {
  const names = [...brokenDeployments, ...conformingDeployments].map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.for([
  ['cuts names in lists', 'create-pet/stored', / in the list, .*255 characters/s],
  [
    'keeps lists without limit in a cache that tells their age',
    'create-pet/stored',
    /: stale: its Age is 60 s$/,
  ],
  ['keeps lists without limit for ever', 'create-pet/stored', /: stale: the same list as before an animal/],
  ['adds an animal with any key', 'create-pet/invalid-key', /201: any key may add animals$/],
  ['adds an animal without a key', 'create-pet/missing-key', /201: no key is needed to add animals$/],
  ['refuses every third animal that is added at once', 'create-pet/success', /400: .*: intermittent: /],
] as const)('the finding about a deployment that %s names the right side', async ([name, id, reason]) => {
  const deployment = brokenDeployments.find((one) => one.name === name) as Deployment;
  const target = resolveTarget({
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: 'test-key',
    allowsWrites: true,
    settle: 30,
  });
  const sendRequest = await askDeployment(deployment);
  const headlines = listHeadlines(await runSuite(target, { only: withoutDredd, sendRequest }));
  expect(headlines.map(({ clause }) => clause.id)).toEqual([id]);
  expect(headlines.map(printReason)[0]).toMatch(reason);
});

testVerdicts('a deployment that $name fails on just the clauses that it breaks', brokenDeployments);
