import { type ExactJson, type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { addAnimal, createNewPet, findCategory } from '../core/additions.ts';
import type { Check } from '../core/check.ts';
import type { Context } from '../core/context.ts';
import type { Exchange, SuiteRequest } from '../core/exchange.ts';
import { searchAnimals } from '../core/lists.ts';
import { readAnimal, readSent } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { showValue } from '../core/show-value.ts';

/** What is no NewPet, or comes without a key, adds nothing. Source: POST /pets */
export const addedNothingChecks: readonly Check[] = [
  { clause: 'create-pet/refused-adds-nothing', needs: ['writes'], run: expectNothingAdded },
  { clause: 'create-pet/unauthorized-adds-nothing', needs: ['writes'], run: expectNothingAddedWithoutKey },
];

/** Each body has one thing wrong, and a name by which its animal would be found. */
async function expectNothingAdded(context: Context): Promise<void> {
  const categoryId = await findCategory(context);
  // Categories that no other animal has, nor one of another run, for those without a name to be found by.
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
  ];
  await expectUnknown(
    context,
    bodies.map((body) => ({ body })),
    ({ response }) => response?.status === 400,
  );
}

async function expectNothingAddedWithoutKey(context: Context): Promise<void> {
  const keys = [undefined, 'Bearer contract-test-invalid-key'];
  const requests = await Promise.all(
    keys.map(async (authorization) => {
      const pet = await createNewPet(context, 'without the right key', { status: 'sold' });
      return { body: printExactJson(pet), authorization };
    }),
  );
  // Whatever it was answered.
  await expectUnknown(context, requests, () => true);
}

/** Sends requests that are to be refused, and looks for an animal of theirs. */
async function expectUnknown(
  context: Context,
  requests: readonly { readonly body: string; readonly authorization?: string | undefined }[],
  isMeant: (exchange: Exchange) => boolean,
): Promise<void> {
  const before = await addAnimal(context, 'before refusals').catch(() => undefined);
  const refused: Exchange[] = [];
  for (const request of requests) {
    const exchange = await context.client.send({ method: 'POST', path: '/pets', ...request });
    if (isMeant(exchange)) refused.push(exchange);
  }
  if (refused.length === 0) throw new Skipped('no such request was refused');
  const after = before && (await addAnimal(context, 'after refusals').catch(() => undefined));
  const isRefused = (animal: JsonObject) =>
    refused.some(({ request }) => isOf(animal, request, context.prefix));
  const between = await findBetween(context, before?.id, after?.id);
  const { found, isComplete } = await searchAnimals(context, isRefused);
  const [added] = [...(between ?? []).filter(isRefused), ...found];
  if (added !== undefined)
    throw new Failed(
      'no animal added',
      `the animal ${showValue(added.id)} with the name ${showValue(added.name)}`,
      refused.find(({ request }) => isOf(added, request, context.prefix)),
    );
  if (!isComplete && between === undefined) throw new Skipped('the list is too long to show every animal');
}

/** Whether an animal is what a request asked for: it has its name or, where it has none, its category. */
function isOf({ name, categoryId }: JsonObject, request: SuiteRequest, prefix: string): boolean {
  const sent = readSent(request);
  const isOurs = typeof name === 'string' && name.startsWith(prefix);
  if (isOurs && request.body?.includes(`"${name}"`)) return true;
  return (
    typeof sent.name !== 'string' && typeof sent.categoryId === 'bigint' && sent.categoryId === categoryId
  );
}

/** The most ids that are looked at between two. */
const MOST_BETWEEN = 20;

/** The animals between two ids, if ids are given one after the other. @returns undefined when they are not. */
async function findBetween(
  { client }: Context,
  first: ExactJson | undefined,
  last: ExactJson | undefined,
): Promise<readonly JsonObject[] | undefined> {
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return undefined;
  const count = Number(last - first) - 1;
  if (count < 0 || count > MOST_BETWEEN) return undefined;
  const animals: JsonObject[] = [];
  for (let id = first + 1n; id < last; id += 1n) {
    const animal = readAnimal(await client.send({ path: `/pets/${id}` }));
    if (animal !== undefined) animals.push(animal);
  }
  return animals;
}
