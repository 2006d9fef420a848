import { addedPetDeployments } from './broken/added-pet-deployments.ts';
import { errorDeployments } from './broken/error-deployments.ts';
import { getPetDeployments } from './broken/get-pet-deployments.ts';
import { keptPetDeployments } from './broken/kept-pet-deployments.ts';
import { keyDeployments } from './broken/key-deployments.ts';
import { listedPetDeployments } from './broken/listed-pet-deployments.ts';
import { queryDeployments } from './broken/query-deployments.ts';
import { refusedPetDeployments } from './broken/refused-pet-deployments.ts';
import { type Deployment, deployments } from './deployment.ts';
import { transformations } from './transformations.ts';

/** Deployments that each have one defect: changes of the mock, and what needs memory, time or other values. */
export const brokenDeployments: readonly Deployment[] = [
  ...deployments(transformations),
  ...keyDeployments,
  ...queryDeployments,
  ...listedPetDeployments,
  ...addedPetDeployments,
  ...keptPetDeployments,
  ...refusedPetDeployments,
  ...getPetDeployments,
  ...errorDeployments,
];
