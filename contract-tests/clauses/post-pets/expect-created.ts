import { type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  createNewPet,
  findKnownCategory,
  idOf,
  isAddition,
  isNewPet,
  isRefusedAsFull,
  listedBeforeAdding,
  postAnimal,
} from '../../core/add-animal.ts';
import type { Context } from '../../core/context.ts';
import { type Exchange, isPage, isSuccess, outcomeOf, readAnimal, readSent } from '../../core/exchange.ts';
import { listAnimals } from '../../core/list-animals.ts';
import { createFullStore, Failed, Skipped, Unproven } from '../../core/result.ts';
import { findTwoAdded } from '../../core/shared-animals.ts';
import { showValue } from '../../core/show-value.ts';
import { printUnusualJson } from './add-unusual.ts';

/** Expects 201 for some valid NewPet without a status, since a deployment may refuse some names and categories. */
export async function expectCreated(context: Context): Promise<void> {
  expectNoOtherSuccess(context);
  const isPlain = ({ request }: Exchange) => !request.body?.includes('"status"');
  const category = await findKnownCategory(context);
  const added = context.client.journal.filter((exchange) => isAddition(exchange) && isPlain(exchange));
  if (added.length > 0) {
    await expectSteady(context);
    await expectMediaTypes(context);
    context.decide(added.length);
    return;
  }
  let refused: Exchange | undefined;
  for (const pet of await createPlainPets(context, category)) {
    const exchange = await postAnimal(context, pet);
    const status = exchange.response?.status ?? 0;
    if (status === 201) return;
    // The store may be full, or the key may only read.
    if (isRefusedAsFull(exchange, context.target)) throw createFullStore(exchange);
    if (status < 400 || status === 401 || status >= 500) {
      throw new Failed('201', outcomeOf(exchange), exchange);
    }
    refused ??= exchange;
  }
  if (category === undefined) {
    throw new Unproven('refused, perhaps for the category: name an existing one (--category-id)');
  }
  throw new Failed('201', refused === undefined ? 'nothing' : outcomeOf(refused), refused);
}

/** Creates animals in some categories that are in use. */
async function createPlainPets(context: Context, category: bigint | undefined): Promise<JsonObject[]> {
  const list = await listAnimals(context).catch(() => []);
  const used = [...new Set(list.map(({ categoryId }) => categoryId ?? null))];
  const others = used.filter((id) => id !== category && typeof id === 'bigint').slice(0, 4);
  return [
    { name: context.nameFor('first'), categoryId: category ?? 1n },
    // A name that the deployment is known to have.
    ...list.slice(0, 1).map(({ name = null }) => ({ name, categoryId: category ?? 1n })),
    ...others.map((categoryId) => ({ name: context.nameFor('first'), categoryId })),
  ];
}

/** Expects 201 for a media type. An animal with a name of the same form must have been added before. */
export async function expectMediaType(context: Context, mediaType: string): Promise<void> {
  const body = printExactJson(await createNewPet(context, 'with a type'));
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body, mediaType });
  const status = exchange.response?.status ?? 0;
  if (status === 400) await expectRefusedAgain(context, exchange);
  if ([400, 406, 415].includes(status)) throw new Failed(`201 for ${mediaType}`, `${status}`, exchange);
}

/** Expects 201 for a media type with a parameter, and for JSON with spaces. An animal like it was added before. */
async function expectMediaTypes(context: Context): Promise<void> {
  await expectMediaType(context, 'application/json; charset=utf-8');
  const pet = Object.fromEntries(
    Object.entries(await createNewPet(context, 'spaces', { status: 'sold' })).toReversed(),
  );
  const body = printUnusualJson(pet);
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  if (exchange.response?.status === 400) {
    await expectRefusedAgain(context, exchange);
    throw new Failed('201, since JSON may have spaces, and members in any order', '400', exchange);
  }
}

/** How many refused animals are sent again, and how often each. */
const [MOST_REFUSED, TIMES] = [3, 2];

/** Expects no animal to be refused that is accepted under a new name of the same form, where one like it was accepted. */
async function expectSteady(context: Context): Promise<void> {
  const posts = listCreations(context).flatMap((exchange) => {
    const { name } = readSent(exchange.request);
    return typeof name === 'string' && context.isOurName(name) ? [{ exchange, name }] : [];
  });
  const accepted = new Set(posts.filter(({ exchange }) => isAddition(exchange)).map(formOf));
  const refused = posts.filter(
    (post) =>
      post.exchange.response?.status === 400 &&
      accepted.has(formOf(post)) &&
      posts.every(({ exchange, name }) => exchange === post.exchange || name !== post.name),
  );
  for (const { exchange } of refused.slice(0, MOST_REFUSED)) await expectRefusedAgain(context, exchange);
  const valid = listCreations(context).filter(
    ({ request, response }) => response?.status === 400 && isNewPet(readSent(request)),
  );
  for (const exchange of valid.slice(0, MOST_REFUSED)) await expectRefusedUnchanged(context, exchange);
}

