import { type JsonObject, printExactJson } from '../../../common/exact-json.ts';
import {
  addAnimal,
  createNewPet,
  findCategory,
  isAddition,
  ownAdditions,
  postAnimal,
} from '../../core/add-animal.ts';
import { type Context, statuses } from '../../core/context.ts';
import { type Exchange, outcomeOf, readAnimal, readSent } from '../../core/exchange.ts';
import { expectFields, Failed, tryAgain, trySome, Unproven } from '../../core/result.ts';

/** Endings of names, each with something that might get lost. */
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
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a template engine would replace it.
  '$& ${x} {{x}} &amp;',
];

const int64s = [
  ...[0n, -1n, 3_000_000_000n, 2n ** 63n - 1n, -(2n ** 63n)],
  // What a double, or 32 bits, cannot hold.
  ...[2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 32n + 1n],
];

/** Expects an added animal to be returned as it was sent. */
export async function expectEcho(context: Context): Promise<void> {
  const pets = [
    await createNewPet(context, 'echo'),
    await createNewPet(context, 'echo 2', { status: 'pending' }),
  ];
  await trySome(
    pets,
    noneAccepted('animal'),
    async (pet) => {
      const exchange = await postAnimal(context, pet);
      return expectEchoed(exchange, ['name', 'categoryId', 'status']) !== undefined;
    },
    Unproven,
  );
}

/** Expects names to be kept, however their JSON is written. */
export async function expectNames(context: Context): Promise<void> {
  // Sold ones stay in a list where other clauses see them.
  const pets = await Promise.all(
    texts.map((text) => createNewPet(context, text, text.length > 1000 ? {} : { status: 'sold' })),
  );
  const indented = pets.slice(0, 1).map((pet) => ({ ...pet, name: ` ${pet.name}` }));
  const bodies = [
    ...[...pets, ...indented].map(printExactJson),
    printUnusualJson(await createNewPet(context, 'escaped 🐈 é')),
  ];
  await trySome(
    bodies,
    noneAccepted('such name'),
    async (body) =>
      expectKept(context, await context.client.send({ method: 'POST', path: '/pets', body }), ['name']),
    Unproven,
  );
}

/** Expects a categoryId to be kept. */
export async function expectInt64s(context: Context): Promise<void> {
  const pets = int64s.map((categoryId) => createNewPet(context, 'int64', { categoryId, status: 'sold' }));
  await trySome(await Promise.all(pets), noneAccepted('such categoryId'), async (pet) =>
    expectKept(context, await postAnimal(context, pet), ['categoryId']),
  );
}

/** Expects each status to be accepted and kept, where the same animal without a status is accepted. */
export async function expectStatuses(context: Context): Promise<void> {
  // One category and one kind of name, so that nothing but the status can be refused.
  const categoryId = await findCategory(context);
  await addAnimal(context, 'with or without', { categoryId });
  await trySome(
    statuses,
    noneAccepted('animal with a status'),
    (status) =>
      tryAgain(async () => {
        const pet = await createNewPet(context, 'with or without', { status, categoryId });
        const exchange = await postAnimal(context, pet);
        if (exchange.response?.status === 400 || exchange.response?.status === 422) {
          throw new Failed(`201 for the status ${status}`, outcomeOf(exchange), exchange);
        }
        return expectKept(context, exchange, ['status']);
      }),
    Unproven,
  );
}

/** A deployment may refuse names and categories for reasons of its own. */
function noneAccepted(what: string): string {
  return `no ${what} was accepted, which may be conforming`;
}

/** Expects an animal, if it was accepted, to be returned as it was sent. @returns undefined when it was refused. */
function expectEchoed(exchange: Exchange, fields: readonly string[]): JsonObject | undefined {
  const actual = isAddition(exchange) ? readAnimal(exchange) : undefined;
  if (actual === undefined) return undefined;
  const from = readSent(exchange.request);
  const sent = fields.filter((field) => from[field] !== undefined);
  expectFields(exchange, { from, actual, mayChange: [] }, sent);
  return actual;
}

/** Expects an animal, if it was accepted, to be returned and kept as it was sent. @returns whether it was accepted. */
async function expectKept(context: Context, addition: Exchange, fields: readonly string[]): Promise<boolean> {
  const pet = expectEchoed(addition, fields);
  if (typeof pet?.id !== 'bigint' || !ownAdditions(context).has(pet.id)) return pet !== undefined;
  const exchange = await context.client.send({ path: `/pets/${pet.id}` });
  const actual = readAnimal(exchange);
  const from = readSent(addition.request);
  // Wrong and unknown ids are left to get-pet/*, and other animals to create-pet/unique-id.
  if (actual?.id !== pet.id || (!fields.includes('name') && actual.name !== from.name)) return true;
  const sent = fields.filter((field) => from[field] !== undefined);
  expectFields(exchange, { from, actual, where: ' by its id' }, sent);
  return true;
}

/** Prints an animal as JSON with spaces and line breaks, and with escapes for everything that is not ASCII. */
export function printUnusualJson(pet: JsonObject): string {
  const members = Object.entries(pet).map(
    ([key, value]) => `  ${printExactJson(key)} : ${printExactJson(value)}`,
  );
  return `\n{\n${members.join(' ,\n')}\n}\n`.replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
