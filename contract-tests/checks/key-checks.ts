import type { Check, Need } from '../check.ts';
import type { RequestOptions } from '../client.ts';
import type { Context } from '../context.ts';
import { inParallel } from '../in-parallel.ts';
import { listAnimals } from '../lists.ts';
import { outcomeOf } from '../read-exchange.ts';
import { Unfulfilled, Untried } from '../verdict.ts';
import { createWrongKeys } from '../wrong-keys.ts';

/** Each operation as requests that would be lawful with the right key, and what it needs. */
const operations: Readonly<
  Record<string, [readonly Need[], (context: Context) => Promise<readonly RequestOptions[]>]>
> = {
  'list-pets': [
    [],
    async () => [{ path: '/pets' }, { path: '/pets?status=sold&limit=1' }, { path: '/pets?limit=abc' }],
  ],
  // A body that is refused with any key, so that nothing is added should the key be let pass.
  'create-pet': [['writes'], async () => [{ method: 'POST', path: '/pets', body: '{}' }]],
  'get-pet': [
    ['getPet'],
    async (context) => {
      const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
      const known = typeof animal?.id === 'bigint' ? animal.id : 1n;
      return [{ path: `/pets/${known}` }, { path: '/pets/8765432109876543210' }];
    },
  ],
};

/** What a request says of the key. */
type Credentials = Pick<RequestOptions, 'authorization' | 'headers'>;

/** Credentials that are not the right ones, by the last part of the clause. */
const forms: Readonly<Record<string, (key: string) => readonly Credentials[]>> = {
  'missing-key': () => [undefined, 'Bearer', 'Bearer '].map((authorization) => ({ authorization })),
  'invalid-key': (key) =>
    [
      'contract-test-invalid-key',
      `${key} x`,
      `${key},x`,
      ...createWrongKeys(key, '').map((wrong) => wrong.key),
    ].map((other) => ({ authorization: `Bearer ${other}` })),
  'bearer-form': (key) => [
    ...[
      key,
      `Bearer${key}`,
      `Basic ${key}`,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Token ${key}`,
      `ApiKey ${key}`,
    ].map((authorization) => ({ authorization })),
    // Beside another scheme with nothing in it, since to need no key, or to take any, is another clause's.
    { authorization: 'Basic Og==', headers: { 'X-API-Key': key } },
  ],
};

/** What the specification asks of keys. Source: Authentication */
export const keyChecks: readonly Check[] = [
  ...Object.entries(operations).flatMap(([operation, [needs, toRequests]]) =>
    Object.entries(forms).map(
      ([name, toCredentials]): Check => ({
        clause: `${operation}/${name}`,
        needs,
        run: async (context) => {
          for (const request of await toRequests(context)) {
            // With the key first: what a cache keeps of it is for no one else.
            if (request.method === undefined) await context.client.send(request);
            await inParallel(toCredentials(context.target.apiKey), (credentials) =>
              expectUnauthorized(context, { ...request, ...credentials }),
            );
          }
        },
      }),
    ),
  ),
  {
    clause: 'create-pet/key-before-body',
    needs: ['writes'],
    run: async (context) => {
      const unsigned = { method: 'POST', path: '/pets', authorization: undefined } as const;
      for (const body of ['{', '[]', '{"name":1}', '', '{"name":"Rex","categoryId":1,"status":"lost"}']) {
        await expectUnauthorized(context, { ...unsigned, body });
      }
      await expectUnauthorized(context, { ...unsigned, body: 'Rex', mediaType: 'text/plain' });
    },
  },
  {
    clause: 'advised/scheme-case',
    run: async ({ client, target }) => {
      const exchange = await client.send({ path: '/pets', authorization: `bearer ${target.apiKey}` });
      if (exchange.response?.status === 401) throw new Unfulfilled('200', outcomeOf(exchange), exchange);
    },
  },
  {
    clause: 'advised/challenge',
    run: async ({ client }) => {
      const exchange = await client.send({ path: '/pets', authorization: undefined });
      if (exchange.response?.status !== 401)
        throw new Untried('a request without a key was not answered 401');
      if (exchange.response.headers['www-authenticate'] !== undefined) return;
      throw new Unfulfilled('a WWW-Authenticate header', 'none', exchange);
    },
  },
];

async function expectUnauthorized({ client }: Context, request: RequestOptions): Promise<void> {
  const exchange = await client.send(request);
  if (exchange.response?.status !== 401) throw new Unfulfilled('401', outcomeOf(exchange), exchange);
}
