import { printExactJson } from '../../common/json/exact-json.ts';
import { petStatuses } from '../../common/json/pet.ts';
import { isAscii } from '../client/exchange.ts';
import type { Target } from '../client/target.ts';
import type { RequestOptions } from '../client/to-request.ts';
import { basicCredentials, createFoldedKeys, createWrongKeys } from '../client/wrong-keys.ts';
import type { RequestForm } from '../failures/failure.ts';
import { otherPaths } from '../history/list-parameters.ts';
import { listFilters } from './lists.ts';
import type { Sender } from './sender.ts';

/** What a request tries instead of the valid key. */
export type KeyTrial = 'missing key' | 'invalid key' | 'other form';

type Credentials = Pick<RequestOptions, 'authorization' | 'headers'> & { readonly form?: RequestForm };

const missingKeys: readonly Credentials[] = [undefined, '', 'Bearer', 'Bearer '].map((authorization) => ({
  authorization,
}));

const words = ['.*', '0', '1', 'true', 'null', 'undefined', 'constructor', '__proto__', '%', "' OR '1'='1"];

const LONG_KEY = 8_000;

/** Wrong keys in forms that a service may take for something else. */
const unusualKeys: readonly Credentials[] = [
  { authorization: 'Bearer a.b.c', form: 'a wrong key with dots' },
  // It says that it needs no signature. Source: RFC 7519, section 6.1
  { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', form: 'a wrong key that looks like a JWT' },
  { authorization: 'Bearer k\u00e9y', form: 'a wrong key that is not ASCII' },
  { authorization: `Bearer ${'x'.repeat(LONG_KEY)}`, form: 'a wrong key of 8,000 letters' },
  { authorization: 'Bearer one two', form: 'two tokens in place of a key' },
  { authorization: 'Basic', form: 'a scheme without a key' },
];

function createInvalidKeys({ apiKey: key, otherKey }: Target, isOfLists: boolean): Credentials[] {
  const tokens = [
    otherKey,
    ...[`${key} x`, `${key},x`, `${key};x`, `${key}:x`, `x ${key}`, `"${key}"`],
    ...createWrongKeys(key).map((wrong) => wrong.key),
    // For a pattern of SQL an underscore is any letter. White space around a header's value is no part of it.
    ...(isOfLists
      ? [...words, '_'.repeat(key.length), ...encode(key)].filter((word) => word.trim() !== key)
      : []),
  ];
  const usual = tokens.map(
    (token): Credentials => ({
      authorization: `Bearer ${token}`,
      ...(!isAscii(token) && { form: 'a wrong key that is not ASCII' }),
    }),
  );
  if (!isOfLists) return usual;
  const { dotted, accented, fullWidth } = createFoldedKeys(key, otherKey);
  return [
    ...usual,
    { authorization: `Bearer ${dotted.key}`, form: 'a wrong key with dots' },
    { authorization: `Bearer ${fullWidth.key}`, form: 'a wrong key that is not ASCII' },
    { authorization: `Bearer ${accented.key}`, form: 'a wrong key that is not ASCII' },
    ...unusualKeys,
  ];
}

/** Writes a key as a service may read it that takes keys from elsewhere too: from a URL, from Basic, or from a form. */
function encode(key: string): readonly string[] {
  const first = key.charCodeAt(0).toString(16).padStart(2, '0');
  return [
    `%${first}${key.slice(1)}`,
    Buffer.from(key).toString('base64'),
    `${key.slice(0, 1)} ${key.slice(1)}`,
    `${key}=`,
  ];
}

/** Headers in which other services expect a key. */
const otherHeaders = [
  ...['X-API-Key', 'Api-Key', 'ApiKey', 'X-API-Token', 'X-Access-Token', 'X-Auth-Token', 'X-Token', 'X-Key'],
  ...['Token', 'Authentication', 'Ocp-Apim-Subscription-Key'],
];

function createOtherForms(key: string): Credentials[] {
  const forms = [
    ...[key, `Bearer${key}`, `BearerX ${key}`, `XBearer ${key}`, `Bearer: ${key}`, `Bearer:${key}`],
    `Basic ${key}`,
    ...[`Basic Bearer ${key}`, `Bearer Bearer ${key}`],
    ...basicCredentials.map((user) => `Basic ${Buffer.from(user(key)).toString('base64')}`),
    ...[`Token ${key}`, `ApiKey ${key}`, `JWT ${key}`, `Bearer token="${key}"`],
  ].map((authorization) => ({ authorization }));
  const cookies = ['token', 'api_key', 'apiKey', 'key', 'access_token', 'jwt', 'session']
    .map((name) => `${name}=${key}`)
    .join('; ');
  const inHeaders = Object.fromEntries(otherHeaders.map((name) => [name, key]));
  const elsewhere = [inHeaders, { Cookie: cookies }].map((headers) => ({
    authorization: undefined,
    headers,
  }));
  return [...forms, ...elsewhere];
}

/** An operation, with requests to try without the valid key: the first with all credentials, the others with the usual ones. */
interface Tried {
  readonly requests: readonly RequestOptions[];
  /** Requests to send without a key only. */
  readonly further: readonly RequestOptions[];
  /** In a run that may not write, the operations share the credentials. */
  readonly share: 'all' | 'even' | 'odd';
}

function toGet(id: unknown): RequestOptions {
  return { path: `/pets/${id}` };
}

const anyAnimals = [0n, 1n, -1n, 2n ** 31n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)].map(toGet);

