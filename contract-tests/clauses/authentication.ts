import { printExactJson } from '../../common/exact-json.ts';
import { createNewPet } from '../core/add-animal.ts';
import { type ClauseDefinitions, defineClauses, type Need } from '../core/clause.ts';
import type { RequestOptions } from '../core/client.ts';
import { type Context, statuses } from '../core/context.ts';
import { inParallel } from '../core/in-parallel.ts';
import { listAnimals } from '../core/list-animals.ts';
import { expectNoServerFault, expectStatus, Failed, Skipped } from '../core/result.ts';
import { basicCredentials, createWrongKeys } from '../core/wrong-keys.ts';

type Credentials = Pick<RequestOptions, 'authorization' | 'headers'>;

/** Creates requests to try without a valid key: the first with all credentials, the others with the usual ones. */
type CreateRequests = (context: Context) => Promise<readonly RequestOptions[]>;

/** The key for each operation, then what is not about one of them. */
export const authenticationClauses = defineClauses('Authentication', [], {
  ...createKeyClauses('list-pets', 'GET /pets', [], createListRequests),
  ...createKeyClauses('create-pet', 'POST /pets', ['writes'], createCreationRequests),
  ...createKeyClauses('get-pet', 'GET /pets/{petId}', ['getPet'], createGetRequests),
  'create-pet/key-before-body': {
    isBeside: true,
    sentence: 'POST /pets without a valid key returns 401 even if its body is invalid.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    needs: ['writes'],
    run: async ({ client }) => {
      const bodies = ['{', '[]', '{"name":1}', '', '{"name":"Rex","categoryId":1,"status":"lost"}'];
      for (const authorization of [undefined, 'Bearer contract-test-invalid-key']) {
        const post = { method: 'POST', path: '/pets', authorization } as const;
        await inParallel(bodies, async (body) => expectStatus(await client.send({ ...post, body }), 401));
        expectStatus(await client.send({ ...post, body: 'Rex', mediaType: 'text/plain' }), 401);
      }
    },
  },
  'advised/scheme-case': {
    isBeside: true,
    level: 'advised',
    sentence: 'The scheme "Bearer" is accepted in any case (RFC 9110, section 11.1).',
    run: async ({ client, target }) => {
      const exchange = await client.send({ path: '/pets', authorization: `bearer ${target.apiKey}` });
      expectNoServerFault(exchange);
      if (exchange.response?.status === 401) expectStatus(exchange, 200);
    },
  },
  'advised/challenge': {
    isBeside: true,
    level: 'advised',
    sentence: 'A 401 has a WWW-Authenticate header (RFC 9110, section 11.6.1).',
    run: async ({ client }) => {
      const exchange = await client.send({ path: '/pets', authorization: undefined });
      if (exchange.response?.status !== 401) throw new Skipped('a request without a key did not return 401');
      if (exchange.response.headers['www-authenticate'] !== undefined) return;
      throw new Failed('a WWW-Authenticate header', 'none', exchange);
    },
  },
});

function createKeyClauses(
  prefix: string,
  operation: string,
  needs: readonly Need[],
  createRequests: CreateRequests,
): ClauseDefinitions {
  return {
    [`${prefix}/missing-key`]: {
      isBeside: true,
      sentence: `${operation} without a key returns 401.`,
      explainedBy: ['list-pets/missing-key'],
      needs,
      run: (context) => expectUnauthorized(context, createRequests, missingKeys),
    },
    [`${prefix}/invalid-key`]: {
      isBeside: true,
      sentence: `${operation} with a key that differs from the valid one, even in one character, returns 401.`,
      explainedBy: [`${prefix}/missing-key`, 'list-pets/invalid-key'],
      tolerated: [
        {
          open: 'how a key is issued, its format, lifetime and scopes',
          answers: 'any printable ASCII without spaces; any scopes',
        },
      ],
      needs,
      run: (context) => expectUnauthorized(context, createRequests, createInvalidKeys(context.target.apiKey)),
    },
    [`${prefix}/bearer-form`]: {
      isBeside: true,
      sentence: `${operation} with the valid key in another form than "Bearer <key>" returns 401.`,
      explainedBy: [`${prefix}/missing-key`, `${prefix}/invalid-key`, 'list-pets/bearer-form'],
      needs,
      run: (context) => {
        const createFirst = async () => (await createRequests(context)).slice(0, 1);
        return expectUnauthorized(context, createFirst, createOtherForms(context.target.apiKey));
      },
    },
  };
}

