import { test } from 'vitest';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { clauseIds } from '../testing/run-suite.ts';
import { printVerdict, verify } from '../testing/test-verdicts.ts';

// other-deployments.test.ts has all of them, at night.
test.concurrent.for([
  ['lists 21 animals without limit', 'list-pets/limit-default'],
  ['answers an added animal with another name', 'create-pet/echoes'],
  ['answers an animal by its id with an id beyond int64', 'get-pet/success'],
  ['answers an animal by its id with another name', 'get-pet/same-as-listed'],
])('of a deployment that %s, all failures are one finding', async ([name, finding], { expect }) => {
  const deployment = brokenDeployments.find((one) => one.name === name);
  if (deployment === undefined) throw new Error('There is no such deployment.');
  expect(printVerdict(await verify(deployment, clauseIds))).toBe(finding);
});
