import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import createClient from 'openapi-fetch';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startTestMock } from '../testing/start-test-mock.ts';
import * as heyApiSdk from './generated/hey-api';
import { createClient as createHeyApiClient } from './generated/hey-api/client';
import { client as heyApiClient } from './generated/hey-api/client.gen';
import type { paths } from './generated/openapi-fetch/animal-store';
import * as orvalAsItComes from './generated/orval/animal-store';
import * as orvalWithInt64 from './generated/orval/animal-store-int64';
import * as heyApi from './hey-api';
import { readInt64 } from './int64';
import * as openapiFetch from './openapi-fetch';
import { printBigints } from './orval';

interface Animal {
  readonly id: unknown;
  readonly name: string;
  readonly categoryId: unknown;
}

/** One way to use a client; what it gives is not what its types say. */
interface Way {
  list(): Promise<readonly Animal[]>;
  get(id: unknown): Promise<Animal>;
  add(animal: object): Promise<unknown>;
}

type Start = (baseUrl: string) => Way;

const key = 'test-key';
const headers = { Authorization: `Bearer ${key}` };
const limit = 100;

async function read(answer: Promise<{ data?: unknown; error?: unknown }>): Promise<never> {
  const { data, error } = await answer;
  return (data ?? error) as never;
}

function useOpenapiFetch(client: ReturnType<typeof openapiFetch.createInt64Client>): Way {
  return {
    list: () => read(client.GET('/pets', { params: { query: { limit } } })),
    get: (id) => read(client.GET('/pets/{petId}', { params: { path: { petId: id as bigint } } })),
    add: (animal) => read(client.POST('/pets', { body: animal as never })),
  };
}

function useHeyApi(client: ReturnType<typeof heyApi.createInt64Client>, others: object): Way {
  return {
    list: () => read(heyApiSdk.listPets({ client, query: { limit }, ...others })),
    get: (id) => read(heyApiSdk.getPet({ client, path: { petId: id as bigint }, ...others })),
    add: (animal) => read(heyApiSdk.createPet({ client, body: animal as never, ...others })),
  };
}

/** Lets fetch take a path, as on a page of the mock's origin. */
function useOrval(baseUrl: string, sdk: typeof orvalAsItComes | typeof orvalWithInt64): Way {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, baseUrl), init));
  return {
    list: () => read(sdk.listPets({ limit }, { headers })),
    get: (id) => read(sdk.getPet(id as never, { headers })),
    add: (animal) => read(sdk.createPet(animal as never, { headers })),
  };
}

/** Each client, as it comes and with its parser. */
const clients: readonly (readonly [name: string, asItComes: Start, exact: Start])[] = [
  [
    'openapi-typescript with openapi-fetch',
    (baseUrl) => useOpenapiFetch(createClient<paths>({ baseUrl, headers })),
    (baseUrl) => useOpenapiFetch(openapiFetch.createInt64Client(baseUrl, key)),
  ],
  [
    '@hey-api/openapi-ts',
    (baseUrl) => useHeyApi(createHeyApiClient({ baseUrl, auth: key }), { responseTransformer: undefined }),
    (baseUrl) => useHeyApi(heyApi.createInt64Client(baseUrl, key), {}),
  ],
  [
    'orval',
    (baseUrl) => useOrval(baseUrl, orvalAsItComes),
    (baseUrl) => {
      printBigints();
      return useOrval(baseUrl, orvalWithInt64);
    },
  ],
];

const here = import.meta.dirname;
const doc = readFileSync(join(here, '../../docs/guides/int64.md'), 'utf8');

let baseUrl: string;
beforeEach(async () => {
  ({ url: baseUrl } = await startTestMock({ profile: 'edge-cases' }));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(BigInt.prototype, 'toJSON');
  });
});

const show = (value: unknown) => (typeof value === 'bigint' ? `${value}n` : `${value}`);

/** The result of a client: the ids of two animals, and which animal it gets by the second id. */
async function printRow(name: string, { list, get }: Way): Promise<string> {
  const both = (await list()).filter((pet) => /^Animal 900719925474099[23]$/.test(pet.name));
  const pets = both.toSorted((one, other) => one.name.localeCompare(other.name));
  const ids = pets.map(({ id }) => `\`${show(id)}\``).join(' and ');
  const { name: found } = await get(pets.at(-1)?.id);
  return `| ${name} | ${ids} | ${found} |`;
}

test('the clients and their tests compile, and no client names a host', async () => {
  for (const project of [here, join(here, 'tsconfig.tests.json')])
    await promisify(execFile)(join(here, 'node_modules/.bin/tsc'), ['-p', project]);
  expect(heyApiClient.getConfig().baseUrl).toBe('/v1');
  expect(orvalAsItComes.getGetPetUrl(7)).toBe('/v1/pets/7');
  const texts = globSync(join(here, 'generated/**/*.ts')).map((file) => readFileSync(file, 'utf8'));
  expect(texts.join('').match(/localhost|127\.0\.0\.1|animal-store\.example|base_url/)).toBe(null);
});

const categoryId = 9223372036854775807n;

test.for(clients)('%s reads two animals as one', async ([name, asItComes]) => {
  const way = asItComes(baseUrl);
  const row = await printRow(name, way);
  expect(row).toBe(`| ${name} | \`9007199254740992\` and \`9007199254740992\` | Animal 9007199254740992 |`);
  const refused = await way.add({ name: 'Rex', categoryId: Number(categoryId) });
  expect(refused).toMatchObject({ code: 'invalid_request', status: 400 });
  expect(doc).toContain((refused as Error).message);
});

test.for(clients)('%s with its parser reads and adds with every digit', async ([name, , exact]) => {
  const way = exact(baseUrl);
  const row = await printRow(`${name}, with its parser`, way);
  expect(row).toMatch(/ `9007199254740992n` and `9007199254740993n` \| Animal 9007199254740993 \|$/);
  const added = (await way.add({ name: 'Rex', categoryId })) as Animal;
  expect(added).toEqual({ id: expect.any(BigInt), name: 'Rex', categoryId });
  expect(await way.get(added.id)).toEqual(added);
  for (const pet of await way.list())
    expect([typeof pet.id, typeof pet.categoryId]).toEqual(['bigint', 'bigint']);
  expect(await way.add({})).toMatchObject({ code: 'invalid_request', status: 400 });
});

test('the bigints of hey-api are rounded before they are made', async () => {
  const client = createHeyApiClient({ baseUrl, auth: key });
  const row = await printRow('@hey-api/openapi-ts, only with bigInt', useHeyApi(client, {}));
  expect(row).toMatch(/ `9007199254740992n` and `9007199254740992n` \| Animal 9007199254740992 \|$/);
});

test('docs/guides/int64.md shows the parser and the response of the mock', async () => {
  const parser = readFileSync(join(here, 'int64.ts'), 'utf8');
  expect(doc).toContain(`\n${parser.replace('../../mock/client/types.ts', 'animal-store-mock/types')}\`\`\``);
  const answer = await fetch(`${baseUrl}/pets/9007199254740993`, { headers });
  expect(doc).toContain(`/v1/pets/9007199254740993\n\`\`\`\n\n\`\`\`text\n${await answer.text()}\n`);
});

test('without the digits an id that may be rounded is an error', () => {
  const parse = (json: string) => JSON.parse(json, (key, value) => readInt64(key, value));
  expect(parse('[{"id":7,"categoryId":1.0}]')).toEqual([{ id: 7n, categoryId: 1n }]);
  expect(() => parse('{"id":9007199254740993}')).toThrow('digits of 9007199254740992');
});
