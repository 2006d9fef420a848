import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type ExactJson,
  isJsonObject,
  type JsonObject,
  parseExactJson,
  printExactJson,
} from '../common/json/exact-json.ts';
import { startMock } from '../mock/index.ts';
import { createDraft, type WrittenContract } from '../tools/testing/create-draft.ts';
import { createFolder } from '../tools/testing/create-folder.ts';
import type { Answer } from './deployments/deployment.ts';
import { createEmpty, createError } from './deployments/replies.ts';
import { startDeployment } from './deployments/run-deployment.ts';
import { CouldNotTell, type Report, verifyDeployment } from './index.ts';
import { runCommand } from './testing/run-suite.ts';

const list = '/pets';
const one = '/pets/{petId}';

type Change = (contract: WrittenContract) => void;

/** Adds a member that animals must have. */
const addWeight: Change = ({ components: { schemas } }) => {
  for (const name of ['NewPet', 'Pet']) {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    Object.assign(properties as object, { weight: { type: 'number', minimum: 0, nullable: true } });
    (required as string[]).push('weight');
  }
};

const addCategory: Change = ({ paths }) => {
  const { parameters = [] } = paths[list]?.get ?? {};
  (parameters as object[]).push({ name: 'categoryId', in: 'query', schema: { type: 'integer', example: 3 } });
};

const addDelete: Change = ({ paths }) => {
  const { parameters, responses } = paths[one]?.get ?? {};
  const { 200: _, ...refusals } = responses as Record<string, object>;
  const answers = { 204: { description: 'Removed.' }, 409: { description: 'Sold.' }, ...refusals };
  Object.assign(paths[one] ?? {}, { delete: { operationId: 'deletePet', parameters, responses: answers } });
};

const addReserved: Change = ({ components }) => {
  components.schemas.PetStatus = { type: 'string', enum: ['available', 'pending', 'sold', 'reserved'] };
};

const setLimit =
  (maximum: number): Change =>
  ({ paths }) => {
    const [limit] = (paths[list]?.get?.parameters ?? []) as { schema: object }[];
    if (limit !== undefined) limit.schema = { type: 'integer', minimum: 1, maximum, default: 20 };
  };

async function startForTest(): Promise<string> {
  const mock = await startMock({ port: 0, log: 'silent' });
  onTestFinished(() => mock.close());
  return mock.url;
}

/** Tests clauses against a mock. @returns the ids of those that failed, and the report */
async function verifyWith(change: Change | undefined, only: readonly string[], allowWrites = true) {
  const contract = change === undefined ? {} : { contract: createDraft(change) };
  const baseUrl = await startForTest();
  const report = await verifyDeployment({
    baseUrl,
    apiKey: 'test-key',
    allowWrites,
    only,
    runs: 3,
    ...contract,
  });
  return { report, failed: idsOf(report, 'failed') };
}

function idsOf({ outcomes }: Report, wanted: string): readonly string[] {
  return outcomes.filter(({ verdict }) => verdict === wanted).map(({ clause }) => clause.id);
}

test('a draft that is openapi.yaml changes no verdict', async () => {
  const { report, failed } = await verifyWith(() => {}, ['list-pets', 'get-pet', 'dredd']);
  expect(failed).toEqual([]);
  expect(idsOf(report, 'passed').filter((id) => id.startsWith('dredd/'))).toHaveLength(9);
});

test('a member that the draft requires is sent, and missed in every response', async () => {
  const only = [
    'create-pet/pet',
    'create-pet/echoes',
    'list-pets/pets',
    'get-pet/success',
    'dredd',
    'create-pet/name-type',
  ];
  const { report, failed } = await verifyWith(addWeight, only);
  expect(failed).toEqual([
    'list-pets/pets',
    'create-pet/pet',
    'get-pet/success',
    'dredd/listPets-200',
    'dredd/createPet-201',
    'dredd/getPet-200',
  ]);
  const { clause, received, evidence } =
    report.outcomes.find((result) => result.clause.id === 'create-pet/pet') ?? {};
  expect([clause?.level, received]).toEqual(['required', 'no weight']);
  expect(evidence?.request).toContain('"weight":1}');
  const { expected } = report.outcomes.find((result) => result.clause.id === 'dredd/getPet-200') ?? {};
  expect(expected).toBe('a 200 that matches openapi-next.yaml');
});

test('a new parameter is requested with a value of its schema', async () => {
  const { report, failed } = await verifyWith(addCategory, ['list-pets/success'], false);
  expect(failed).toEqual([]);
  expect(report.outcomes[0]?.compared.lists).toBeGreaterThan(0);
});

