import { randomInt } from 'node:crypto';
import { type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { createNewPet, findKnownCategory, isAddition, postAnimal } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import { type Context, statuses } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { LONGEST_LIST, listAnimals } from '../core/lists.ts';
import { toOtherJson } from '../core/other-json.ts';
import { outcomeOf, readJson, readSent } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { findFault } from '../core/shapes.ts';

/** What a NewPet is answered with; they look at all creations. Source: POST /pets */
export const createdPetChecks: readonly Check[] = [
  { clause: 'create-pet/success', needs: ['writes'], isLast: true, run: expectCreated },
  { clause: 'create-pet/pet', needs: ['writes'], isLast: true, run: expectPets },
];

/** What is said about names and categories leaves a deployment free to refuse some of them. */
async function expectCreated(context: Context): Promise<void> {
  expectNoOtherSuccess(context);
  // Without a status, which may be left out.
  const isPlain = ({ request }: Exchange) => !request.body?.includes('"status"');
  const category = await findKnownCategory(context);
  if (context.client.journal.some((exchange) => isAddition(exchange) && isPlain(exchange))) {
    await expectMediaTypes(context);
    return;
  }
  let refused: Exchange | undefined;
  for (const pet of await createPlainPets(context, category)) {
    const exchange = await postAnimal(context, pet);
    const status = exchange.response?.status ?? 0;
    if (status === 201) return;
    if (status < 400 || status === 401 || status >= 500)
      throw new Failed('201', outcomeOf(exchange), exchange);
    // It may be full, or the key may be for reading alone.
    if (status === 403 || status === 409)
      throw new Skipped(
        `a lawful NewPet was refused with ${status}: is the key allowed to add animals (--read-only)?`,
      );
    refused ??= exchange;
  }
  if (category === undefined)
    throw new Skipped('it was refused, perhaps for its category: name one that there is (--category-id)');
  throw new Failed('201', refused === undefined ? 'none' : outcomeOf(refused), refused);
}

/** Animals that a deployment is likely to take, whatever rules it has for names, in some categories that are in use. */
async function createPlainPets(context: Context, category: bigint | undefined): Promise<JsonObject[]> {
  const list = await listAnimals(context, `?limit=${LONGEST_LIST}`).catch(() => []);
  const names = [
    context.nameFor('first'),
    'contract-test',
    ...['Rexabcde', String(list[0]?.name ?? 'R')].map(toNameLike),
  ];
  const used = [...new Set(list.map(({ categoryId }) => categoryId ?? null))];
  const others = used.filter((id) => id !== category && typeof id === 'bigint').slice(0, 4);
  return [
    ...names.map((name) => ({ name, categoryId: category ?? 1n })),
    ...others.map((categoryId) => ({ name: context.nameFor('first'), categoryId })),
  ];
}

/** A name of the same form: each letter and each digit is another one. */
function toNameLike(name: string): string {
  const other = (first: string, count: number) => () =>
    String.fromCharCode(first.charCodeAt(0) + randomInt(count));
  return name
    .replaceAll(/[a-z]/g, other('a', 26))
    .replaceAll(/[A-Z]/g, other('A', 26))
    .replaceAll(/\d/g, other('0', 10));
}

/** Expects 201 of an animal as JSON, however the media type is written; where another was added, only that can be wrong. */
async function expectMediaTypes(context: Context): Promise<void> {
  for (const mediaType of ['application/json; charset=utf-8', 'Application/JSON']) {
    const body = printExactJson(await createNewPet(context, 'with a type'));
    const exchange = await context.client.send({ method: 'POST', path: '/pets', body, mediaType });
    if (exchange.response?.status === 415) throw new Failed(`201 to ${mediaType}`, '415', exchange);
  }
  const compact = await postAnimal(context, await createNewPet(context, 'spaces'));
  const body = toOtherJson(await createNewPet(context, 'spaces'));
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  if (isAddition(compact) && exchange.response?.status === 400)
    throw new Failed('201, spaces being a part of JSON', '400', exchange);
}

/** Whatever was sent in the run: a NewPet that is answered with another success than 201. */
function expectNoOtherSuccess({ client, target }: Context): void {
  for (const exchange of client.journal) {
    const { method, path, headers } = exchange.request;
    const status = exchange.response?.status ?? 0;
    const isOther = status >= 200 && status < 300 && status !== 201;
    const isMeant =
      method === 'POST' && path === '/pets' && headers.Authorization === `Bearer ${target.apiKey}`;
    if (isOther && isMeant && isNewPet(readSent(exchange.request)))
      throw new Failed('201', outcomeOf(exchange), exchange);
  }
}

function isNewPet({ name, categoryId, status = 'sold' }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint' && statuses.some((one) => one === status);
}

/** Looks at every creation that any check was answered with. */
async function expectPets({ client }: Context): Promise<void> {
  const created = client.journal.filter(isAddition);
  if (created.length === 0) throw new Skipped('no animal could be added');
  for (const exchange of created) {
    const pet = readJson(exchange);
    const fault = pet === undefined ? 'no JSON' : findFault('Pet', pet);
    if (fault !== undefined) throw new Failed('a Pet', fault, exchange);
  }
}
