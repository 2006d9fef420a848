import { expect, test } from 'vitest';
import { testVerdicts } from '../testing/test-verdicts.ts';
import { conformingDeployments } from './conforming-deployments.ts';

test('every conforming deployment has a name of its own', () => {
  const names = conformingDeployments.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

testVerdicts('a deployment that $name passes', conformingDeployments);
