import { isJsonObject, type JsonObject } from '../../common/exact-json.ts';
import { idOf, isAddition, listedBeforeAdding, postAnimal } from '../additions.ts';
import type { Check } from '../check.ts';
import {
  type AnimalOptions,
  addAnimal,
  type Context,
  createNewPet,
  isWhole,
  LONGEST_LIST,
  listAnimals,
  readJson,
} from '../context.ts';
import { showValue } from '../show-value.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** The id that a new animal gets, and its place in the list. Source: POST /pets */
export const addedPetChecks: readonly Check[] = [
  { clause: 'create-pet/unique-id', writes: true, run: expectUniqueIds },
  { clause: 'create-pet/id-assigned', writes: true, run: expectAssignedId },
  { clause: 'create-pet/stored', writes: true, run: expectStored },
];

async function expectUniqueIds(context: Context): Promise<void> {
  const pet = await createNewPet(context, 'at once');
  // Before any was added, if other checks have listed animals then.
  const listed = listedBeforeAdding(context);
  const exchanges = await Promise.all(Array.from({ length: 4 }, () => postAnimal(context, pet)));
  // One after the other as well: all that this run has added, but for those that came with an id.
  const added = context.client.journal.filter(
    (exchange) => isAddition(exchange) && !exchange.request.body?.includes('"id"'),
  );
  const known = [...new Set([...exchanges, ...added])].map(idOf).filter((id) => id !== undefined);
  const taken = known.find((id) => listed.has(id));
  if (taken !== undefined)
    throw new Unfulfilled('a new id', `that of an animal in the list, ${showValue(taken)}`);
  if (known.length < 2) throw new Untried('no two animals could be added');
  if (new Set(known).size < known.length)
    throw new Unfulfilled('an id of its own for each animal', showValue(known), exchanges[0]);
}

async function expectAssignedId(context: Context): Promise<void> {
  const taken = await addAnimal(context, 'before');
  const next = await addAnimal(context, 'after');
  if (typeof taken.id !== 'bigint' || taken.id === next.id) throw new Untried('the service assigns no ids');
  const sent = { ...(await createNewPet(context, 'own id')), id: taken.id };
  const exchange = await postAnimal(context, sent);
  const pet = readJson(exchange);
  if (exchange.response?.status !== 201 || pet === undefined || !isJsonObject(pet)) return;
  if (pet.id === taken.id)
    throw new Unfulfilled('another id than that of an animal that there is', showValue(pet.id), exchange);
  const far = { ...(await createNewPet(context, 'own id')), id: 8_123_456_789_012_345_678n };
  const other = await postAnimal(context, far);
  const answered = readJson(other);
  const hasItsId = answered !== undefined && isJsonObject(answered) && answered.id === far.id;
  if (hasItsId) throw new Unfulfilled('an id of the service', showValue(far.id), other);
}

async function expectStored(context: Context): Promise<void> {
  let isTried = false;
  const kinds: readonly AnimalOptions[] = [{ status: 'sold' }, {}];
  for (const options of kinds) {
    const pet = await addAnimal(context, `stored ${options.status ?? ''}.`, options);
    const filters = ['', ...(typeof pet.status === 'string' ? [`&status=${pet.status}`] : [])];
    for (const filter of filters) isTried = (await expectListed(context, pet, filter)) || isTried;
  }
  if (!isTried) throw new Untried('the list is too long to show every animal');
}

/** Whether a list could tell. What has no int64 for an id, which is another clause's, is looked for by its name. */
async function expectListed(context: Context, pet: JsonObject, filter: string): Promise<boolean> {
  const list = await listAnimals(context, `?limit=${LONGEST_LIST}${filter}`);
  const isIt = ({ id, name }: JsonObject) =>
    typeof id === 'bigint' && typeof pet.id === 'bigint' ? id === pet.id : name === pet.name;
  const found = list.find(isIt);
  const twin = list.find(({ id, name }) => name === pet.name && typeof id === 'bigint' && id !== found?.id);
  if (found !== undefined && twin !== undefined)
    throw new Unfulfilled('the animal once in the list', `${showValue(found.id)} and ${showValue(twin.id)}`);
  if (found === undefined && !(await isComplete(context, list, filter))) return false;
  if (found === undefined)
    throw new Unfulfilled(`the animal ${showValue(pet.id)} in the list`, 'a list without it');
  for (const field of ['name', 'categoryId', 'status']) {
    if (found[field] === pet[field] || (pet[field] === undefined && pet.name === found.name)) continue;
    throw new Unfulfilled(`the ${field} ${showValue(pet[field])} in the list`, showValue(found[field]));
  }
  return true;
}

/** A list that was cut short does not grow when there is one animal more. */
async function isComplete(context: Context, list: readonly JsonObject[], filter: string): Promise<boolean> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  if (isWhole(list, all)) return true;
  if (filter !== '' || list.length >= LONGEST_LIST) return false;
  await addAnimal(context, 'one more', { status: 'available' });
  return (await listAnimals(context, `?limit=${LONGEST_LIST}`)).length > list.length;
}