function listOperations(sender: Sender): Tried[] {
  const { mayWrite } = sender;
  const share = (own: 'even' | 'odd') => (mayWrite ? 'all' : own);
  const filters = listFilters(sender);
  // Each parameter alone and with the other: the key may be checked for some of them only.
  const queries = [
    ...['', '?status=lost', ['?limit=abc', ...filters.slice(0, 1)].join('&')],
    ...filters.map((filter) => `?${filter}`),
    ...['', ...filters].map((filter) => ['?limit=5', filter].filter((one) => one !== '').join('&')),
  ].map((query) => ({ path: `/pets${query}` }));
  const animals = [...sender.history.animals.values()];
  const listed = [undefined, ...petStatuses].flatMap((wanted) => {
    const found = animals.find(({ observations }) =>
      observations.some(({ shown }) => shown !== undefined && shown.status === wanted),
    );
    return found === undefined ? [] : [toGet(found.id)];
  });
  const post = (body: string): RequestOptions => ({ method: 'POST', path: '/pets', body });
  return [
    { requests: queries, further: [{ path: '/pets?contract-test=1' }], share: share('even') },
    ...(mayWrite
      ? [
          {
            // The first is invalid, so that nothing is added if a wrong key is accepted.
            requests: [post('{}'), post(printExactJson(sender.createPet('without the key', 'pending')))],
            further: [],
            share: 'all' as const,
          },
        ]
      : []),
    { requests: [...listed, toGet(8_765_432_109_876_543_210n)], further: anyAnimals, share: share('odd') },
  ];
}

function choose<T>(all: readonly T[], share: Tried['share']): readonly T[] {
  const isChosen = (index: number) =>
    index === 0 || share === 'all' || (index % 2 === 1) === (share === 'odd');
  return all.filter((_, index) => isChosen(index));
}

/** Number of requests without a key in a run that may not write. */
const MOST_WITHOUT_KEY = 6;

/** Sends requests without the valid key. */
export async function sendKeys(sender: Sender): Promise<void> {
  const { target } = sender;
  for (const [index, { requests, further, share }] of listOperations(sender).entries()) {
    await tryKeys(
      sender,
      sender.chooseFew([...requests, ...further], MOST_WITHOUT_KEY),
      missingKeys,
      'missing key',
    );
    const keys = choose(createInvalidKeys(target, index === 0), share);
    await tryKeys(sender, sender.chooseFew(requests, 1), keys, 'invalid key');
    await tryKeys(sender, requests.slice(0, 1), choose(createOtherForms(target.apiKey), share), 'other form');
  }
  await sendElsewhere(sender);
  await sendAccepted(sender);
}

async function tryKeys(
  sender: Sender,
  requests: readonly RequestOptions[],
  credentials: readonly Credentials[],
  trial: KeyTrial,
): Promise<void> {
  for (const [index, request] of requests.entries()) {
    // The valid key before and at the same time: a cached response must not be shared. One animal is enough to show it.
    const isCacheable = index === 0 || !request.path.startsWith('/pets/');
    const isShared =
      request.method === undefined && isCacheable && (sender.mayWrite || trial === 'missing key');
    const withKey = isShared ? [request] : [];
    if (index === 0) await sender.sendEach(withKey);
    const tried = (index === 0 ? credentials : credentials.slice(0, 1)).map((one) => {
      // A header that is not ASCII may get 400, for which the rest of a request must give no reason.
      const asked = isAscii(one.authorization) ? request : (requests.at(-1) ?? request);
      return { ...asked, ...one, trial };
    });
    await sender.sendTogether([...withKey, ...tried]);
  }
}

/** Length of a body that takes more than one read, in characters. */
const LARGE_BODY = 8_000;

