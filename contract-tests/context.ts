import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../common/exact-json.ts';
import type { Client } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { Target } from './target.ts';
import { Untried } from './verdict.ts';

/** What a check works with. */
export interface Context {
  readonly target: Target;
  readonly client: Client;
  /** Begins the names of all animals that this run adds. */
  readonly prefix: string;
}

/** What an animal to add is, beside its name. */
export interface AnimalOptions {
  readonly categoryId?: bigint;
  readonly status?: string;
}

/** The most animals that a list can have. */
export const LONGEST_LIST = 100;

/** The values of PetStatus. Source: openapi.yaml#/components/schemas/PetStatus */
export const statuses = ['available', 'pending', 'sold'] as const;

/** The body of a response as JSON, or undefined when it is none. */
export function readJson({ response }: Exchange): ExactJson | undefined {
  try {
    return response === undefined ? undefined : parseExactJson(response.body);
  } catch {
    return undefined;
  }
}

/** What an exchange ended with, in a few words. */
export function outcomeOf({ response, failure }: Exchange): string {
  return response === undefined ? `no answer (${failure})` : String(response.status);
}

/**
 * Lists animals.
 *
 * @param query such as `?limit=1`.
 * @throws Untried when the answer is no list.
 */
export async function listAnimals({ client }: Context, query: string): Promise<readonly JsonObject[]> {
  const exchange = await client.send({ path: `/pets${query}` });
  const list = readJson(exchange);
  if (exchange.response?.status !== 200 || !Array.isArray(list)) {
    throw new Untried(`GET /pets${query} gave no list: ${outcomeOf(exchange)}`);
  }
  return list.filter(isJsonObject);
}

/**
 * Adds an animal, in a category that the deployment is known to have.
 *
 * @param purpose what it is for; it becomes a part of the name.
 * @throws Untried when it is refused.
 */
export async function addAnimal(
  context: Context,
  purpose: string,
  options: AnimalOptions = {},
): Promise<JsonObject> {
  const sent = await createNewPet(context, purpose, options);
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body: printExactJson(sent) });
  const pet = readJson(exchange);
  if (exchange.response?.status !== 201 || pet === undefined || !isJsonObject(pet)) {
    throw new Untried(`an animal could not be added: ${outcomeOf(exchange)}`);
  }
  return pet;
}

/** Makes an animal to add. */
export async function createNewPet(
  context: Context,
  purpose: string,
  { categoryId, ...others }: AnimalOptions = {},
): Promise<JsonObject> {
  const name = `${context.prefix} ${purpose}`;
  return { name, categoryId: categoryId ?? (await findCategory(context)), ...others };
}

/** A category that the deployment does not refuse: the user's, or one that is in use; else one that it may refuse. */
export async function findCategory(context: Context): Promise<bigint> {
  return (await findKnownCategory(context)) ?? 1n;
}

/** A category that the deployment does not refuse, if there is any way to know one. */
export async function findKnownCategory(context: Context): Promise<bigint | undefined> {
  if (context.target.categoryId !== undefined) return context.target.categoryId;
  const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
  return typeof animal?.categoryId === 'bigint' ? animal.categoryId : undefined;
}

/** What limit is when it is left out. Source: openapi.yaml#/components/parameters */
const DEFAULT_LIMIT = 20;

/**
 * Whether a list, asked for with the largest limit, was not cut short. limit is a maximum, and a deployment may have a lower
 * one of its own: not below 20, which is what is meant when it is left out, and it cuts the list of all animals no later.
 *
 * @param all the list of all animals with the same limit.
 */
export function isWhole(filtered: readonly JsonObject[], all: readonly JsonObject[]): boolean {
  return filtered.length < DEFAULT_LIMIT || filtered.length < Math.min(all.length, LONGEST_LIST);
}

/**
 * Looks for animals in the list of all and in that of a status.
 *
 * @returns those that were found, and whether the animals of the status were listed to the last, so that what is not among
 * them does not exist.
 */
export async function searchAnimals(
  context: Context,
  isWanted: (animal: JsonObject) => boolean,
  status: string,
): Promise<{ readonly found: readonly JsonObject[]; readonly isComplete: boolean }> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  const filtered = await listAnimals(context, `?limit=${LONGEST_LIST}&status=${status}`);
  return { found: [...all, ...filtered].filter(isWanted), isComplete: isWhole(filtered, all) };
}
