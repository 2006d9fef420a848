import type { JsonObject } from '../../../common/json/exact-json.ts';
import { Failed, NotApplicable } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { showValue } from '../../client/show-value.ts';
import type { Addition } from '../../vocabulary/additions.ts';
import { addFetched, addOfEachStatus, isCopy, ownAdditions, tryWithNew } from '../../vocabulary/additions.ts';
import { type Context, readAdded } from '../../vocabulary/context.ts';
import { findReachOfNew } from '../../vocabulary/cut-lists.ts';
import { expectFields, lacksAnimal, perhapsLacksAnimal, trySome } from '../../vocabulary/expectations.ts';
import { LONGEST, longestByStatus } from '../../vocabulary/list-parameters.ts';
import {
  compareListed,
  expectInTime,
  findLargest,
  hasRoom,
  isComplete,
  listsByStatus,
  mayLeaveOut,
  tryAgain,
} from '../../vocabulary/lists.ts';

/** Expects every animal of this run in every list that should have it, as it was returned when it was added. */
export async function expectStored(context: Context): Promise<void> {
  const stale = context.run.lags.find(({ ms }) => !Number.isFinite(ms));
  if (stale !== undefined)
    throw lacksAnimal({ lacks: 'the added animals', received: 'older list' }, stale.exchange);
  const additions = await addOfEachStatus(context);
  const status = await findShortest(context, additions);
  const checkOne = (addition: Addition) => expectNewListed(context, addition);
  const checks = [
    // A new animal, and earlier ones.
    () => tryAgain(context, async () => checkOne(await addFetched(context, status))),
    ...additions.map((addition) => () => tryWithNew(context, addition, checkOne)),
    () => tryAgain(context, () => expectAllListed(context)),
    async () => expectAlone(context),
    async () => expectListedAsAdded(context),
  ];
  const nothing = new NotApplicable('no list is conclusive: each may lack animals');
  await trySome(checks, nothing, (check) => check());
}

/** Finds the accepted status with the shortest list: the longer list of another status shows that no limit cuts it. */
async function findShortest(context: Context, additions: readonly Addition[]): Promise<string> {
  await context.requestLists(longestByStatus);
  const accepted = additions.filter(({ posted }) => posted.isAddition);
  const lists = accepted.flatMap(({ status }) => {
    const list = listsByStatus(context).find(({ path }) => path.endsWith(`status=${status}`));
    return status === undefined || list === undefined ? [] : [{ status, length: list.animals.length }];
  });
  const [shortest] = lists.toSorted((one, other) => one.length - other.length);
  return shortest?.status ?? 'sold';
}

async function expectNewListed(context: Context, { posted }: Addition): Promise<boolean> {
  const pet = readAdded(posted);
  const isShown = await expectListed(context, pet, '');
  if (typeof pet.status !== 'string') return isShown;
  return (await expectListed(context, pet, `&status=${pet.status}`)) || isShown;
}

/** Finds an animal by its id, or by its name if an id is no int64, which is left to create-pet/pet. */
function findListed({ animals }: Exchange, pet: JsonObject): JsonObject | undefined {
  return animals.find(({ id, name }) =>
    typeof id === 'bigint' && typeof pet.id === 'bigint' ? id === pet.id : name === pet.name,
  );
}

function expectListed(context: Context, pet: JsonObject, filter: string): Promise<boolean> {
  // Once a list without the animal had room for it, later ones may only show that it was late.
  let hadRoom = false;
  const check = async () => {
    const list = await context.fetchList(`${LONGEST}${filter}`);
    const found = findListed(list, pet);
    if (found !== undefined) expectAsReturned(context, list, found, pet);
    if (found !== undefined) return true;
    await context.requestLists(longestByStatus);
    const isWithStatus = typeof pet.status === 'string';
    if (!isWithStatus) await context.once(growList);
    hadRoom ||= !isWithStatus && hasRoom(context, list);
    // A full page must still have what comes before its last animal.
    const isReached = findReachOfNew(context, list)(pet.id);
    if (!hadRoom && !isReached && !(isWithStatus && isComplete(context, list))) return false;
    context.compare(list, [pet]);
    if (await mayLeaveOut(context)) return false;
    const lacking = { lacks: 'the animal', id: showValue(pet.id) } as const;
    if (filter === '') {
      if (!hadRoom && !isReached && !(await isStillConclusive(context, pet))) return false;
      throw lacksAnimal(lacking, list, { about: pet.id });
    }
    if (await hasOtherStatus(context, pet)) return false;
    throw perhapsLacksAnimal(lacking, list, pet.id);
  };
  // By its id the animal had the status of the list.
  return expectInTime(context, check, () => true);
}

