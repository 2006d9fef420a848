import { printExactJson } from '../../common/json/exact-json.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { Failed, NotApplicable } from '../client/clause-errors.ts';
import type { RequestOptions } from '../client/client.ts';
import { isAscii } from '../client/exchange.ts';
import { inParallel } from '../client/in-parallel.ts';
import type { Target } from '../client/target.ts';
import { basicCredentials, createFoldedKeys, createWrongKeys } from '../client/wrong-keys.ts';
import type { RequestForm } from '../failures/failure.ts';
import { type ClauseDefinition, type Need, underHeading } from '../vocabulary/clause.ts';
import type { Context } from '../vocabulary/context.ts';
import { expectEach } from '../vocabulary/expect-each.ts';
import {
  acceptedKey,
  expectAnswer,
  expectStatus,
  expectUnauthorized,
  wrongStatus,
} from '../vocabulary/expectations.ts';
import { WITH_SLASH } from '../vocabulary/list-parameters.ts';

type Credentials = Pick<RequestOptions, 'authorization' | 'headers'> & {
  /** An unusual form, which a server may fail at where it returns 401 for other keys. */
  readonly form?: RequestForm | undefined;
};

/** Creates requests to try without a valid key: the first with all credentials, the others with the usual ones. */
type CreateRequests = (context: Context) => Promise<RequestOptions[]>;

const anyAnimals = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)].map(toGet);

/** What an operation is requested with next to its usual requests. */
interface MoreRequests {
  /** Requests to send without a key. */
  readonly further?: readonly RequestOptions[];
  /** Expects a key to be required where it may be checked elsewhere. */
  readonly expectCheckedEverywhere?: (context: Context) => Promise<void>;
}

/** The sentence that is tested for each operation, without a key and with a wrong one. */
const REFUSED = 'When the key is missing or invalid, the response is 401 with an Error body.';

export const authenticationClauses = underHeading('Authentication', { phase: 'keys', isParallel: true })([
  ...createKeyClauses('list-pets', 'GET /pets', [], createListRequests, {
    expectCheckedEverywhere: expectConditionalRefused,
  }),
  ...createKeyClauses('create-pet', 'POST /pets', ['writes'], createCreationRequests, {
    expectCheckedEverywhere: expectLargeRefused,
  }),
  ...createKeyClauses('get-pet', 'GET /pets/{petId}', ['getPet'], createGetRequests, {
    further: anyAnimals,
    expectCheckedEverywhere: expectPathsRefused,
  }),
  {
    id: 'create-pet/key-before-body',
    sentence: 'POST /pets without a valid key returns 401 even if its body is not a NewPet, or not JSON.',
    quote: 'The requirement applies to every operation.',
    explainedBy: ['create-pet/missing-key', 'create-pet/invalid-key'],
    tolerated: {
      'what comes first when several things are wrong':
        'a body over 1 kB is refused before the key; what is not about the key is checked in any order',
    },
    needs: ['writes'],
    run: async (context) => {
      for (const authorization of [undefined, `Bearer ${context.target.otherKey}`]) {
        await inParallel(notNewPets, async ({ body, ...options }) =>
          expectStatus(context, await context.post(body, { authorization, ...options }), 401, {
            what: 'body',
            body,
          }),
        ).catch((error) => throwAccepted(context, error));
      }
    },
  },
  {
    id: 'recommended/scheme-case',
    sentence: 'The scheme "Bearer" is accepted in any case (RFC 9110, section 11.1).',
    run: async (context) => {
      const authorization = `bearer ${context.target.apiKey}`;
      const exchange = await context.send({ path: '/pets', authorization });
      const { status } = exchange;
      // Another status than 401 has another reason, unless it is a server fault.
      expectAnswer(context, exchange, 200, status !== 401 && status > 0 && status < 500);
    },
  },
  {
    id: 'recommended/challenge',
    sentence: 'A 401 has a WWW-Authenticate header (RFC 9110, section 11.6.1).',
    run: async (context) => {
      const exchange = await context.send({ path: '/pets', authorization: undefined });
      if (exchange.status !== 401) throw new NotApplicable('a request without a key did not return 401');
      context.compare(exchange);
      if (exchange.response?.headers['www-authenticate'] !== undefined) return;
      throw new Failed({ kind: 'header', header: 'WWW-Authenticate' }, exchange);
    },
  },
]);

