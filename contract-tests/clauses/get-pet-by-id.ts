import type { JsonObject } from '../../common/exact-json.ts';
import { ownAdditions } from '../core/add-animal.ts';
import { defineClauses } from '../core/clause.ts';
import { type Context, chooseFew } from '../core/context.ts';
import { type Exchange, isSuccess, outcomeOf, readAnimal, readObject } from '../core/exchange.ts';
import { expectPet } from '../core/find-schema-fault.ts';
import { inParallel } from '../core/in-parallel.ts';
import { listsByStatus } from '../core/is-whole.ts';
import { listAnimals, MOST_LISTED } from '../core/list-animals.ts';
import {
  expectFields,
  expectNoServerFault,
  expectStatus,
  Failed,
  Skipped,
  Unproven,
} from '../core/result.ts';
import { type Addition, addFetched, addOfEachStatus, findAltered } from '../core/shared-animals.ts';
import { tryAgain } from '../core/try-again.ts';

/** The animals that exist first, then those that do not. */
export const getPetByIdClauses = defineClauses('GET /pets/{petId}', ['getPet'], {
  'get-pet/success': {
    sentence: 'GET /pets/{petId} returns 200 and a Pet for an existing animal.',
    explainedBy: [
      ...['create-pet/pet', 'create-pet/int64-exact', 'create-pet/status-value'],
      ...['list-pets/pets', 'list-pets/unique-ids'],
    ],
    tolerated: [{ open: 'the removal on 5 December 2030', answers: 'any 3xx or 4xx from then on, or none' }],
    needs: ['getPet', 'animals'],
    observes: true,
    run: async (context) => {
      const read = await readEveryListed(context);
      // Some twice, since reading must not remove anything.
      const chosen = chooseAnimals(read.map(({ animal }) => animal));
      const again = await inOrder(chooseFew(context, chosen, 2), async (animal) => ({
        animal,
        exchange: await fetchPet(context, animal),
      }));
      context.decide(read.length + again.length);
      await inParallel([...read, ...again], async ({ animal, exchange }) => {
        if (exchange.response?.status === 200) return expectPet(exchange);
        // Others may have removed it.
        const isListed = (await listAnimals(context)).some(({ id }) => id === animal.id);
        if (isListed || exchange.response?.status !== 404) expectStatus(exchange, 200);
      });
      for (const exchange of context.client.journal.filter(isFetchedAnimal)) expectPet(exchange);
    },
  },
  'get-pet/right-animal': {
    sentence: 'GET /pets/{petId} returns the animal with the requested id.',
    explainedBy: ['get-pet/success'],
    needs: ['getPet', 'animals'],
    run: async (context) => {
      // They were fetched at once, so that responses could be mixed up.
      const read = await readEveryListed(context);
      context.decide(read.length);
      await inParallel(read, async ({ animal, exchange }) => {
        const { id } = readPet(animal, exchange);
        if (typeof id !== 'bigint') throw new Skipped('the id of the returned animal is not an int64');
        if (id !== animal.id) throw new Failed(`the id ${animal.id}`, String(id), exchange);
      });
    },
  },
  'get-pet/same-as-listed': {
    sentence: 'GET /pets/{petId} returns every animal as GET /pets lists it.',
    explainedBy: ['get-pet/success', 'list-pets/pets', 'list-pets/status-filters', 'create-pet/stored'],
    needs: ['getPet', 'animals'],
    run: async (context) => {
      const read = await readEveryListed(context);
      context.decide(read.length);
      const altered = findAltered(context);
      const fields = fieldsOfPet.filter((field) => !altered.has(field));
      await inParallel(read, (one) => expectSameAsListed(context, one, fields));
      // The list is at fault, and no animal by its id.
      for (const fault of altered.values()) throw fault;
    },
  },
  'get-pet/finds-added': {
    sentence: 'GET /pets/{petId} returns an added animal as POST /pets returned it.',
    explainedBy: ['get-pet/success', 'get-pet/right-animal', 'get-pet/same-as-listed', 'create-pet/'],
    needs: ['writes', 'getPet'],
    run: async (context) => {
      const additions = await addOfEachStatus(context);
      context.decide(additions.length);
      for (const addition of additions) {
        let first: Addition | undefined = addition;
        await tryAgain(context, async () => {
          const one = first ?? (await addFetched(context, addition.status));
          first = undefined;
          expectAddedFound(one);
        });
      }
    },
  },
  'get-pet/unknown-is-404': {
    isBeside: true,
    sentence: 'GET /pets/{petId} returns 404 for an id that no animal has.',
    explainedBy: ['get-pet/right-animal', 'get-pet/success'],
    run: expectNotFound,
  },
  'get-pet/non-integer': {
    isBeside: true,
    sentence: 'GET /pets/{petId} returns no animal for a petId that is not an int64.',
    explainedBy: ['get-pet/unknown-is-404', 'get-pet/right-animal'],
    tolerated: [{ open: 'a petId that is not an int64', answers: 'any 3xx or 4xx' }],
    run: expectNoAnimalForNonInteger,
  },
});

