import { addedPetDeployments } from './broken/added-pet-deployments.ts';
import { errorDeployments } from './broken/error-deployments.ts';
import { getPetDeployments } from './broken/get-pet-deployments.ts';
import { keptPetDeployments } from './broken/kept-pet-deployments.ts';
import { keyDeployments } from './broken/key-deployments.ts';
import { listedPetDeployments } from './broken/listed-pet-deployments.ts';
import { queryDeployments } from './broken/query-deployments.ts';
import { refusedPetDeployments } from './broken/refused-pet-deployments.ts';
import type { Deployment } from './deployment.ts';

/** The defects with more than one headline, with the number and the reason. */
const headlines: Readonly<Record<string, Deployment['headlines']>> = {
  'answers a creation with an id beyond int64': [
    2,
    'each animal has another id, and the list shows others than the 201',
  ],
  'answers a creation with its id alone': [
    3,
    'a schema fault names one missing member, and each clause misses its own',
  ],
  'gives a new animal the id of one that it lists': [3, 'each animal gets the id of another one'],
  'does not add what it says it adds': [2, 'a list without an animal and a 404 by id may have two causes'],
  'answers the animal after the one that was asked for': [
    2,
    'the last animal gets 404, the others a wrong animal',
  ],
  'rounds ids that it looks for': [2, 'some ids get 404, others a wrong animal'],
  'rounds the ids that it lists': [2, 'the list has an id twice, and GET by id finds another one'],
};

/** Deployments that each break something, and the clauses that they break. */
export const brokenDeployments: readonly Deployment[] = [
  ...keyDeployments,
  ...queryDeployments,
  ...listedPetDeployments,
  ...addedPetDeployments,
  ...keptPetDeployments,
  ...refusedPetDeployments,
  ...getPetDeployments,
  ...errorDeployments,
].map((deployment) => ({ ...deployment, headlines: headlines[deployment.name] }));
