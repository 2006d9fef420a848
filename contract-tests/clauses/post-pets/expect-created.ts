import type { JsonObject } from '../../../common/json/exact-json.ts';
import { Failed, NotTested } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { showValue } from '../../client/show-value.ts';
import {
  isNewPet,
  isRefusedAsFull,
  listCreations,
  noneAdded,
  refusesEvery,
  toSimilarName,
} from '../../vocabulary/additions.ts';
import { type Context, isRemoved } from '../../vocabulary/context.ts';
import {
  createFullStore,
  createNoneAccepted,
  isServerFault,
  wrongStatus,
} from '../../vocabulary/expectations.ts';
import { listedBeforeAdding } from '../../vocabulary/lists.ts';
import { addAtOnce } from './add-at-once.ts';
import { printUnusualJson } from './expect-kept.ts';

/** Number of refused animals that are sent again. */
const MOST_REPEATED = 3;

/** Expects 201 for some valid NewPet without a status, since a deployment may refuse some names and categories. */
export async function expectCreated(context: Context): Promise<void> {
  for (const exchange of listCreations(context)) {
    const { isAddition, isSuccess, status, sent } = exchange;
    if (isAddition) context.compare(exchange);
    if (!isAddition && (isSuccess || status === 401) && isNewPet(sent)) throw wrongStatus(201, exchange);
  }
  await expectAtOnce(context);
  const category = await context.findKnownCategory();
  const added = context.additions.filter(({ request }) => !request.body?.includes('"status"'));
  if (added.length > 0) {
    await expectSteady(context);
    await expectMediaTypes(context);
    return;
  }
  let refused: Exchange | undefined;
  for (const pet of await createPlainPets(context, category)) {
    const exchange = await context.post(pet);
    const { status, isAddition } = exchange;
    context.compare(exchange);
    if (isAddition) return;
    if (isRefusedAsFull(exchange, context.target)) throw createFullStore(exchange);
    if (status < 400 || status === 401 || status >= 500) throw wrongStatus(201, exchange);
    refused ??= exchange;
  }
  if (category === undefined || refused === undefined)
    throw new NotTested('the category may be unknown. Give an existing one with --category-id.');
  if (refusesEvery(context)) throw createNoneAccepted();
  throw wrongStatus(201, refused);
}

/** @throws Failed when the server fails for animals that are added at the same time, and for no other valid ones */
async function expectAtOnce(context: Context): Promise<void> {
  const { exchanges } = await context.once(addAtOnce);
  const isFaulty = (exchange: Exchange) => isServerFault(exchange, context.target);
  const failed = exchanges.filter(isFaulty);
  const isAlsoAlone = listCreations(context).some(
    (one) => isFaulty(one) && isPlain(one, context) && !exchanges.includes(one),
  );
  const [first, ...more] = failed;
  if (first === undefined || isAlsoAlone) return;
  for (const { request } of failed.slice(0, MOST_REPEATED)) {
    const alone = await context.post(request.body ?? '');
    if (!alone.isAddition) return;
  }
  const request = { what: 'at once', failed: failed.length, of: exchanges.length } as const;
  throw wrongStatus(201, first, { more }, request);
}

function isPlain({ sent }: Exchange, context: Context): boolean {
  const { name, categoryId = 0n } = sent;
  const isSmall = typeof categoryId === 'bigint' && BigInt.asIntN(32, categoryId) === categoryId;
  return isNewPet(sent) && context.isOurName(name) && isSmall && /^[\w .-]+$/.test(String(name));
}

/** Number of further categories that are tried, of listed animals. */
const MOST_OTHER_CATEGORIES = 4;

async function createPlainPets(context: Context, category = 1n): Promise<JsonObject[]> {
  const list = await context.listAnimals().catch(() => []);
  const used = [...new Set(list.map(({ categoryId }) => categoryId ?? null))];
  const others = used
    .filter((id) => id !== category && typeof id === 'bigint')
    .slice(0, MOST_OTHER_CATEGORIES);
  return [
    { name: context.nameFor('first'), categoryId: category },
    // A name that the deployment is known to have.
    ...list.slice(0, 1).map(({ name = null }) => ({ name, categoryId: category })),
    ...others.map((categoryId) => ({ name: context.nameFor('first'), categoryId })),
  ];
}

/** Expects 201 for a media type. An animal with a name of the same form must have been added before. */
export async function expectMediaType(context: Context, mediaType: string): Promise<void> {
  const exchange = await context.post(await context.createPet('with a type'), { mediaType });
  context.compare(exchange);
  const request = { what: 'media type', mediaType } as const;
  if ([400, 406, 415].includes(exchange.status)) throw wrongStatus(201, exchange, {}, request);
}

async function expectMediaTypes(context: Context): Promise<void> {
  await expectMediaType(context, 'application/json; charset=utf-8');
  const pet = Object.entries(await context.createPet('spaces', 'sold')).toReversed();
  const exchange = await context.post(printUnusualJson(Object.fromEntries(pet)));
  if (exchange.status === 400) throw wrongStatus(201, exchange, {}, { what: 'notation' });
}