function fetchPet({ client }: Context, { id }: JsonObject): Promise<Exchange> {
  return client.send({ path: `/pets/${id}` });
}

function readPet(animal: JsonObject, exchange: Exchange): JsonObject {
  const pet = readAnimal(exchange);
  if (pet !== undefined) return pet;
  throw new Unproven(`the animal ${animal.id} was not returned: ${outcomeOf(exchange)}`);
}

/** Whether an animal was returned under its id. */
function isFetchedAnimal(exchange: Exchange): boolean {
  const [, id] = /^\/pets\/(-?\d{1,19})$/.exec(exchange.request.path) ?? [];
  return id !== undefined && readAnimal(exchange)?.id === BigInt(id);
}

/** Others may sell an animal between two responses: it is fetched again, then listed again, three times at most. */
async function expectSameAsListed(
  context: Context,
  { animal, exchange }: Read,
  fields: readonly string[],
  left = 3,
): Promise<void> {
  const again = async () => expectSame(animal, await fetchPet(context, animal), fields);
  try {
    // Node 22 has no Promise.try.
    await Promise.resolve()
      .then(() => expectSame(animal, exchange, fields))
      .catch(again);
  } catch (error) {
    if (left === 1 || !(error instanceof Failed)) throw error;
    const list = await listAnimals(context);
    const latest = list.find(({ id }) => id === animal.id);
    // Of an animal that is no longer on the page, the status may have changed since.
    const steady = latest === undefined ? fields.filter((field) => field !== 'status') : fields;
    const read = { animal: latest ?? animal, exchange: await fetchPet(context, latest ?? animal) };
    await expectSameAsListed(context, read, steady, left - 1);
  }
}

function expectAddedFound({ posted, fetched }: Addition): void {
  const animal = readAnimal(posted);
  if (animal === undefined) throw new Unproven(`an animal could not be added: ${outcomeOf(posted)}`);
  if (typeof animal.id !== 'bigint' || fetched === undefined) {
    throw new Skipped('the id of the added animal is not an int64');
  }
  expectStatus(fetched, 200);
  // An animal that was returned without a status may have been given one.
  const hasStatus = typeof animal.status === 'string';
  expectSame(animal, fetched, ['name', 'categoryId', ...(hasStatus ? ['status'] : [])]);
}

/** A listed animal, and how it was fetched. */
interface Read {
  readonly animal: JsonObject;
  readonly exchange: Exchange;
}

/** Fetches as many listed animals as there can be on a page by their ids, once in a run. */
function readEveryListed(context: Context): Promise<readonly Read[]> {
  return context.once(readAll);
}

async function readAll(context: Context): Promise<readonly Read[]> {
  const everywhere = [
    await listAnimals(context),
    ...listsByStatus(context).map(({ animals }) => animals),
  ].flat();
  const byId = new Map(everywhere.map((animal) => [animal.id, animal]));
  const listed = [...byId.values()].slice(0, MOST_LISTED);
  const animals = listed.filter(({ id }) => typeof id === 'bigint' && BigInt.asIntN(64, id) === id);
  if (animals.length === 0) throw new Skipped('no listed animal has an int64 as its id');
  return inOrder(animals, async (animal) => ({ animal, exchange: await fetchPet(context, animal) }));
}

/** Does something with each item, a few at once. @returns what came of them, in their order. */
async function inOrder<T, Made>(items: readonly T[], make: (item: T) => Promise<Made>): Promise<Made[]> {
  const made = new Map<number, Made>();
  await inParallel([...items.entries()], async ([index, item]) => void made.set(index, await make(item)));
  return items.flatMap((_, index) => made.get(index) ?? []);
}

