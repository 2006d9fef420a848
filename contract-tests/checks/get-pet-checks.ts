import { isJsonObject, type JsonObject } from '../../common/exact-json.ts';
import type { Check } from '../check.ts';
import { addAnimal, type Context, listAnimals, outcomeOf, readJson } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { expectNotRemoved } from '../removal.ts';
import { findFault } from '../shapes.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

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
];

/** The checks, as long as the operation is not removed. */
const presentChecks: readonly Check[] = [
  {
    clause: 'get-pet/success',
    run: async (context) => {
      for (const animal of await chooseListed(context)) {
        const exchange = await get(context, animal);
        if (exchange.response?.status !== 200) throw new Unfulfilled('200', outcomeOf(exchange), exchange);
        const fault = findFault('Pet', readJson(exchange) ?? null);
        if (fault !== undefined) throw new Unfulfilled('a Pet', fault, exchange);
      }
    },
  },
  {
    clause: 'get-pet/right-animal',
    run: async (context) => {
      for (const animal of await chooseListed(context)) {
        const { pet, exchange } = await fetchAnimal(context, animal);
        if (typeof pet.id !== 'bigint')
          throw new Untried('the animal that is answered has no int64 for its id');
        if (pet.id !== animal.id) throw new Unfulfilled(`the id ${animal.id}`, String(pet.id), exchange);
      }
    },
  },
  {
    clause: 'get-pet/same-as-listed',
    run: async (context) => {
      for (const animal of await chooseListed(context)) {
        await expectSame(context, animal).catch(async (error) => {
          if (!(await hasChanged(context, animal))) throw error;
        });
      }
    },
  },
  {
    clause: 'get-pet/finds-added',
    writes: true,
    run: async (context) => {
      const animal = await addAnimal(context, 'found by id', { status: 'sold' });
      if (typeof animal.id !== 'bigint')
        throw new Untried('the animal that was added has no int64 for its id');
      const exchange = await get(context, animal);
      if (exchange.response?.status !== 200) throw new Unfulfilled('200', outcomeOf(exchange), exchange);
      await expectSame(context, animal);
    },
  },
  {
    clause: 'get-pet/unknown-is-404',
    run: async (context) => {
      const known = new Set((await listAnimals(context, '?limit=100')).map(({ id }) => id));
      const unknown = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 8_765_432_109_876_543_210n];
      for (const id of unknown) {
        const exchange = await get(context, { id });
        const pet = readJson(exchange);
        const isThere =
          pet !== undefined && isJsonObject(pet) && pet.id === id && exchange.response?.status === 200;
        if (known.has(id) || isThere || isServerFault(exchange)) continue;
        if (exchange.response?.status !== 404) throw new Unfulfilled('404', outcomeOf(exchange), exchange);
      }
    },
  },
  {
    clause: 'get-pet/non-integer',
    run: async (context) => {
      const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
      // What a lenient reader would take for an animal that there is.
      const lenient = animal === undefined ? [] : ['abc', '.5', ',2'].map((rest) => `${animal.id}${rest}`);
      for (const id of [...noIntegers, ...lenient]) {
        const exchange = await context.client.send({ path: `/pets/${id}` });
        const status = exchange.response?.status ?? 0;
        const pet = readJson(exchange);
        if (status < 200 || status > 299 || pet === undefined) continue;
        if (isJsonObject(pet) && 'name' in pet)
          throw new Unfulfilled('no animal', outcomeOf(exchange), exchange);
      }
    },
  },
];

/** What the specification asks of single animals. Source: GET /pets/{petId} */
export const getPetChecks: readonly Check[] = presentChecks.map((check) => ({
  ...check,
  run: async (context) => {
    await expectNotRemoved(context);
    await check.run(context);
  },
}));

/** The first, the last and one between, those of the least and the greatest id, and one without a status. */
async function chooseListed(context: Context): Promise<readonly JsonObject[]> {
  const list = (await listAnimals(context, '?limit=100')).filter(({ id }) => typeof id === 'bigint');
  if (list.length === 0) throw new Untried('there is no animal in the list');
  const byId = list.toSorted((a, b) => (BigInt(Number(a.id)) < BigInt(Number(b.id)) ? -1 : 1));
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

function get({ client }: Context, { id }: JsonObject): Promise<Exchange> {
  return client.send({ path: `/pets/${id}` });
}

async function fetchAnimal(context: Context, animal: JsonObject) {
  const exchange = await get(context, animal);
  const pet = readJson(exchange);
  if (exchange.response?.status !== 200 || pet === undefined || !isJsonObject(pet)) {
    throw new Untried(`the animal ${animal.id} was not answered: ${outcomeOf(exchange)}`);
  }
  return { pet, exchange };
}

/** Another animal than the one that was asked for is another clause's. */
async function expectSame(context: Context, animal: JsonObject): Promise<void> {
  const { pet, exchange } = await fetchAnimal(context, animal);
  if (pet.id !== animal.id) throw new Untried('the animal that is answered is another one');
  for (const field of ['name', 'categoryId', 'status']) {
    if (pet[field] === animal[field]) continue;
    throw new Unfulfilled(`the ${field} ${String(animal[field])}`, String(pet[field]), exchange);
  }
}

/** An animal may be sold between two answers. */
async function hasChanged(context: Context, animal: JsonObject): Promise<boolean> {
  const list = await listAnimals(context, '?limit=100');
  return list.some(({ id, status }) => id === animal.id && status !== animal.status);
}

function isServerFault({ response }: Exchange): boolean {
  return response === undefined || response.status >= 500;
}
