import type { JsonObject } from '../../common/json/exact-json.ts';
import { isInt64 } from '../../common/json/int64.ts';
import { Failed, NotApplicable, NotTested } from '../client/clause-errors.ts';
import { type Exchange, hasValidKey } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import {
  type Addition,
  addOfEachStatus,
  findAltered,
  isCopy,
  ownAdditions,
  tryWithNew,
} from '../vocabulary/additions.ts';
import { underHeading } from '../vocabulary/clause.ts';
import { type Context, readAdded } from '../vocabulary/context.ts';
import { expectEach } from '../vocabulary/expect-each.ts';
import { expectAnswer, expectFields, expectStatus, wrongStatus } from '../vocabulary/expectations.ts';
import { expectPet } from '../vocabulary/find-schema-fault.ts';
import { expectNoLag } from '../vocabulary/lags.ts';
import { listedBeforeAdding, listsByStatus, MOST_REMOVED, tryAgain } from '../vocabulary/lists.ts';

/** One animal in so many is read twice. */
const READ_AGAIN_EVERY = 40;

/** Numbers of ids to try in a run that may not write. */
const MOST_UNKNOWN_IDS = 4;
const MOST_NON_INTEGERS = 6;

export const getPetByIdClauses = underHeading('GET /pets/{petId}', {
  phase: 'single requests',
  needs: ['getPet'],
})([
  {
    id: 'get-pet/success',
    sentence: 'GET /pets/{petId} returns 200 and a Pet for an existing animal.',
    quote: '| 200 | The requested animal. | Pet |',
    explainedBy: ['list-pets/pets'],
    tolerated: { 'the removal on 5 December 2030': 'any 3xx or 4xx from then on, or none' },
    needs: ['getPet', 'animals'],
    phase: 'responses',
    run: async (context) => {
      const read = await context.once(readEveryListed);
      const absent: Exchange[] = [];
      // Some twice, since reading must not remove anything.
      const some = read.filter((_, index) => index % READ_AGAIN_EVERY === 0);
      const again = await inParallel(some, ({ animal }) => readOne(context, animal));
      await inParallel([...read, ...again], async ({ animal, exchange }) => {
        if (exchange.status === 200) return expectPet(context, exchange);
        const isListed = (await context.listAnimals()).some(({ id }) => id === animal.id);
        if (isListed || exchange.status !== 404) expectStatus(context, exchange, 200);
        else absent.push(exchange);
      });
      // Others may remove their animals, which store/kept says.
      const own = ownAdditions(context);
      const [gone, ...more] = absent.filter(({ requestedId }) => own.has(requestedId ?? 0n));
      if (gone !== undefined && more.length + 1 >= MOST_REMOVED) throw wrongStatus(200, gone, { more });
      for (const exchange of context.journal.filter(isFetchedAnimal)) expectPet(context, exchange);
    },
  },
  {
    id: 'get-pet/right-animal',
    sentence: 'GET /pets/{petId} returns the animal with the requested id.',
    quote: '| petId | integer, int64 | yes | Identifier of the animal to retrieve. |',
    needs: ['getPet', 'animals'],
    phase: 'responses',
    run: async (context) => {
      // They were fetched at once, so that responses could be mixed up.
      const read = await context.once(readEveryListed);
      for (const { animal, exchange } of read) {
        const { animal: pet } = exchange;
        // An animal that was not found is left to get-pet/success.
        if (pet === undefined) continue;
        const { id } = pet;
        context.compare(exchange, [pet]);
        if (typeof id !== 'bigint') throw new NotApplicable('the id of the returned animal is not an int64');
        const ids = { expected: String(animal.id), received: String(id) };
        if (id !== animal.id) throw new Failed({ kind: 'id', idProblem: 'not requested', ...ids }, exchange);
      }
      expectRequestedIds(context);
    },
  },
  {
    id: 'get-pet/same-as-listed',
    sentence: 'GET /pets/{petId} returns every animal as GET /pets lists it.',
    quote: '| 200 | The requested animal. | Pet |',
    explainedBy: ['get-pet/success', 'list-pets/pets', 'create-pet/stored'],
    needs: ['getPet', 'animals'],
    run: async (context) => {
      const read = await context.once(readEveryListed);
      const altered = findAltered(context);
      const fields = fieldsOfPet.filter((field) => !altered.has(field));
      const found = read.filter(({ exchange }) => exchange.animal !== undefined);
      await inParallel(found, (one) => expectSameAsListed(context, one, fields));
      // The list is at fault, and no animal by its id.
      for (const fault of altered.values()) throw fault;
    },
  },
  {
    id: 'get-pet/finds-added',
    sentence: 'GET /pets/{petId} returns an added animal as POST /pets returned it.',
    quote: '| 200 | The requested animal. | Pet |',
    explainedBy: ['create-pet/'],
    needs: ['writes', 'getPet'],
    run: async (context) => {
      const additions = await addOfEachStatus(context);
      const check = (addition: Addition) => expectAddedFound(context, addition);
      for (const addition of additions) await tryWithNew(context, addition, check);
    },
  },
  {
    id: 'recommended/fresh-animals',
    sentence: 'GET /pets/{petId} finds a new animal at once.',
    tolerated: { 'time until GET /pets/{petId} shows a new animal': 'within 2 s (--settle)' },
    needs: ['writes', 'getPet'],
    phase: 'responses',
    run: async (context) => {
      await addOfEachStatus(context);
      expectNoLag(context, ({ requestedId }) => requestedId !== undefined);
      const own = ownAdditions(context);
      const found = context.journal.filter(
        ({ requestedId: id, animal }) => id !== undefined && own.has(id) && animal,
      );
      if (found.length === 0) throw new NotApplicable('no animal of this run was found by its id');
      if (context.run.hasWaitedInVain)
        throw new NotTested('an animal was not found by its id within --settle: see get-pet/finds-added');
      for (const exchange of found) context.compare(exchange, exchange.animals);
    },
  },
  {
    id: 'get-pet/unknown-is-404',
    isParallel: true,
    sentence: 'GET /pets/{petId} returns 404 for an id that no animal has.',
    quote: '| 404 | The requested animal could not be found. | GET /pets/{petId} |',
    explainedBy: ['get-pet/right-animal'],
    run: async (context) => {
      const now = (await context.listAnimals()).map(({ id }) => id);
      const listed = [...listedBeforeAdding(context).keys(), ...now];
      const ids = [...listed, ...ownAdditions(context).keys()];
      const own = [...ownAdditions(context).keys()];
      const near = createNearIds(
        ids.filter((id) => typeof id === 'bigint'),
        own,
      );
      const unknown = [...new Set([...unlikelyIds, ...near])].filter((id) => !listed.includes(id));
      await expectEach(context.chooseFew(unknown, MOST_UNKNOWN_IDS), async (id) => {
        const exchange = await context.get(`/pets/${id}`);
        const { object, isSuccess } = exchange;
        // A near id may exist, even if something else is wrong with its animal.
        const isAnimal = typeof object?.id !== 'bigint';
        const isOwn = object?.id === id && !isCopy(context, object);
        if (isOwn || (isSuccess && near.includes(id) && isAnimal)) return;
        expectStatus(context, exchange, 404, { what: 'unknown id' });
      });
    },
  },
  {
    id: 'get-pet/non-integer',
    isParallel: true,
    sentence: 'GET /pets/{petId} returns no animal for a petId that is not an int64.',
    quote: '| petId | integer, int64 | yes | Identifier of the animal to retrieve. |',
    explainedBy: ['get-pet/unknown-is-404'],
    tolerated: { 'a petId that is not an int64': 'any 3xx or 4xx' },
    run: async (context) => {
      const { id } = (await context.findListed()) ?? {};
      const ends = ['abc', '.5', '%20OR%201=1'];
      const beginnings = typeof id === 'bigint' ? [...ends.map((end) => `${id}${end}`), id + 2n ** 64n] : [];
      await expectEach(
        [...context.chooseFew(nonIntegers, MOST_NON_INTEGERS), ...beginnings],
        async (petId) => {
          const exchange = await context.get(`/pets/${petId}`);
          // Another 2xx may belong to another path, but hardly for a word.
          const isAnimal = exchange.object?.name !== undefined || petId === 'abc';
          const isFound = exchange.isSuccess && isAnimal;
          expectAnswer(
            context,
            exchange,
            'no animal',
            !isFound && exchange.status > 0 && exchange.status < 500,
            { what: 'petId', petId: exchange.shorten(String(petId)) },
          );
        },
      );
    },
  },
]);

