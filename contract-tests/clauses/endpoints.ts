import fc from 'fast-check';
import type { JsonObject } from '../../common/exact-json.ts';
import { addAnimal, isAddition, listedBeforeAdding } from '../core/add-animal.ts';
import { defineClauses } from '../core/clause.ts';
import { type Context, statuses } from '../core/context.ts';
import { type Exchange, outcomeOf, readAnimal, readObject } from '../core/exchange.ts';
import { isRemoved } from '../core/get-pet-removal.ts';
import { inParallel } from '../core/in-parallel.ts';
import { isWhole } from '../core/is-whole.ts';
import {
  compareListed,
  fetchList,
  LONGEST,
  listAnimals,
  listsSoFar,
  lookInTime,
} from '../core/list-animals.ts';
import { expectFields, Failed, Skipped } from '../core/result.ts';
import { findAltered } from '../core/shared-animals.ts';

/** So many animals have not been removed by another client, which no operation lets it do. */
const MOST_REMOVED = 3;

/** How many animals from either end of the first lists are fetched again. */
const OTHERS = 5;

/** What holds for all operations together. */
export const endpointsClauses = defineClauses('Endpoints', ['writes'], {
  'store/kept': {
    sentence:
      'Every animal keeps its name and its categoryId until the end of the run and stays in the list, whatever is requested.',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/', 'store/sequences'],
    tolerated: [
      { open: 'transitions between statuses', answers: 'at any time; a wrong status is tried again' },
    ],
    needs: ['writes', 'getPet'],
    observes: true,
    run: async (context) => {
      if (!context.client.journal.some(isAddition)) {
        await listAnimals(context);
        await addAnimal(context, 'kept');
      }
      await inParallel(context.client.journal.filter(isAddition), async (addition) => {
        const animal = readAnimal(addition);
        if (typeof animal?.id === 'bigint') await expectAddedFound(context, animal);
      });
      await expectOthersUnchanged(context);
      await expectOthersListed(context);
    },
  },
  'store/sequences': {
    sentence:
      'In any sequence of operations, an added animal stays as it was returned and in the list of its status.',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/'],
    tolerated: [{ open: 'what other clients do during a run', answers: 'they may add animals at any time' }],
    run: expectSequences,
  },
});

/** Expects the animals that were listed first to be unchanged, wherever they are returned. */
async function expectOthersUnchanged(context: Context): Promise<void> {
  const before = listedBeforeAdding(context);
  compareListed(context, before, (from, actual, exchange) => expectUnchanged(from, actual, exchange));
  // A list that alters a field is left to create-pet/stored.
  const altered = findAltered(context);
  const absent: Exchange[] = [];
  // An id beyond int64 is left to list-pets/pets.
  const others = [...before].flatMap(([id, animal]) => (BigInt.asIntN(64, id) === id ? [animal] : []));
  await inParallel([...new Set([...others.slice(0, OTHERS), ...others.slice(-OTHERS)])], async (animal) => {
    const exchange = await context.client.send({ path: `/pets/${animal.id}` });
    const pet = readAnimal(exchange);
    const fields = ['name', 'categoryId'].filter((field) => !altered.has(field));
    if (exchange.response?.status === 404) absent.push(exchange);
    if (absent.length >= MOST_REMOVED)
      throw new Failed(`the animal ${animal.id}, as before the additions`, '404', exchange, {
        more: absent.filter((one) => one !== exchange),
      });
    if (pet !== undefined && pet.id === animal.id) expectUnchanged(animal, pet, exchange, fields);
  });
}

/** Expects the animals that were listed first in the list of all, while a page has room for them. */
async function expectOthersListed(context: Context): Promise<void> {
  const before = [...listedBeforeAdding(context).keys()];
  const pages = listsSoFar(context).filter(({ exchange }) => exchange.request.path === `/pets${LONGEST}`);
  const usual = pages.findLast(({ animals }) => animals.every(({ id }) => before.includes(id as bigint)));
  const fault = await lookInTime(context, async () => {
    for (const status of statuses) await fetchList(context, `${LONGEST}&status=${status}`);
    const list = await fetchList(context, LONGEST);
    const { animals, exchange } = list;
    const listed = new Set(animals.map(({ id }) => id));
    const absent = before.filter((id) => !listed.has(id));
    const [missing] = absent;
    if (missing === undefined || !isWhole(context, list, animals)) return undefined;
    const fetched = await context.client.send({ path: `/pets/${missing}` });
    // A page of the usual length may have no room for an animal that is still there.
    const isThere = fetched.response?.status !== 404;
    if (isThere ? animals.length === usual?.animals.length : absent.length < MOST_REMOVED) return undefined;
    const expected = `the animal ${missing} in the list, as before the additions`;
    return new Failed(expected, 'a list without it', exchange, { before: usual ? [usual.exchange] : [] });
  });
  if (fault !== undefined) throw fault;
}

