import { isJsonObject, type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import type { Check } from '../check.ts';
import {
  addAnimal,
  type Context,
  createNewPet,
  findCategory,
  findKnownCategory,
  outcomeOf,
  readJson,
  searchAnimals,
  statuses,
} from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { createBodiesWithFault } from '../generators/no-new-pets.ts';
import { runProperty } from '../generators/run-property.ts';
import { findFault } from '../shapes.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** What comes after the prefix of a name, each for what it might lose. */
const texts = [
  'Zoë Łukasz Ñandú',
  '猫のミケ',
  'כלב ערבי كلب',
  '🐈‍⬛ e\u0301 vs é',
  '<b>"Rex" & \'Co\'</b> \\ / %41 +',
  ' two  spaces ',
];

const INT64S = [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n, 9_007_199_254_740_993n];

/** Bodies that are no JSON object. */
const noObjects = ['', 'null', '[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '1', 'true'];

const malformed = [
  '{',
  '{"name":"Rex","categoryId":1',
  '{"name":"Rex","categoryId":1}}',
  "{'name':'Rex'}",
  '{"name":"Rex",}',
  'Rex',
];

/** What the specification asks of creations. Source: POST /pets */
export const createPetChecks: readonly Check[] = [
  { clause: 'create-pet/success', writes: true, run: expectCreated },
  { clause: 'create-pet/echoes', writes: true, run: expectEcho },
  { clause: 'create-pet/text-exact', writes: true, run: expectTexts },
  { clause: 'create-pet/int64-exact', writes: true, run: expectInt64s },
  { clause: 'create-pet/status-kept', writes: true, run: expectStatuses },
  { clause: 'create-pet/unique-id', writes: true, run: expectUniqueIds },
  { clause: 'create-pet/id-assigned', writes: true, run: expectAssignedId },
  { clause: 'create-pet/stored', writes: true, run: expectStored },
  { clause: 'create-pet/pet', writes: true, isLast: true, run: expectPets },
  ...createRefusalChecks(),
  { clause: 'create-pet/refused-adds-nothing', writes: true, run: expectNothingAdded },
  { clause: 'create-pet/unauthorized-adds-nothing', writes: true, run: expectNothingAddedWithoutKey },
];

function createRefusalChecks(): Check[] {
  const bodies: Readonly<Record<string, readonly string[]>> = {
    'name-required': ['{"categoryId":1}', '{"Name":"Rex","categoryId":1}', '{}'],
    'category-required': ['{"name":"Rex"}', '{"name":"Rex","categoryID":1}'],
    'name-type': bodiesWith('name', 'the name'),
    'category-type': bodiesWith('categoryId', 'the categoryId'),
    'status-value': bodiesWith('status', 'the status'),
    'body-required': noObjects,
    malformed,
  };
  return Object.entries(bodies).map(([name, all]) => ({
    clause: `create-pet/${name}`,
    writes: true,
    run: async (context) => {
      const category = await findKnownCategory(context);
      // With a category that there is, so that just one thing is wrong.
      const toBody = (text: string) =>
        text.replace(/"categoryId":1(?=[,}])/, `"categoryId":${category ?? 1n}`);
      for (const text of all) await expectRefused(context, toBody(text), category);
      const field = madeUp[name];
      if (field === undefined) return;
      const arbitrary = createBodiesWithFault(field, 'Rex', category ?? 1n);
      await runProperty(context.target, arbitrary, (body) => expectRefused(context, body, category));
    },
  }));
}

/** The clauses about a field's value, for which bodies are made up besides. */
const madeUp: Readonly<Record<string, 'name' | 'categoryId' | 'status'>> = {
  'name-type': 'name',
  'category-type': 'categoryId',
  'status-value': 'status',
};

async function expectRefused({ client }: Context, body: string, category: bigint | undefined): Promise<void> {
  const exchange = await client.send({ method: 'POST', path: '/pets', body });
  // A fault of the server, or no answer, is another clause's.
  if (isServerFault(exchange)) return;
  const isPerhapsUnknown = category === undefined && /"categoryId":1[,}]/.test(body);
  if (isPerhapsUnknown && [404, 409, 422].includes(exchange.response?.status ?? 0)) {
    throw new Untried('it may be refused for its category: name one that there is (--category-id)');
  }
  if (exchange.response?.status !== 400) throw new Unfulfilled('400', outcomeOf(exchange), exchange);
}