/** Expects each response to have the animal that was asked for. An id that no animal has is left to get-pet/unknown-is-404. */
function expectRequestedIds(context: Context): void {
  const listed = listedBeforeAdding(context);
  const own = ownAdditions(context);
  for (const exchange of context.journal) {
    const { requestedId, animal, path } = exchange;
    const isPlain = path === `/pets/${requestedId}` && hasValidKey(exchange, context.target);
    const isOwn = requestedId !== undefined && (own.get(requestedId)?.end ?? exchange.at) < exchange.at;
    if (requestedId === undefined || !isPlain || !(isOwn || listed.has(requestedId))) continue;
    if (typeof animal?.id !== 'bigint' || animal.id === requestedId) continue;
    const ids = { expected: String(requestedId), received: String(animal.id) };
    throw new Failed({ kind: 'id', idProblem: 'not requested', ...ids }, exchange);
  }
}

type Read = Awaited<ReturnType<typeof readOne>>;

async function readOne(context: Context, animal: JsonObject) {
  return { animal, exchange: await context.get(`/pets/${animal.id}`) };
}

/** Maximum number of animals that are fetched by their ids. */
const MOST_READ = 100;

async function readEveryListed(context: Context): Promise<readonly Read[]> {
  const all = await context.listAnimals();
  const byStatus = listsByStatus(context).flatMap(({ animals }) => animals);
  // The newest animals may have pushed the others off every page.
  const everywhere = [...listedBeforeAdding(context).values(), ...all, ...byStatus];
  const byId = new Map(everywhere.map((animal) => [animal.id, animal]));
  const listed = [...byId.values()].filter(({ id }) => typeof id === 'bigint' && isInt64(id));
  // Ids that a double cannot hold show more than the others.
  const animals = listed
    .toSorted((one, other) => Number(isLarge(other)) - Number(isLarge(one)))
    .slice(0, MOST_READ);
  if (animals.length === 0) throw new NotApplicable('no listed animal has an int64 as its id');
  return inParallel(animals, (animal) => readOne(context, animal));
}

