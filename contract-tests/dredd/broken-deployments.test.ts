import { expect, test } from 'vitest';
import { brokenDeployments } from '../deployments/broken-deployments.ts';
import { askDeployment } from '../deployments/run-deployment.ts';
import { idsOf, runWith } from '../testing/run-suite.ts';
import { dreddClauses } from './dredd-clauses.ts';

const only = dreddClauses.map(({ id }) => id);

/** Broken deployments, each with the one clause of Dredd that finds it. */
const deployments: Readonly<Record<string, string>> = {
  'answers a list by status without its end': 'dredd/listPets-200',
  'answers a list by status with status 203': 'dredd/listPets-200',
  'answers a list by status with null for its first animal': 'dredd/listPets-200',
  'answers an invalid limit without a code': 'dredd/listPets-400',
  'answers an invalid limit with status 500': 'dredd/listPets-400',
  'lists animals without a key': 'dredd/listPets-401',
  'answers a list without the key as plain text': 'dredd/listPets-401',
  'answers an added animal with a string for the id': 'dredd/createPet-201',
  'answers an added animal in an envelope': 'dredd/createPet-201',
  'answers an added animal with a page': 'dredd/createPet-201',
  'answers an invalid body with status 409': 'dredd/createPet-400',
  'answers an invalid body with null for the message': 'dredd/createPet-400',
  'answers an addition without the key without a code': 'dredd/createPet-401',
  'answers an addition without the key with status 200': 'dredd/createPet-401',
  'answers an animal by its id without a name': 'dredd/getPet-200',
  'answers an animal by its id with the status in upper case': 'dredd/getPet-200',
  'answers a request by id without the key with status 409': 'dredd/getPet-401',
  'returns animals without a key': 'dredd/getPet-401',
  'answers an unknown id with status 200': 'dredd/getPet-404',
  'answers an unknown id as plain text': 'dredd/getPet-404',
};

test('the twenty deployments fail in each clause of Dredd', () => {
  expect(Object.keys(deployments)).toHaveLength(20);
  expect(new Set(Object.values(deployments))).toEqual(new Set(only));
});

test.concurrent.for(Object.entries(deployments))(
  'a deployment that %s fails only in %s',
  async ([name, id], { expect }) => {
    const deployment = brokenDeployments.find((one) => one.name === name);
    expect(deployment).toBeDefined();
    const report = await runWith(await askDeployment({ ...deployment }), {}, only);
    expect(idsOf(report, 'failed', 'error')).toEqual([id]);
  },
);
