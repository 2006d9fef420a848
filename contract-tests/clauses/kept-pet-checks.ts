import { type JsonObject, printExactJson } from '../../common/exact-json.ts';
import {
  addAnimal,
  createNewPet,
  findCategory,
  isAddition,
  ownAdditions,
  postAnimal,
} from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import { type Context, statuses } from '../core/context.ts';
import type { Exchange } from '../core/exchange.ts';
import { toOtherJson } from '../core/other-json.ts';
import { outcomeOf, readAnimal, readSent } from '../core/read-exchange.ts';
import { Failed, Skipped, Unstable } from '../core/result.ts';
import { showValue } from '../core/show-value.ts';
import { tryAgain } from '../core/try-again.ts';

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

/** What is kept of a NewPet. Source: POST /pets */
export const keptPetChecks: readonly Check[] = [
  { clause: 'create-pet/echoes', needs: ['writes'], run: expectEcho },
  { clause: 'create-pet/text-exact', needs: ['writes'], run: expectTexts },
  { clause: 'create-pet/int64-exact', needs: ['writes'], run: expectInt64s },
  { clause: 'create-pet/status-kept', needs: ['writes'], run: expectStatuses },
];

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
      throw new Failed(`the ${field} ${showValue(sent[field])}`, showValue(pet[field]), exchange);
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
  const Verdict = field === 'status' ? Unstable : Failed;
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
        throw new Failed(`201 to the status ${status}`, outcomeOf(exchange), exchange);
      return expectKept(context, exchange, ['status']);
    }),
  );
}

/** @param isAccepted throws Failed; @throws Skipped when none was accepted. */
async function expectSome<T>(
  items: readonly T[],
  what: string,
  isAccepted: (item: T) => Promise<boolean>,
): Promise<void> {
  let accepted = 0;
  for (const item of items) if (await isAccepted(item)) accepted += 1;
  if (accepted === 0) throw new Skipped(`no ${what} was accepted, which may be lawful`);
}
