import { type JsonObject, printExactJson } from '../../common/exact-json.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import { listAnimals, listsSoFar } from './lists.ts';
import { outcomeOf, readAnimal, readObject, readSent } from './read-exchange.ts';
import { Skipped } from './result.ts';

/** What an animal to add is, beside its name. */
export interface AnimalOptions {
  readonly categoryId?: bigint;
  readonly status?: string;
}

/** Makes an animal to add. */
export async function createNewPet(
  context: Context,
  purpose: string,
  { categoryId, ...others }: AnimalOptions = {},
): Promise<JsonObject> {
  const name = context.nameFor(purpose);
  return { name, categoryId: categoryId ?? (await findCategory(context)), ...others };
}

/** Sends an animal to be added. */
export function postAnimal({ client }: Context, pet: JsonObject): Promise<Exchange> {
  return client.send({ method: 'POST', path: '/pets', body: printExactJson(pet) });
}

/**
 * Adds an animal, in a category that the deployment is known to have.
 *
 * @param purpose what it is for; it becomes a part of the name.
 * @throws Skipped when it is refused.
 */
export async function addAnimal(
  context: Context,
  purpose: string,
  options: AnimalOptions = {},
): Promise<JsonObject> {
  const exchange = await postAnimal(context, await createNewPet(context, purpose, options));
  const pet = readAnimal(exchange);
  if (!isAddition(exchange) || pet === undefined) {
    throw new Skipped(`an animal could not be added: ${outcomeOf(exchange)}`);
  }
  return pet;
}

/** A category that the deployment does not refuse: the user's, or one that is in use; else one that it may refuse. */
export async function findCategory(context: Context): Promise<bigint> {
  return (await findKnownCategory(context)) ?? 1n;
}

/** A category that the deployment does not refuse, if there is any way to know one. */
export async function findKnownCategory(context: Context): Promise<bigint | undefined> {
  const known = context.target.categoryId ?? findAcceptedCategory(context);
  if (known !== undefined) return known;
  const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
  return typeof animal?.categoryId === 'bigint' ? animal.categoryId : undefined;
}

/** The category of the first animal that this run has added. */
function findAcceptedCategory({ client }: Context): bigint | undefined {
  const addition = client.journal.find(
    (exchange) => isAddition(exchange) && typeof readSent(exchange.request).categoryId === 'bigint',
  );
  return addition && (readSent(addition.request).categoryId as bigint);
}

/** Whether an animal was added. */
export function isAddition({ request, response }: Exchange): boolean {
  return request.method === 'POST' && response?.status === 201;
}

/** The id of the animal that was answered. */
export function idOf(exchange: Exchange): bigint | undefined {
  const id = readObject(exchange)?.id;
  return typeof id === 'bigint' ? id : undefined;
}

/** The animals that this run has added, by their ids; without those whose id another animal has too. */
export function ownAdditions(context: Context): ReadonlyMap<bigint, Exchange> {
  const before = listedBeforeAdding(context);
  const own = new Map<bigint, Exchange>();
  const taken = new Set<bigint>(before.keys());
  for (const exchange of context.client.journal.filter(isAddition)) {
    const id = idOf(exchange);
    if (id === undefined) continue;
    if (taken.has(id)) own.delete(id);
    else own.set(id, exchange);
    taken.add(id);
  }
  return own;
}

/** The animals that were listed before this run added its first, by their ids. */
export function listedBeforeAdding(context: Context): ReadonlyMap<bigint, JsonObject> {
  const { journal } = context.client;
  const first = journal.findIndex(isAddition);
  const before = new Set(first === -1 ? journal : journal.slice(0, first));
  const animals = listsSoFar(context)
    .filter(({ exchange }) => before.has(exchange))
    .flatMap((list) => list.animals);
  return new Map(
    animals.flatMap((animal) => (typeof animal.id === 'bigint' ? [[animal.id, animal] as const] : [])),
  );
}
