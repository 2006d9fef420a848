import { expect, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { testVerdicts, withoutDredd } from '../testing/test-verdicts.ts';
import { brokenDeployments } from './broken-deployments.ts';
import { conformingDeployments } from './conforming-deployments.ts';

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

testVerdicts('a deployment that $name fails on just the clauses that it breaks', brokenDeployments);
