import { get, type HttpCase, type HttpRequest, post, refusal } from '../../../tools/testing/http-case.ts';
import { samplePets } from '../../../tools/testing/start-test-mock.ts';

const keyedPaths =
  '/v1/pets?limit=0&status=lost /v1/pets/1 /v1/pets/abc /v1 /v1/nothing /v1/pets/%ZZ /messages';

/** Requests to each place that requires a key, valid and invalid. */
const keyed: readonly HttpRequest[] = [
  ...keyedPaths.split(' ').map((path) => get(path)),
  post('/v1/pets', '{'),
  post('/v1/pets', 'x', { 'Content-Type': 'text/plain' }),
  post('/messages', '{"message":"hi"}'),
  ...['HEAD', 'DELETE', 'OPTIONS'].map((method) => ({ method, path: '/v1/pets/1' })),
];

const wrongKeys: readonly (readonly [authorization: string, mention?: string])[] = [
  ['test-key'],
  ['Bearer wrong-key', 'is invalid'],
  ['Bearer test-keys'],
  ['Bearer Test-Key'],
  ['Bearer test-key test-key'],
  ['Bearer "test-key"'],
  [`Bearer test-key${'x'.repeat(4000)}`],
  [`Basic ${btoa('user:test-key')}`],
  ['Token test-key', 'does not hold a bearer token'],
  ['Bearertest-key'],
  ['Bearer\ttest-key'],
];

const keys = ['first', 'second', 'third~!@#$%^&*()'];
const accepted = [
  ...['bearer test-key', 'bEaReR   test-key', 'Bearer test-key '].map((one) => [one, {}] as const),
  ...keys.map((key) => [`Bearer ${key}`, { apiKeys: keys }] as const),
];
const challenge = { 'www-authenticate': 'Bearer' };
const free = { Authorization: undefined };

const refusedMethods = [
  ['/v1/pets', 'GET, HEAD, POST', 'PUT PATCH DELETE OPTIONS TRACE'],
  ['/v1/pets/1', 'GET, HEAD', 'POST PUT PATCH DELETE OPTIONS'],
  ['/v1/pets/abc', 'GET, HEAD', 'DELETE'],
  ['/messages', 'POST', 'GET PUT DELETE OPTIONS'],
] as const;

// Further paths are in tools/testing/attacks.ts.
const unknownPaths = [
  ...'/ /v1/pets/ /v1/pets/1/ /v1/pets/1/2 /v1/Pets /v1/pets.json /pets /v1/categories'.split(' '),
  ...'/V1/Pets /V1/pets/1 /Messages /v1/messages /messages/ /openapi.yaml/ /favicon.ico'.split(' '),
];

const withoutOrigin = { 'Access-Control-Request-Method': 'GET' };

/** Rules of every operation. Source: specification, Authentication and Errors; docs/reference/unspecified.md */
export const crossCuttingCases: readonly HttpCase[] = [
  ...keyed.map((request) => {
    const headers = { ...request.headers, ...free };
    return refusal({ ...request, headers }, 401, ['Authorization: Bearer <API_KEY>'], challenge);
  }),
  ...wrongKeys.map(([Authorization, mention = '']) =>
    refusal(get('/v1/pets', { Authorization }), 401, [mention], challenge),
  ),
  ...['/v1x', '/v10/pets', '/V1/Pets', '/messagesx', '/'].map((path) => refusal(get(path, free), 404)),
  ...accepted.map(([Authorization, options]) => {
    return { options, request: get('/v1/pets/1', { Authorization }), answer: { status: 200 } };
  }),
  ...refusedMethods.flatMap(([path, allow, methods]) =>
    methods.split(' ').map((method) => refusal({ method, path }, 405, [method, allow], { allow })),
  ),
  ...unknownPaths.map((path) => refusal(get(path), 404, [`nothing at ${path}`])),
  // These are no preflights.
  { request: get('/v1/pets', withoutOrigin), answer: { status: 200, body: samplePets.toReversed() } },
  refusal({ method: 'OPTIONS', path: '/v1/pets', headers: withoutOrigin }, 405),
];
