import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../mock/index.ts';
import { callCommand } from '../tools/testing/call-command.ts';
import { addFilter, type WrittenContract } from '../tools/testing/change-contract.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import { createEntry, printHar } from '../tools/testing/create-har.ts';
import { startCheckedProxy } from './index.ts';
import { runProxy } from './run-proxy.ts';
import { createDraft } from './testing/create-draft.ts';
import { answerJson, startUpstream } from './testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key' };
const json = { ...headers, 'Content-Type': 'application/json' };
const list = '/pets';
const one = '/pets/{petId}';

type Change = (contract: WrittenContract) => void;

/** Adds a member that animals must have. */
const addWeight: Change = ({ components: { schemas } }) => {
  for (const name of ['NewPet', 'Pet']) {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    Object.assign(properties as object, { weight: { type: 'number' } });
    (required as string[]).push('weight');
  }
};

const addNameFilter: Change = (contract) => addFilter(contract, 'name');

const addDelete: Change = ({ paths }) => {
  const { parameters, responses } = paths[one]?.get ?? {};
  const { 200: _, ...refusals } = responses as Record<string, object>;
  const answers = { 204: { description: 'Removed.' }, ...refusals };
  Object.assign(paths[one] ?? {}, { delete: { operationId: 'deletePet', parameters, responses: answers } });
};

const addReserved: Change = ({ components }) => {
  components.schemas.PetStatus = { type: 'string', enum: ['available', 'pending', 'sold', 'reserved'] };
};

const raiseLimit: Change = ({ paths }) => {
  const [limit] = (paths[list]?.get?.parameters ?? []) as { schema: object }[];
  if (limit !== undefined) limit.schema = { type: 'integer', minimum: 1, maximum: 200, default: 50 };
};

const addHeaders: Change = ({ paths }) => {
  const schema = { type: 'integer' };
  const { parameters, responses } = paths[list]?.get ?? {};
  Object.assign((responses as Record<string, object>)[200] ?? {}, {
    headers: { 'X-Total': { required: true, schema } },
  });
  (parameters as object[]).push({ name: 'X-Store', in: 'header', schema });
};

/** Lets an animal be sent in another media type, or range of media types. */
const addMediaType =
  (type: string, schema: object): Change =>
  ({ paths }) => {
    const { requestBody } = paths[list]?.post ?? {};
    Object.assign((requestBody as { content: object }).content, { [type]: { schema } });
  };

/** Starts a checked proxy with a draft in front of a mock. */
async function startWith(change: Change) {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(() => mock.close());
  const contract = createDraft(change);
  const proxy = await startCheckedProxy({ upstream: mock.url, contract });
  onTestFinished(() => proxy.close());
  const send = (path: string, init: RequestInit = {}) => fetch(`${proxy.url}${path}`, { headers, ...init });
  const listFound = () =>
    proxy
      .readFindings()
      .violations.map(({ severity, operationId, place, rule }) =>
        [severity, operationId ?? '-', place, rule].join(' '),
      );
  return { ...proxy, send, listFound };
}

const create = (pet: object): RequestInit => ({ method: 'POST', headers: json, body: JSON.stringify(pet) });
const rex = { name: 'Rex', categoryId: 1 };

test('a member that the draft requires is missed in requests and responses, and no other one', async () => {
  const { send, listFound } = await startWith(addWeight);
  await send('/pets?limit=1');
  await send('/pets', create({ ...rex, weight: 3.5 }));
  await send('/pets', create(rex));
  expect(listFound().toSorted()).toEqual([
    'error createPet request.body.weight required',
    // The mock does not require it.
    'error createPet response not-refused',
    'error createPet response.body.weight required',
    'error listPets response.body.*.weight required',
  ]);
});

type Checked = [
  title: string,
  change: Change,
  path: string,
  init: RequestInit,
  before: string[],
  after: string[],
];

