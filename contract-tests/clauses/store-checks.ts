import fc from 'fast-check';
import type { JsonObject } from '../../common/exact-json.ts';
import { addAnimal, isAddition, listedBeforeAdding } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import { type Context, statuses } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { inParallel } from '../core/in-parallel.ts';
import { fetchList, isWhole, listAnimals, listsSoFar } from '../core/lists.ts';
import { outcomeOf, readAnimal, readObject } from '../core/read-exchange.ts';
import { isRemoved } from '../core/removal.ts';
import { Failed, Skipped } from '../core/result.ts';
import { showValue } from '../core/show-value.ts';

/** What the suite knows of the store: the animals that it has added itself. */
interface Model {
  readonly added: JsonObject[];
}

/** How many sequences are tried, how long they are, and how many animals each adds: these stay in the deployment. */
const SEQUENCES = 3;
const LONGEST = 15;
const MOST_ADDED = 3;

/** What the specification asks of operations in any order. Source: Endpoints */
export const storeChecks: readonly Check[] = [
  { clause: 'store/sequences', needs: ['writes'], run: expectModel },
  { clause: 'store/kept', needs: ['writes', 'getPet'], isLast: true, run: expectAllKept },
];

/** Looks once more at every animal that this run has added. */
async function expectAllKept(context: Context): Promise<void> {
  const added = context.client.journal.filter(isAddition);
  if (added.length === 0) await addAnimal(context, 'kept');
  await inParallel(context.client.journal.filter(isAddition), async (addition) => {
    const animal = readAnimal(addition);
    if (typeof animal?.id === 'bigint') await expectThere(context, animal);
  });
  await expectOthersKept(context);
}

/** How many animals that were there before are looked at again. */
const OTHERS = 5;

/** Adding animals changes no others. One that is gone may have been given away. */
async function expectOthersKept(context: Context): Promise<void> {
  const others = [...listedBeforeAdding(context).values()];
  expectListedAlike(context);
  await inParallel([...new Set([...others.slice(0, OTHERS), ...others.slice(-OTHERS)])], async (animal) => {
    const exchange = await context.client.send({ path: `/pets/${animal.id}` });
    const pet = readAnimal(exchange);
    if (pet !== undefined && pet.id === animal.id) expectSame(animal, pet, exchange);
  });
}

/** Expects animals that were there before to be as they were, wherever they are listed. */
function expectListedAlike(context: Context): void {
  const before = listedBeforeAdding(context);
  for (const { animals, exchange } of listsSoFar(context)) {
    for (const animal of animals) {
      const other = typeof animal.id === 'bigint' ? before.get(animal.id) : undefined;
      if (other !== undefined) expectSame(other, animal, exchange);
    }
  }
}

/** Expects an animal that was added to be found by its id, as it was answered. */
async function expectThere({ client }: Context, animal: JsonObject): Promise<void> {
  const exchange = await client.send({ path: `/pets/${animal.id}` });
  const pet = readAnimal(exchange);
  if (pet === undefined) {
    throw new Failed(`the animal ${animal.id} that was added`, outcomeOf(exchange), exchange);
  }
  expectSame(animal, pet, exchange);
}

async function expectModel(context: Context): Promise<void> {
  const isGone = await isRemoved(context);
  const commands = fc.commands(
    [
      fc.constantFrom(...statuses, undefined).map((status) => new Add(context, status)),
      ...(isGone ? [] : [fc.nat().map((index) => new GetAdded(context, index))]),
      fc.constantFrom(...statuses).map((status) => new ListByStatus(context, status)),
    ],
    { maxCommands: LONGEST, size: 'max' },
  );
  const property = fc.asyncProperty(commands, async (all) => {
    await fc.asyncModelRun(() => ({ model: { added: [] }, real: undefined }), all);
  });
  const { errorInstance } = await fc.check(property, {
    seed: context.target.seed,
    numRuns: SEQUENCES,
    // A smaller sequence would add more animals.
    endOnFailure: true,
  });
  if (errorInstance !== null && errorInstance !== undefined) throw errorInstance;
}

/** Adds an animal. */
class Add implements fc.AsyncCommand<Model, undefined> {
  private readonly context: Context;
  private readonly status: string | undefined;

  constructor(context: Context, status: string | undefined) {
    this.context = context;
    this.status = status;
  }

  check = ({ added }: Readonly<Model>) => added.length < MOST_ADDED;

  async run(model: Model): Promise<void> {
    const options = this.status === undefined ? {} : { status: this.status };
    const animal = await addAnimal(this.context, `sequence ${model.added.length}`, options);
    if (typeof animal.id !== 'bigint') throw new Skipped('an animal was added without an id');
    model.added.push(animal);
  }

  toString = () => `add(${this.status ?? ''})`;
}

/** Fetches one of the animals that were added, which nothing but its creation has touched. */
class GetAdded implements fc.AsyncCommand<Model, undefined> {
  private readonly context: Context;
  private readonly index: number;

  constructor(context: Context, index: number) {
    this.context = context;
    this.index = index;
  }

  check = ({ added }: Readonly<Model>) => added.length > 0;

  async run({ added }: Model): Promise<void> {
    await expectThere(this.context, added[this.index % added.length] ?? {});
  }

  toString = () => `get(${this.index})`;
}

/** Lists the animals of a status: those that were added with it are there, as they were, unless it has changed since. */
class ListByStatus implements fc.AsyncCommand<Model, undefined> {
  private readonly context: Context;
  private readonly status: string;

  constructor(context: Context, status: string) {
    this.context = context;
    this.status = status;
  }

  check = () => true;

  async run({ added }: Model): Promise<void> {
    const all = await listAnimals(this.context, '?limit=100');
    const { animals: list, exchange } = await fetchList(this.context, `?limit=100&status=${this.status}`);
    const byId = new Map([...all, ...list].map((animal) => [animal.id, animal]));
    for (const animal of added) {
      const listed = byId.get(animal.id ?? null);
      if (listed !== undefined) expectSame(animal, listed, exchange);
      else if (
        animal.status === this.status &&
        isWhole(this.context, list, all) &&
        !(await this.hasChanged(animal))
      ) {
        throw new Failed(
          `the animal ${animal.id} in the list of ${this.status}`,
          'a list without it',
          exchange,
        );
      }
    }
  }

  /** Other clients may sell it, and the list may be older than that. */
  private async hasChanged({ id }: JsonObject): Promise<boolean> {
    const pet = readObject(await this.context.client.send({ path: `/pets/${id}` }));
    const again = await listAnimals(this.context, `?limit=100&status=${this.status}`);
    const isListed = again.some((animal) => animal.id === id);
    return isListed || (pet !== undefined && 'status' in pet && pet.status !== this.status);
  }

  toString = () => `list(${this.status})`;
}

function expectSame(animal: JsonObject, other: JsonObject, exchange: Exchange): void {
  for (const field of ['id', 'name', 'categoryId']) {
    if (animal[field] === other[field]) continue;
    const expected = `the ${field} ${showValue(animal[field])} of the animal ${animal.id}, as it was before`;
    throw new Failed(expected, showValue(other[field]), exchange);
  }
}
