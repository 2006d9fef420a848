import type { Check } from '../check.ts';
import type { RequestOptions } from '../client.ts';
import { type Context, listAnimals, outcomeOf } from '../context.ts';
import { expectNotRemoved } from '../removal.ts';
import { swapCase } from '../swap-case.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** Each operation as requests that would be lawful with the right key. */
const operations: Readonly<Record<string, (context: Context) => Promise<readonly RequestOptions[]>>> = {
  'list-pets': async () => [
    { path: '/pets' },
    { path: '/pets?status=sold&limit=1' },
    { path: '/pets?limit=abc' },
  ],
  // A body that is refused with any key, so that nothing is added should the key be let pass.
  'create-pet': async () => [{ method: 'POST', path: '/pets', body: '{}' }],
  'get-pet': async (context) => {
    const [animal] = await listAnimals(context, '?limit=1').catch(() => []);
    const known = typeof animal?.id === 'bigint' ? animal.id : 1n;
    return [{ path: `/pets/${known}` }, { path: '/pets/8765432109876543210' }];
  },
};

/** The values of Authorization that have no right key, by the last part of the clause. */
const forms: Readonly<Record<string, (key: string) => readonly (string | undefined)[]>> = {
  'missing-key': () => [undefined, 'Bearer', 'Bearer '],
  'invalid-key': (key) => [
    'Bearer contract-test-invalid-key',
    `Bearer ${key}x`,
    `Bearer x${key}`,
    ...[
      key.slice(0, -1),
      `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
      `${key.startsWith('x') ? 'y' : 'x'}${key.slice(1)}`,
      swapCase(key),
    ]
      .filter((other) => other !== '' && other !== key)
      .map((other) => `Bearer ${other}`),
  ],
  'bearer-form': (key) => [
    key,
    `Bearer${key}`,
    `Basic ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    `Token ${key}`,
    `ApiKey ${key}`,
  ],
};

/** What the specification asks of keys. Source: Authentication */
export const keyChecks: readonly Check[] = [
  ...Object.entries(operations).flatMap(([operation, toRequests]) =>
    Object.entries(forms).map(
      ([name, toValues]): Check => ({
        clause: `${operation}/${name}`,
        writes: operation === 'create-pet',
        run: async (context) => {
          if (operation === 'get-pet') await expectNotRemoved(context);
          for (const request of await toRequests(context)) {
            // With the key first: what a cache keeps of it is for no one else.
            if (request.method === undefined) await context.client.send(request);
            for (const authorization of toValues(context.target.apiKey)) {
              await expectUnauthorized(context, { ...request, authorization });
            }
          }
        },
      }),
    ),
  ),
  {
    clause: 'create-pet/key-before-body',
    writes: true,
    run: async (context) => {
      for (const body of ['{', '[]', '{"name":1}', '', '{"name":"Rex","categoryId":1,"status":"lost"}']) {
        await expectUnauthorized(context, { method: 'POST', path: '/pets', body, authorization: undefined });
      }
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