test('a new operation is sent to an animal of the run, and statuses that nothing deserves are not applicable', async () => {
  const { report, failed } = await verifyWith(addDelete, ['dredd/deletePet', 'store']);
  expect(failed).toEqual(['dredd/deletePet-204', 'dredd/deletePet-404']);
  const conflict = report.outcomes.find(({ clause }) => clause.id === 'dredd/deletePet-409');
  expect(conflict).toMatchObject({
    verdict: 'not applicable',
    reason: 'the suite knows no request of deletePet that deserves 409',
  });
  expect(idsOf(report, 'passed')).toEqual(expect.arrayContaining(['dredd/deletePet-401', 'store/kept']));
  const { evidence } = report.outcomes.find(({ clause }) => clause.id === 'dredd/deletePet-204') ?? {};
  const [, id] = /^DELETE \/pets\/(\d+)$/.exec(evidence?.line ?? '') ?? [];
  expect(report.added).toContain(id);
  const { report: reading } = await verifyWith(addDelete, ['dredd/deletePet'], false);
  expect(idsOf(reading, 'not tested')).toHaveLength(4);
  expect(reading.requests).toBeLessThan(5);
});

test.for([true, false])('an added HEAD is not tested, with writes: %s', async (allowWrites) => {
  const addHead: Change = ({ paths }) => {
    const responses = { 200: { description: 'The animals.' } };
    Object.assign(paths[list] ?? {}, { head: { operationId: 'countPets', responses } });
  };
  const { report } = await verifyWith(addHead, ['dredd/countPets', 'dredd/listPets-200'], allowWrites);
  const head = report.outcomes.find(({ clause }) => clause.id === 'dredd/countPets-200');
  expect(head).toMatchObject({
    verdict: 'not tested',
    reason: 'the suite sends no HEAD, so it does not test countPets',
  });
  expect(idsOf(report, 'passed')).toEqual(['dredd/listPets-200']);
});

/** Serves animals with a weight that can be removed, as a deployment that has the draft. */
const createAnswer = (): Answer => {
  const removed = new Set<unknown>();
  const toDraft = (json: string): string => {
    const value = parseExactJson(json);
    const isAnimal = (one: ExactJson | undefined): one is JsonObject =>
      one !== undefined && isJsonObject(one) && 'categoryId' in one;
    const isLeft = (one: ExactJson) => !isAnimal(one) || !removed.has(one.id);
    const addTo = (one: ExactJson) => (isAnimal(one) ? { ...one, weight: null } : one);
    return printExactJson(Array.isArray(value) ? value.filter(isLeft).map(addTo) : addTo(value));
  };
  return async (request, asMock) => {
    const [, id = ''] = /^\/pets\/(\d+)$/.exec(request.path) ?? [];
    const isRemoval = request.method === 'DELETE' && id !== '';
    const reply = await asMock(isRemoval ? { ...request, method: 'GET' } : request);
    if (reply.status === 200 && removed.has(BigInt(id || 0))) return createError(404);
    if (isRemoval && reply.status === 200) {
      removed.add(BigInt(id));
      return createEmpty(204);
    }
    const isJson = /json/.test(String(reply.headers['content-type'])) && String(reply.body) !== '';
    return isJson ? { ...reply, body: toDraft(String(reply.body)) } : reply;
  };
};

test('a deployment that has what the draft adds conforms', { timeout: 120_000 }, async () => {
  const { url, close } = await startDeployment({ createAnswer });
  onTestFinished(close);
  const contract = createDraft((draft) => {
    addWeight(draft);
    addDelete(draft);
  });
  const report = await verifyDeployment({
    baseUrl: url,
    apiKey: 'test-key',
    allowWrites: true,
    runs: 3,
    contract,
  });
  const failed = report.outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  expect(failed.map(({ clause, received, reason }) => [clause.id, received ?? reason])).toEqual([]);
  expect(idsOf(report, 'passed')).toEqual(
    expect.arrayContaining(['dredd/deletePet-204', 'dredd/deletePet-404']),
  );
  expect(report.verdict).toBe('conforms');
});