/** Size of the largest animal that the run adds to make a list longer, in bytes. */
const MOST_BYTES_ADDED = 10_000;

/** Makes the list of all longer by as much as any animal takes: if it can grow, no limit has cut it before. */
async function growList(context: Context): Promise<void> {
  const largest = findLargest(context, await context.fetchList(LONGEST));
  if (largest > MOST_BYTES_ADDED) return;
  // The list of sold animals is the longest one, so that a large animal in it says nothing about the others.
  await context.post(await context.createPet(`one more ${'x'.repeat(largest)}`, 'sold'));
  await context.fetchList(LONGEST);
}

/** Returns whether the list of all shows the animal meanwhile, or is complete by lists that are all newer than the animal. */
async function isStillConclusive(context: Context, pet: JsonObject): Promise<boolean> {
  for (const query of longestByStatus) await context.fetchList(query);
  const list = await context.fetchList(LONGEST);
  return findListed(list, pet) !== undefined || isComplete(context, list);
}

async function hasOtherStatus(context: Context, { id, status }: JsonObject): Promise<boolean> {
  const { animal } = await context.get(`/pets/${id}`);
  return animal !== undefined && animal.id === id && animal.status !== status;
}

/** @throws Failed when an animal is in a list twice, or differs from the animal that was returned */
function expectAsReturned(context: Context, list: Exchange, found: JsonObject, pet: JsonObject): void {
  const twin = list.animals.find(
    ({ id, name }) => name === pet.name && typeof id === 'bigint' && id !== found.id,
  );
  if (twin !== undefined && context.isOurName(pet.name)) {
    const ids = [showValue(found.id), showValue(twin.id)];
    throw new Failed({ kind: 'duplicate', ids, where: 'list' }, list, { about: pet.id });
  }
  // A field that was not returned may have been given a value.
  const returned = ['name', 'categoryId', 'status'].filter(
    (field) => pet[field] !== undefined || pet.name !== found.name,
  );
  expectFields(context, list, [pet, found], returned, 'in the list');
}

/** Expects every animal that was added as sold in the list by that status, if the list is complete. @returns whether it is */
function expectAllListed(context: Context): Promise<boolean> {
  return expectInTime(context, async () => {
    const list = await context.fetchList(`${LONGEST}&status=sold`);
    await context.requestLists(longestByStatus);
    if (!isComplete(context, list)) return false;
    const listed = new Set(list.animals.map(({ id, name }) => (typeof id === 'bigint' ? id : name)));
    for (const [id, { animal }] of ownAdditions(context)) {
      const { status, name } = animal ?? {};
      if (status !== 'sold') continue;
      context.compare(list, animal ? [animal] : []);
      if (listed.has(id) || listed.has(name)) continue;
      if ((await hasOtherStatus(context, { id, status })) || (await mayLeaveOut(context))) continue;
      throw perhapsLacksAnimal({ lacks: 'the animal', id: String(id) }, list, id);
    }
    return true;
  });
}

/** Expects no second animal with the name of one of this run, in a list or by an id next to it. */
function expectAlone(context: Context): boolean {
  const sent = Map.groupBy(context.additions, (exchange) => exchange.sent.name);
  for (const exchange of context.journal) {
    const { requestedId, animal, animals } = exchange;
    // Another animal than the requested one is left to get-pet/right-animal.
    const isRight = requestedId !== undefined && animal?.id === requestedId;
    const shown = isRight ? [animal] : animals;
    for (const { id, name } of shown) {
      const own = context.isOurName(name) ? (sent.get(name) ?? []) : [];
      const [first] = own;
      // Unusual ids are left to create-pet/pet, and a body that was sent twice may be added twice.
      if (first?.id === undefined || typeof id !== 'bigint' || own.length > 1) continue;
      context.compare(exchange, [{ id, name: name ?? null }]);
      // An id that only looks like that of the animal is left to get-pet/unknown-is-404.
      if (id === first.id || (isRight && isCopy(context, { id, name: name ?? null }))) continue;
      const fault = { kind: 'duplicate', ids: [showValue(first.id), showValue(id)], where: 'run' } as const;
      throw new Failed(fault, exchange, { about: first.id, before: [first] });
    }
  }
  return false;
}

/** Expects listed animals of this run to be as they were returned or sent; create-pet/echoes compares those. */
function expectListedAsAdded(context: Context): boolean {
  compareListed(context, ownAdditions(context), ({ sent, animal = {} }, actual, list) => {
    const fields = ['name', 'categoryId'].filter((field) => actual[field] !== sent[field]);
    expectFields(context, list, [animal, actual], fields, 'of the animal in the list');
  });
  return false;
}
