import type { ExactJson, JsonObject } from '../../common/exact-json.ts';
import { ownAdditions } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import { inParallel } from '../core/in-parallel.ts';
import { LONGEST_LIST, listAnimals } from '../core/lists.ts';
import { expectNoServerFault, isSuccess, outcomeOf, readObject } from '../core/read-exchange.ts';
import { Failed } from '../core/result.ts';

/** What is no int64 in the place of an id. */
const noIntegers = [
  'abc',
  '1.5',
  '1e400',
  '%20',
  'null',
  '9223372036854775808',
  '-9223372036854775809',
  '1,2',
  '%00',
  '%E0%A4',
  '9'.repeat(400),
];

/** Ids that animals are not likely to have. */
const unlikelyIds = [
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
  8_765_432_109_876_543_210n,
  0n,
  -1n,
];

/** What the specification asks where there is no animal. Source: GET /pets/{petId} */
export const unknownPetChecks: readonly Check[] = [
  {
    clause: 'get-pet/unknown-is-404',
    needs: ['getPet'],
    run: async (context) => {
      const list = await listAnimals(context, `?limit=${LONGEST_LIST}`);
      const known = new Set(list.map(({ id }) => id));
      const near = createNearIds([...list, ...ownAnimals(context)]);
      const unknown = [...new Set([...unlikelyIds, ...near])].filter((id) => !known.has(id));
      await inParallel(unknown, async (id) => {
        const exchange = await context.client.send({ path: `/pets/${id}` });
        const answered = readObject(exchange)?.id;
        // One that is near an id of the list may be there, whatever is wrong with it otherwise.
        const isThere =
          answered === id || (isSuccess(exchange) && near.includes(id) && typeof answered !== 'bigint');
        if (isThere) return;
        expectNoServerFault(exchange);
        if (exchange.response?.status !== 404) throw new Failed('404', outcomeOf(exchange), exchange);
      });
    },
  },
  {
    clause: 'get-pet/non-integer',
    needs: ['getPet'],
    run: async (context) => {
      const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
      await inParallel([...noIntegers, ...createLenientIds(animal?.id)], async (id) => {
        const exchange = await context.client.send({ path: `/pets/${id}` });
        expectNoServerFault(exchange);
        // Another 2xx may be that of another path, but not where the id is a word.
        if (!isSuccess(exchange) || (readObject(exchange)?.name === undefined && id !== 'abc')) return;
        throw new Failed('no animal', outcomeOf(exchange), exchange);
      });
    },
  },
];

function ownAnimals(context: Context): JsonObject[] {
  return [...ownAdditions(context).keys()].map((id) => ({ id }));
}

/** Ids that a reader who loses something of an id would take for that of an animal that there is. */
function createNearIds(list: readonly JsonObject[]): bigint[] {
  const ids = list.flatMap(({ id }) => (typeof id === 'bigint' ? [id] : []));
  const [first = 1n] = ids;
  const large = ids.filter((id) => !Number.isSafeInteger(Number(id)));
  const beside = large.flatMap((id) => [id - 1n, id + 1n]).filter((id) => !ids.includes(id));
  const inOrder = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const [least, greatest] = [inOrder[0] ?? 1n, inOrder.at(-1) ?? 1n];
  const near = [-first, first + 2n ** 32n, least - 1n, greatest + 1n, ...beside.slice(0, 4)];
  return near.filter((id) => BigInt.asIntN(64, id) === id);
}

/** What a reader who stops at the first letter, or loses what is above 64 bits, would take for an id. */
function createLenientIds(id: ExactJson | undefined): string[] {
  if (typeof id !== 'bigint') return [];
  return [`${id}abc`, `${id}.5`, `${id},2`, `${id}%20OR%201=1`, `${id + 2n ** 64n}`];
}