test.for<Checked>([
  [
    'parameter',
    addNameFilter,
    '/pets?name=Rex',
    {},
    ['warning listPets request.query.name unknown-parameter'],
    // The mock does not filter by it.
    ['error listPets response.body.*.name list-pets/filters'],
  ],
  [
    'operation',
    addDelete,
    '/pets/1',
    { method: 'DELETE' },
    ['warning - request unknown-method'],
    ['warning deletePet response undocumented-status'],
  ],
  [
    'status of an animal',
    addReserved,
    '/pets?status=reserved',
    {},
    ['error listPets request.query.status enum'],
    [],
  ],
  [
    'header',
    addHeaders,
    '/pets',
    { headers: { ...headers, 'X-Store': 'north' } },
    [],
    ['error listPets request.header.x-store type', 'error listPets response.header.x-total required'],
  ],
  [
    'form',
    addMediaType('application/x-www-form-urlencoded', { $ref: '#/components/schemas/NewPet' }),
    '/pets',
    { method: 'POST', headers, body: new URLSearchParams({ name: 'Rex', categoryId: 'dogs' }) },
    ['error createPet request.headers.content-type media-type'],
    ['error createPet request.body.categoryId type'],
  ],
  [
    'range of media types',
    addMediaType('text/*', { type: 'string' }),
    '/pets',
    { method: 'POST', headers: { ...headers, 'Content-Type': 'text/csv' }, body: 'Rex,1' },
    ['error createPet request.headers.content-type media-type'],
    [],
  ],
  ...([1_000, 1_001] as const).map(
    (length): Checked => [
      `text of ${length} bytes`,
      addMediaType('text/csv', { type: 'string' }),
      '/pets',
      { method: 'POST', headers: { ...headers, 'Content-Type': 'text/csv' }, body: 'x'.repeat(length) },
      ['error createPet request.headers.content-type media-type'],
      // Prism gets no more than the first bytes.
      length === 1_000 ? [] : ['error createPet request.body unchecked-body'],
    ],
  ),
  [
    'media type outside a range',
    addMediaType('text/*', { type: 'string' }),
    '/pets',
    { method: 'POST', headers: { ...headers, 'Content-Type': 'application/csv' }, body: 'Rex,1' },
    ['error createPet request.headers.content-type media-type'],
    ['error createPet request.headers.content-type media-type'],
  ],
  ['larger limit', raiseLimit, '/pets?limit=150', {}, ['error listPets request.query.limit maximum'], []],
])('a %s is checked as the draft has it', async ([, change, path, init, before, after]) => {
  const usual = await startWith(() => {});
  const draft = await startWith(change);
  await usual.send(path, init);
  await draft.send(path, init);
  expect([usual.listFound(), draft.listFound()]).toEqual([before, after]);
});

test('a fixed path comes before one with a parameter, and an added HEAD before GET', async () => {
  const responses = { 200: { description: 'Found.' } };
  const { send, readFindings } = await startWith(({ paths }) => {
    paths['/pets/search'] = { get: { operationId: 'searchPets', responses } };
    Object.assign(paths[list] ?? {}, { head: { operationId: 'countPets', responses } });
  });
  await send('/pets/search');
  await send('/pets/1');
  await send('/pets', { method: 'HEAD' });
  await send('/pets/1', { method: 'HEAD' });
  await send('/pets');
  const { operations, coverage } = readFindings();
  const counts = operations.map(({ operationId, exchanges }) => [operationId, exchanges]);
  const expected = { searchPets: 1, getPet: 2, countPets: 1, listPets: 1 };
  expect(Object.fromEntries(counts)).toMatchObject(expected);
  expect(coverage).toMatchObject({ getPet: 1, countPets: 1, listPets: 1 });
});

test('a parameter without a value has the type of the draft in its message', async () => {
  const { send, readFindings } = await startWith((draft) => {
    addNameFilter(draft);
    addFilter(draft, 'categoryId');
  });
  await send('/pets?name=&categoryId=');
  const empty = readFindings().violations.filter(({ rule }) => rule === 'empty-parameter');
  expect(empty.map(({ message }) => message)).toEqual([
    'name is empty. Leave the parameter out, or send a string',
    'categoryId is empty. Leave the parameter out, or send an integer',
  ]);
});