test('a status that the draft requires is sent with every animal', { timeout: 120_000 }, async () => {
  // Refuses an animal without a status, as a deployment that has the draft.
  const refuseWithout = (): Answer => async (request, asMock) => {
    const isAddition = request.method === 'POST' && request.path === '/pets';
    const reply = await asMock(request);
    const isLacking = isAddition && reply.status === 201 && !/"status"/.test(String(request.body));
    return isLacking ? createError(400) : reply;
  };
  const { url, close } = await startDeployment({ createAnswer: refuseWithout });
  onTestFinished(close);
  const contract = createDraft(({ components: { schemas } }) => {
    ((schemas.NewPet?.required ?? []) as string[]).push('status');
  });
  const options = { baseUrl: url, apiKey: 'test-key', allowWrites: true, runs: 3, contract };
  const report = await verifyDeployment(options);
  const failed = report.outcomes.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
  expect(failed.map(({ clause, received, reason }) => [clause.id, received ?? reason])).toEqual([]);
  expect(report.verdict).toBe('conforms');
});

test('a header that the draft requires is missed in the response', async () => {
  const { report, failed } = await verifyWith(
    ({ paths, components }) => {
      components.headers = { Total: { required: true, schema: { type: 'integer' } } };
      const responses = paths[list]?.get?.responses as Record<string, object>;
      const optional = { schema: { type: 'string' } };
      Object.assign(responses[200] ?? {}, {
        headers: {
          'X-Total': { $ref: '#/components/headers/Total' },
          'X-Page': optional,
          'content-type': { required: true, schema: { type: 'string' } },
        },
      });
    },
    ['dredd/listPets', 'dredd/getPet'],
  );
  expect(failed).toEqual(['dredd/listPets-200']);
  const { expected, received } = report.outcomes.find(({ verdict }) => verdict === 'failed') ?? {};
  expect([expected, received]).toEqual([
    'a 200 that matches openapi-next.yaml',
    'headers: the required header X-Total is missing',
  ]);
});

test('a new status is added, kept and filtered by, and no longer an invalid one', async () => {
  const only = ['create-pet/status', 'list-pets/status', 'list-pets/success'];
  const { report, failed } = await verifyWith(addReserved, only);
  expect(failed).toEqual(['list-pets/success', 'create-pet/status-kept']);
  const { clause } = report.outcomes.find((result) => result.clause.id === 'create-pet/status-kept') ?? {};
  expect(clause).toMatchObject({
    sentence: 'POST /pets accepts and keeps the statuses available, pending, sold and reserved.',
  });
  expect(clause?.quote).toBe(undefined);
});

test.for([
  [200, ['list-pets/limit-bounds', 'list-pets/success'], 'GET /pets accepts limit=1 and limit=200.'],
  [50, ['list-pets/limit-most-100'], 'GET /pets accepts limit=1 and limit=50.'],
] as const)(
  'with a maximum of %d the clauses that are about it fail, and no others',
  async ([maximum, expected, sentence]) => {
    const { report, failed } = await verifyWith(setLimit(maximum), ['list-pets', 'get-pet/success'], false);
    expect(failed).toEqual(expected);
    const untested = idsOf(report, 'not tested').filter((id) => !id.startsWith('dredd/createPet'));
    expect(untested).toEqual([]);
    const clause = report.outcomes.find((result) => result.clause.id === 'list-pets/limit-bounds')?.clause;
    expect(clause?.sentence).toBe(sentence);
  },
);

test('every report names the draft', async () => {
  const contract = createDraft(addWeight);
  const url = await startForTest();
  const folder = createFolder();
  const file = (name: string) => join(folder, name);
  const reporters = ['json', 'junit', 'html', 'markdown'].flatMap((name) => [
    '--reporter',
    `${name}=${file(name)}`,
  ]);
  const { stdout, stderr, exitCode } = await runCommand([
    url,
    '--contract',
    contract,
    '--only',
    'list-pets/pets',
    ...reporters,
  ]);
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain(`Verifying ${url} against the draft ${contract}.`);
  expect(stdout).toContain(`Tested against the draft ${contract}`);
  const read = (name: string) => readFileSync(file(name), 'utf8');
  expect(JSON.parse(read('json')).contract).toBe(contract);
  expect(read('junit')).toContain(`name="conformance of ${url} with the draft ${contract}"`);
  expect(read('html')).toContain(`the draft <code>${contract}</code>`);
  expect(read('markdown')).toContain('Tested against the draft');
});

test('--list and --only have the clauses of the draft', async () => {
  const contract = createDraft(addDelete);
  const { stdout } = await runCommand(['--list', '--contract', contract]);
  expect(stdout).toMatch(/^openapi-next\.yaml\n(?: {2}dredd\/\S+ .*\n)+/m);
  expect(stdout).toContain('Response 204 of deletePet matches openapi-next.yaml.');
  const unknown = await runCommand(['http://127.0.0.1:9/v1', '--only', 'dredd/deletePet']);
  expect(unknown.stderr).toContain('--only must be the id of a clause');
  const known = await runCommand([
    'http://127.0.0.1:9/v1',
    '--contract',
    contract,
    '--only',
    'dredd/deletePet',
  ]);
  expect(known.stderr).toContain('cannot be reached');
});

