import { addedPetDeployments } from './broken/added-pet-deployments.ts';
import { answeredPetDeployments } from './broken/answered-pet-deployments.ts';
import { errorDeployments } from './broken/error-deployments.ts';
import { getPetDeployments } from './broken/get-pet-deployments.ts';
import { keptPetDeployments } from './broken/kept-pet-deployments.ts';
import { keyDeployments } from './broken/key-deployments.ts';
import { laxKeyDeployments } from './broken/lax-key-deployments.ts';
import { limitDeployments } from './broken/limit-deployments.ts';
import { listedPetDeployments } from './broken/listed-pet-deployments.ts';
import { refusedPetDeployments } from './broken/refused-pet-deployments.ts';
import { statusDeployments } from './broken/status-deployments.ts';
import { storedPetDeployments } from './broken/stored-pet-deployments.ts';
import { unknownPetDeployments } from './broken/unknown-pet-deployments.ts';
import type { Deployment } from './deployment.ts';

/** Deployments that each break something, and the clauses that they break. */
export const brokenDeployments: readonly Deployment[] = [
  ...keyDeployments,
  ...laxKeyDeployments,
  ...limitDeployments,
  ...statusDeployments,
  ...listedPetDeployments,
  ...answeredPetDeployments,
  ...keptPetDeployments,
  ...addedPetDeployments,
  ...storedPetDeployments,
  ...refusedPetDeployments,
  ...getPetDeployments,
  ...unknownPetDeployments,
  ...errorDeployments,
];
