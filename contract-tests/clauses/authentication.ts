import { type ClauseDefinition, defineClauses } from '../core/clause.ts';
import { expectStatus } from '../core/expect-response.ts';
import { inParallel } from '../core/in-parallel.ts';
import { expectNoServerFault } from '../core/read-exchange.ts';
import { Failed, Skipped } from '../core/result.ts';
import {
  createInvalidKeys,
  createOtherForms,
  expectUnauthorized,
  missingKeys,
} from './authentication/expect-unauthorized.ts';
import {
  getPetRequests,
  getPetsRequests,
  type Operation,
  postPetsRequests,
} from './authentication/operations.ts';

/** The key for each operation, then what is not about one of them. */
export const authenticationClauses = defineClauses('Authentication', [
  ...createKeyClauses('list-pets', getPetsRequests),
  ...createKeyClauses('create-pet', postPetsRequests),
  ...createKeyClauses('get-pet', getPetRequests),
  {
    id: 'create-pet/key-before-body',
    sentence: 'POST /pets without a valid key returns 401 even if its body is invalid.',
    tolerated: [{ open: 'what keys look like', answers: 'any printable ASCII without spaces' }],
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
  {
    id: 'advised/scheme-case',
    level: 'advised',
    sentence: 'The scheme "Bearer" is accepted in any case (RFC 9110, section 11.1).',
    run: async ({ client, target }) => {
      const exchange = await client.send({ path: '/pets', authorization: `bearer ${target.apiKey}` });
      expectNoServerFault(exchange);
      if (exchange.response?.status === 401) expectStatus(exchange, 200);
    },
  },
  {
    id: 'advised/challenge',
    level: 'advised',
    sentence: 'A 401 has a WWW-Authenticate header (RFC 9110, section 11.6.1).',
    run: async ({ client }) => {
      const exchange = await client.send({ path: '/pets', authorization: undefined });
      if (exchange.response?.status !== 401) throw new Skipped('a request without a key did not return 401');
      if (exchange.response.headers['www-authenticate'] !== undefined) return;
      throw new Failed('a WWW-Authenticate header', 'none', exchange);
    },
  },
]);

/** The three clauses about the key of one operation. */
function createKeyClauses(prefix: string, { name, needs, createRequests }: Operation): ClauseDefinition[] {
  return [
    {
      id: `${prefix}/missing-key`,
      sentence: `${name} without a key returns 401.`,
      needs,
      run: async (context) => expectUnauthorized(context, await createRequests(context), missingKeys),
    },
    {
      id: `${prefix}/invalid-key`,
      sentence: `${name} with a key that differs from the valid one, even in one character, returns 401.`,
      needs,
      run: async (context) => {
        const invalid = createInvalidKeys(context.target.apiKey);
        await expectUnauthorized(context, await createRequests(context), invalid);
      },
    },
    {
      id: `${prefix}/bearer-form`,
      sentence: `${name} with the valid key in another form than "Bearer <key>" returns 401.`,
      needs,
      run: async (context) => {
        const requests = (await createRequests(context)).slice(0, 1);
        await expectUnauthorized(context, requests, createOtherForms(context.target.apiKey));
      },
    },
  ];
}
