import fc from 'fast-check';
import type { JsonObject } from '../../../common/exact-json.ts';
import { addAnimal } from '../../core/add-animal.ts';
import { type Context, statuses } from '../../core/context.ts';
import { isRemoved } from '../../core/get-pet-removal.ts';
import { fetchList, isWhole, LONGEST, listAnimals } from '../../core/list-animals.ts';
import { readObject } from '../../core/read-exchange.ts';
import { Failed, Skipped } from '../../core/result.ts';
import { expectAddedFound, expectUnchanged } from './expect-unchanged.ts';

/** How many sequences are tried, how long they are, and how many animals each adds: these stay in the deployment. */
const [SEQUENCES, MOST_OPERATIONS, MOST_ADDED] = [3, 15, 3];

/** What the suite knows of the store: the animals that the sequence has added. */
interface Model {
  readonly added: JsonObject[];
}

type Operation = fc.AsyncCommand<Model, undefined>;

/** Tries made-up sequences of operations, and expects added animals to be unchanged after each. */
export async function expectSequences(context: Context): Promise<void> {
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
  if (errorInstance !== null && errorInstance !== undefined) throw errorInstance;
}

/** Adds an animal. */
function createAddition(context: Context, status: string | undefined): Operation {
  return {
    check: ({ added }) => added.length < MOST_ADDED,
    run: async ({ added }) => {
      const options = status === undefined ? {} : { status };
      const animal = await addAnimal(context, `sequence ${added.length}`, options);
      if (typeof animal.id !== 'bigint') throw new Skipped('an animal was added without an id');
      added.push(animal);
    },
    toString: () => `add(${status ?? ''})`,
  };
}

/** Fetches one of the added animals. */
function createFetch(context: Context, index: number): Operation {
  return {
    check: ({ added }) => added.length > 0,
    run: ({ added }) => expectAddedFound(context, added[index % added.length] ?? {}),
    toString: () => `get(${index})`,
  };
}

/** Lists the animals of a status, and expects those that were added with it. */
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
      const all = await listAnimals(context);
      const { animals, exchange } = await fetchList(context, query);
      const byId = new Map([...all, ...animals].map((animal) => [animal.id, animal]));
      for (const animal of added) {
        const listed = byId.get(animal.id);
        if (listed !== undefined) expectUnchanged(animal, listed, exchange);
        else if (animal.status === status && isWhole(context, animals, all) && !(await hasChanged(animal))) {
          throw new Failed(`the animal ${animal.id} in the list of ${status}`, 'a list without it', exchange);
        }
      }
    },
    toString: () => `list(${status})`,
  };
}
