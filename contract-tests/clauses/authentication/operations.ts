import { printExactJson } from '../../../common/exact-json.ts';
import { createNewPet } from '../../core/add-animal.ts';
import type { Need } from '../../core/clause.ts';
import type { RequestOptions } from '../../core/client.ts';
import { type Context, statuses } from '../../core/context.ts';
import { listAnimals } from '../../core/list-animals.ts';

/** An operation whose key is tried. */
export interface Operation {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Requests to try without a valid key: the first with all credentials, the others with the usual ones. */
  readonly createRequests: (context: Context) => Promise<readonly RequestOptions[]>;
}

export const getPetsRequests: Operation = {
  name: 'GET /pets',
  needs: [],
  createRequests: async () =>
    ['', '?limit=abc', '?status=lost', ...statuses.map((status) => `?status=${status}`)].map((query) => ({
      path: `/pets${query}`,
    })),
};

export const postPetsRequests: Operation = {
  name: 'POST /pets',
  needs: ['writes'],
  createRequests: async (context) => [
    // Invalid, so that nothing is added if a wrong key is accepted.
    { method: 'POST', path: '/pets', body: '{}' },
    { method: 'POST', path: '/pets', body: printExactJson(await createNewPet(context, 'without the key')) },
  ],
};

export const getPetRequests: Operation = {
  name: 'GET /pets/{petId}',
  needs: ['getPet'],
  createRequests: async (context) => {
    const animals = await listAnimals(context).catch(() => []);
    const listed = [undefined, ...statuses].map(
      (wanted) => animals.find(({ id, status }) => typeof id === 'bigint' && status === wanted)?.id,
    );
    const ids = listed.filter((id) => id !== undefined);
    return [...ids, 8_765_432_109_876_543_210n].map((id) => ({ path: `/pets/${id}` }));
  },
};
