import type { JsonObject } from '../../../common/exact-json.ts';
import {
  addAnimal,
  createNewPet,
  idOf,
  isAddition,
  listedBeforeAdding,
  postAnimal,
} from '../../core/add-animal.ts';
import type { Context } from '../../core/context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { showValue } from '../../core/expect-response.ts';
import { readAnimal, readSent } from '../../core/read-exchange.ts';
import { Failed, Skipped } from '../../core/result.ts';

/** Adds some animals at once, and expects all animals of this run to have ids that no other has. */
export async function expectUniqueIds(context: Context): Promise<void> {
  const pets = await Promise.all(Array.from({ length: 6 }, () => createNewPet(context, 'at once')));
  const exchanges = await Promise.all(pets.map((pet) => postAnimal(context, pet)));
  for (const exchange of exchanges) expectNotMixedUp(exchange, pets);
  // Without those that were sent with an id.
  const added = context.client.journal.filter(
    (exchange) => isAddition(exchange) && !('id' in readSent(exchange.request)),
  );
  const listed = listedBeforeAdding(context);
  const known = new Set<bigint>();
  for (const exchange of added) {
    const id = idOf(exchange);
    if (id === undefined) continue;
    if (listed.has(id)) throw new Failed('a new id', `${id}, the id of a listed animal`, exchange);
    if (known.has(id)) throw new Failed('a new id', `${id}, the id of another new animal`, exchange);
    known.add(id);
  }
  if (known.size < 2) throw new Skipped('no two animals could be added');
}

/** Expects the name of no other animal that was added at once; any other wrong name is left to create-pet/echoes. */
function expectNotMixedUp(exchange: Exchange, pets: readonly JsonObject[]): void {
  const [sent, returned] = [readSent(exchange.request).name, readAnimal(exchange)?.name];
  if (returned === sent || !pets.some(({ name }) => name === returned)) return;
  const actual = `${showValue(returned)}, which was added at the same time`;
  throw new Failed(`the animal ${showValue(sent)}`, actual, exchange);
}

/** Expects an id in the body not to become the animal's id: neither a used nor an unused one, nor one of another type. */
export async function expectAssignedId(context: Context): Promise<void> {
  const used = await addAnimal(context, 'before');
  const next = await addAnimal(context, 'after');
  if (typeof used.id !== 'bigint' || used.id === next.id) throw new Skipped('the service assigns no ids');
  for (const id of [used.id, 8_123_456_789_012_345_678n, 'contract-test']) {
    const exchange = await postAnimal(context, { ...(await createNewPet(context, 'own id')), id });
    if (isAddition(exchange) && readAnimal(exchange)?.id === id) {
      throw new Failed('an id assigned by the service', `${showValue(id)}, the one in the body`, exchange);
    }
  }
}
