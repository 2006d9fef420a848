import { printExactJson } from '../../common/exact-json.ts';
import { findCategory } from '../core/add-animal.ts';
import type { RequestOptions } from '../core/client.ts';
import type { Context } from '../core/context.ts';
import { isRemoved } from '../core/get-pet-removal.ts';
import { listAnimals } from '../core/list-animals.ts';
import type { PlannedRequest } from './transaction.ts';

/** The list has no animal to fetch by its id. */
export const NO_ANIMAL = 'there is no animal to fetch';

/** The run may not send a valid POST. */
export const READ_ONLY = 'it adds animals, and the run is read-only (--allow-writes)';

/** An id that no animal is likely to have. */
const UNKNOWN = 8_765_432_109_876_543_210n;

/** Plans a request for each documented response. */
export async function planRequests(context: Context): Promise<readonly PlannedRequest[]> {
  const { target } = context;
  const [{ id } = {}] = await listAnimals(context, '?limit=1').catch(() => []);
  const gone = (await isRemoved(context)) ? 'GET /pets/{petId} has been removed, as announced' : undefined;
  const nothing = typeof id === 'bigint' ? undefined : NO_ANIMAL;
  const pet = { name: context.nameFor('replayed'), categoryId: await findCategory(context) };
  const post = {
    ...{ method: 'POST', path: '/pets', body: printExactJson(pet) },
    skipped: target.allowsWrites ? undefined : READ_ONLY,
  };
  const unknown = { path: `/pets/${UNKNOWN}`, skipped: gone };
  const authorization = undefined;
  const requests: Readonly<Record<string, RequestOptions & { readonly skipped?: string | undefined }>> = {
    'listPets 200': { path: '/pets' },
    'listPets 400': { path: '/pets?limit=0' },
    'listPets 401': { path: '/pets', authorization },
    'createPet 201': post,
    'createPet 400': { ...post, body: '{}' },
    'createPet 401': { ...post, authorization },
    'getPet 200': { path: `/pets/${id}`, skipped: gone ?? nothing },
    'getPet 401': { ...unknown, authorization },
    'getPet 404': unknown,
  };
  const headers = { Accept: 'application/json' };
  return Object.entries(requests).map(([id, { skipped, ...options }]) => ({
    ...{ id, skipped },
    options: { ...options, headers },
  }));
}
