import type { Check } from '../core/check.ts';
import { addedNothingChecks } from './added-nothing-checks.ts';
import { addedPetChecks } from './added-pet-checks.ts';
import { createdPetChecks } from './created-pet-checks.ts';
import { errorChecks } from './error-checks.ts';
import { everyListChecks } from './every-list-checks.ts';
import { getPetChecks } from './get-pet-checks.ts';
import { keptPetChecks } from './kept-pet-checks.ts';
import { keyChecks } from './key-checks.ts';
import { listPetsChecks } from './list-pets-checks.ts';
import { refusedPetChecks } from './refused-pet-checks.ts';
import { storeChecks } from './store-checks.ts';
import { unknownPetChecks } from './unknown-pet-checks.ts';

/** Every check; creations come before lists, which are the better for having more animals. */
export const checks: readonly Check[] = [
  ...keyChecks,
  ...keptPetChecks,
  ...createdPetChecks,
  ...addedPetChecks,
  ...refusedPetChecks,
  ...addedNothingChecks,
  ...storeChecks,
  ...listPetsChecks,
  ...everyListChecks,
  ...getPetChecks,
  ...unknownPetChecks,
  ...errorChecks,
];
