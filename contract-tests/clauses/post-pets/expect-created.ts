import type { JsonObject } from '../../../common/json/exact-json.ts';
import { Failed, NotTested } from '../../client/clause-errors.ts';
import type { Exchange } from '../../client/exchange.ts';
import { showValue } from '../../client/show-value.ts';
import {
  isNewPet,
  isRefusedAsFull,
  listCreations,
  noneAdded,
  toSimilarName,
} from '../../vocabulary/additions.ts';
import type { Context } from '../../vocabulary/context.ts';
import { createFullStore, wrongStatus } from '../../vocabulary/expectations.ts';
import { listedBeforeAdding } from '../../vocabulary/lists.ts';
import { printUnusualJson } from './expect-kept.ts';

/** Expects 201 for some valid NewPet without a status, since a deployment may refuse some names and categories. */
export async function expectCreated(context: Context): Promise<void> {
  for (const exchange of listCreations(context)) {
    const { isAddition, isSuccess, status, sent } = exchange;
    if (isAddition) context.compare(exchange);
    if (!isAddition && (isSuccess || status === 401) && isNewPet(sent)) throw wrongStatus(201, exchange);
  }
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
  throw wrongStatus(201, refused);
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

/** Number of refused animals that are sent again under another name. */
const MOST_REPEATED = 3;

/** Expects no animal to be refused whose body is accepted with another name of the same form. */
async function expectSteady(context: Context): Promise<void> {
  const posts = listCreations(context).filter(({ sent }) => isNewPet(sent) && context.isOurName(sent.name));
  const isOnly = (post: Exchange) =>
    posts.every((other) => other === post || other.sent.name !== post.sent.name);
  const refused = posts.filter((post) => post.status === 400 && isOnly(post));
  for (const exchange of refused.slice(0, MOST_REPEATED)) {
    const { body = '', headers } = exchange.request;
    const another = body.replace(/contract-test [\w-]+/, toSimilarName);
    const again = await context.post(another, { headers, mediaType: headers['Content-Type'] });
    const suspected = { cause: 'refused at random' } as const;
    // A page has another cause.
    const details = { suspected: exchange.isPage ? undefined : suspected, more: [again] };
    if (again.isAddition) throw wrongStatus(201, exchange, details);
  }
}

/** Number of animals that are added at once, next to the twin of one of them. */
const ADDED_AT_ONCE = 3;

export async function expectUniqueIds(context: Context): Promise<void> {
  const pets = await Promise.all(Array.from({ length: ADDED_AT_ONCE }, () => context.createPet('at once')));
  // An animal may be just like another.
  const [twin = {}] = pets;
  const exchanges = await Promise.all([...pets, twin].map((pet) => context.post(pet)));
  exchanges.push(await context.post(twin));
  // A database may take one for the other.
  exchanges.push(await context.post({ ...twin, name: `${String(twin.name).toUpperCase()} ` }));
  for (const exchange of exchanges) expectNotMixedUp(exchange, pets);
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

/** Expects the name of no other animal that was added at once; any other wrong name is left to create-pet/echoes. */
function expectNotMixedUp(exchange: Exchange, pets: readonly JsonObject[]): void {
  const sent = exchange.sent.name;
  const returned = exchange.animal?.name;
  if (returned === sent || !pets.some(({ name }) => name === returned)) return;
  throw new Failed({ kind: 'mixed up', expected: showValue(sent), received: showValue(returned) }, exchange);
}

export async function expectAssignedId(context: Context): Promise<void> {
  const added = context.additions.map(({ animal }) => animal?.id);
  while (added.length < 2) added.push((await context.addAnimal('one of two')).id);
  const [used, next] = added.slice(-2);
  if (typeof used !== 'bigint')
    throw new NotTested('POST /pets returns no animal with an integer as its id: see create-pet/pet');
  if (used === next)
    throw new NotTested('POST /pets gives two animals the same id: see create-pet/unique-id');
  for (const id of [used, 8_123_456_789_012_345_678n]) {
    const exchange = await context.post({ ...(await context.createPet('own id')), id });
    context.compare(exchange);
    if (exchange.isAddition && exchange.id === id)
      throw new Failed({ kind: 'id', idProblem: 'from the body', received: String(id) }, exchange);
  }
}