/** Sends a refused animal again as it is. @throws Failed when it is accepted. */
async function expectRefusedUnchanged({ client }: Context, exchange: Exchange): Promise<void> {
  const { method, path, headers, body = '' } = exchange.request;
  const again = await client.send({ method, path, headers, mediaType: headers['Content-Type'], body });
  if (!isAddition(again)) return;
  throw new Failed('201', outcomeOf(exchange), exchange, {
    // A page of a gateway has a cause of its own.
    suspected: isPage(exchange)
      ? undefined
      : 'intermittent: the same body was accepted when it was sent again',
    more: [again],
  });
}

/** Sends a refused animal again under new names. @throws Failed when one is accepted. */
async function expectRefusedAgain({ client, nameFor }: Context, exchange: Exchange): Promise<void> {
  const { method, path, headers, body = '' } = exchange.request;
  const name = String(readSent(exchange.request).name);
  for (let time = 0; time < TIMES; time += 1) {
    const other = nameFor(name.replace(/^contract-test \S+ /, ''));
    const renamed = body.replace(name, () => other);
    const mediaType = headers['Content-Type'];
    const again = await client.send({ method, path, headers, mediaType, body: renamed });
    if (!isAddition(again)) continue;
    throw new Failed('201', outcomeOf(exchange), exchange, {
      suspected: 'intermittent: the same body with another name was accepted',
      more: [again],
    });
  }
}

/** All that is sent with an animal, with the form of its name. */
function formOf({ exchange, name }: { readonly exchange: Exchange; readonly name: string }): string {
  const form = name
    .replaceAll(/[a-z ]+/g, 'a')
    .replaceAll(/[A-Z]+/g, 'A')
    .replaceAll(/\d+/g, '0');
  const { headers, body = '' } = exchange.request;
  return JSON.stringify([headers, body.replace(name, () => form)]);
}

/** Expects no valid NewPet of this run to have been answered with another 2xx, or with a 401 while the key was valid. */
function expectNoOtherSuccess(context: Context): void {
  for (const exchange of listCreations(context)) {
    if (isAddition(exchange)) continue;
    if (!isSuccess(exchange) && exchange.response?.status !== 401) continue;
    if (isNewPet(readSent(exchange.request))) throw new Failed('201', outcomeOf(exchange), exchange);
  }
}

/** Lists the POST /pets of this run with the valid key. */
function listCreations({ client, target }: Context): Exchange[] {
  return client.journal.filter(
    ({ request: { method, path, headers } }) =>
      method === 'POST' && path === '/pets' && headers.Authorization === `Bearer ${target.apiKey}`,
  );
}

/** Adds some animals at once, and expects all animals of this run to have ids that no other has. */
export async function expectUniqueIds(context: Context): Promise<void> {
  const pets = await Promise.all(Array.from({ length: 3 }, () => createNewPet(context, 'at once')));
  // An animal may be just like another.
  const [twin = {}] = pets;
  const exchanges = await Promise.all([...pets, twin].map((pet) => postAnimal(context, pet)));
  exchanges.push(await postAnimal(context, twin));
  // A database may take one for the other.
  exchanges.push(await postAnimal(context, { ...twin, name: `${String(twin.name).toUpperCase()} ` }));
  for (const exchange of exchanges) expectNotMixedUp(exchange, pets);
  // Without those that have the id that was sent with them.
  const added = context.client.journal.filter(
    (exchange) => isAddition(exchange) && readSent(exchange.request).id !== idOf(exchange),
  );
  const listed = listedBeforeAdding(context);
  const known = new Map<bigint, Exchange>();
  for (const exchange of added) {
    const id = idOf(exchange);
    if (id === undefined) continue;
    if (listed.has(id)) throw new Failed('a new id', `${id}, the id of a listed animal`, exchange);
    const other = known.get(id);
    if (other !== undefined) {
      const isEqual = other.request.body === exchange.request.body;
      throw new Failed('a new id', `${id}, the id of another new animal`, exchange, {
        suspected: isEqual ? 'the answer to an equal body before was sent again' : undefined,
        before: [other],
      });
    }
    known.set(id, exchange);
  }
  if (known.size < 2) throw new Unproven('no two animals could be added');
}

/** Expects the name of no other animal that was added at once; any other wrong name is left to create-pet/echoes. */
function expectNotMixedUp(exchange: Exchange, pets: readonly JsonObject[]): void {
  const [sent, returned] = [readSent(exchange.request).name, readAnimal(exchange)?.name];
  if (returned === sent || !pets.some(({ name }) => name === returned)) return;
  const actual = `${showValue(returned)}, which was added at the same time`;
  throw new Failed(`the animal ${showValue(sent)}`, actual, exchange);
}

/** Expects an id in the body not to become the animal's: neither a used nor an unused one, nor a string. */
export async function expectAssignedId(context: Context): Promise<void> {
  const [used, next] = await findTwoAdded(context);
  if (typeof used !== 'bigint' || used === next) throw new Skipped('the service assigns no ids');
  for (const id of [used, 8_123_456_789_012_345_678n]) {
    const exchange = await postAnimal(context, { ...(await createNewPet(context, 'own id')), id });
    if (isAddition(exchange) && readAnimal(exchange)?.id === id) {
      throw new Failed('an id assigned by the service', `${showValue(id)}, the one in the body`, exchange);
    }
  }
}
