import type { RequestOptions } from '../../core/client.ts';
import type { Context } from '../../core/context.ts';
import { expectStatus } from '../../core/expect-response.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { basicCredentials, createWrongKeys } from '../../core/wrong-keys.ts';

/** What a request says of the key. */
export type Credentials = Pick<RequestOptions, 'authorization' | 'headers'>;

/** No key at all. */
export const missingKeys: readonly Credentials[] = [undefined, 'Bearer', 'Bearer '].map((authorization) => ({
  authorization,
}));

/** Words that a table of keys may have of its own, injections, and long keys. */
const strangeKeys = [
  ...['null', 'undefined', 'constructor', '__proto__', 'a.b.c', '%', "'", "' OR '1'='1"],
  'x'.repeat(100),
];

/** Creates bearer tokens that are not the valid key; the usual one comes first. */
export function createInvalidKeys(key: string): Credentials[] {
  return [
    'contract-test-invalid-key',
    ...[`${key} x`, `${key},x`, `x ${key}`, `"${key}"`],
    ...createWrongKeys(key).map((wrong) => wrong.key),
    ...strangeKeys.filter((strange) => strange !== key),
  ].map((token) => ({ authorization: `Bearer ${token}` }));
}

/** Creates credentials with the valid key that are not a bearer token. */
export function createOtherForms(key: string): Credentials[] {
  const basic = basicCredentials.map((user) => `Basic ${Buffer.from(user(key)).toString('base64')}`);
  const forms = [
    ...[key, `Bearer${key}`, `BearerX ${key}`, `Bearer:${key}`, `Basic ${key}`],
    ...basic,
    ...[`Token ${key}`, `ApiKey ${key}`],
  ];
  return [
    ...forms.map((authorization) => ({ authorization })),
    { authorization: undefined, headers: { 'X-API-Key': key } },
  ];
}

/** Expects 401 for the first request with all credentials, and for the others with the first ones. */
export async function expectUnauthorized(
  context: Context,
  requests: readonly RequestOptions[],
  credentials: readonly Credentials[],
): Promise<void> {
  for (const [index, request] of requests.entries()) {
    await expectRequestUnauthorized(context, request, index === 0 ? credentials : credentials.slice(0, 1));
  }
}

/** Expects 401 while the same request is made with the valid key: a cached response must not be shared. */
async function expectRequestUnauthorized(
  { client }: Context,
  request: RequestOptions,
  credentials: readonly Credentials[],
): Promise<void> {
  const sendWithKey = async () => {
    if (request.method === undefined) await client.send(request);
  };
  await sendWithKey();
  const sent = sendWithKey();
  const refused = inParallel(credentials, async (others) => {
    // A deployment that needs no key at all is left to missing-key.
    const bare = others.headers && (await client.send({ ...request, authorization: undefined }));
    if (bare !== undefined && bare.response?.status !== 401) return;
    expectStatus(await client.send({ ...request, ...others }), 401);
  });
  await Promise.all([sent, refused]);
}
