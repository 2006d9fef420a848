import type { JsonObject } from '../../common/exact-json.ts';
import { type AnimalOptions, addAnimal } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { kinds } from '../core/fresh-animals.ts';
import { inParallel } from '../core/in-parallel.ts';
import { LONGEST_LIST, listAnimals } from '../core/lists.ts';
import { outcomeOf, readAnimal, readJson } from '../core/read-exchange.ts';
import { Failed, Skipped, Unstable } from '../core/result.ts';
import { findFault } from '../core/shapes.ts';
import { showValue } from '../core/show-value.ts';
import { tryAgain } from '../core/try-again.ts';

/** What the specification asks of single animals. Source: GET /pets/{petId} */
export const getPetChecks: readonly Check[] = [
  {
    clause: 'get-pet/success',
    needs: ['getPet', 'animals'],
    isLast: true,
    run: async (context) => {
      const listed = await chooseListed(context);
      // Twice, since to look at an animal takes nothing away.
      await inParallel([...listed, ...listed], async (animal) => {
        const exchange = await get(context, animal);
        if (exchange.response?.status === 200) return expectPet(exchange);
        // Others may have taken it away.
        const list = await listAnimals(context, `?limit=${LONGEST_LIST}`);
        const isListed = list.some(({ id }) => id === animal.id);
        if (isListed || exchange.response?.status !== 404)
          throw new Failed('200', outcomeOf(exchange), exchange);
      });
      // And whatever was answered to other checks.
      context.client.journal.filter(isFetched).forEach(expectPet);
    },
  },
  {
    clause: 'get-pet/right-animal',
    needs: ['getPet', 'animals'],
    run: async (context) => {
      // At once, so that no answer may be mixed up with another.
      await inParallel(await chooseListed(context), async (animal) => {
        const { pet, exchange } = await fetchAnimal(context, animal);
        if (typeof pet.id !== 'bigint')
          throw new Skipped('the animal that is answered has no int64 for its id');
        if (pet.id !== animal.id) throw new Failed(`the id ${animal.id}`, String(pet.id), exchange);
      });
    },
  },
  {
    clause: 'get-pet/same-as-listed',
    needs: ['getPet', 'animals'],
    run: async (context) => {
      await inParallel(await chooseListed(context), (animal) => expectSameAsListed(context, animal));
    },
  },
  {
    clause: 'get-pet/finds-added',
    needs: ['writes', 'getPet'],
    run: async (context) => {
      for (const kind of kinds) {
        const id = await tryAgain(() => expectFound(context, kind));
        // Perhaps the next: that it was not there is not to be remembered.
        await get(context, { id: BigInt.asIntN(64, id + 1n) });
      }
    },
  },
];

/** The first, the last and one between, those of the least and the greatest id, and one without a status. */
async function chooseListed(context: Context): Promise<readonly JsonObject[]> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  const list = all.filter(({ id }) => typeof id === 'bigint' && BigInt.asIntN(64, id) === id);
  if (list.length === 0) throw new Skipped('no animal in the list has an int64 for its id');
  const byId = list.toSorted((one, other) => ((one.id as bigint) < (other.id as bigint) ? -1 : 1));
  const chosen = [
    ...[0, Math.floor(list.length / 2), -1].map((index) => list.at(index)),
    byId[0],
    byId.at(-1),
    // One that a double cannot hold.
    list.find(({ id }) => BigInt(Number(id)) !== id),
    list.find(({ status }) => typeof status !== 'string'),
  ];
  return [...new Set(chosen)].filter((animal) => animal !== undefined);
}

function expectPet(exchange: Exchange): void {
  const fault = findFault('Pet', readJson(exchange) ?? null);
  if (fault !== undefined) throw new Failed('a Pet', fault, exchange);
}

function get({ client }: Context, { id }: JsonObject): Promise<Exchange> {
  return client.send({ path: `/pets/${id}` });
}

async function fetchAnimal(context: Context, animal: JsonObject) {
  const exchange = await get(context, animal);
  return { pet: readAnswer(animal, exchange), exchange };
}

function readAnswer(animal: JsonObject, exchange: Exchange): JsonObject {
  const pet = readAnimal(exchange);
  if (pet !== undefined) return pet;
  throw new Skipped(`the animal ${animal.id} was not answered: ${outcomeOf(exchange)}`);
}

/** Another animal than the one that was asked for is another clause's. */
function expectSame(animal: JsonObject, exchange: Exchange, fields = ['name', 'categoryId', 'status']): void {
  const pet = readAnswer(animal, exchange);
  if (pet.id !== animal.id) throw new Skipped('the animal that is answered is another one');
  for (const field of fields) {
    // null, which is another clause's, is no status either.
    if ((pet[field] ?? null) === (animal[field] ?? null)) continue;
    const Verdict = field === 'status' ? Unstable : Failed;
    throw new Verdict(`the ${field} ${showValue(animal[field])}`, showValue(pet[field]), exchange);
  }
}

/** How often an animal is listed that reads otherwise by its id: others may sell it between two answers. */
const MOST_LOOKS = 3;

async function expectSameAsListed(context: Context, animal: JsonObject, left = MOST_LOOKS): Promise<void> {
  const expectNow = async () => expectSame(animal, await get(context, animal));
  try {
    // Once more, should it have been sold, or have come back, just then.
    await expectNow().catch(expectNow);
  } catch (error) {
    if (left === 1) throw error;
    const list = await listAnimals(context, `?limit=${LONGEST_LIST}`);
    await expectSameAsListed(context, list.find(({ id }) => id === animal.id) ?? animal, left - 1);
  }
}

/** @returns its id. */
async function expectFound(context: Context, kind: AnimalOptions): Promise<bigint> {
  const animal = await addAnimal(context, `found by id ${kind.status ?? ''}.`, kind);
  if (typeof animal.id !== 'bigint') throw new Skipped('the animal that was added has no int64 for its id');
  const exchange = await get(context, animal);
  if (exchange.response?.status !== 200) throw new Failed('200', outcomeOf(exchange), exchange);
  // One that was answered without a status may have been given one.
  const hasStatus = typeof animal.status === 'string';
  expectSame(animal, exchange, ['name', 'categoryId', ...(hasStatus ? ['status'] : [])]);
  return animal.id;
}

/** Whether it is an animal that was answered by its id. */
function isFetched(exchange: Exchange): boolean {
  const [, asked] = /^\/pets\/(-?\d{1,19})$/.exec(exchange.request.path) ?? [];
  return asked !== undefined && readAnimal(exchange)?.id === BigInt(asked);
}
