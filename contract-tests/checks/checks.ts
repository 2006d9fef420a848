import type { Check } from '../check.ts';
import { addedPetChecks } from './added-pet-checks.ts';
import { errorChecks } from './error-checks.ts';
import { everyListChecks } from './every-list-checks.ts';
import { getPetChecks } from './get-pet-checks.ts';
import { keptPetChecks } from './kept-pet-checks.ts';
import { keyChecks } from './key-checks.ts';
import { listPetsChecks } from './list-pets-checks.ts';
import { refusedPetChecks } from './refused-pet-checks.ts';
import { storeChecks } from './store-checks.ts';

/** Every check; creations come before lists, which are the better for having more animals. */
export const checks: readonly Check[] = [
  ...keyChecks,
  ...keptPetChecks,
  ...addedPetChecks,
  ...refusedPetChecks,
  ...storeChecks,
  ...listPetsChecks,
  ...everyListChecks,
  ...getPetChecks,
  ...errorChecks,
];

/** The most animals that a run adds to a deployment that conforms, Dredd's one among them; a test holds it. */
export const MOST_ADDED = 70;
