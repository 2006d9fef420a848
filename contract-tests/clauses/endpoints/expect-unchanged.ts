import type { JsonObject } from '../../../common/exact-json.ts';
import type { Context } from '../../core/context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { expectFields } from '../../core/expect-response.ts';
import { outcomeOf, readAnimal } from '../../core/read-exchange.ts';
import { Failed } from '../../core/result.ts';

/** Expects everything but the status of an animal to be as before. */
export function expectUnchanged(from: JsonObject, actual: JsonObject, exchange: Exchange): void {
  const where = ` of the animal ${from.id}, as before`;
  expectFields(exchange, { from, actual, where }, ['id', 'name', 'categoryId']);
}

/** Expects GET /pets/{petId} to return an added animal unchanged. */
export async function expectAddedFound({ client }: Context, animal: JsonObject): Promise<void> {
  const exchange = await client.send({ path: `/pets/${animal.id}` });
  const pet = readAnimal(exchange);
  if (pet === undefined) throw new Failed(`the added animal ${animal.id}`, outcomeOf(exchange), exchange);
  expectUnchanged(animal, pet, exchange);
}
