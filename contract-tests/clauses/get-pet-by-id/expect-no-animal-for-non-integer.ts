import type { Context } from '../../core/context.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { listAnimals } from '../../core/list-animals.ts';
import { expectNoServerFault, isSuccess, outcomeOf, readObject } from '../../core/read-exchange.ts';
import { Failed } from '../../core/result.ts';

const nonIntegers = [
  ...['abc', '1.5', '1e400', '%20', 'null', '9223372036854775808', '-9223372036854775809', '1,2'],
  ...['%00', '%E0%A4', '9'.repeat(400)],
];

/** Expects no animal for a petId that is not an int64, among them some that begin with an existing id. */
export async function expectNoAnimalForNonInteger(context: Context): Promise<void> {
  const [{ id } = {}] = await listAnimals(context, '?limit=1').catch(() => []);
  const beginnings =
    typeof id === 'bigint' ? [`${id}abc`, `${id}.5`, `${id},2`, `${id}%20OR%201=1`, `${id + 2n ** 64n}`] : [];
  await inParallel([...nonIntegers, ...beginnings], async (petId) => {
    const exchange = await context.client.send({ path: `/pets/${petId}` });
    expectNoServerFault(exchange);
    // Another 2xx may come from another path, but hardly for a word.
    const isAnimal = readObject(exchange)?.name !== undefined || petId === 'abc';
    if (isSuccess(exchange) && isAnimal) throw new Failed('no animal', outcomeOf(exchange), exchange);
  });
}