function isLarge({ id }: JsonObject): boolean {
  return !Number.isSafeInteger(Number(id));
}

function readPet({ id }: JsonObject, { animal, outcome }: Exchange): JsonObject {
  if (animal !== undefined) return animal;
  throw new NotTested(`the animal ${id} was not returned: ${outcome}`);
}

function isFetchedAnimal({ requestedId: id, animal }: Exchange): boolean {
  return id !== undefined && BigInt.asIntN(64, id) === id && animal?.id === id;
}

/** Others may sell an animal between two responses: then it is listed and fetched again. */
async function expectSameAsListed(context: Context, listed: Read, fields: readonly string[]): Promise<void> {
  const { id } = listed.animal;
  await tryAgain(context, async (tries) => {
    if (tries === 0) return expectSame(context, listed.animal, listed.exchange, fields, fieldsOfPet);
    const latest = (await context.listAnimals()).find((animal) => animal.id === id);
    const { animal, exchange } = await readOne(context, latest ?? listed.animal);
    // Of an animal that is no longer on the page, the status may have changed since.
    const steady = latest === undefined ? fields.filter((field) => field !== 'status') : fields;
    expectSame(context, animal, exchange, steady, fieldsOfPet);
  });
}

async function expectAddedFound(context: Context, { posted, fetched }: Addition): Promise<void> {
  const animal = readAdded(posted);
  if (typeof animal.id !== 'bigint' || fetched === undefined)
    throw new NotApplicable('the id of the added animal is not an int64');
  expectStatus(context, fetched, 200);
  // An animal that was returned without a status may have been given one.
  const hasStatus = typeof animal.status === 'string';
  expectSame(context, animal, fetched, hasStatus ? fieldsOfPet : ['name', 'categoryId']);
}

