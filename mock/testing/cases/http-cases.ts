import type { HttpCase } from '../../../testing/http-case.ts';
import { createPetCases } from './create-pet-cases.ts';
import { crossCuttingCases } from './cross-cutting-cases.ts';
import { getPetCases } from './get-pet-cases.ts';
import { listPetsCases } from './list-pets-cases.ts';
import { messageCases } from './message-cases.ts';

/** Every row of the specification and of the decisions that is one request and its answer. */
export const httpCases: readonly HttpCase[] = [
  ...listPetsCases,
  ...createPetCases,
  ...getPetCases,
  ...messageCases,
  ...crossCuttingCases,
];