/** Expects everything but the status of an animal to be as before. */
function expectUnchanged(
  from: JsonObject,
  actual: JsonObject,
  exchange: Exchange,
  fields: readonly string[] = ['name', 'categoryId'],
): void {
  const where = ` of the animal ${from.id}, as before`;
  expectFields(exchange, { from, actual, where }, ['id', ...fields]);
}

async function expectAddedFound({ client }: Context, animal: JsonObject): Promise<void> {
  const exchange = await client.send({ path: `/pets/${animal.id}` });
  const pet = readAnimal(exchange);
  if (pet === undefined) throw new Failed(`the added animal ${animal.id}`, outcomeOf(exchange), exchange);
  expectUnchanged(animal, pet, exchange);
}

/** How many sequences are tried, how long they are, and how many animals each adds: these stay in the deployment. */
const [SEQUENCES, MOST_OPERATIONS, MOST_ADDED] = [2, 15, 2];

/** The suite knows of the animals that the sequence has added. */
type Operation = fc.AsyncCommand<{ readonly added: JsonObject[] }, undefined>;

/** Tries made-up sequences of operations, and expects added animals to be unchanged after each. */
async function expectSequences(context: Context): Promise<void> {
  const canFetch = !(await isRemoved(context));
  const operations = fc.commands(
    [
      fc.constantFrom(...statuses, undefined).map((status) => createAddition(context, status)),
      ...(canFetch ? [fc.nat().map((index) => createFetch(context, index))] : []),
      fc.constantFrom(...statuses).map((status) => createListing(context, status)),
    ],
    { maxCommands: MOST_OPERATIONS, size: 'max' },
  );
  const property = fc.asyncProperty(operations, async (sequence) => {
    await fc.asyncModelRun(() => ({ model: { added: [] }, real: undefined }), sequence);
  });
  const { errorInstance } = await fc.check(property, {
    seed: context.target.seed,
    numRuns: SEQUENCES,
    // Shrinking would add more animals.
    endOnFailure: true,
  });
  if (errorInstance) throw errorInstance;
}

function createAddition(context: Context, status: string | undefined): Operation {
  return {
    check: ({ added }) => added.length < MOST_ADDED,
    run: async ({ added }) => {
      const animal = await addAnimal(context, `sequence ${added.length}`, { status });
      if (typeof animal.id !== 'bigint') throw new Skipped('an animal was added without an id');
      added.push(animal);
    },
  };
}

function createFetch(context: Context, index: number): Operation {
  return {
    check: ({ added }) => added.length > 0,
    run: ({ added }) => expectAddedFound(context, added[index % added.length] ?? {}),
  };
}

function createListing(context: Context, status: string): Operation {
  const query = `${LONGEST}&status=${status}`;
  // Others may have changed the status, before or after the list was made.
  const hasChanged = async ({ id }: JsonObject) => {
    const pet = readObject(await context.client.send({ path: `/pets/${id}` }));
    const isListed = (await listAnimals(context, query)).some((animal) => animal.id === id);
    return isListed || (pet !== undefined && 'status' in pet && pet.status !== status);
  };
  return {
    check: () => true,
    run: async ({ added }) => {
      const fault = await lookInTime(context, async () => {
        const all = await listAnimals(context);
        const list = await fetchList(context, query);
        const { animals, exchange } = list;
        const byId = new Map([...all, ...animals].map((animal) => [animal.id, animal]));
        for (const animal of added) {
          const listed = byId.get(animal.id);
          if (listed !== undefined) expectUnchanged(animal, listed, exchange);
          else if (animal.status === status && isWhole(context, list, all) && !(await hasChanged(animal))) {
            const expected = `the animal ${animal.id} in the list of ${status}`;
            return new Failed(expected, 'a list without it', exchange, { about: animal.id });
          }
        }
        return undefined;
      });
      if (fault !== undefined) throw fault;
    },
  };
}