function createKeyClauses(
  prefix: string,
  operation: string,
  needs: readonly Need[],
  createRequests: CreateRequests,
  { further = [], expectCheckedEverywhere = async () => {} }: MoreRequests = {},
): readonly ClauseDefinition[] {
  return [
    {
      id: `${prefix}/missing-key`,
      sentence: `${operation} without a key returns 401.`,
      quote: REFUSED,
      explainedBy: ['list-pets/missing-key'],
      needs,
      run: async (context) =>
        expectAllUnauthorized(context, [...(await createRequests(context)), ...further], missingKeys).then(
          () => expectCheckedEverywhere(context),
        ),
    },
    {
      id: `${prefix}/invalid-key`,
      sentence: `${operation} with a key that differs from the valid one, even in one character, returns 401.`,
      quote: REFUSED,
      explainedBy: [`${prefix}/missing-key`, 'list-pets/invalid-key'],
      tolerated: {
        'how a key is issued, its format, lifetime and scopes':
          'any printable ASCII without spaces; any scopes; a UUID in any case and without its hyphens',
        'an Authorization header that is not ASCII': 'a 400, with or without an Error',
      },
      needs,
      run: async (context) => {
        const keys = createInvalidKeys(context.target, prefix);
        await expectAllUnauthorized(context, await createRequests(context), share(keys, prefix, context));
      },
    },
    {
      id: `${prefix}/bearer-form`,
      sentence: `${operation} with the valid key in another form than "Bearer <key>" returns 401.`,
      quote: 'in the Authorization header, in the form Authorization: Bearer <API_KEY>.',
      explainedBy: [`${prefix}/invalid-key`, 'list-pets/bearer-form'],
      needs,
      run: async (context) => {
        const requests = (await createRequests(context)).slice(0, 1);
        const forms = createOtherForms(context.target.apiKey);
        await expectAllUnauthorized(context, requests, share(forms, prefix, context));
      },
    },
  ];
}

/** Returns all credentials, or the first and every second one if the suite may not write: the operations share the others. */
function share(all: readonly Credentials[], prefix: string, { target }: Context): Credentials[] {
  if (target.allowsWrites) return [...all];
  const isOddShare = prefix === 'get-pet';
  const isOdd = (index: number) => index % 2 === 1;
  return all.filter((_, index) => index === 0 || isOdd(index) === isOddShare);
}

const notNewPets = [
  ...['[]', '{"name":1}', '{"name":"Rex","categoryId":1,"status":"lost"}', '{', ''].map((body) => ({ body })),
  { body: 'Rex', mediaType: 'text/plain' },
  { body: 'name=Rex&categoryId=1', mediaType: 'application/x-www-form-urlencoded' },
];

const missingKeys = [undefined, 'Bearer', 'Bearer '].map((authorization) => ({ authorization }));

async function createListRequests(): Promise<RequestOptions[]> {
  const queries = ['', '?status=lost', '?limit=abc', ...petStatuses.map((status) => `?status=${status}`)];
  return queries.map((query) => ({ path: `/pets${query}` }));
}

async function createCreationRequests(context: Context): Promise<RequestOptions[]> {
  const pet = await context.createPet('without the key');
  // The first is invalid, so that nothing is added if a wrong key is accepted.
  return ['{}', printExactJson(pet)].map((body) => ({ method: 'POST', path: '/pets', body }));
}

async function createGetRequests(context: Context): Promise<RequestOptions[]> {
  const animals = await context.listAnimals().catch(() => []);
  const listed = [undefined, ...petStatuses].map(
    (wanted) => animals.find(({ id, status }) => typeof id === 'bigint' && status === wanted)?.id,
  );
  return [...listed.filter((id) => id !== undefined), 8_765_432_109_876_543_210n].map(toGet);
}

function toGet(id: unknown): RequestOptions {
  return { path: `/pets/${id}` };
}

const words = ['.*', 'null', 'constructor', '__proto__', '%', "' OR '1'='1"];

function createInvalidKeys({ apiKey: key, otherKey }: Target, prefix: string): Credentials[] {
  const tokens = [
    otherKey,
    ...[`${key} x`, `${key},x`, `x ${key}`, `"${key}"`],
    ...createWrongKeys(key).map((wrong) => wrong.key),
    // For a pattern of SQL an underscore is any letter.
    ...(prefix === 'list-pets' ? [...words, '_'.repeat(key.length)].filter((word) => word !== key) : []),
  ];
  const usual = tokens.map((token) => {
    const authorization = `Bearer ${token}`;
    return { authorization, ...(isAscii(token) ? {} : { form: 'a key beyond ASCII' as const }) };
  });
  if (prefix !== 'list-pets') return usual;
  const { dotted, accented, fullWidth } = createFoldedKeys(key, otherKey);
  const folded = [
    { authorization: `Bearer ${dotted.key}`, form: 'a key with dots' },
    { authorization: `Bearer ${fullWidth.key}`, form: 'a key beyond ASCII' },
    { authorization: `Bearer ${accented.key}`, form: 'a key beyond ASCII' },
  ] as const;
  return [...usual, ...folded, ...unusualKeys];
}

const LONG_KEY = 8_000;

/** Wrong keys in forms that a service may take for something else. */
const unusualKeys: readonly Credentials[] = [
  { authorization: 'Bearer a.b.c', form: 'a key with dots' },
  // It says that it needs no signature. Source: RFC 7519, section 6.1
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', form: 'a key like a JWT' },
  { authorization: 'Bearer k\u00e9y', form: 'a key beyond ASCII' },
  { authorization: `Bearer ${'x'.repeat(LONG_KEY)}`, form: 'a key of 8,000 letters' },
  { authorization: 'Bearer one two', form: 'two tokens' },
  { authorization: 'Basic', form: 'a scheme alone' },
];

