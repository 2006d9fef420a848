import { type JsonObject, printExactJson } from '../../common/exact-json.ts';
import type { Context } from './context.ts';
import { hasValidKey } from './create-key-check.ts';
import { type Exchange, idOf, isAddition, outcomeOf, readAnimal, readSent } from './exchange.ts';
import { listAnimals, listsSoFar } from './list-animals.ts';
import { FULL, Unproven } from './result.ts';
import type { Target } from './target.ts';

export { idOf, isAddition } from './exchange.ts';

/** The fields of an animal to add, without its name. */
type AnimalOptions = { readonly categoryId?: bigint; readonly status?: string | undefined };

/** Each status and none; sold animals first, since they stay as they are. */
export const newStatuses = ['sold', undefined, 'available', 'pending'] as const;

/** Creates a valid NewPet with a name of its own, which ends with its purpose. */
export async function createNewPet(
  context: Context,
  purpose: string,
  { categoryId, status }: AnimalOptions = {},
): Promise<JsonObject> {
  const name = context.nameFor(purpose);
  const required = { name, categoryId: categoryId ?? (await findCategory(context)) };
  return status === undefined ? required : { ...required, status };
}

/** Sends POST /pets with a NewPet. */
export function postAnimal({ client }: Context, pet: JsonObject): Promise<Exchange> {
  return client.send({ method: 'POST', path: '/pets', body: printExactJson(pet) });
}

/** Creates and adds a NewPet. @returns the animal as in the response. @throws Unproven when it is refused. */
export async function addAnimal(
  context: Context,
  purpose: string,
  options: AnimalOptions = {},
): Promise<JsonObject> {
  const exchange = await postAnimal(context, await createNewPet(context, purpose, options));
  const pet = readAnimal(exchange);
  if (!isAddition(exchange) || pet === undefined) {
    throw new Unproven(`an animal could not be added: ${outcomeOf(exchange)}`);
  }
  return pet;
}

/** A category that the deployment is known to accept, or else 1. */
export async function findCategory(context: Context): Promise<bigint> {
  return (await findKnownCategory(context)) ?? 1n;
}

/** A category that the deployment is known to accept: the user's, that of an added animal, or that of a listed one. */
export async function findKnownCategory(context: Context): Promise<bigint | undefined> {
  const added = context.client.journal.filter(isAddition).map(({ request }) => readSent(request).categoryId);
  const known = context.target.categoryId ?? added.find((id) => typeof id === 'bigint');
  if (known !== undefined) return known;
  const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
  return typeof animal?.categoryId === 'bigint' ? animal.categoryId : undefined;
}

/** The statuses with which a store that takes no more animals refuses an addition. */
const fullStatuses: readonly unknown[] = [402, 403, 409, FULL];

/** Returns whether an addition with the valid key was refused, perhaps because the store takes no more animals. */
export function isRefusedAsFull(exchange: Exchange, target: Target): boolean {
  const { method, path } = exchange.request;
  const isCreation = method === 'POST' && path === '/pets' && hasValidKey(exchange, target);
  return isCreation && fullStatuses.includes(exchange.response?.status);
}

/** Returns whether the store takes no more animals: it has refused the last valid NewPet of the run for that reason. */
export function isFull({ client, target }: Context): boolean {
  const answered = client.journal.filter(
    (exchange) =>
      exchange.request.method === 'POST' &&
      (exchange.response?.status ?? 429) !== 429 &&
      hasValidKey(exchange, target) &&
      isNewPet(readSent(exchange.request)),
  );
  const [last] = answered.toSorted((one, other) => other.at - one.at);
  return last !== undefined && isRefusedAsFull(last, target);
}

/** Returns whether an object has all that a NewPet must have, and no invalid status. */
export function isNewPet({ name, categoryId, status }: JsonObject): boolean {
  return (
    typeof name === 'string' && typeof categoryId === 'bigint' && newStatuses.some((one) => one === status)
  );
}

/** The additions of this run by the new animal's id; without ids that another animal has too. */
export function ownAdditions(context: Context): ReadonlyMap<bigint, Exchange> {
  const own = new Map<bigint, Exchange>();
  const taken = new Set<bigint>(listedBeforeAdding(context).keys());
  for (const exchange of context.client.journal.filter(isAddition)) {
    const id = idOf(exchange);
    if (id === undefined) continue;
    if (taken.has(id)) own.delete(id);
    else own.set(id, exchange);
    taken.add(id);
  }
  return own;
}

/** What was listed before the first addition, and in how many exchanges: it is asked for again and again. */
const found = new WeakMap<
  Exchange,
  { readonly count: number; readonly animals: ReadonlyMap<bigint, JsonObject> }
>();

/** The animals that were listed before this run added its first, by id. */
export function listedBeforeAdding(context: Context): ReadonlyMap<bigint, JsonObject> {
  const { journal } = context.client;
  const first = journal.find(isAddition);
  const count = first === undefined ? journal.length : journal.indexOf(first);
  const known = first && found.get(first);
  if (known?.count === count) return known.animals;
  // A clause that started again comes before its place in time.
  const earlier = journal.slice(0, count).filter(({ at }) => first === undefined || at < first.at);
  const listed = listsSoFar(context, earlier).flatMap(({ animals }) => animals);
  const animals = new Map(
    listed.flatMap((animal) => (typeof animal.id === 'bigint' ? [[animal.id, animal]] : [])),
  );
  if (first !== undefined) found.set(first, { count, animals });
  return animals;
}
