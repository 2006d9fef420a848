import { type JsonObject, printExactJson } from '../../common/exact-json.ts';
import {
  addAnimal,
  createNewPet,
  findCategory,
  findKnownCategory,
  isAddition,
  ownAdditions,
  postAnimal,
} from '../additions.ts';
import type { Check } from '../check.ts';
import { type Context, statuses } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { LONGEST_LIST, listAnimals } from '../lists.ts';
import { outcomeOf, readAnimal, readJson, readSent } from '../read-exchange.ts';
import { findFault } from '../shapes.ts';
import { showValue } from '../show-value.ts';
import { tryAgain } from '../try-again.ts';
import { Unfulfilled, Unsettled, Untried } from '../verdict.ts';

/** What comes after the prefix of a name, each for what it might lose. */
const texts = [
  'Zoë Łukasz Ñandú',
  '猫のミケ',
  'כלב ערבי كلب',
  '🐈‍⬛ e\u0301 vs é',
  '<b>"Rex" & \'Co\'</b> \\ \\n \\u0041 / %41 +',
  ' two  spaces ',
  'ﬁ½ line\nbreak\ttab',
  'carriage\r\nreturn',
  'no\u00a0break \u00a0',
  'control \u0001 \u0000 characters',
  `long ${'x'.repeat(300)}`,
  `longer ${'x'.repeat(5000)}`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: It is what a template would put a value into.
  '$& ${x} {{x}} &amp;',
];

const INT64S = [
  0n,
  -1n,
  3_000_000_000n,
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
  9_007_199_254_740_993n,
  -9_007_199_254_740_993n,
  4_294_967_297n,
];

/** What is answered to a NewPet, and kept of it. Source: POST /pets */
export const keptPetChecks: readonly Check[] = [
  { clause: 'create-pet/success', needs: ['writes'], isLast: true, run: expectCreated },
  { clause: 'create-pet/echoes', needs: ['writes'], run: expectEcho },
  { clause: 'create-pet/text-exact', needs: ['writes'], run: expectTexts },
  { clause: 'create-pet/int64-exact', needs: ['writes'], run: expectInt64s },
  { clause: 'create-pet/status-kept', needs: ['writes'], run: expectStatuses },
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
      throw new Unfulfilled('201', outcomeOf(exchange), exchange);
    // It may be full, or the key may be for reading alone.
    if (status === 403 || status === 409)
      throw new Untried(
        `a lawful NewPet was refused with ${status}: is the key allowed to add animals (--read-only)?`,
      );
    refused ??= exchange;
  }
  if (category === undefined)
    throw new Untried('it was refused, perhaps for its category: name one that there is (--category-id)');
  throw new Unfulfilled('201', refused === undefined ? 'none' : outcomeOf(refused), refused);
}

/** Animals that a deployment is likely to take, whatever rules it has for names, in some categories that are in use. */
async function createPlainPets(context: Context, category: bigint | undefined): Promise<JsonObject[]> {
  const list = await listAnimals(context, `?limit=${LONGEST_LIST}`).catch(() => []);
  const letters = [...String(Date.now()).slice(-8)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const names = [context.nameFor('first'), 'contract-test', `Rex${letters}`, 'Rex', list[0]?.name ?? 'R'];
  const used = [...new Set(list.map(({ categoryId }) => categoryId ?? null))];
  const others = used.filter((id) => id !== category && typeof id === 'bigint').slice(0, 4);
  return [
    ...names.map((name) => ({ name, categoryId: category ?? 1n })),
    ...others.map((categoryId) => ({ name: context.nameFor('first'), categoryId })),
  ];
}

/** Expects 201 of an animal as JSON, however the media type is written; where another was added, only that can be wrong. */
async function expectMediaTypes(context: Context): Promise<void> {
  for (const mediaType of ['application/json; charset=utf-8', 'Application/JSON']) {
    const body = printExactJson(await createNewPet(context, 'with a type'));
    const exchange = await context.client.send({ method: 'POST', path: '/pets', body, mediaType });
    if (exchange.response?.status === 415) throw new Unfulfilled(`201 to ${mediaType}`, '415', exchange);
  }
  const compact = await postAnimal(context, await createNewPet(context, 'spaces'));
  const body = toOtherJson(await createNewPet(context, 'spaces'));
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  if (isAddition(compact) && exchange.response?.status === 400)
    throw new Unfulfilled('201, spaces being a part of JSON', '400', exchange);
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
      throw new Unfulfilled('201', outcomeOf(exchange), exchange);
  }
}

function isNewPet({ name, categoryId, status = 'sold' }: JsonObject): boolean {
  return typeof name === 'string' && typeof categoryId === 'bigint' && statuses.some((one) => one === status);
}

async function expectEcho(context: Context): Promise<void> {
  const pets = [
    await createNewPet(context, 'echo'),
    await createNewPet(context, 'echo 2', { status: 'pending' }),
  ];
  await expectSome(pets, 'animal', async (pet) => {
    const exchange = await postAnimal(context, pet);
    return expectEchoed(exchange, ['name', 'categoryId', 'status']) !== undefined;
  });
}