function createOtherForms(key: string): Credentials[] {
  const forms = [
    ...[key, `Bearer${key}`, `BearerX ${key}`, `XBearer ${key}`, `Bearer: ${key}`, `Basic ${key}`],
    ...[`Basic Bearer ${key}`, `Bearer Bearer ${key}`],
    ...basicCredentials.map((user) => `Basic ${Buffer.from(user(key)).toString('base64')}`),
    ...[`Token ${key}`, `ApiKey ${key}`],
  ].map((authorization) => ({ authorization }));
  return [...forms, { authorization: undefined, headers: { 'X-API-Key': key } }];
}

/** Number of requests without a key in a run that may not write. */
const MOST_WITHOUT_KEY = 6;

async function expectAllUnauthorized(context: Context, all: RequestOptions[], credentials: Credentials[]) {
  // A wrong key that is accepted is seen in one request; a missing key may be accepted for some animals only.
  const most = credentials === missingKeys ? MOST_WITHOUT_KEY : 1;
  const requests = context.chooseFew(all, most);
  for (const [index, request] of requests.entries()) {
    // The valid key before and at the same time: a cached response must not be shared. One animal is enough to show it.
    const isCacheable = index === 0 || !request.path.startsWith('/pets/');
    const isMeant = context.target.allowsWrites || credentials === missingKeys;
    const isShared = request.method === undefined && isCacheable && isMeant;
    const sendWithKey = async () => isShared && context.send(request);
    if (index === 0) await sendWithKey();
    const sent = sendWithKey();
    const tried = index === 0 ? credentials : credentials.slice(0, 1);
    const refused = expectEach(tried, async (one) => {
      // A deployment that needs no key at all is left to missing-key.
      const bare = one.headers && (await context.send({ ...request, authorization: undefined }));
      if (bare !== undefined && bare.status !== 401) return;
      // A header that is not ASCII may get 400, for which the rest of a request must give no reason.
      const isPlain = isAscii(one.authorization);
      const asked = isPlain ? request : (requests.at(-1) ?? request);
      const { form, ...credentialsOf } = one;
      const exchange = await context.send({ ...asked, ...credentialsOf });
      const isTooLong = form === 'a key of 8,000 letters' && [400, 414, 431].includes(exchange.status);
      if (isTooLong || (!isPlain && exchange.status === 400)) return;
      expectUnauthorized(context, exchange, form);
    });
    await Promise.all([sent, refused.catch((error) => throwAccepted(context, error))]);
  }
}

/** Expects a key to be required also if the client has the list already. */
async function expectConditionalRefused(context: Context): Promise<void> {
  const list = await context.get('/pets');
  const tag = list.response?.headers.etag ?? '*';
  const headers = { 'If-None-Match': tag };
  const exchange = await context.send({ path: '/pets', authorization: undefined, headers });
  expectUnauthorized(context, exchange, 'an ETag without a key');
  // Without a key, another form of the path must not bring the list either; there need not be such a path.
  const withSlash = await context.send({ path: WITH_SLASH, authorization: undefined });
  if (Array.isArray(withSlash.json)) throw wrongStatus(401, withSlash);
}

/** Expects a key to be required for an existing animal, however its path is written. */
async function expectPathsRefused(context: Context): Promise<void> {
  const id = context.lists.flatMap(({ animals }) => animals).find((animal) => animal.id !== undefined)?.id;
  if (typeof id !== 'bigint' || id < 0n) return;
  const encoded = String(id).replaceAll(/\d/g, (digit) => `%3${digit}`);
  const withQuery = await context.send({ path: `/pets/${id}?verbose=1`, authorization: undefined });
  expectUnauthorized(context, withQuery, 'an id with a query, without a key');
  const asEncoded = await context.send({ path: `/pets/${encoded}`, authorization: undefined });
  // A router may not know such a path.
  if ([400, 404].includes(asEncoded.status)) return;
  expectUnauthorized(context, asEncoded, 'an id with percent-encoded digits, without a key');
}

/** Length of a body that takes more than one read, in characters. */
const LARGE_BODY = 8_000;

/** Expects a 401 to arrive also if the body is large, which a server may not read to its end. */
async function expectLargeRefused(context: Context): Promise<void> {
  const pet = { ...(await context.createPet('large without the key')), note: 'x'.repeat(LARGE_BODY) };
  const exchange = await context.post(pet, { authorization: undefined });
  // A server may look at the size before the key.
  if (![400, 413].includes(exchange.status))
    expectUnauthorized(context, exchange, 'a large body without a key');
}

/** Sends a valid animal with the key of a failure. @throws Failed for the added animal, or else the error */
async function throwAccepted(context: Context, error: unknown): Promise<never> {
  const failed = error instanceof Failed ? error.exchange : undefined;
  if (failed?.request.method !== 'POST') throw error;
  const { Authorization: authorization, ...headers } = failed.request.headers;
  const exchange = await context.post(await context.createPet('without the key'), { headers, authorization });
  throw exchange.isAddition ? acceptedKey(exchange, context.target) : error;
}
