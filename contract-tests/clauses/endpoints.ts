import fc from 'fast-check';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { NotApplicable } from '../client/clause-errors.ts';
import type { Exchange } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import { SEED } from '../client/run-limits.ts';
import { findAltered } from '../vocabulary/additions.ts';
import { underHeading } from '../vocabulary/clause.ts';
import { type Context, isRemoved } from '../vocabulary/context.ts';
import { expectFields, lacksAnimal, wrongStatus } from '../vocabulary/expectations.ts';
import { LONGEST, longestByStatus } from '../vocabulary/list-parameters.ts';
import {
  compareListed,
  expectInTime,
  isComplete,
  listedBeforeAdding,
  MOST_REMOVED,
  mayLeaveOut,
} from '../vocabulary/lists.ts';
import { expectNoneRemoved } from './endpoints/expect-none-removed.ts';
import { expectSteady } from './endpoints/expect-steady.ts';

/** Number of the first, and of the last, animals of other clients that are compared. */
const OTHERS = 5;

export const endpointsClauses = underHeading('Endpoints', { phase: 'sequences', needs: ['writes'] })([
  {
    id: 'store/kept',
    sentence:
      'Every animal keeps its name and its categoryId until the end of the run and stays in the list.',
    quote:
      'list animals, optionally filtered by availability status; - add an animal; - fetch one animal by its identifier',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/'],
    needs: ['writes', 'getPet'],
    phase: 'stored animals',
    run: async (context) => {
      if (context.additions.length === 0) {
        await context.listAnimals();
        await context.addAnimal('kept');
      }
      await inParallel(context.additions, async ({ animal }) => {
        if (typeof animal?.id === 'bigint') await expectAddedFound(context, animal);
      });
      await expectOthersUnchanged(context);
      await expectOthersListed(context);
      await expectNoneRemoved(context);
    },
  },
  {
    id: 'store/sequences',
    sentence:
      'In any sequence of operations, an added animal stays as it was returned and in the list of its status.',
    quote:
      'list animals, optionally filtered by availability status; - add an animal; - fetch one animal by its identifier',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/'],
    tolerated: {
      'what other clients do during a run': 'they may add animals, and remove theirs, at any time',
    },
    run: expectSequences,
  },
  {
    id: 'store/steady',
    sentence:
      'All responses agree on an animal: its name and its categoryId stay, it does not come and go, and its status does not change back and forth.',
    quote:
      'list animals, optionally filtered by availability status; - add an animal; - fetch one animal by its identifier',
    explainedBy: ['list-pets/', 'create-pet/', 'get-pet/', 'store/kept', 'service/browser'],
    tolerated: { 'transitions between statuses': 'at any time, but not back and forth for several animals' },
    needs: [],
    phase: 'whole run',
    run: expectSteady,
  },
]);

async function expectOthersUnchanged(context: Context): Promise<void> {
  const before = listedBeforeAdding(context);
  compareListed(context, before, (from, actual, list) => expectSame(context, from, actual, list));
  // A list that alters a field is left to create-pet/stored.
  const altered = findAltered(context);
  const fields = ['name', 'categoryId'].filter((field) => !altered.has(field));
  const absent: Exchange[] = [];
  // An id beyond int64 is left to list-pets/pets.
  const others = [...before].flatMap(([id, animal]) => (BigInt.asIntN(64, id) === id ? [animal] : []));
  await inParallel([...new Set([...others.slice(0, OTHERS), ...others.slice(-OTHERS)])], async (animal) => {
    const exchange = await context.get(`/pets/${animal.id}`);
    const { animal: pet, status } = exchange;
    if (status === 404) absent.push(exchange);
    context.compare(exchange, pet === undefined ? [] : [pet]);
    if (pet !== undefined && pet.id === animal.id) expectSame(context, animal, pet, exchange, fields);
  });
  if (absent.length < MOST_REMOVED) return;
  const listed = new Set((await context.listAnimals()).map(({ id }) => id));
  const [shown, ...more] = absent.filter(({ requestedId = null }) => listed.has(requestedId));
  if (shown === undefined) return;
  const gone = { what: 'animal', id: String(shown.requestedId), seen: 'before the additions' } as const;
  throw wrongStatus(200, shown, { more }, gone);
}