const missingKeys = [undefined, 'Bearer', 'Bearer '].map((authorization) => ({ authorization }));

async function createListRequests(): Promise<RequestOptions[]> {
  const queries = ['', '?limit=abc', '?status=lost', ...statuses.map((status) => `?status=${status}`)];
  return queries.map((query) => ({ path: `/pets${query}` }));
}

async function createCreationRequests(context: Context): Promise<RequestOptions[]> {
  const pet = await createNewPet(context, 'without the key');
  // The first is invalid, so that nothing is added if a wrong key is accepted.
  return ['{}', printExactJson(pet)].map((body) => ({ method: 'POST', path: '/pets', body }));
}

async function createGetRequests(context: Context): Promise<RequestOptions[]> {
  const animals = await listAnimals(context).catch(() => []);
  const listed = [undefined, ...statuses].map(
    (wanted) => animals.find(({ id, status }) => typeof id === 'bigint' && status === wanted)?.id,
  );
  const ids = [...listed.filter((id) => id !== undefined), 8_765_432_109_876_543_210n];
  return ids.map((id) => ({ path: `/pets/${id}` }));
}

/** Bearer tokens that are not the valid key; the usual one comes first. */
function createInvalidKeys(key: string): Credentials[] {
  // Words that a table of keys may have of its own, injections, and a long key.
  const words = ['null', 'undefined', 'constructor', '__proto__', 'a.b.c', '%', "'", "' OR '1'='1"];
  const tokens = [
    'contract-test-invalid-key',
    ...[`${key} x`, `${key},x`, `x ${key}`, `"${key}"`],
    ...createWrongKeys(key).map((wrong) => wrong.key),
    ...[...words, 'x'.repeat(100)].filter((word) => word !== key),
  ];
  return tokens.map((token) => ({ authorization: `Bearer ${token}` }));
}

function createOtherForms(key: string): Credentials[] {
  const forms = [
    ...[key, `Bearer${key}`, `BearerX ${key}`, `XBearer ${key}`, `Bearer:${key}`, `Basic ${key}`],
    ...basicCredentials.map((user) => `Basic ${Buffer.from(user(key)).toString('base64')}`),
    ...[`Token ${key}`, `ApiKey ${key}`],
  ].map((authorization) => ({ authorization }));
  return [...forms, { authorization: undefined, headers: { 'X-API-Key': key } }];
}

/** Expects 401 for the first request with all credentials, and for the others with the usual ones. */
async function expectUnauthorized(
  context: Context,
  createRequests: CreateRequests,
  credentials: readonly Credentials[],
): Promise<void> {
  const { client } = context;
  for (const [index, request] of (await createRequests(context)).entries()) {
    // The valid key at the same time: a cached response must not be shared.
    const sendWithKey = async () => {
      if (request.method === undefined) await client.send(request);
    };
    await sendWithKey();
    const sent = sendWithKey();
    const refused = inParallel(index === 0 ? credentials : credentials.slice(0, 1), async (others) => {
      // A deployment that needs no key at all is left to missing-key.
      const bare = others.headers && (await client.send({ ...request, authorization: undefined }));
      if (bare !== undefined && bare.response?.status !== 401) return;
      expectStatus(await client.send({ ...request, ...others }), 401);
    });
    await Promise.all([sent, refused]);
  }
}