function bodiesWith(field: string, what: string): string[] {
  return invalidAnimals
    .filter(({ why, fields }) => fields.length === 1 && fields[0] === field && why.startsWith(what))
    .map(({ json }) => json);
}

function isServerFault({ response }: Exchange): boolean {
  return response === undefined || response.status >= 500;
}

async function post({ client }: Context, pet: JsonObject): Promise<Exchange> {
  return client.send({ method: 'POST', path: '/pets', body: printExactJson(pet) });
}

/** What is said about names and categories leaves a deployment free to refuse some of them. */
async function expectCreated(context: Context): Promise<void> {
  const category = await findKnownCategory(context);
  let refused: Exchange | undefined;
  for (const name of [`${context.prefix} first`, 'contract-test', 'Rex']) {
    const exchange = await post(context, { name, categoryId: category ?? 1n });
    const status = exchange.response?.status ?? 0;
    if (status === 201) return;
    if (status < 400 || status === 401 || status >= 500)
      throw new Unfulfilled('201', outcomeOf(exchange), exchange);
    refused ??= exchange;
  }
  if (category === undefined)
    throw new Untried('it was refused, perhaps for its category: name one that there is (--category-id)');
  throw new Unfulfilled('201', refused === undefined ? 'none' : outcomeOf(refused), refused);
}

async function expectEcho(context: Context): Promise<void> {
  const pets = [
    await createNewPet(context, 'echo'),
    await createNewPet(context, 'echo 2', { status: 'pending' }),
  ];
  await expectSomeKept(context, pets, 'name', 'categoryId', 'status');
}

/** A deployment may refuse names and categories for reasons of its own; what it accepts it has to keep. */
async function expectKept(context: Context, sent: JsonObject, fields: readonly string[]): Promise<boolean> {
  const exchange = await post(context, sent);
  const pet = readJson(exchange);
  if (exchange.response?.status !== 201 || pet === undefined || !isJsonObject(pet)) return false;
  for (const field of fields) {
    if (sent[field] !== undefined && pet[field] !== sent[field]) {
      throw new Unfulfilled(`the ${field} ${show(sent[field])}`, show(pet[field]), exchange);
    }
  }
  return true;
}

async function expectTexts(context: Context): Promise<void> {
  await expectSomeKept(context, await Promise.all(texts.map((text) => createNewPet(context, text))), 'name');
}

async function expectInt64s(context: Context): Promise<void> {
  const pets = INT64S.map((categoryId) => createNewPet(context, 'int64', { categoryId }));
  await expectSomeKept(context, await Promise.all(pets), 'categoryId');
}

async function expectStatuses(context: Context): Promise<void> {
  const pets: JsonObject[] = [];
  for (const status of statuses) pets.push(await createNewPet(context, status, { status }));
  await expectSomeKept(context, pets, 'status');
}

async function expectSomeKept(
  context: Context,
  pets: readonly JsonObject[],
  ...fields: string[]
): Promise<void> {
  let kept = 0;
  for (const pet of pets) if (await expectKept(context, pet, fields)) kept += 1;
  if (kept === 0) throw new Untried(`no animal with such a ${fields.join(', ')} was accepted`);
}

async function expectUniqueIds(context: Context): Promise<void> {
  const pet = await createNewPet(context, 'at once');
  const exchanges = await Promise.all(Array.from({ length: 4 }, () => post(context, pet)));
  const ids = exchanges
    .map(readJson)
    .map((value) => (value !== undefined && isJsonObject(value) ? value.id : undefined));
  const known = ids.filter((id) => typeof id === 'bigint');
  if (known.length < 2) throw new Untried('no two animals could be added');
  if (new Set(known).size < known.length)
    throw new Unfulfilled('an id of its own for each animal', show(known), exchanges[0]);
}