/**
 * Expects that what was accepted is answered as it was sent. A deployment may refuse names and categories for reasons of
 * its own.
 *
 * @returns the animal, or undefined when it was refused.
 */
function expectEchoed(exchange: Exchange, fields: readonly string[]): JsonObject | undefined {
  const pet = isAddition(exchange) ? readAnimal(exchange) : undefined;
  if (pet === undefined) return undefined;
  const sent = readSent(exchange.request);
  for (const field of fields) {
    if (sent[field] !== undefined && pet[field] !== sent[field]) {
      throw new Unfulfilled(`the ${field} ${showValue(sent[field])}`, showValue(pet[field]), exchange);
    }
  }
  return pet;
}

/** Expects that what was accepted is kept as well. @returns whether it was accepted. */
async function expectKept(context: Context, exchange: Exchange, fields: readonly string[]): Promise<boolean> {
  const pet = expectEchoed(exchange, fields);
  if (typeof pet?.id === 'bigint') await expectReadBack(context, readSent(exchange.request), pet.id, fields);
  return pet !== undefined;
}

/** What is not found by its id, or has that of another animal, is another clause's. */
async function expectReadBack(
  context: Context,
  sent: JsonObject,
  id: bigint,
  fields: readonly string[],
): Promise<void> {
  if (!ownAdditions(context).has(id)) return;
  const exchange = await context.client.send({ path: `/pets/${id}` });
  const pet = readAnimal(exchange);
  if (pet === undefined || pet.id !== id) return;
  if (!fields.includes('name') && pet.name !== sent.name) return;
  const field = fields.find((name) => sent[name] !== undefined && pet[name] !== sent[name]);
  if (field === undefined) return;
  const Verdict = field === 'status' ? Unsettled : Unfulfilled;
  throw new Verdict(`the ${field} ${showValue(sent[field])} by its id`, showValue(pet[field]), exchange);
}

async function expectTexts(context: Context): Promise<void> {
  // Sold, so that they stay in a list where they may be looked at.
  const pets = await Promise.all(
    texts.map((text) => createNewPet(context, text, text.length > 1000 ? {} : { status: 'sold' })),
  );
  const [first] = pets;
  const indented = first === undefined ? [] : [{ ...first, name: ` ${first.name}` }];
  const bodies = [
    ...[...pets, ...indented].map(printExactJson),
    toOtherJson(await createNewPet(context, 'escaped 🐈 é')),
  ];
  await expectSome(bodies, 'such name', async (body) =>
    expectKept(context, await context.client.send({ method: 'POST', path: '/pets', body }), ['name']),
  );
}

/** The same JSON with spaces and with escapes for what is not ASCII. */
function toOtherJson(pet: JsonObject): string {
  const members = Object.entries(pet).map(
    ([key, value]) => `  ${printExactJson(key)} : ${printExactJson(value)}`,
  );
  return `\n{\n${members.join(' ,\n')}\n}\n`.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

async function expectInt64s(context: Context): Promise<void> {
  const pets = INT64S.map((categoryId) => createNewPet(context, 'int64', { categoryId, status: 'sold' }));
  await expectSome(await Promise.all(pets), 'such categoryId', async (pet) =>
    expectKept(context, await postAnimal(context, pet), ['categoryId']),
  );
}

async function expectStatuses(context: Context): Promise<void> {
  // One category, so that the status is all that they differ in.
  const categoryId = await findCategory(context);
  await addAnimal(context, 'with or without', { categoryId });
  await expectSome(statuses, 'animal with a status', (status) =>
    tryAgain(async () => {
      // By the name nothing is told of the status, so that only the status can be what is refused.
      const pet = await createNewPet(context, 'with or without', { status, categoryId });
      const exchange = await postAnimal(context, pet);
      // The same animal without a status has been accepted.
      if (exchange.response?.status === 400 || exchange.response?.status === 422)
        throw new Unfulfilled(`201 to the status ${status}`, outcomeOf(exchange), exchange);
      return expectKept(context, exchange, ['status']);
    }),
  );
}

/** @param isAccepted throws Unfulfilled; @throws Untried when none was accepted. */
async function expectSome<T>(
  items: readonly T[],
  what: string,
  isAccepted: (item: T) => Promise<boolean>,
): Promise<void> {
  let accepted = 0;
  for (const item of items) if (await isAccepted(item)) accepted += 1;
  if (accepted === 0) throw new Untried(`no ${what} was accepted`);
}

/** Looks at every creation that any check was answered with. */
async function expectPets({ client }: Context): Promise<void> {
  const created = client.journal.filter(isAddition);
  if (created.length === 0) throw new Untried('no animal could be added');
  for (const exchange of created) {
    const pet = readJson(exchange);
    const fault = pet === undefined ? 'no JSON' : findFault('Pet', pet);
    if (fault !== undefined) throw new Unfulfilled('a Pet', fault, exchange);
  }
}
