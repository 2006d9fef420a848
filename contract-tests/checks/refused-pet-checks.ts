import { type ExactJson, type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import {
  addAnimal,
  createNewPet,
  findCategory,
  findKnownCategory,
  isAddition,
  postAnimal,
} from '../additions.ts';
import type { Check } from '../check.ts';
import { type Context, statuses } from '../context.ts';
import type { Exchange, SuiteRequest } from '../exchange.ts';
import { createBodiesWithFault } from '../generators/no-new-pets.ts';
import { runProperty } from '../generators/run-property.ts';
import { inParallel } from '../in-parallel.ts';
import { searchAnimals } from '../lists.ts';
import { isServerFault, outcomeOf, readAnimal, readSent } from '../read-exchange.ts';
import { showValue } from '../show-value.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** Bodies that are no JSON object. */
const noObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '1', 'true'];

const malformed = [
  ' \n ',
  '{',
  '{"name":"Rex","categoryId":1',
  '{"name":"Rex","categoryId":1}}',
  "{'name':'Rex','categoryId':1}",
  '{"name":"Rex","categoryId":1,}',
  '{"name":"Rex","categoryId":1} Rex',
  '{"name":"Rex","categoryId":1}\n{"name":"Rex","categoryId":1}',
  '{"name":"Rex","categoryId":1,"x":NaN}',
  '{"name":"Rex",/* no */"categoryId":1}',
  '{name:"Rex","categoryId":1}',
  '{"name":"Rex","categoryId":01}',
  '{"name":"R\nex","categoryId":1}',
  'Rex',
];

/** The clauses about a field's value, for which bodies are made up besides. */
const madeUp: Readonly<Record<string, 'name' | 'categoryId' | 'status'>> = {
  'name-type': 'name',
  'category-type': 'categoryId',
  'status-value': 'status',
};

/** What is no NewPet, or comes without a key, adds nothing. Source: POST /pets */
export const refusedPetChecks: readonly Check[] = [
  ...createRefusalChecks(),
  { clause: 'create-pet/refused-adds-nothing', needs: ['writes'], run: expectNothingAdded },
  { clause: 'create-pet/unauthorized-adds-nothing', needs: ['writes'], run: expectNothingAddedWithoutKey },
];

function createRefusalChecks(): Check[] {
  const bodies: Readonly<Record<string, readonly string[]>> = {
    'name-required': [
      '{"categoryId":1}',
      ...statuses.map((status) => `{"categoryId":1,"status":"${status}"}`),
      '{"Name":"Rex","categoryId":1}',
      '{}',
    ],
    'category-required': [
      '{"name":"Rex"}',
      ...statuses.map((status) => `{"name":"Rex","status":"${status}"}`),
      '{"name":"Rex","categoryID":1}',
    ],
    'name-type': bodiesWith('name', 'the name'),
    'category-type': [
      ...bodiesWith('categoryId', 'the categoryId'),
      `{"name":"Rex","categoryId":${'9'.repeat(400)}}`,
    ],
    'status-value': [...bodiesWith('status', 'the status'), '{"name":null,"categoryId":"1","status":"lost"}'],
    'body-required': noObjects,
    malformed,
  };
  return Object.entries(bodies).map(([name, all]) => ({
    clause: `create-pet/${name}`,
    needs: ['writes'],
    run: async (context) => {
      const category = await findKnownCategory(context);
      // With a category that there is, so that just one thing is wrong.
      const toBody = (text: string) =>
        text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
      await inParallel(all.map(toBody), (body) => expectRefused(context, body, category));
      if (name === 'body-required') await expectNeedsBody(context);
      const field = madeUp[name];
      if (field === undefined) return;
      const arbitrary = createBodiesWithFault(field, 'Rex', category ?? 1n);
      await runProperty(context.target, arbitrary, (body) => expectRefused(context, body, category));
    },
  }));
}

/** Which 4xx it is where not even the media type is told, or is another one, is left open. */
async function expectNeedsBody({ client }: Context): Promise<void> {
  for (const sent of [{}, { body: '{}', mediaType: 'text/plain' }]) {
    const exchange = await client.send({ method: 'POST', path: '/pets', ...sent });
    const status = exchange.response?.status ?? 500;
    if (status < 400) throw new Unfulfilled('a 4xx', outcomeOf(exchange), exchange);
  }
}

async function expectRefused(context: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await context.client.send({ method: 'POST', path: '/pets', body });
  // A fault of the server, or no answer, is another clause's.
  if (isServerFault(exchange)) return;
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  const status = exchange.response?.status ?? 0;
  if (isPerhapsUnknown && status !== 401 && status > 400 && status < 500) {
    throw new Untried('it may be refused for its category: name one that there is (--category-id)');
  }
  // How large a body may be is not said either.
  if (status === 400 || (status === 413 && body.length > LARGE_BODY)) return;
  if (status === 403 && !(await canAdd(context))) {
    throw new Untried('every animal is refused with 403: is the key allowed to add any (--read-only)?');
  }
  throw new Unfulfilled('400', outcomeOf(exchange), exchange);
}

/** What a deployment may refuse for its size, in characters. */
const LARGE_BODY = 200;

async function canAdd(context: Context): Promise<boolean> {
  if (context.client.journal.some(isAddition)) return true;
  const exchange = await postAnimal(context, await createNewPet(context, 'allowed'));
  return exchange.response?.status !== 403;
}

function bodiesWith(field: string, what: string): string[] {
  return invalidAnimals
    .filter(({ why, fields }) => fields.length === 1 && fields[0] === field && why.startsWith(what))
    .map(({ json }) => json);
}

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
  const body = printExactJson(await createNewPet(context, 'without key', { status: 'sold' }));
  const keys = [undefined, 'Bearer contract-test-invalid-key'];
  const requests = keys.map((authorization) => ({ body, authorization }));
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
  if (refused.length === 0) throw new Untried('no such request was refused');
  const after = before && (await addAnimal(context, 'after refusals').catch(() => undefined));
  const isRefused = (animal: JsonObject) =>
    refused.some(({ request }) => isOf(animal, request, context.prefix));
  const between = await findBetween(context, before?.id, after?.id);
  const { found, isComplete } = await searchAnimals(context, isRefused);
  const [added] = [...(between ?? []).filter(isRefused), ...found];
  if (added !== undefined)
    throw new Unfulfilled(
      'no animal added',
      `the animal ${showValue(added.id)} with the name ${showValue(added.name)}`,
      refused.find(({ request }) => isOf(added, request, context.prefix)),
    );
  if (!isComplete && between === undefined) throw new Untried('the list is too long to show every animal');
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
