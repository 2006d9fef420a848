import type { Check } from '../check.ts';
import type { RequestOptions } from '../client.ts';
import { type Context, outcomeOf } from '../context.ts';
import { expectNotRemoved } from '../removal.ts';
import { Unfulfilled, Untried } from '../verdict.ts';

/** An operation, as a request that would be lawful with the right key. */
const operations: Readonly<Record<string, RequestOptions>> = {
  'list-pets': { path: '/pets' },
  // A body that is refused with any key, so that nothing is added should the key be let pass.
  'create-pet': { method: 'POST', path: '/pets', body: '{}' },
  'get-pet': { path: '/pets/1' },
};

/** The values of Authorization that have no right key, by the last part of the clause. */
const forms: Readonly<Record<string, (key: string) => readonly (string | undefined)[]>> = {
  'missing-key': () => [undefined, 'Bearer', 'Bearer '],
  'invalid-key': (key) => [
    'Bearer contract-test-invalid-key',
    `Bearer ${key}x`,
    ...[key.slice(0, -1), swapCase(key)]
      .filter((other) => other !== '' && other !== key)
      .map((other) => `Bearer ${other}`),
  ],
  'bearer-form': (key) => [
    key,
    `Basic ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    `Token ${key}`,
  ],
};

/** What the specification asks of keys. Source: Authentication */
export const keyChecks: readonly Check[] = [
  ...Object.entries(operations).flatMap(([operation, request]) =>
    Object.entries(forms).map(
      ([name, toValues]): Check => ({
        clause: `${operation}/${name}`,
        writes: request.method === 'POST',
        run: async (context) => {
          if (operation === 'get-pet') await expectNotRemoved(context);
          for (const authorization of toValues(context.target.apiKey)) {
            await expectUnauthorized(context, { ...request, authorization });
          }
        },
      }),
    ),
  ),
  {
    clause: 'create-pet/key-before-body',
    writes: true,
    run: async (context) => {
      for (const body of ['{', '[]', '{"name":1}', '']) {
        await expectUnauthorized(context, { method: 'POST', path: '/pets', body, authorization: undefined });
      }
    },
  },
  {
    clause: 'advised/scheme-case',
    run: async ({ client, target }) => {
      const exchange = await client.send({ path: '/pets', authorization: `bearer ${target.apiKey}` });
      if (exchange.response?.status !== 200) throw new Unfulfilled('200', outcomeOf(exchange), exchange);
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

function swapCase(key: string): string {
  return key.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
