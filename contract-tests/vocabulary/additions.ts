import { randomInt } from 'node:crypto';
import type { JsonObject } from '../../common/json/exact-json.ts';
import { type Exchange, hasValidKey } from '../client/exchange.ts';
import type { Target } from '../client/target.ts';
import { type Context, findUnusableAddition, isRemoved } from './context.ts';
import { expectFields, FULL } from './expectations.ts';
import { findBodyFault } from './find-schema-fault.ts';
import { isStatus } from './list-parameters.ts';
import { compareListed, listedBeforeAdding, tryAgain } from './lists.ts';

/** Returns whether a body is a NewPet. */
export function isNewPet({ name, categoryId, status }: JsonObject): boolean {
  const isValid = status === undefined || isStatus(status);
  return typeof name === 'string' && typeof categoryId === 'bigint' && isValid;
}

function isCreation(exchange: Exchange, target: Target): boolean {
  const { method, path } = exchange.request;
  return method === 'POST' && path === '/pets' && hasValidKey(exchange, target);
}

/** Returns whether the service refused an animal for another reason than its body. Without an Error, it was not the service. */
export function isRefusedAsFull(exchange: Exchange, target: Target): boolean {
  const isFullStatus = [402, 403, 409, FULL].includes(exchange.status) || exchange.isOverQuota;
  const isRefused = isCreation(exchange, target) && isFullStatus;
  return isRefused && findBodyFault('Error', exchange) === undefined;
}

/** Lists the exchanges of POST /pets with the valid key. */
export function listCreations({ journal, target }: Context): readonly Exchange[] {
  return journal.filter((exchange) => isCreation(exchange, target));
}

/** Returns whether a request should add an animal: it has the valid key and a NewPet. */
export function isValidCreation(exchange: Exchange, target: Target): boolean {
  return isCreation(exchange, target) && isNewPet(exchange.sent);
}

/** Creates the error of a clause for which no animal was added. @param nothing the error if each was refused */
export function noneAdded(context: Context, nothing: Error): Error {
  const valid = listCreations(context).filter(({ sent }) => isNewPet(sent));
  const [unusable] = valid.flatMap((exchange) => findUnusableAddition(exchange) ?? []);
  return unusable ?? nothing;
}

/** Returns whether the store is full: it has refused the last valid NewPet of the run for that reason. */
export function isFull(context: Context): boolean {
  const valid = listCreations(context).filter(({ sent }) => isNewPet(sent));
  const answered = valid.filter(({ status, isOverQuota }) => ![0, 429].includes(status) || isOverQuota);
  const [last] = answered.toSorted((one, other) => other.at - one.at);
  return last !== undefined && isRefusedAsFull(last, context.target);
}

/** Returns whether GET /pets/{petId} has answered 403 to the valid key for every animal: the key has no right to it. */
export function lacksRightToGetPet({ journal, target }: Context): boolean {
  const fetched = journal.filter((one) => one.requestedId !== undefined && hasValidKey(one, target));
  const isForbidden = (one: Exchange) => one.status === 403 && findBodyFault('Error', one) === undefined;
  return fetched.some(isForbidden) && !fetched.some(({ isSuccess }) => isSuccess);
}

/** Returns the additions of this run by id, without ids that another animal has too. */
export function ownAdditions(context: Context): ReadonlyMap<bigint, Exchange> {
  const own = new Map<bigint, Exchange>();
  const taken = new Set<bigint>(listedBeforeAdding(context).keys());
  for (const exchange of context.additions) {
    const { id } = exchange;
    if (id === undefined) continue;
    if (taken.has(id)) own.delete(id);
    else own.set(id, exchange);
    taken.add(id);
  }
  return own;
}

/** How far the id of a twin may be from that of the animal. */
const FARTHEST_TWIN = 100n;

/** Returns whether an animal has the unique name of an added one, but an id that only looks like its id: it is no twin. */
export function isCopy(context: Context, { id, name }: JsonObject): boolean {
  const additions = context.isOurName(name) ? context.additions : [];
  const own = additions.filter(({ sent }) => sent.name === name).map((exchange) => exchange.id);
  const isFar = (other: bigint | undefined) =>
    typeof id === 'bigint' &&
    other !== undefined &&
    (id > other + FARTHEST_TWIN || id < other - FARTHEST_TWIN);
  return own.length > 0 && own.every(isFar);
}

/** An animal that was added or refused, and how it was then fetched by its id. */
export interface Addition {
  readonly status?: string | undefined;
  readonly posted: Exchange;
  /** Undefined if the animal was refused, has no id, or GET /pets/{petId} is removed. */
  readonly fetched: Exchange | undefined;
}

export function addOfEachStatus(context: Context): Promise<readonly Addition[]> {
  return context.once(addAll);
}

async function addAll(context: Context): Promise<readonly Addition[]> {
  // Each status and none; sold animals first, since they stay as they are.
  const additions = [await learnNames(context, 'sold')];
  for (const status of [undefined, 'available', 'pending']) additions.push(await addFetched(context, status));
  return additions;
}