/** Bodies that are no NewPet: the key is looked at before them. */
function listNotNewPets(sender: Sender): readonly Pick<RequestOptions, 'body' | 'mediaType'>[] {
  const name = () => printExactJson(sender.nameFor('without the key'));
  return [
    ...['[]', `{"name":1}`, `{"name":${name()},"categoryId":1,"status":"lost"}`, ''].map((body) => ({
      body,
    })),
    { body: '{', mediaType: 'application/json; charset=utf-8' },
    { body: sender.nameFor('as text'), mediaType: 'text/plain' },
    { body: 'name=contract-test&categoryId=1', mediaType: 'application/x-www-form-urlencoded' },
  ];
}

type Proof = readonly [form: RequestForm, headers: Readonly<Record<string, string>>];

/** Lists headers by which a service may believe that it knows who asks. */
function listOtherProofs(sender: Sender, tag: string): readonly Proof[] {
  const { apiKey, baseUrl } = sender.target;
  const cookie = findCookie(sender);
  return [
    ['an If-None-Match without a key', { 'If-None-Match': tag }],
    [
      'headers of a proxy without a key',
      { 'X-Forwarded-For': '127.0.0.1', 'X-Forwarded-User': 'admin', 'X-Remote-User': 'admin' },
    ],
    // A service may send a browser to a page that asks who it is, or trust the pages of its own origin.
    ['Accept: text/html, without a key', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }],
    ['an Origin without a key', { Origin: new URL(baseUrl).origin }],
    ['the key in another header', { 'X-Authorization': `Bearer ${apiKey}` }],
    ...(cookie === undefined ? [] : [['the cookie of an earlier response', { Cookie: cookie }] as const]),
  ];
}

/** Sends no key where it may be checked elsewhere: to what a client has already, to other forms of a path, and with large bodies. */
async function sendElsewhere(sender: Sender): Promise<void> {
  const { history, target } = sender;
  const list = await sender.get('/pets');
  const none = { authorization: undefined, trial: 'missing key' } as const;
  const proofs = listOtherProofs(sender, list?.response?.headers.etag ?? '*');
  await sender.sendEach(proofs.map(([form, headers]) => ({ path: '/pets', ...none, headers, form })));
  await sender.sendTogether(otherPaths.map((path) => ({ path, authorization: undefined })));
  const [id] = history.animals.keys();
  if (id !== undefined && id >= 0n) {
    const encoded = String(id).replaceAll(/\d/g, (digit) => `%3${digit}`);
    await sender.send({ path: `/pets/${id}?verbose=1`, ...none, form: 'an id with a query, without a key' });
    await sender.send({ path: `/pets/${id}/`, authorization: undefined });
    await sender.send({
      path: `/pets/${encoded}`,
      ...none,
      form: 'an id with percent-encoded digits, without a key',
    });
  }
  if (!sender.mayWrite) return;
  for (const authorization of [undefined, `Bearer ${target.otherKey}`]) {
    const trial = authorization === undefined ? 'missing key' : 'invalid key';
    await sender.sendTogether(
      listNotNewPets(sender).map((body) => ({
        method: 'POST',
        path: '/pets',
        authorization,
        ...body,
        trial,
        isBodyTrial: true,
      })),
    );
  }
  const pet = { ...sender.createPet('large without the key', 'pending'), note: 'x'.repeat(LARGE_BODY) };
  await sender.post(pet, { ...none, form: 'a large body without a key' });
}

/** Returns the cookies that the service has set, as a browser would send them. */
function findCookie({ history }: Sender): string | undefined {
  const set = history.exchanges.findLast(({ response }) => response?.headers['set-cookie'] !== undefined);
  return set?.response?.headers['set-cookie']
    ?.split(/,(?=[^;]+=)/)
    .map((one) => one.replace(/;.*/s, '').trim())
    .join('; ');
}

/** Sends a valid animal with each wrong key that was accepted for an invalid one, to see whether the key adds animals. */
async function sendAccepted(sender: Sender): Promise<void> {
  const accepted = sender.history.exchanges.find(
    ({ request, status }) =>
      request.method === 'POST' && request.trial === 'invalid key' && request.body === '{}' && status === 400,
  );
  if (accepted === undefined) return;
  const { headers, authorization } = splitHeaders(accepted.request.headers);
  await sender.post(sender.createPet('without the right key', 'pending'), {
    headers,
    authorization,
    trial: 'invalid key',
  });
}

function splitHeaders({
  Authorization: authorization,
  'Content-Type': _,
  ...headers
}: Readonly<Record<string, string>>) {
  return { headers, authorization };
}