const fieldsOfPet = ['name', 'categoryId', 'status'];

/** Another animal is left to get-pet/right-animal, and null instead of nothing to get-pet/success. */
function expectSame(
  context: Context,
  from: JsonObject,
  exchange: Exchange,
  fields: readonly string[],
  mayChange?: readonly string[],
): void {
  const actual = readPet(from, exchange);
  if (actual.id !== from.id) throw new NotApplicable('another animal was returned');
  const given = fields.filter((field) => (actual[field] ?? from[field] ?? null) !== null);
  expectFields(context, exchange, [from, actual], given, 'other record', mayChange);
}

const unlikelyIds = [2n ** 63n - 1n, -(2n ** 63n), 8_765_432_109_876_543_210n, 0n, -1n];

const MOST_NEIGHBOURS = 8;

/** Creates ids that look like an existing one to a program that loses a sign, high bits or low digits. */
function createNearIds(ids: readonly bigint[], own: readonly bigint[]): bigint[] {
  const [first = 1n] = ids;
  // A double cannot tell such an id from its neighbour.
  const neighbours = ids.flatMap((id) => {
    const alike = [id - 1n, id + 1n].find((near) => Number(near) === Number(id) && !ids.includes(near));
    return alike ?? [];
  });
  const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const least = sorted[0] ?? 1n;
  const greatest = sorted.at(-1) ?? 1n;
  const near = [
    -first,
    first + 2n ** 32n,
    least - 1n,
    greatest + 1n,
    ...findLookalikes(sorted, own),
    ...neighbours.slice(0, MOST_NEIGHBOURS),
  ];
  return near.filter((id) => BigInt.asIntN(64, id) === id);
}

/** Powers of ten that leave the last digits of an id as they are: the least that 32 bits hold, and the largest of int64. */
const powersOfTen = [10n ** 9n, 10n ** 18n];

/**
 * Finds ids that begin or end like existing ones, and the first one that no list shows.
 * @param sorted existing ids. @param own of animals whose names show a copy
 */
function findLookalikes(sorted: readonly bigint[], own: readonly bigint[]): readonly bigint[] {
  const known = new Set(sorted);
  const isUnknown = (id: bigint) => !known.has(id);
  const positive = sorted.filter((id) => id > 0n);
  const ends = powersOfTen.flatMap((power) => {
    const id = [...own, ...positive].find((one) => one > 0n && one < power && isUnknown(one + power));
    return id === undefined ? [] : [id + power];
  });
  const beginnings = positive.map((id) => id / 10n).filter((id) => id > 0n && isUnknown(id));
  const gaps = positive.map((id) => id + 1n).filter(isUnknown);
  return [...ends, ...beginnings.slice(0, 1), ...gaps.slice(0, 1)];
}

/** The first ones are of every kind that a gateway may refuse. */
const nonIntegers = [
  ...['abc', '1.5', '9223372036854775808', '%00', '%E0%A4', '9'.repeat(400)],
  ...['1e400', '%20', 'null', '-9223372036854775809', '1,2'],
];