export async function addFetched(context: Context, status: string | undefined): Promise<Addition> {
  const posted = await context.post(await context.createPet('with or without', status));
  // The newest animal may be the first of a list, until another client adds one.
  if (posted.isAddition) await context.get('/pets');
  const fetched = await fetchAdded(context, posted);
  // Perhaps the ids of a twin, and of the next animal: a 404 now must not be cached.
  for (const step of fetched === undefined ? [] : [-1n, 1n])
    await context.get(`/pets/${BigInt.asIntN(64, (posted.id ?? 0n) + step)}`);
  return { status, posted, fetched };
}

export async function fetchAdded(context: Context, posted: Exchange): Promise<Exchange | undefined> {
  if (!posted.isAddition || posted.id === undefined || (await isRemoved(context))) return undefined;
  return context.get(`/pets/${posted.id}`);
}

/** Checks an added animal. If others may have changed it, a new animal with its status is checked. */
export function tryWithNew<T>(context: Context, addition: Addition, check: (one: Addition) => Promise<T>) {
  return tryAgain(context, async (tries) =>
    check(tries === 0 ? addition : await addFetched(context, addition.status)),
  );
}

/** Adds an animal. If its name is refused, other kinds of names are tried, such as a listed animal has. */
async function learnNames(context: Context, status: string): Promise<Addition> {
  const usual = await addFetched(context, status);
  if (![400, 409, 422].includes(usual.posted.status)) return usual;
  const listed = await context.findListed();
  const categoryId = await context.findCategory();
  const examples = ['contract-test', 'Rexabcde', 'rexabcde', String(listed?.name ?? '')];
  // With fewer letters two random names may be the same.
  for (const example of examples.filter((name) => name.replaceAll(/[^a-zA-Z0-9]/g, '').length >= 4)) {
    const { isAddition } = await context.post({ name: toSimilarName(example), categoryId, status });
    if (!isAddition) continue;
    context.run.makeName = () => toSimilarName(example);
    return addFetched(context, status);
  }
  return (await learnShownNames(context, status)) ?? usual;
}

/** How many names of listed animals are tried. */
const MOST_SHOWN_NAMES = 3;

/** Adds an animal with the name of a listed one, for a deployment that knows its names. */
async function learnShownNames(context: Context, status: string): Promise<Addition | undefined> {
  const animals = await context.listAnimals().catch(() => []);
  const byName = new Map(animals.map((animal) => [animal.name, animal]));
  for (const { name, categoryId, status: shown } of [...byName.values()].slice(0, MOST_SHOWN_NAMES)) {
    if (typeof name !== 'string' || typeof categoryId !== 'bigint') continue;
    const pet = { name, categoryId, ...(typeof shown === 'string' && { status: shown }) };
    const { isAddition } = await context.post(pet);
    if (!isAddition) continue;
    const names = [...byName.keys()].filter((one) => typeof one === 'string');
    context.run.shownNames = names.slice(0, MOST_SHOWN_NAMES);
    return addFetched(context, status);
  }
  return undefined;
}

/** Returns whether the deployment has refused every valid animal as invalid, whatever its name and its category. */
export function refusesEvery(context: Context): boolean {
  const valid = listCreations(context).filter(({ sent }) => isNewPet(sent));
  const isRefused = (exchange: Exchange) =>
    [400, 422].includes(exchange.status) && findBodyFault('Error', exchange) === undefined;
  // Without a category that the deployment has, another one may be accepted.
  const isCategoryKnown =
    context.target.categoryId !== undefined || context.lists.some(({ animals }) => animals.length > 0);
  return isCategoryKnown && valid.length > 0 && valid.every(isRefused);
}

export function toSimilarName(name: string): string {
  const random = (first: string, most: number) => String.fromCharCode(first.charCodeAt(0) + randomInt(most));
  const toSimilar = (char: string) =>
    /\d/.test(char) ? random('0', 10) : random(char < 'a' ? 'A' : 'a', 26);
  return name.replaceAll(/[a-zA-Z\d]/g, toSimilar);
}

/** Finds the fields of added animals that lists alter and GET /pets/{petId} does not, with a failure for each. */
export function findAltered(context: Context): ReadonlyMap<string, unknown> {
  const responses = context.journal.filter(({ requestedId }) => requestedId !== undefined);
  const fetched = new Map(responses.map(({ animal }) => [animal?.id, animal]));
  const altered = new Map<string, unknown>();
  // Lists by status first: another failure may show the list of all, and two defects must not share a list.
  const lists = context.lists.toSorted((one, other) => Number(other.isByStatus) - Number(one.isByStatus));
  compareListed({ lists }, ownAdditions(context), ({ sent }, actual, list) => {
    for (const field of ['name', 'categoryId'].filter((name) => sent[name] !== undefined)) {
      if (fetched.get(actual.id)?.[field] !== sent[field] || altered.has(field)) continue;
      try {
        expectFields(context, list, [{ ...sent, id: actual.id ?? null }, actual], [field], 'in the list');
      } catch (error) {
        altered.set(field, error);
      }
    }
  });
  return altered;
}