test('rules for lists follow the limits and statuses of the draft', async () => {
  const animal = (id: number) => ({ id, name: 'Rex', categoryId: 1, status: 'available' });
  const answer = (length: number) => JSON.stringify(Array.from({ length }, (_, id) => animal(id)));
  const lengths = { '?limit=150': 151, '?status=reserved': 1 };
  const upstream = await startUpstream((request, response) => {
    const [, length = 51] = Object.entries(lengths).find(([query]) => request.url?.endsWith(query)) ?? [];
    answerJson(answer(length))(request, response);
  });
  const contract = createDraft((draft) => {
    raiseLimit(draft);
    addReserved(draft);
  });
  const proxy = await startCheckedProxy({ upstream, contract });
  onTestFinished(() => proxy.close());
  for (const query of ['', '?limit=150', '?limit=51', '?status=reserved'])
    await fetch(`${proxy.url}/pets${query}`, { headers });
  const rules = proxy.readFindings().violations.map(({ rule, received }) => `${rule}, ${received}`);
  expect(rules.toSorted()).toEqual([
    'list-pets/filters, "available"',
    'list-pets/limit-default, an array of 51',
    'list-pets/limit-is-a-maximum, an array of 151',
  ]);
});

test('the coverage counts added operations, parameters, statuses and members', async () => {
  const { send, readFindings } = await startWith((draft) => {
    addDelete(draft);
    addNameFilter(draft);
    addFilter(draft, 'categoryId');
    addReserved(draft);
  });
  await send('/pets/1', { method: 'DELETE' });
  await send('/pets?categoryId=dogs');
  await send('/pets?name=Rex&status=reserved');
  const { coverage, contract } = readFindings();
  expect(coverage).toMatchObject({
    deletePet: 1,
    'deletePet:204': 0,
    'listPets?name': 1,
    // Its value is invalid.
    'listPets?categoryId': 0,
    'listPets?status=reserved': 1,
    'createPet.status=reserved': 0,
  });
  expect(contract).toMatch(/openapi-next\.yaml$/);
});

const createFile = (text: string) => join(createFolder({ 'next.yaml': text }), 'next.yaml');

const run = (argv: readonly string[]) => callCommand('animal-store-proxy', runProxy, argv);

test('check reads a HAR file with the draft, and every report names the file', async () => {
  const contract = createDraft(addWeight);
  const answered = '[{"id":1,"name":"Rex","categoryId":2}]';
  const har = printHar([createEntry({ answered })]);
  const folder = createFolder({ 'traffic.har': har });
  const [file = '', xml = '', report = ''] = ['traffic.har', 'r.xml', 'r.json'].map((name) =>
    join(folder, name),
  );
  const usual = await run(['check', file, '--fail-on', 'error']);
  expect(usual.exitCode).toBe(0);
  expect(usual.stdout).not.toContain('draft');
  const draft = await run(['check', file, '--contract', contract, '--fail-on', 'error', '--report', xml]);
  expect(draft.exitCode).toBe(1);
  expect(draft.stdout).toContain('response.body.*.weight  required');
  expect(draft.stdout).toContain(`1 violation in 1 exchange by the draft ${contract}\n`);
  expect(readFileSync(xml, 'utf8')).toContain(`, by the draft ${contract}"`);
  await run(['check', file, '--contract', contract, '--report', report]);
  expect(JSON.parse(readFileSync(report, 'utf8')).contract).toBe(contract);
});

