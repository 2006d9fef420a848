import { isJsonObject, type JsonObject, printExactJson } from '../../common/exact-json.ts';
import { invalidAnimals } from '../../fixtures/invalid-animals.ts';
import type { Check } from '../check.ts';
import {
  type AnimalOptions,
  addAnimal,
  type Context,
  createNewPet,
  findCategory,
  findKnownCategory,
  isWhole,
  LONGEST_LIST,
  listAnimals,
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
  'ﬁ½ line\nbreak\ttab',
  `long ${'x'.repeat(300)}`,
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
  await expectSomeKept(context, pets, ['name', 'categoryId', 'status']);
}

/** A deployment may refuse names and categories for reasons of its own; what it accepts it has to keep. */
async function expectKept(
  context: Context,
  sent: JsonObject,
  fields: readonly string[],
  isReadBack: boolean,
): Promise<boolean> {
  const exchange = await post(context, sent);
  const pet = readJson(exchange);
  if (exchange.response?.status !== 201 || pet === undefined || !isJsonObject(pet)) return false;
  for (const field of fields) {
    if (sent[field] !== undefined && pet[field] !== sent[field]) {
      throw new Unfulfilled(`the ${field} ${show(sent[field])}`, show(pet[field]), exchange);
    }
  }
  if (isReadBack && typeof pet.id === 'bigint') await expectReadBack(context, sent, pet.id, fields);
  return true;
}

/** What is not found by its id, or has that of another animal, is another clause's. */
async function expectReadBack(
  context: Context,
  sent: JsonObject,
  id: bigint,
  fields: readonly string[],
): Promise<void> {
  const { client } = context;
  const twins = client.journal.filter((other) => isAddition(other) && idOf(other) === id);
  if (twins.length > 1 || listedBeforeAdding(context).has(id)) return;
  const exchange = await client.send({ path: `/pets/${id}` });
  const pet = readJson(exchange);
  if (exchange.response?.status !== 200 || pet === undefined || !isJsonObject(pet) || pet.id !== id) return;
  if (!fields.includes('name') && pet.name !== sent.name) return;
  const field = fields.find((name) => sent[name] !== undefined && pet[name] !== sent[name]);
  if (field === undefined) return;
  throw new Unfulfilled(`the ${field} ${show(sent[field])} by its id`, show(pet[field]), exchange);
}

async function expectTexts(context: Context): Promise<void> {
  const pets = await Promise.all(texts.map((text) => createNewPet(context, text)));
  const [first] = pets;
  const indented = first === undefined ? [] : [{ ...first, name: ` ${first.name}` }];
  await expectSomeKept(context, [...pets, ...indented], ['name']);
}

async function expectInt64s(context: Context): Promise<void> {
  const pets = INT64S.map((categoryId) => createNewPet(context, 'int64', { categoryId, status: 'sold' }));
  await expectSomeKept(context, await Promise.all(pets), ['categoryId']);
}

async function expectStatuses(context: Context): Promise<void> {
  const pets: JsonObject[] = [];
  for (const status of statuses) pets.push(await createNewPet(context, status, { status }));
  await addAnimal(context, 'without a status');
  for (const pet of pets) {
    const exchange = await post(context, pet);
    // The same animal without a status has been accepted.
    if (exchange.response?.status === 400 || exchange.response?.status === 422)
      throw new Unfulfilled(`201 to the status ${show(pet.status)}`, outcomeOf(exchange), exchange);
  }
  await expectSomeKept(context, pets, ['status']);
}

async function expectSomeKept(
  context: Context,
  pets: readonly JsonObject[],
  fields: readonly string[],
  // A status may have changed by the time that it is read.
  isReadBack = !fields.includes('status'),
): Promise<void> {
  let kept = 0;
  for (const pet of pets) if (await expectKept(context, pet, fields, isReadBack)) kept += 1;
  if (kept === 0) throw new Untried(`no animal with such a ${fields.join(', ')} was accepted`);
}

async function expectUniqueIds(context: Context): Promise<void> {
  const pet = await createNewPet(context, 'at once');
  // Before any was added, if other checks have listed animals then.
  const listed = listedBeforeAdding(context);
  const exchanges = await Promise.all(Array.from({ length: 4 }, () => post(context, pet)));
  // One after the other as well: all that this run has added, but for those that came with an id.
  const added = context.client.journal.filter(
    (exchange) => isAddition(exchange) && !exchange.request.body?.includes('"id"'),
  );
  const known = [...new Set([...exchanges, ...added])].map(idOf).filter((id) => id !== undefined);
  const taken = known.find((id) => listed.has(id));
  if (taken !== undefined) throw new Unfulfilled('a new id', `that of an animal in the list, ${show(taken)}`);
  if (known.length < 2) throw new Untried('no two animals could be added');
  if (new Set(known).size < known.length)
    throw new Unfulfilled('an id of its own for each animal', show(known), exchanges[0]);
}

