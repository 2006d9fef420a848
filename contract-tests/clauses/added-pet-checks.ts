import type { JsonObject } from '../../common/exact-json.ts';
import {
  type AnimalOptions,
  addAnimal,
  createNewPet,
  idOf,
  isAddition,
  listedBeforeAdding,
  ownAdditions,
  postAnimal,
} from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { kinds } from '../core/fresh-animals.ts';
import { type AnimalList, fetchList, isWhole, LONGEST_LIST, listAnimals, listsSoFar } from '../core/lists.ts';
import { readAnimal, readSent } from '../core/read-exchange.ts';
import { Failed, Skipped, Unstable } from '../core/result.ts';
import { showValue } from '../core/show-value.ts';
import { tryAgain } from '../core/try-again.ts';

/** The id that a new animal gets, and its place in the list. Source: POST /pets */
export const addedPetChecks: readonly Check[] = [
  { clause: 'create-pet/unique-id', needs: ['writes'], isLast: true, run: expectUniqueIds },
  { clause: 'create-pet/id-assigned', needs: ['writes'], run: expectAssignedId },
  { clause: 'create-pet/stored', needs: ['writes'], isLast: true, run: expectStored },
];

async function expectUniqueIds(context: Context): Promise<void> {
  const pets = await Promise.all(Array.from({ length: 6 }, () => createNewPet(context, 'at once')));
  const exchanges = await Promise.all(pets.map((pet) => postAnimal(context, pet)));
  for (const exchange of exchanges) expectOwnName(exchange, pets);
  // One after the other as well: all that this run has added, but for those that came with an id.
  const added = context.client.journal.filter(
    (exchange) => isAddition(exchange) && !('id' in readSent(exchange.request)),
  );
  // Before any was added, if other checks have listed animals then.
  const listed = listedBeforeAdding(context);
  const known = new Set<bigint>();
  for (const exchange of added) {
    const id = idOf(exchange);
    if (id === undefined) continue;
    if (listed.has(id)) throw new Failed('a new id', `${id}, that of an animal in the list`, exchange);
    if (known.has(id)) throw new Failed('a new id', `${id}, that of another new animal`, exchange);
    known.add(id);
  }
  if (known.size < 2) throw new Skipped('no two animals could be added');
}

/** Two that are added at once are not to be mixed up; a name that is kept otherwise is another clause's. */
function expectOwnName(exchange: Exchange, pets: readonly JsonObject[]): void {
  const [sent, answered] = [readSent(exchange.request).name, readAnimal(exchange)?.name];
  if (answered === sent || !pets.some(({ name }) => name === answered)) return;
  throw new Failed(
    `the animal ${showValue(sent)}`,
    `another that was added at once, ${showValue(answered)}`,
    exchange,
  );
}

async function expectAssignedId(context: Context): Promise<void> {
  const taken = await addAnimal(context, 'before');
  const next = await addAnimal(context, 'after');
  if (typeof taken.id !== 'bigint' || taken.id === next.id) throw new Skipped('the service assigns no ids');
  for (const id of [taken.id, 8_123_456_789_012_345_678n, 'contract-test']) {
    const exchange = await postAnimal(context, { ...(await createNewPet(context, 'own id')), id });
    if (isAddition(exchange) && readAnimal(exchange)?.id === id)
      throw new Failed('an id that the service assigns', `the one that was sent, ${showValue(id)}`, exchange);
  }
}

async function expectStored(context: Context): Promise<void> {
  let isTried = false;
  for (const kind of kinds) {
    isTried = (await tryAgain(() => expectOneStored(context, kind))) || isTried;
  }
  isTried = (await tryAgain(() => expectAllListed(context))) || isTried;
  const own = ownAdditions(context);
  for (const list of listsSoFar(context)) expectAsAdded(list, own);
  if (!isTried) throw new Skipped('the list is too long to show every animal');
}