/** Expects no animal to be refused whose body is accepted with another name of the same form. */
async function expectSteady(context: Context): Promise<void> {
  const posts = listCreations(context).filter(({ sent }) => isNewPet(sent) && context.isOurName(sent.name));
  const isOnly = (post: Exchange) =>
    posts.every((other) => other === post || other.sent.name !== post.sent.name);
  const refused = posts.filter((post) => post.status === 400 && isOnly(post));
  for (const exchange of refused.slice(0, MOST_REPEATED)) {
    const { body = '', headers } = exchange.request;
    // A service may refuse the word.
    const another = body.replace(/(?<=contract-test )[\d.]+/, toSimilarName);
    const again = await context.post(another, { headers, mediaType: headers['Content-Type'] });
    const suspected = { cause: 'refused at random' } as const;
    // A page has another cause.
    const details = { suspected: exchange.isPage ? undefined : suspected, more: [again] };
    if (again.isAddition) throw wrongStatus(201, exchange, details);
  }
}

export async function expectUniqueIds(context: Context): Promise<void> {
  const { exchanges, twin } = await context.once(addAtOnce);
  // A response to an earlier equal body must not be sent again.
  const again = await context.post(twin);
  for (const exchange of [...exchanges, again]) await expectNotMixedUp(context, exchange, exchanges);
  const listed = listedBeforeAdding(context);
  const known = new Map<bigint, Exchange>();
  for (const exchange of context.additions) {
    const { id, sent, request } = exchange;
    // Another clause is about ids that were sent.
    if (id === undefined || sent.id === id) continue;
    context.compare(exchange, exchange.animal ? [exchange.animal] : []);
    const reused = { kind: 'id', received: String(id) } as const;
    if (listed.has(id)) throw new Failed({ ...reused, idProblem: 'of a listed animal' }, exchange);
    const other = known.get(id);
    if (other !== undefined) {
      const isEqual = other.request.body === request.body;
      throw new Failed({ ...reused, idProblem: 'of another new animal' }, exchange, {
        suspected: isEqual ? { cause: 'earlier response repeated' } : undefined,
        before: [other],
      });
    }
    known.set(id, exchange);
  }
  if (known.size < 2) throw noneAdded(context, new NotTested('no two animals could be added'));
}

/**
 * Expects no value of another animal that was added at once. A value that is also wrong when the animal is added alone is left
 * to create-pet/echoes.
 */
async function expectNotMixedUp(
  context: Context,
  exchange: Exchange,
  others: readonly Exchange[],
): Promise<void> {
  const { sent, animal = {} } = exchange;
  for (const member of ['name', 'categoryId', 'status'] as const) {
    const [expected, received] = [sent[member], animal[member]];
    const other = others.find((one) => received !== undefined && one.sent[member] === received);
    if (expected === undefined || received === expected || other === undefined) continue;
    if (member !== 'name' && !(await isRightAlone(context, sent, member))) continue;
    const values = { expected: showValue(expected), received: showValue(received) };
    throw new Failed({ kind: 'mixed up', member, ...values }, exchange, { before: [other] });
  }
}

/** How often an animal is added alone: a service may return every second one wrongly. */
const TIMES_ALONE = 2;

async function isRightAlone(context: Context, sent: JsonObject, member: string): Promise<boolean> {
  for (let time = 0; time < TIMES_ALONE; time += 1) {
    const { animal } = await context.post({ ...sent, name: context.nameFor('alone') });
    if (animal?.[member] !== sent[member]) return false;
  }
  return true;
}

export async function expectAssignedId(context: Context): Promise<void> {
  const added = context.additions.map(({ animal }) => animal?.id);
  while (added.length < 2) added.push((await context.addAnimal('one of two')).id);
  const [used, next] = added.slice(-2);
  if (typeof used !== 'bigint')
    throw new NotTested('POST /pets returns no animal with an integer as its id: see create-pet/pet');
  if (used === next)
    throw new NotTested('POST /pets gives two animals the same id: see create-pet/unique-id');
  const free = await findFreeId(context);
  for (const id of [used, free]) {
    const pet: JsonObject = { ...(await context.createPet('own id')), id };
    const exchange = await context.post(pet);
    context.compare(exchange);
    const fault = { kind: 'id', idProblem: 'from the body', received: String(id) } as const;
    if (exchange.isAddition && exchange.id === id) throw new Failed(fault, exchange);
    // The id may be kept although the response shows another.
    const fetched = id === free && exchange.isAddition ? await fetchById(context, id) : undefined;
    if (fetched?.animal !== undefined && fetched.animal.name === pet.name)
      throw new Failed(fault, fetched, { before: [exchange] });
  }
}

/** A positive id of 32 bits, which any type of numbers holds, and no service gives before it has two billion animals. */
const LARGE_ID = 2_012_345_678n;

async function findFreeId(context: Context): Promise<bigint> {
  const known = new Set(context.lists.flatMap(({ animals }) => animals.map(({ id }) => id)));
  let id = LARGE_ID;
  while (known.has(id)) id += 1n;
  return id;
}

async function fetchById(context: Context, id: bigint): Promise<Exchange | undefined> {
  return (await isRemoved(context)) ? undefined : context.get(`/pets/${id}`);
}
