import { addedPetDeployments } from './broken/added-pet-deployments.ts';
import { errorDeployments } from './broken/error-deployments.ts';
import { getPetDeployments } from './broken/get-pet-deployments.ts';
import { keptPetDeployments } from './broken/kept-pet-deployments.ts';
import { keyDeployments } from './broken/key-deployments.ts';
import { listedPetDeployments } from './broken/listed-pet-deployments.ts';
import { queryDeployments } from './broken/query-deployments.ts';
import { refusedPetDeployments } from './broken/refused-pet-deployments.ts';
import type { Deployment } from './deployment.ts';

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
];