/** Expects every animal that was added as sold in the list of those, if that is whole. @returns whether it is. */
async function expectAllListed(context: Context): Promise<boolean> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  const { animals, exchange } = await fetchList(context, `?limit=${LONGEST_LIST}&status=sold`);
  if (!isWhole(context, animals, all)) return false;
  // What has no int64 for an id, which is another clause's, is looked for by its name.
  const listed = new Set(animals.flatMap(({ id, name }) => (typeof id === 'bigint' ? [id] : [name])));
  for (const [id, addition] of ownAdditions(context)) {
    if (readAnimal(addition)?.status !== 'sold' || listed.has(id)) continue;
    if (listed.has(readAnimal(addition)?.name)) continue;
    // It may have come back to be sold again.
    const latest = readAnimal(await context.client.send({ path: `/pets/${id}` }));
    if (latest !== undefined && latest.status !== 'sold') continue;
    throw new Unstable(`the animal ${id} in the list`, 'a list without it', exchange);
  }
  return true;
}

/** @returns whether a list could tell. */
async function expectOneStored(context: Context, kind: AnimalOptions): Promise<boolean> {
  const pet = await addAnimal(context, `stored ${kind.status ?? ''}.`, kind);
  const isListed = await expectListed(context, pet, '');
  if (typeof pet.status !== 'string') return isListed;
  return (await expectListed(context, pet, `&status=${pet.status}`)) || isListed;
}

/** Whether a list could tell. What has no int64 for an id, which is another clause's, is looked for by its name. */
async function expectListed(context: Context, pet: JsonObject, filter: string): Promise<boolean> {
  const { animals, exchange } = await fetchList(context, `?limit=${LONGEST_LIST}${filter}`);
  const isIt = ({ id, name }: JsonObject) =>
    typeof id === 'bigint' && typeof pet.id === 'bigint' ? id === pet.id : name === pet.name;
  const found = animals.find(isIt);
  const twin = animals.find(
    ({ id, name }) => name === pet.name && typeof id === 'bigint' && id !== found?.id,
  );
  if (found !== undefined && twin !== undefined) {
    const both = `${showValue(found.id)} and ${showValue(twin.id)}`;
    throw new Failed('the animal once in the list', both, exchange);
  }
  if (found === undefined && !(await isComplete(context, animals, filter))) return false;
  if (found === undefined) {
    const Verdict = filter === '' ? Failed : Unstable;
    throw new Verdict(`the animal ${showValue(pet.id)} in the list`, 'a list without it', exchange);
  }
  for (const field of ['name', 'categoryId', 'status']) {
    if (found[field] === pet[field] || (pet[field] === undefined && pet.name === found.name)) continue;
    const expected = `the ${field} ${showValue(pet[field])} in the list`;
    const Verdict = field === 'status' ? Unstable : Failed;
    throw new Verdict(expected, showValue(found[field]), exchange);
  }
  return true;
}

/** A list that was cut short does not grow when there is one animal more. */
async function isComplete(context: Context, list: readonly JsonObject[], filter: string): Promise<boolean> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  if (isWhole(context, list, all)) return true;
  if (filter !== '' || list.length >= LONGEST_LIST) return false;
  await addAnimal(context, 'one more', { status: 'available' });
  return (await listAnimals(context, `?limit=${LONGEST_LIST}`)).length > list.length;
}

/**
 * Expects of every animal in a list that this run has added, that it is as it was answered or as it was sent: which of
 * these is wrong is another clause's.
 */
function expectAsAdded({ animals, exchange }: AnimalList, own: ReadonlyMap<bigint, Exchange>): void {
  for (const animal of animals) {
    const addition = typeof animal.id === 'bigint' ? own.get(animal.id) : undefined;
    if (addition === undefined) continue;
    for (const field of ['name', 'categoryId']) {
      const [answered, sent] = [readAnimal(addition)?.[field], readSent(addition.request)[field]];
      if (animal[field] === answered || animal[field] === sent) continue;
      const expected = `the ${field} ${showValue(answered)} of the animal ${showValue(animal.id)} in the list`;
      throw new Failed(expected, showValue(animal[field]), exchange);
    }
  }
}
