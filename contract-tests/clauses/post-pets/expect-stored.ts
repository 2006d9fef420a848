import type { JsonObject } from '../../../common/exact-json.ts';
import { addAnimal, isAddition, ownAdditions } from '../../core/add-animal.ts';
import { type Context, statuses } from '../../core/context.ts';
import { type Exchange, outcomeOf, readAnimal, readSent } from '../../core/exchange.ts';
import { isWhole } from '../../core/is-whole.ts';
import {
  type AnimalList,
  compareListed,
  fetchList,
  LONGEST,
  listAnimals,
  lookInTime,
  MOST_LISTED,
  requestLists,
} from '../../core/list-animals.ts';
import { expectFields, Failed, trySome, Unproven, Unstable } from '../../core/result.ts';
import { type Addition, addFetched, addOfEachStatus } from '../../core/shared-animals.ts';
import { showValue } from '../../core/show-value.ts';
import { tryAgain } from '../../core/try-again.ts';

/** Expects every animal of this run in every list that should have it, as it was returned when it was added. */
export async function expectStored(context: Context): Promise<void> {
  const stale = context.lags.find(({ ms }) => !Number.isFinite(ms));
  if (stale !== undefined) {
    throw new Failed('a list with the animals that were added before', 'an older list', stale.exchange);
  }
  const additions = await addOfEachStatus(context);
  const tries = [
    // One that is new, and those of before.
    async () => expectNewListed(context, await addFetched(context, 'sold')),
    ...additions.map((addition) => retryWithNew(context, addition)),
    () => expectAllListed(context),
    async () => expectListedAsAdded(context),
  ];
  await trySome(tries, 'no list could tell: it may not show every animal', (run) => tryAgain(context, run));
}

/** Others may have changed the status of an animal: then another one is looked for. */
function retryWithNew(context: Context, addition: Addition): () => Promise<boolean> {
  let first: Addition | undefined = addition;
  return async () => {
    const one = first ?? (await addFetched(context, addition.status));
    first = undefined;
    return expectNewListed(context, one);
  };
}

/** Looks for a new animal in the list of all and in that of its status. @returns whether a list could tell. */
async function expectNewListed(context: Context, { posted }: Pick<Addition, 'posted'>): Promise<boolean> {
  const pet = isAddition(posted) ? readAnimal(posted) : undefined;
  if (pet === undefined) throw new Unproven(`an animal could not be added: ${outcomeOf(posted)}`);
  const isListed = await expectListed(context, pet, '');
  if (typeof pet.status !== 'string') return isListed;
  return (await expectListed(context, pet, `&status=${pet.status}`)) || isListed;
}

/** @returns whether the list could tell. */
async function expectListed(context: Context, pet: JsonObject, filter: string): Promise<boolean> {
  let isTold = true;
  const fault = await lookInTime(context, async () => {
    const list = await fetchList(context, `${LONGEST}${filter}`);
    const { animals, exchange } = list;
    const found = findIn(animals, pet);
    if (found !== undefined) return expectAsReturned(animals, exchange, found, pet);
    isTold = await isComplete(context, list, filter);
    if (!isTold) return undefined;
    const Verdict = filter === '' ? Failed : Unstable;
    if (filter !== '' && (await hasOtherStatus(context, pet))) isTold = false;
    if (!isTold) return undefined;
    return new Verdict(`the animal ${showValue(pet.id)} in the list`, 'a list without it', exchange, {
      about: pet.id,
    });
  });
  if (fault !== undefined) throw fault;
  return isTold;
}

/** Whether others have changed the status of an animal in the meantime. */
async function hasOtherStatus({ client }: Context, { id, status }: JsonObject): Promise<boolean> {
  const latest = readAnimal(await client.send({ path: `/pets/${id}` }));
  return latest !== undefined && latest.id === id && latest.status !== status;
}

/** An id that is not an int64 is left to create-pet/pet: the name is compared instead. */
function findIn(animals: readonly JsonObject[], pet: JsonObject): JsonObject | undefined {
  return animals.find(({ id, name }) =>
    typeof id === 'bigint' && typeof pet.id === 'bigint' ? id === pet.id : name === pet.name,
  );
}

/** @throws Failed when an animal is in a list twice, or otherwise than it was returned. */
function expectAsReturned(
  animals: readonly JsonObject[],
  exchange: Exchange,
  found: JsonObject,
  pet: JsonObject,
): undefined {
  const twin = animals.find(({ id, name }) => name === pet.name && typeof id === 'bigint' && id !== found.id);
  if (twin !== undefined) {
    const both = `${showValue(found.id)} and ${showValue(twin.id)}`;
    throw new Failed('the animal once in the list', both, exchange, { about: pet.id });
  }
  // A field that was not returned may have been given a value.
  const returned = ['name', 'categoryId', 'status'].filter(
    (field) => pet[field] !== undefined || pet.name !== found.name,
  );
  expectFields(exchange, { from: pet, actual: found, where: ' in the list' }, returned);
}

/** The lists by status. */
const byStatus = statuses.map((status) => `${LONGEST}&status=${status}`);

/** A list that was cut short does not grow with one animal more. */
async function isComplete(context: Context, list: AnimalList, filter: string): Promise<boolean> {
  await requestLists(context, byStatus);
  if (isWhole(context, list, await listAnimals(context))) return true;
  if (filter !== '' || list.animals.length >= MOST_LISTED) return false;
  await addAnimal(context, 'one more', { status: 'available' });
  return (await listAnimals(context)).length > list.animals.length;
}

/** Expects every animal that was added as sold in the list of those, if that is whole. @returns whether it is. */
async function expectAllListed(context: Context): Promise<boolean> {
  let isTold = true;
  const fault = await lookInTime(context, async () => {
    const all = await listAnimals(context);
    const list = await fetchList(context, `${LONGEST}&status=sold`);
    const { animals, exchange } = list;
    await requestLists(context, byStatus);
    isTold = isWhole(context, list, all);
    if (!isTold) return undefined;
    const listed = new Set(animals.flatMap(({ id, name }) => (typeof id === 'bigint' ? [id] : [name])));
    for (const [id, addition] of ownAdditions(context)) {
      const { status, name } = readAnimal(addition) ?? {};
      if (status !== 'sold' || listed.has(id) || listed.has(name)) continue;
      if (await hasOtherStatus(context, { id, status })) continue;
      return new Unstable(`the animal ${id} in the list`, 'a list without it', exchange, { about: id });
    }
    return undefined;
  });
  if (fault !== undefined) throw fault;
  return isTold;
}

/** Expects listed animals of this run to be as they were returned or sent; create-pet/echoes compares those. */
function expectListedAsAdded(context: Context): boolean {
  compareListed(context, ownAdditions(context), (addition, actual, exchange) => {
    const sent = readSent(addition.request);
    const fields = ['name', 'categoryId'].filter((field) => actual[field] !== sent[field]);
    const where = ` of the animal ${actual.id} in the list`;
    expectFields(exchange, { from: readAnimal(addition) ?? {}, actual, where }, fields);
  });
  return false;
}