async function expectAssignedId(context: Context): Promise<void> {
  const taken = await addAnimal(context, 'before');
  const sent = { ...(await createNewPet(context, 'own id')), id: taken.id ?? 1n };
  const exchange = await post(context, sent);
  const pet = readJson(exchange);
  if (exchange.response?.status !== 201 || pet === undefined || !isJsonObject(pet)) return;
  if (pet.id === taken.id)
    throw new Unfulfilled('another id than that of an animal that there is', show(pet.id), exchange);
  const far = { ...(await createNewPet(context, 'own id')), id: 8_123_456_789_012_345_678n };
  const other = await post(context, far);
  const answered = readJson(other);
  const hasItsId = answered !== undefined && isJsonObject(answered) && answered.id === far.id;
  if (hasItsId) throw new Unfulfilled('an id of the service', show(far.id), other);
}

async function expectStored(context: Context): Promise<void> {
  const pet = await addAnimal(context, 'stored', { status: 'sold' });
  const { found, isComplete } = await searchAnimals(context, ({ id }) => id === pet.id, 'sold');
  if (found.length > 0) return;
  if (!isComplete) throw new Untried('the list is too long to show every animal');
  throw new Unfulfilled(`the animal ${show(pet.id)} in the list`, 'lists without it');
}

/** Looks at every creation that any check was answered with. */
async function expectPets({ client }: Context): Promise<void> {
  const created = client.journal.filter(
    ({ request, response }) =>
      request.method === 'POST' && request.path === '/pets' && response?.status === 201,
  );
  if (created.length === 0) throw new Untried('no animal could be added');
  for (const exchange of created) {
    const pet = readJson(exchange);
    const fault = pet === undefined ? 'no JSON' : findFault('Pet', pet);
    if (fault !== undefined) throw new Unfulfilled('a Pet', fault, exchange);
  }
}

/** Each body has one thing wrong, and a name by which its animal would be found. */
async function expectNothingAdded(context: Context): Promise<void> {
  const categoryId = await findCategory(context);
  const name = `${context.prefix} refused`;
  const bodies = [
    `{"name":"${name}","status":"sold"}`,
    `{"name":"${name}","categoryId":"${categoryId}","status":"sold"}`,
    `{"name":"${name}","categoryId":${categoryId},"status":"lost"}`,
    `[{"name":"${name}","categoryId":${categoryId},"status":"sold"}]`,
    `{"name":"${name}","categoryId":${categoryId},"status":"sold"`,
  ];
  await expectUnknown(
    context,
    bodies.map((body) => ({ body })),
    name,
    ({ response }) => response?.status === 400,
  );
}

async function expectNothingAddedWithoutKey(context: Context): Promise<void> {
  const name = `${context.prefix} without key`;
  const body = printExactJson({ name, categoryId: await findCategory(context), status: 'sold' });
  const keys = [undefined, 'Bearer contract-test-invalid-key'];
  const requests = keys.map((authorization) => ({ body, authorization }));
  await expectUnknown(context, requests, name, ({ response }) => response?.status === 401);
}

/** Sends requests that are to be refused, and looks for an animal of theirs. */
async function expectUnknown(
  context: Context,
  requests: readonly { readonly body: string; readonly authorization?: string | undefined }[],
  name: string,
  isRefused: (exchange: Exchange) => boolean,
): Promise<void> {
  const refused: Exchange[] = [];
  for (const request of requests) {
    const exchange = await context.client.send({ method: 'POST', path: '/pets', ...request });
    if (isRefused(exchange)) refused.push(exchange);
  }
  if (refused.length < requests.length) throw new Untried('not every request was refused');
  const { found, isComplete } = await searchAnimals(context, (animal) => animal.name === name, 'sold');
  if (found.length > 0)
    throw new Unfulfilled('no animal added', `the animal ${show(found[0]?.id)}`, refused[0]);
  if (!isComplete) throw new Untried('the list is too long to show every animal');
}

function show(value: unknown): string {
  return typeof value === 'bigint'
    ? String(value)
    : (JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ??
        'nothing');
}
