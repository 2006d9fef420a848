import { ownAdditions } from '../../core/add-animal.ts';
import type { Context } from '../../core/context.ts';
import { expectStatus } from '../../core/expect-response.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { listAnimals } from '../../core/list-animals.ts';
import { expectNoServerFault, isSuccess, outcomeOf, readObject } from '../../core/read-exchange.ts';
import { Failed } from '../../core/result.ts';

/** Ids that animals are unlikely to have. */
const unlikelyIds = [2n ** 63n - 1n, -(2n ** 63n), 8_765_432_109_876_543_210n, 0n, -1n];

/** Expects 404 for ids that no animal has, among them some that are close to existing ones. */
export async function expectNotFound(context: Context): Promise<void> {
  const listed = (await listAnimals(context)).map(({ id }) => id);
  const near = createNearIds(
    [...listed, ...ownAdditions(context).keys()].filter((id) => typeof id === 'bigint'),
  );
  const unknown = [...new Set([...unlikelyIds, ...near])].filter((id) => !listed.includes(id));
  await inParallel(unknown, async (id) => {
    const exchange = await context.client.send({ path: `/pets/${id}` });
    const returned = readObject(exchange)?.id;
    // A near id may exist, even if something else is wrong with its animal.
    const exists = isSuccess(exchange) && near.includes(id) && typeof returned !== 'bigint';
    if (returned === id || exists) return;
    expectNoServerFault(exchange);
    expectStatus(exchange, 404);
  });
}

/** Ids that look like an existing one to a program that loses a sign, high bits or low digits. */
function createNearIds(ids: readonly bigint[]): bigint[] {
  const [first = 1n] = ids;
  const large = ids.filter((id) => !Number.isSafeInteger(Number(id)));
  const beside = large.flatMap((id) => [id - 1n, id + 1n]).filter((id) => !ids.includes(id));
  const inOrder = ids.toSorted((one, other) => (one < other ? -1 : 1));
  const [least, greatest] = [inOrder[0] ?? 1n, inOrder.at(-1) ?? 1n];
  const near = [-first, first + 2n ** 32n, least - 1n, greatest + 1n, ...beside.slice(0, 4)];
  return near.filter((id) => BigInt.asIntN(64, id) === id);
}

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
