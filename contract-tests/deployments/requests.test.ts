import { expect, test } from 'vitest';
import { clauses } from '../clauses/clauses.ts';
import { resolveTarget } from '../core/target.ts';
import { runSuite } from '../run.ts';
import type { Behaviour, DeployedRequest } from './deployment.ts';
import { startDeployment } from './start-deployment.ts';

const invalidKeys = [
  ...[/^Bearer test-key\w$/m, /^Bearer test-key x$/m, /^Bearer test-key,x$/m, /^Bearer x test-key$/m],
  ...[/^Bearer \S+test-key$/m, /^Bearer test-ke$/m, /^Bearer TEST-KEY$/m, /^Bearer testkey$/m],
  ...[/^Bearer [^t]est-key$/m, /^Bearer test-ke[^y]$/m, /^Bearer test[^-]key$/m, /^Bearer %$/m],
  ...[/' OR '/, /^Bearer constructor$/m, /^Bearer undefined$/m],
];

const otherForms = [
  ...[/^BearerX test-key$/m, /^Basic test-key$/m, /^Bearertest-key$/m, /^ApiKey test-key$/m],
  /^Basic Y29udHJhY3QtdGVzdDp0ZXN0LWtleQ==$/m,
];

/**
 * Requests that show one fault each, by the clause that makes them and the mock's reply. Where a clause judges a list of
 * requests in one way, a deployment proves that it sees a fault at one of them; these are the others.
 */
const wanted: Readonly<Record<string, readonly RegExp[]>> = {
  'list-pets/invalid-key 401': invalidKeys,
  'create-pet/invalid-key 401': invalidKeys,
  'get-pet/invalid-key 401': invalidKeys,
  'list-pets/bearer-form 401': otherForms,
  'create-pet/bearer-form 401': otherForms,
  'get-pet/bearer-form 401': otherForms,
  'list-pets/status-filters 200': [/\?status=available$/m, /\?status=pending$/m, /\?status=sold$/m],
  'create-pet/text-exact 201': [
    ...[
      /"name":" /,
      / "/,
      /\w {2}\w/,
      /</,
      /<[^>]*>/,
      /'/,
      /\\\\/,
      /%41/,
      /[^\0-\x7f]/,
      /[^\0-\xff]/,
      /ﬁ/,
      /\\n/,
    ],
    ...[/\p{Extended_Pictographic}/u, /\p{Cf}/u, /e\u0301/, /é/, /"[^"]{256,1999}"/, /"[^"]{2001,}"/],
  ],
  'create-pet/int64-exact 201': [/:0,/, /:3000000000,/, /:9223372036854775807,/],
  'create-pet/status-kept 201': [/"available"/, /"pending"/, /"sold"/],
  'create-pet/name-required 400': [/\{"Name"/, /\{"categoryId":\d+,"status":"available"\}/],
  'create-pet/name-type 400': [/"name":1,/, /"name":null/, /"name":\[/, /"name":true/, /"name":\{/],
  'create-pet/category-type 400': [
    ...[/:1\.5\}/, /:9223372036854775808\}/, /:"1"\}/, /:""\}/, /:null\}/, /:true\}/, /:\d{100,}\}/],
  ],
  'create-pet/status-value 400': [/:"lost"/, /:"Available"/, /s":null/, /s":""/, /:"available "/, /s":1\}/],
  'create-pet/body-required 400': [/\n\n$/, /\n\[\{/, /\nnull$/, /\n\[\]$/, /\n"Rex"$/, /\n1$/],
  'create-pet/malformed 400': [
    ...[
      /\nRex$/,
      /,\}$/,
      /'/,
      /NaN/,
      /\/\*/,
      /\} Rex$/,
      /\}\n\{/,
      /\{name/,
      /:0\d/,
      /R\nex/,
      /\d\}\}$/,
      /\d$/,
    ],
  ],
  'create-pet/refused-adds-nothing 400': [
    ...[/"name":1,/, /"name":null/, /:9223372036854775808,/, /"categoryId":"/, /"name":"[^"]*","status"/],
  ],
};

/** Requests with the right key that may be too much, whatever the clause. */
const unusual = [
  ...[
    /"name":null/,
    /\n\n$/,
    /"nickname"/,
    /"name":\{/,
    /\nnull$/,
    /\\u0000"/,
    /\\u0000".*categoryId/,
    /\\ud800/i,
  ],
  ...[/\?limit=abc$/m, /\?limit=0$/m, /\?limit=-/, /\?limit=\d{19,}/, /\?limit=.*limit=/, /\?limit=101$/m],
  ...[/\?status=lost$/m, /\?status=%27/, /\?status=.*status=/, /\?status%5B%5D=/, /\?status=%EF%BF%BD/],
  ...[
    /\?contract-test=/,
    /pets\/-0\?/,
    /pets\/01\?/,
    /pets\/abc\?/,
    /pets\/%00\?/,
    /pets\/-?9223372036854775809/,
  ],
  ...[/pets\/9223372036854775808\?/, /charset=unknown/, /urlencoded/, /^POST[^\n]*\n[^\n]*\nundefined/],
];

const print = ({ method, path, query, headers, body }: DeployedRequest) =>
  `${method} ${path}?${query}\n${headers.authorization}\n${headers['content-type']}\n\n${body}`;

/** The texts of all requests of a run against the mock, by their clause and the status of the reply. */
async function recordRun(): Promise<ReadonlyMap<string, readonly string[]>> {
  const recorded = new Map<string, string[]>();
  let exchanges: { readonly status: number; readonly text: string }[] = [];
  const behave: Behaviour = async (request, asMock) => {
    const reply = await asMock(request);
    exchanges.push({ status: reply.status, text: print(request) });
    return reply;
  };
  const { url, close } = await startDeployment({ name: '', breaks: [], createBehaviour: () => behave });
  const only = clauses.map(({ id }) => id).filter((id) => !/^(?:replay|quickstart)\//.test(id));
  await runSuite(resolveTarget({ apiKey: 'test-key', runs: 1, baseUrl: url }), {
    only,
    onResult: ({ clause }) => {
      for (const { status, text } of exchanges) {
        const key = `${clause.id} ${status}`;
        recorded.set(key, [...(recorded.get(key) ?? []), text]);
      }
      exchanges = [];
    },
  }).finally(close);
  return recorded;
}

const recorded = await recordRun();

test.for(Object.entries(wanted))('%s: the suite makes each request', ([key, patterns]) => {
  const texts = recorded.get(key) ?? [];
  expect(patterns.filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
});

test('the suite makes each request that may be too much', () => {
  const texts = [...recorded.values()].flat().filter((text) => text.includes('\nBearer test-key\n'));
  expect(unusual.filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
});