function isAddition({ request, response }: Exchange): boolean {
  return request.method === 'POST' && response?.status === 201;
}

function idOf(exchange: Exchange): bigint | undefined {
  const value = readJson(exchange);
  return value !== undefined && isJsonObject(value) && typeof value.id === 'bigint' ? value.id : undefined;
}

/** The ids of the lists that were answered before this run added its first animal. */
function listedBeforeAdding({ client }: Context): ReadonlySet<bigint> {
  const first = client.journal.findIndex(isAddition);
  const before = client.journal.slice(0, first === -1 ? undefined : first).map(readJson);
  const animals = before.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return new Set(animals.map(({ id }) => id).filter((id) => typeof id === 'bigint'));
}

async function expectAssignedId(context: Context): Promise<void> {
  const taken = await addAnimal(context, 'before');
  const next = await addAnimal(context, 'after');
  if (typeof taken.id !== 'bigint' || taken.id === next.id) throw new Untried('the service assigns no ids');
  const sent = { ...(await createNewPet(context, 'own id')), id: taken.id };
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
  let isTried = false;
  const kinds: readonly AnimalOptions[] = [{ status: 'sold' }, {}];
  for (const options of kinds) {
    const pet = await addAnimal(context, `stored ${options.status ?? ''}.`, options);
    const filters = ['', ...(typeof pet.status === 'string' ? [`&status=${pet.status}`] : [])];
    for (const filter of filters) isTried = (await expectListed(context, pet, filter)) || isTried;
  }
  if (!isTried) throw new Untried('the list is too long to show every animal');
}

/** Whether a list could tell. What has no int64 for an id, which is another clause's, is looked for by its name. */
async function expectListed(context: Context, pet: JsonObject, filter: string): Promise<boolean> {
  const list = await listAnimals(context, `?limit=${LONGEST_LIST}${filter}`);
  const isIt = ({ id, name }: JsonObject) =>
    typeof id === 'bigint' && typeof pet.id === 'bigint' ? id === pet.id : name === pet.name;
  const found = list.find(isIt);
  const twin = list.find(({ id, name }) => name === pet.name && typeof id === 'bigint' && id !== found?.id);
  if (found !== undefined && twin !== undefined)
    throw new Unfulfilled('the animal once in the list', `${show(found.id)} and ${show(twin.id)}`);
  if (found === undefined && !(await isComplete(context, list, filter))) return false;
  if (found === undefined)
    throw new Unfulfilled(`the animal ${show(pet.id)} in the list`, 'a list without it');
  for (const field of ['name', 'categoryId', 'status']) {
    if (found[field] === pet[field] || (pet[field] === undefined && pet.name === found.name)) continue;
    throw new Unfulfilled(`the ${field} ${show(pet[field])} in the list`, show(found[field]));
  }
  return true;
}

/** A list that was cut short does not grow when there is one animal more. */
async function isComplete(context: Context, list: readonly JsonObject[], filter: string): Promise<boolean> {
  const all = await listAnimals(context, `?limit=${LONGEST_LIST}`);
  if (isWhole(list, all)) return true;
  if (filter !== '' || list.length >= LONGEST_LIST) return false;
  await addAnimal(context, 'one more', { status: 'available' });
  return (await listAnimals(context, `?limit=${LONGEST_LIST}`)).length > list.length;
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

/** Each body has one thing wrong, and a name by which its animal would be found. */
async function expectNothingAdded(context: Context): Promise<void> {
  const categoryId = await findCategory(context);
  const name = (what: string) => `"name":"${context.prefix} refused ${what}"`;
  const bodies = [
    `{${name('without a category')},"status":"sold"}`,
    `{${name('for its category')},"categoryId":"${categoryId}","status":"sold"}`,
    `{${name('for its status')},"categoryId":${categoryId},"status":"lost"}`,
    `[{${name('as an array')},"categoryId":${categoryId},"status":"sold"}]`,
    `{${name('as malformed')},"categoryId":${categoryId},"status":"sold"`,
  ];
  await expectUnknown(
    context,
    bodies.map((body) => ({ body })),
    ({ response }) => response?.status === 400,
  );
}

async function expectNothingAddedWithoutKey(context: Context): Promise<void> {
  const name = `${context.prefix} without key`;
  const body = printExactJson({ name, categoryId: await findCategory(context), status: 'sold' });
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
  const refused: Exchange[] = [];
  for (const request of requests) {
    const exchange = await context.client.send({ method: 'POST', path: '/pets', ...request });
    if (isMeant(exchange)) refused.push(exchange);
  }
  if (refused.length === 0) throw new Untried('no such request was refused');
  const isRefused = ({ name }: JsonObject) =>
    typeof name === 'string' && refused.some(({ request }) => request.body?.includes(`"${name}"`));
  const { found, isComplete } = await searchAnimals(context, isRefused, 'sold');
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
