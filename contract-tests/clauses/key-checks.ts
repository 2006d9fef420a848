import { printExactJson } from '../../common/exact-json.ts';
import { createNewPet } from '../core/additions.ts';
import type { Check, Need } from '../core/check.ts';
import type { RequestOptions } from '../core/client.ts';
import { type Context, statuses } from '../core/context.ts';
import { inParallel } from '../core/in-parallel.ts';
import { LONGEST_LIST, listAnimals } from '../core/lists.ts';
import { expectNoServerFault, outcomeOf } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import { basicCredentials, createWrongKeys } from '../core/wrong-keys.ts';

/** What is tried of an operation. */
interface Operation {
  readonly id: string;
  readonly needs: readonly Need[];
  /** Requests that would be lawful with the right key; the first is tried with everything, the others with what is usual. */
  readonly toRequests: (context: Context) => Promise<readonly RequestOptions[]>;
}

const operations: readonly Operation[] = [
  {
    id: 'list-pets',
    needs: [],
    toRequests: async () =>
      ['', '?limit=abc', '?status=lost', ...statuses.map((status) => `?status=${status}`)].map((query) => ({
        path: `/pets${query}`,
      })),
  },
  {
    id: 'create-pet',
    needs: ['writes'],
    toRequests: async (context) => [
      // A body that is refused with any key, so that nothing is added should the key be let pass.
      { method: 'POST', path: '/pets', body: '{}' },
      { method: 'POST', path: '/pets', body: printExactJson(await createNewPet(context, 'without the key')) },
    ],
  },
  {
    id: 'get-pet',
    needs: ['getPet'],
    toRequests: async (context) => {
      const animals = await listAnimals(context, `?limit=${LONGEST_LIST}`).catch(() => []);
      const known = [undefined, ...statuses].map(
        (wanted) => animals.find(({ id, status }) => typeof id === 'bigint' && status === wanted)?.id,
      );
      const ids = known.filter((id) => id !== undefined);
      return [...ids, 8_765_432_109_876_543_210n].map((id) => ({ path: `/pets/${id}` }));
    },
  },
];

/** What a request says of the key. */
type Credentials = Pick<RequestOptions, 'authorization' | 'headers'>;

/** Words that a table of keys may know for reasons of its own, and what may be too much for what compares them. */
const strangeKeys = [
  'null',
  'undefined',
  'constructor',
  '__proto__',
  'a.b.c',
  '%',
  "'",
  "' OR '1'='1",
  'x'.repeat(100),
];

/** Credentials that are not the right ones, by the last part of the clause; the usual one comes first. */
const forms: Readonly<Record<string, (key: string) => readonly Credentials[]>> = {
  'missing-key': () => [undefined, 'Bearer', 'Bearer '].map((authorization) => ({ authorization })),
  'invalid-key': (key) =>
    [
      'contract-test-invalid-key',
      ...[`${key} x`, `${key},x`, `x ${key}`, `"${key}"`],
      ...createWrongKeys(key).map((wrong) => wrong.key),
      ...strangeKeys.filter((strange) => strange !== key),
    ].map((other) => ({ authorization: `Bearer ${other}` })),
  'bearer-form': (key) => [
    ...[
      key,
      `Bearer${key}`,
      `BearerX ${key}`,
      `Bearer:${key}`,
      `Basic ${key}`,
      ...basicCredentials.map((user) => `Basic ${Buffer.from(user(key)).toString('base64')}`),
      `Token ${key}`,
      `ApiKey ${key}`,
    ].map((authorization) => ({ authorization })),
    { authorization: undefined, headers: { 'X-API-Key': key } },
  ],
};

/** What the specification asks of keys. Source: Authentication */
export const keyChecks: readonly Check[] = [
  ...operations.flatMap(({ id, needs, toRequests }) =>
    Object.entries(forms).map(
      ([name, toCredentials]): Check => ({
        clause: `${id}/${name}`,
        needs,
        run: async (context) => {
          const [usual = {}, ...unusual] = toCredentials(context.target.apiKey);
          const [first, ...others] = await toRequests(context);
          if (first === undefined) throw new Skipped('there is nothing to ask for');
          await expectAllUnauthorized(context, first, [usual, ...unusual]);
          if (name === 'bearer-form') return;
          for (const request of others) await expectAllUnauthorized(context, request, [usual]);
        },
      }),
    ),
  ),
  {
    clause: 'create-pet/key-before-body',
    needs: ['writes'],
    run: async (context) => {
      const bodies = ['{', '[]', '{"name":1}', '', '{"name":"Rex","categoryId":1,"status":"lost"}'];
      for (const authorization of [undefined, 'Bearer contract-test-invalid-key']) {
        const unsigned = { method: 'POST', path: '/pets', authorization } as const;
        await inParallel(bodies, (body) => expectUnauthorized(context, { ...unsigned, body }));
        await expectUnauthorized(context, { ...unsigned, body: 'Rex', mediaType: 'text/plain' });
      }
    },
  },
  {
    clause: 'advised/scheme-case',
    run: async ({ client, target }) => {
      const exchange = await client.send({ path: '/pets', authorization: `bearer ${target.apiKey}` });
      expectNoServerFault(exchange);
      if (exchange.response?.status === 401) throw new Failed('200', outcomeOf(exchange), exchange);
    },
  },
  {
    clause: 'advised/challenge',
    run: async ({ client }) => {
      const exchange = await client.send({ path: '/pets', authorization: undefined });
      if (exchange.response?.status !== 401)
        throw new Skipped('a request without a key was not answered 401');
      if (exchange.response.headers['www-authenticate'] !== undefined) return;
      throw new Failed('a WWW-Authenticate header', 'none', exchange);
    },
  },
];

/** Expects 401 of a request with each of some credentials, while others make the same request with the right key. */
async function expectAllUnauthorized(
  context: Context,
  request: RequestOptions,
  all: readonly Credentials[],
): Promise<void> {
  // Before as well: what a cache keeps of it is for no one else.
  const ask = async () => {
    if (request.method === undefined) await context.client.send(request);
  };
  await ask();
  const asked = ask();
  const refused = inParallel(all, async (credentials) => {
    // Where no key is needed at all, which is another clause's, nothing can be told of one in another header.
    const bare = credentials.headers && (await context.client.send({ ...request, authorization: undefined }));
    if (bare !== undefined && bare.response?.status !== 401) return;
    await expectUnauthorized(context, { ...request, ...credentials });
  });
  await Promise.all([asked, refused]);
}

async function expectUnauthorized({ client }: Context, request: RequestOptions): Promise<void> {
  const exchange = await client.send(request);
  if (exchange.response?.status !== 401) throw new Failed('401', outcomeOf(exchange), exchange);
}
