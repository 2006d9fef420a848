import { expect, test } from 'vitest';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { conformingDeployments } from './conforming-deployments.ts';

test('every conforming deployment has a name of its own', () => {
  const names = conformingDeployments.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('a conforming deployment breaks what is advised at most', () => {
  const broken = conformingDeployments.flatMap(({ breaks }) => breaks);
  expect(broken.filter((id) => !id.startsWith('advised/'))).toEqual([]);
});

testVerdicts('a deployment that $name passes', conformingDeployments);
