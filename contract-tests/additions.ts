import { isJsonObject, type JsonObject, printExactJson } from '../common/exact-json.ts';
import { type Context, readJson } from './context.ts';
import type { Exchange } from './exchange.ts';

/** Sends an animal to be added. */
export async function postAnimal({ client }: Context, pet: JsonObject): Promise<Exchange> {
  return client.send({ method: 'POST', path: '/pets', body: printExactJson(pet) });
}

/** Whether an animal was added. */
export function isAddition({ request, response }: Exchange): boolean {
  return request.method === 'POST' && response?.status === 201;
}

/** The id of the animal that was answered. */
export function idOf(exchange: Exchange): bigint | undefined {
  const value = readJson(exchange);
  return value !== undefined && isJsonObject(value) && typeof value.id === 'bigint' ? value.id : undefined;
}

/** The ids of the lists that were answered before this run added its first animal. */
export function listedBeforeAdding({ client }: Context): ReadonlySet<bigint> {
  const first = client.journal.findIndex(isAddition);
  const before = client.journal.slice(0, first === -1 ? undefined : first).map(readJson);
  const animals = before.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return new Set(animals.map(({ id }) => id).filter((id) => typeof id === 'bigint'));
}