test.for<[title: string, change: Change, message: string]>([
  [
    'requires a parameter',
    ({ paths }) => {
      const parameter = { name: 'page', in: 'query', required: true, schema: { type: 'integer' } };
      ((paths[list]?.get?.parameters ?? []) as object[]).push(parameter);
    },
    '#/paths/~1pets/get: the parameter page is required, and the suite sends none.',
  ],
  [
    'returns no list',
    ({ components }) => Object.assign(components.schemas, { Pets: { type: 'object' } }),
    '#/paths/~1pets/get/responses/200 must be an array of animals in application/json',
  ],
  [
    'has no maximum of limit',
    ({ paths }) => {
      const [limit] = (paths[list]?.get?.parameters ?? []) as { schema: object }[];
      if (limit !== undefined) limit.schema = { type: 'integer' };
    },
    '#/paths/~1pets/get/parameters: limit must have the minimum 1, a maximum of 21 or more, and a smaller default',
  ],
  [
    'lacks a status',
    ({ components }) => Object.assign(components.schemas, { PetStatus: { type: 'string', enum: ['sold'] } }),
    '#/paths/~1pets/get/parameters: status must have the values available, pending, sold',
  ],
  [
    'has texts as ids',
    ({ components }) =>
      Object.assign(components.schemas.Pet?.properties as object, { id: { type: 'string' } }),
    '#/paths/~1pets~1{petId}/get/responses/200: id must have the type integer',
  ],
  [
    'requires a member of which no value can be made',
    ({ components: { schemas } }) => {
      Object.assign(schemas.NewPet?.properties as object, {
        code: { type: 'string', pattern: '^[A-Z]{3}$' },
      });
      ((schemas.NewPet?.required ?? []) as string[]).push('code');
    },
    '#/paths/~1pets/post/requestBody: the required member code needs an example',
  ],
  [
    'forbids a status of an animal to add',
    ({ components: { schemas } }) =>
      Object.assign(schemas.NewPet?.properties as object, {
        status: { type: 'string', enum: ['available', 'pending'] },
      }),
    '#/paths/~1pets/post/requestBody: the clauses add animals such as {"name":"Rex","categoryId":1,"status":"sold"}, which it forbids: status must be equal to one of the allowed values. Allow them,',
  ],
  [
    'requires more members than the clauses send',
    ({ components: { schemas } }) => Object.assign(schemas.NewPet ?? {}, { minProperties: 3 }),
    '#/paths/~1pets/post/requestBody: the clauses add animals such as {"name":"Rex","categoryId":1}, which it forbids: must NOT have fewer than 3 properties. Allow them,',
  ],
  [
    'replaces the status of an added animal',
    ({ paths }) => {
      const responses = paths[list]?.post?.responses as Record<string, object>;
      Object.assign(responses, { 202: responses[201] });
      delete responses[201];
    },
    '#/paths/~1pets/post/responses lacks 201, which the clauses expect. Keep it,',
  ],
  [
    'replaces the status of an unknown animal',
    ({ paths }) => {
      const responses = paths[one]?.get?.responses as Record<string, object>;
      Object.assign(responses, { 410: responses[404] });
      delete responses[404];
    },
    '#/paths/~1pets~1{petId}/get/responses lacks 404, which the clauses expect. Keep it,',
  ],
  [
    'returns no JSON for an added animal',
    ({ paths }) => {
      const responses = paths[list]?.post?.responses as Record<string, object>;
      responses[201] = { description: 'Added.', content: {} };
    },
    '#/paths/~1pets/post/responses/201: id must have the type integer, because the clauses compare it.',
  ],
  [
    'has a schema that is none',
    ({ components }) => Object.assign(components.schemas.Error ?? {}, { required: 'code' }),
    '#/components/schemas/Error/required must be an array of names, none of them twice, not "code".',
  ],
])('a draft that %s is refused, with its place', async ([, change, message]) => {
  const contract = createDraft(change);
  const { stderr, stdout, exitCode } = await runCommand(['http://127.0.0.1:9/v1', '--contract', contract]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`--contract: ${contract} cannot be used. ${message}`);
  const options = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'test-key', allowWrites: false, contract };
  const error = await verifyDeployment(options).catch((failure) => failure);
  expect(error).not.toBeInstanceOf(CouldNotTell);
  expect(error.message).toContain(`contract: ${contract} cannot be used. ${message}`);
});