const fieldsOfPet = ['name', 'categoryId', 'status'];

/** Another animal is left to get-pet/right-animal, and null in place of nothing to get-pet/success. */
function expectSame(from: JsonObject, exchange: Exchange, fields: readonly string[] = fieldsOfPet): void {
  const actual = readPet(from, exchange);
  if (actual.id !== from.id) throw new Skipped('another animal was returned');
  const given = fields.filter((field) => (actual[field] ?? from[field] ?? null) !== null);
  expectFields(exchange, { from, actual }, given);
}

/**
 * Chooses listed animals: the first, the middle and the last, those with the least and the greatest id, one whose id a
 * double cannot hold, and one without a status.
 */
function chooseAnimals(list: readonly JsonObject[]): readonly JsonObject[] {
  const byId = list.toSorted((one, other) => ((one.id as bigint) < (other.id as bigint) ? -1 : 1));
  const chosen = [
    ...[0, Math.floor(list.length / 2), -1].map((index) => list.at(index)),
    byId[0],
    byId.at(-1),
    list.find(({ id }) => BigInt(Number(id)) !== id),
    list.find(({ status }) => typeof status !== 'string'),
  ];
  return [...new Set(chosen)].filter((animal) => animal !== undefined);
}

const unlikelyIds = [2n ** 63n - 1n, -(2n ** 63n), 8_765_432_109_876_543_210n, 0n, -1n];

/** Expects 404 for ids that no animal has, among them some that are close to existing ones. */
async function expectNotFound(context: Context): Promise<void> {
  const listed = (await listAnimals(context)).map(({ id }) => id);
  const near = createNearIds(
    [...listed, ...ownAdditions(context).keys()].filter((id) => typeof id === 'bigint'),
  );
  const unknown = [...new Set([...unlikelyIds, ...near])].filter((id) => !listed.includes(id));
  await inParallel(chooseFew(context, unknown, 4), async (id) => {
    const exchange = await context.client.send({ path: `/pets/${id}` });
    const returned = readObject(exchange)?.id;
    // A near id may exist, even if something else is wrong with its animal.
    const isAnimal = readObject(exchange) !== undefined && typeof returned !== 'bigint';
    const exists = isSuccess(exchange) && near.includes(id) && isAnimal;
    if (returned === id || exists) return;
    expectNoServerFault(exchange);
    expectStatus(exchange, 404);
  });
}

/** Ids that look like an existing one to a program that loses a sign, high bits or low digits. */
function createNearIds(ids: readonly bigint[]): bigint[] {
  const [first = 1n] = ids;
  const large = ids.filter((id) => !Number.isSafeInteger(Number(id)));
  const beside = large.flatMap((id) => [id - 1n, id + 1n]).filter((id) => !ids.includes(id));
  const inOrder = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const [least, greatest] = [inOrder[0] ?? 1n, inOrder.at(-1) ?? 1n];
  const near = [-first, first + 2n ** 32n, least - 1n, greatest + 1n, ...beside.slice(0, 4)];
  return near.filter((id) => BigInt.asIntN(64, id) === id);
}

/** The first ones are of every kind that a gateway may refuse. */
const nonIntegers = [
  ...['abc', '1.5', '9223372036854775808', '%00', '%E0%A4', '9'.repeat(400)],
  ...['1e400', '%20', 'null', '-9223372036854775809', '1,2'],
];

/** Expects no animal for a petId that is not an int64, among them some that begin with an existing id. */
async function expectNoAnimalForNonInteger(context: Context): Promise<void> {
  const [{ id } = {}] = await listAnimals(context, '?limit=1').catch(() => []);
  const beginnings =
    typeof id === 'bigint' ? [`${id}abc`, `${id}.5`, `${id},2`, `${id}%20OR%201=1`, `${id + 2n ** 64n}`] : [];
  await inParallel([...chooseFew(context, nonIntegers, 6), ...beginnings], async (petId) => {
    const exchange = await context.client.send({ path: `/pets/${petId}` });
    expectNoServerFault(exchange);
    // Another 2xx may come from another path, but hardly for a word.
    const isAnimal = readObject(exchange)?.name !== undefined || petId === 'abc';
    if (isSuccess(exchange) && isAnimal) throw new Failed('no animal', outcomeOf(exchange), exchange);
  });
}