async function expectOthersListed(context: Context): Promise<void> {
  const before = listedBeforeAdding(context);
  // Nothing shows whether a limit cuts animals without a status.
  const withStatus = [...before].flatMap(([id, { status }]) => (status === undefined ? [] : [id]));
  const pages = context.lists.filter(({ path }) => path === `/pets${LONGEST}`);
  const usual = pages.findLast(({ animals }) => animals.every(({ id }) => before.has(id as bigint)));
  await expectInTime(context, async () => {
    for (const query of longestByStatus) await context.fetchList(query);
    const list = await context.fetchList(LONGEST);
    const { animals } = list;
    const listed = new Set(animals.map(({ id }) => id));
    const absent = withStatus.filter((id) => !listed.has(id));
    if (!isComplete(context, list)) return;
    context.compare(list, animals);
    // A page of the usual length may have no room for an animal that is still there.
    const isUsualLength = animals.length === usual?.animals.length;
    for (const missing of absent.slice(0, OTHERS)) {
      const { status } = await context.get(`/pets/${missing}`);
      const hasNoRoom = isUsualLength;
      if (status === 404 || hasNoRoom || (await mayLeaveOut(context))) continue;
      const lacking = { lacks: 'the animal of before', id: String(missing) } as const;
      throw lacksAnimal(lacking, list, { before: usual ? [usual] : [] });
    }
  });
}

function expectSame(
  context: Context,
  from: JsonObject,
  actual: JsonObject,
  shown: Exchange,
  fields = ['name', 'categoryId'],
): void {
  expectFields(context, shown, [from, actual], ['id', ...fields], 'of the animal, as before');
}

async function expectAddedFound(context: Context, animal: JsonObject): Promise<void> {
  const exchange = await context.get(`/pets/${animal.id}`);
  const added = { what: 'animal', id: String(animal.id), seen: 'added' } as const;
  if (exchange.animal === undefined) throw wrongStatus(200, exchange, {}, added);
  expectSame(context, animal, exchange.animal, exchange);
}

/** Number of sequences of operations that are tried. */
const SEQUENCES = 2;

/** Maximum number of operations in a sequence. */
const MOST_OPERATIONS = 15;

/** Maximum number of animals that a sequence adds. They stay in the deployment. */
const MOST_ADDED = 2;

type Operation = fc.AsyncCommand<{ readonly added: JsonObject[] }, undefined>;

async function expectSequences(context: Context): Promise<void> {
  const add = (status: string | undefined): Operation => ({
    check: ({ added }) => added.length < MOST_ADDED,
    run: async ({ added }) => {
      const animal = await context.addAnimal(`sequence ${added.length}`, status);
      if (typeof animal.id !== 'bigint') throw new NotApplicable('an animal was added without an id');
      added.push(animal);
    },
  });
  const fetch = (index: number): Operation => ({
    check: ({ added }) => added.length > 0,
    run: ({ added }) => expectAddedFound(context, added[index % added.length] ?? {}),
  });
  const list = (status: string): Operation => ({
    check: () => true,
    run: ({ added }) => expectListedAsAdded(context, status, added),
  });
  const operations = [
    fc.constantFrom(...petStatuses, undefined).map(add),
    ...((await isRemoved(context)) ? [] : [fc.nat().map(fetch)]),
    fc.constantFrom(...petStatuses).map(list),
  ];
  const sequences = fc.commands(operations, { maxCommands: MOST_OPERATIONS, size: 'max' });
  for (const sequence of fc.sample(sequences, { seed: SEED, numRuns: SEQUENCES }))
    await fc.asyncModelRun(() => ({ model: { added: [] }, real: undefined }), sequence);
}

function expectListedAsAdded(context: Context, status: string, added: readonly JsonObject[]): Promise<void> {
  const query = `${LONGEST}&status=${status}`;
  // Others may have changed the status, before or after the list was made.
  const hasChanged = async ({ id }: JsonObject) => {
    const { object } = await context.get(`/pets/${id}`);
    const isListed = (await context.listAnimals(query)).some((animal) => animal.id === id);
    return isListed || (object !== undefined && 'status' in object && object.status !== status);
  };
  return expectInTime(context, async () => {
    const all = await context.listAnimals();
    const list = await context.fetchList(query);
    const byId = new Map([...all, ...list.animals].map((animal) => [animal.id, animal]));
    for (const animal of added) {
      const { id } = animal;
      const listed = byId.get(id);
      if (listed !== undefined) expectSame(context, animal, listed, list);
      else if (
        animal.status === status &&
        isComplete(context, list) &&
        !(await hasChanged(animal)) &&
        !(await mayLeaveOut(context))
      )
        throw lacksAnimal(
          { lacks: 'the animal in the list of the status', id: String(id), animalStatus: status },
          list,
          { about: id },
        );
    }
  });
}