test('--require takes the parts of the draft', async () => {
  const contract = createDraft(addDelete);
  const folder = createFolder({ 'traffic.har': printHar([createEntry({ answered: '[]' })]) });
  const file = join(folder, 'traffic.har');
  const required = await run(['check', file, '--contract', contract, '--require', 'deletePet:204']);
  expect(required.stdout).toContain('Failed: not reached: deletePet:204 (--require).');
  expect(required.exitCode).toBe(1);
  const unknown = await run(['check', file, '--require', 'deletePet:204']);
  expect(unknown.stderr).toContain(
    '--require must be parts such as listPets,createPet:400, not "deletePet:204"',
  );
  expect(unknown.exitCode).toBe(2);
});

const age = (schema: object): string =>
  createDraft(({ components }) =>
    Object.assign(components.schemas.NewPet?.properties ?? {}, { age: schema }),
  );

test.for<[title: string, create: () => string, reason: string]>([
  ['that does not exist', () => '/nowhere/next.yaml', ' could not be read: no such file'],
  ['that is malformed', () => createFile('paths: a: b'), ' cannot be used. Nested mappings are not allowed'],
  [
    'that is no contract',
    () => createFile('Hello'),
    ' cannot be used. It is no OpenAPI document, because it has no paths.',
  ],
  [
    'whose paths are empty',
    () => createFile('openapi: 3.0.3\npaths:'),
    ' cannot be used. It is no OpenAPI document, because it has no paths.',
  ],
  [
    'of Swagger 2.0',
    () => createFile('swagger: "2.0"\npaths: { /pets: { get: { operationId: listPets } } }'),
    ' cannot be used. It must have "openapi: 3.0" or "3.1", and has "swagger: 2.0".',
  ],
  [
    'without an operation',
    () => createFile('openapi: 3.0.3\npaths: {}'),
    ' cannot be used. It has no operation, so that it would check nothing.',
  ],
  [
    'with an empty operation',
    () => createFile('openapi: 3.0.3\npaths: { /pets: { get: } }'),
    ' cannot be used. GET /pets must be an object, not null.',
  ],
  [
    'with two operations of one name',
    () =>
      createDraft(({ paths }) =>
        Object.assign(paths['/pets/{petId}']?.get ?? {}, { operationId: 'listPets' }),
      ),
    ' cannot be used. GET /pets and GET /pets/{petId} have the same operationId, listPets, by which reports name them.',
  ],
  [
    'with an operation without a name',
    () => createDraft(({ paths }) => delete paths[list]?.get?.operationId),
    ' cannot be used. GET /pets needs an operationId, because reports name it by that.',
  ],
  [
    'with a path without a slash',
    () => createDraft(({ paths }) => Object.assign(paths, { 'pets/{petId': {} })),
    ' cannot be used. The path pets/{petId does not begin with a slash.',
  ],
  [
    'with a reference to nothing',
    () => age({ $ref: '#/components/schemas/Age' }),
    ' cannot be used. #/components/schemas/NewPet/properties/age refers to #/components/schemas/Age, which does not exist.',
  ],
  [
    'whose references grow without end',
    () =>
      createDraft(({ components: { schemas } }) => {
        const references = (level: number) => Array(2).fill({ $ref: `#/components/schemas/L${level}` });
        for (let level = 0; level < 20; level += 1) schemas[`L${level}`] = { allOf: references(level + 1) };
        schemas.L20 = { type: 'object' };
      }),
    ' cannot be used. With its references replaced it would have more than 100000 parts.',
  ],
  [
    'with required as OpenAPI 2 has it',
    () => age({ type: 'object', required: true, properties: { years: {} } }),
    ' cannot be used as the contract. createPet: schema is invalid: data/properties/age/required must be array',
  ],
  [
    'with a reference to another file',
    () => age({ $ref: 'age.yaml#/Age' }),
    ' cannot be used as the contract. Unable to resolve $ref pointer',
  ],
])('a draft %s ends the command with the reason', async ([, create, reason]) => {
  const file = create();
  const ended = await run(['http://127.0.0.1:9/v1', '--port', '0', '--contract', file]);
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ended.stderr).toContain(`${file}${reason}`);
});
