import type fc from 'fast-check';
import { type ExactJson, type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  addAnimal,
  createNewPet,
  findCategory,
  findKnownCategory,
  isAddition,
} from '../../core/add-animal.ts';
import type { RequestOptions } from '../../core/client.ts';
import { type Context, statuses } from '../../core/context.ts';
import {
  type Exchange,
  outcomeOf,
  readAnimal,
  readSent,
  type SuiteRequest,
  shorten,
} from '../../core/exchange.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { isWhole } from '../../core/is-whole.ts';
import { fetchList, LONGEST, listAnimals } from '../../core/list-animals.ts';
import { acceptedKey, expectNoServerFault, Failed, Skipped, Unproven } from '../../core/result.ts';
import { runProperty } from '../../core/run-property.ts';
import { showValue } from '../../core/show-value.ts';
import { usualWrongKey } from '../../core/wrong-keys.ts';

/** A deployment may refuse longer bodies for their size, in characters. */
const LARGE_BODY = 200;

/**
 * Expects 400 for each body. A category of 1 in a body becomes one that exists, so that it is not a second fault.
 *
 * @param createMore makes up more bodies with an existing category.
 */
export async function expectRefusals(
  context: Context,
  bodies: readonly string[],
  createMore?: (categoryId: bigint) => fc.Arbitrary<string>,
): Promise<void> {
  const category = await findKnownCategory(context);
  const toBody = (text: string) => text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
  const expectOne = (body: string) => expectRefusal(context, body, category);
  await inParallel(bodies.map(toBody), expectOne);
  if (createMore !== undefined) await runProperty(context.target, createMore(category ?? 1n), expectOne);
}

async function expectRefusal(context: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  expectNoServerFault(exchange);
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  const status = exchange.response?.status ?? 0;
  if (isPerhapsUnknown && status !== 401 && status > 400 && status < 500) {
    throw new Unproven('the category may be unknown: name an existing one (--category-id)');
  }
  if (status === 400 || (status === 413 && body.length > LARGE_BODY)) return;
  throw new Failed(`400 for ${shorten(body) || 'an empty body'}`, outcomeOf(exchange), exchange);
}

/** The most ids between two that are looked up. */
const MOST_BETWEEN = 20;

/** Expects a body that is answered 400 to add no animal. Each has one fault, and something to find its animal by. */
export async function expectNothingAdded(context: Context): Promise<void> {
  const categoryId = await findCategory(context);
  // Categories that no other animal has, not even one of another run, to find animals without a name by.
  const unusual = 7_000_000_000_000_000_000n + BigInt(Date.now());
  const name = (what: string) => `"name":"${context.nameFor(`refused ${what}`)}"`;
  const bodies = [
    `{${name('without a category')},"status":"sold"}`,
    `{${name('for its category')},"categoryId":"${categoryId}","status":"sold"}`,
    `{${name('for its status')},"categoryId":${categoryId},"status":"lost"}`,
    `[{${name('as an array')},"categoryId":${categoryId},"status":"sold"}]`,
    `{${name('as malformed')},"categoryId":${categoryId},"status":"sold"`,
    `{${name('for its large category')},"categoryId":9223372036854775808,"status":"sold"}`,
    `{"categoryId":${unusual},"status":"sold"}`,
    `{"name":1,"categoryId":${unusual + 1n},"status":"sold"}`,
    `{"name":null,"categoryId":${unusual + 2n},"status":"sold"}`,
  ].map((body) => ({ body }));
  await expectNoAnimals(context, bodies, ({ response }) => response?.status === 400);
}

/** Expects a request without a valid key to add no animal, whatever the response. */
export async function expectNothingAddedWithoutKey(context: Context): Promise<void> {
  const keys = [undefined, `Bearer ${usualWrongKey}`];
  const requests = await Promise.all(
    keys.map(async (authorization) => {
      const pet = await createNewPet(context, 'without the right key', { status: 'sold' });
      return { body: printExactJson(pet), authorization };
    }),
  );
  await expectNoAnimals(context, requests, () => true);
}

/** Sends requests, and looks for an animal of those that were refused. */
async function expectNoAnimals(
  context: Context,
  requests: readonly Pick<RequestOptions, 'body' | 'authorization'>[],
  isRefused: (exchange: Exchange) => boolean,
): Promise<void> {
  const before = await findLastAdded(context);
  const refused: Exchange[] = [];
  for (const request of requests) {
    const exchange = await context.client.send({ method: 'POST', path: '/pets', ...request });
    if (!isRefused(exchange)) continue;
    if (isAddition(exchange)) throw acceptedKey(exchange);
    refused.push(exchange);
  }
  if (refused.length === 0) throw new Unproven('no such request was refused');
  const after = before && (await addAnimal(context, 'after refusals').catch(() => undefined));
  const findRefused = (animal: JsonObject) => refused.find(({ request }) => isOf(animal, request, context));
  const between = await fetchBetween(context, before?.id, after?.id);
  const { animals, isComplete } = await fetchAllLists(context);
  const added = [...(between ?? []), ...animals].find(findRefused);
  if (added !== undefined) {
    const actual = `the animal ${showValue(added.id)} with the name ${showValue(added.name)}`;
    throw new Failed('no new animal', actual, findRefused(added));
  }
  if (!isComplete && between === undefined)
    throw new Skipped('no list could tell: it may not show every animal');
}

/** The animal that was added last, or one more. */
async function findLastAdded(context: Context): Promise<JsonObject | undefined> {
  const last = context.client.journal.findLast(isAddition);
  return last ? readAnimal(last) : addAnimal(context, 'before refusals').catch(() => undefined);
}

/** Whether an animal comes from a request: it has its name or, without one, its category. */
function isOf({ name, categoryId }: JsonObject, request: SuiteRequest, { isOurName }: Context): boolean {
  const sent = readSent(request);
  if (typeof name === 'string' && isOurName(name) && request.body?.includes(`"${name}"`)) return true;
  return (
    typeof sent.name !== 'string' && typeof sent.categoryId === 'bigint' && sent.categoryId === categoryId
  );
}

/** The animals with ids between two, if these are close enough. @returns undefined if they are not. */
async function fetchBetween(
  { client }: Context,
  first: ExactJson | undefined,
  last: ExactJson | undefined,
): Promise<readonly JsonObject[] | undefined> {
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return undefined;
  const count = Number(last - first) - 1;
  if (count < 0 || count > MOST_BETWEEN) return undefined;
  const ids = Array.from({ length: count }, (_, index) => first + 1n + BigInt(index));
  const animals = await Promise.all(
    ids.map(async (id) => readAnimal(await client.send({ path: `/pets/${id}` }))),
  );
  return animals.filter((animal) => animal !== undefined);
}

/** The animals in the list of all and in those by status, and whether these have every sold animal. */
async function fetchAllLists(context: Context) {
  const all = await listAnimals(context);
  const byStatus = await Promise.all(
    statuses.map((status) => fetchList(context, `${LONGEST}&status=${status}`)),
  );
  const sold = byStatus[statuses.indexOf('sold')];
  return {
    animals: [...all, ...byStatus.flatMap(({ animals }) => animals)],
    isComplete: sold !== undefined && isWhole(context, sold, all),
  };
}
