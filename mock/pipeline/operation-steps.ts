import type { OperationName } from '../../common/journal/operation-name.ts';
import { createMessage, createPet, getPet, listPets } from '../api/operations.ts';
import type { LastStep } from './context.ts';
import { nothingAt } from './refusals.ts';

/** The last step of each operation, which gives it the query, the id or the body. */
export const operationSteps = {
  listPets: (context) => listPets(context, context.query),
  createPet: async (context) => createPet(context, await context.readBody()),
  getPet: (context) => getPet(context, readId(context.path)),
  createMessage: async (context) => createMessage(context, await context.readBody()),
} satisfies Record<OperationName, LastStep>;

/** Returns the id in `/v1/pets/7` or `/v1/pets/7/`. @throws ApiError `not_found` if it is not percent-encoded UTF-8 */
function readId(path: string): string {
  try {
    return decodeURIComponent(path.slice('/v1/pets/'.length).replace(/\/$/, ''));
  } catch {
    throw nothingAt(path);
  }
}
