import type { JsonObject } from '../../../common/exact-json.ts';
import { addAnimal, newStatuses, ownAdditions } from '../../core/add-animal.ts';
import type { Context } from '../../core/context.ts';
import { readAnimal, readSent } from '../../core/exchange.ts';
import {
  compareListed,
  fetchList,
  isWhole,
  LONGEST,
  listAnimals,
  MOST_LISTED,
} from '../../core/list-animals.ts';
import { expectFields, Failed, tryAgain, trySome, Unstable } from '../../core/result.ts';
import { showValue } from '../../core/show-value.ts';

/** Expects every animal of this run in every list that should have it, as it was returned when it was added. */
export async function expectStored(context: Context): Promise<void> {
  const tries = [
    ...newStatuses.map((status) => () => expectNewListed(context, status)),
    () => expectAllListed(context),
    async () => expectListedAsAdded(context),
  ];
  await trySome(tries, 'the list is too long to show every animal', (run) => tryAgain(run));
}

/** Adds an animal and looks for it in the list of all and in that of its status. @returns whether a list could tell. */
async function expectNewListed(context: Context, status: string | undefined): Promise<boolean> {
  const pet = await addAnimal(context, `stored ${status ?? ''}.`, { status });
  const isListed = await expectListed(context, pet, '');
  if (typeof pet.status !== 'string') return isListed;
  return (await expectListed(context, pet, `&status=${pet.status}`)) || isListed;
}

/** @returns whether the list could tell. */
async function expectListed(context: Context, pet: JsonObject, filter: string): Promise<boolean> {
  const { animals, exchange } = await fetchList(context, `${LONGEST}${filter}`);
  // An id that is not an int64 is left to create-pet/pet: the name is compared instead.
  const isIt = ({ id, name }: JsonObject) =>
    typeof id === 'bigint' && typeof pet.id === 'bigint' ? id === pet.id : name === pet.name;
  const found = animals.find(isIt);
  if (found === undefined) {
    if (!(await isComplete(context, animals, filter))) return false;
    const Verdict = filter === '' ? Failed : Unstable;
    throw new Verdict(`the animal ${showValue(pet.id)} in the list`, 'a list without it', exchange);
  }
  const twin = animals.find(({ id, name }) => name === pet.name && typeof id === 'bigint' && id !== found.id);
  if (twin !== undefined) {
    const both = `${showValue(found.id)} and ${showValue(twin.id)}`;
    throw new Failed('the animal once in the list', both, exchange);
  }
  // A field that was not returned may have been given a value.
  const returned = ['name', 'categoryId', 'status'].filter(
    (field) => pet[field] !== undefined || pet.name !== found.name,
  );
  expectFields(exchange, { from: pet, actual: found, where: ' in the list' }, returned);
  return true;
}

/** A list that was cut short does not grow with one animal more. */
async function isComplete(context: Context, list: readonly JsonObject[], filter: string): Promise<boolean> {
  if (isWhole(context, list, await listAnimals(context))) return true;
  if (filter !== '' || list.length >= MOST_LISTED) return false;
  await addAnimal(context, 'one more', { status: 'available' });
  return (await listAnimals(context)).length > list.length;
}

/** Expects every animal that was added as sold in the list of those, if that is whole. @returns whether it is. */
async function expectAllListed(context: Context): Promise<boolean> {
  const all = await listAnimals(context);
  const { animals, exchange } = await fetchList(context, `${LONGEST}&status=sold`);
  if (!isWhole(context, animals, all)) return false;
  const listed = new Set(animals.flatMap(({ id, name }) => (typeof id === 'bigint' ? [id] : [name])));
  for (const [id, addition] of ownAdditions(context)) {
    const { status, name } = readAnimal(addition) ?? {};
    if (status !== 'sold' || listed.has(id) || listed.has(name)) continue;
    // Others may have changed its status.
    const latest = readAnimal(await context.client.send({ path: `/pets/${id}` }));
    if (latest !== undefined && latest.status !== 'sold') continue;
    throw new Unstable(`the animal ${id} in the list`, 'a list without it', exchange);
  }
  return true;
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
