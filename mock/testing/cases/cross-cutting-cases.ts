import { get, type HttpCase, type HttpRequest, post, refusal } from '../../../testing/http-case.ts';
import { samplePets } from '../../../testing/start-test-mock.ts';
import type { MockOptions } from '../../mock-options.ts';

/** Requests to each place that requires a key, valid and invalid. */
const keyed: readonly HttpRequest[] = [
  ...'/v1/pets?limit=0&status=lost /v1/pets/1 /v1/pets/abc /v1 /v1/nothing /v1/pets/%ZZ /messages'
    .split(' ')
    .map((path) => get(path)),
  post('/v1/pets', '{'),
  post('/v1/pets', 'x', { 'Content-Type': 'text/plain' }),
  post('/messages', '{"message":"hi"}'),
  ...['/v1/pets', '/v1/pets/1'].flatMap((path) =>
    ['HEAD', 'DELETE', 'OPTIONS'].map((method) => ({ method, path })),
  ),
];

const wrongKeys: Readonly<Record<string, string | undefined>> = {
  'no Authorization header': undefined,
  'the bare key': 'test-key',
  'another key': 'Bearer wrong-key',
  'a key of one character more': 'Bearer test-keys',
  'a key in another case': 'Bearer Test-Key',
  'the key twice': 'Bearer test-key test-key',
  'the key in quotes': 'Bearer "test-key"',
  'a very long key': `Bearer test-key${'x'.repeat(4000)}`,
  'another scheme': `Basic ${btoa('user:test-key')}`,
  'no space': 'Bearertest-key',
  'a tab': 'Bearer\ttest-key',
};

const challenge = { 'www-authenticate': 'Bearer' };

function refuses(title: string, Authorization: string | undefined, ...mentions: string[]): HttpCase {
  return refusal(title, get('/v1/pets', { Authorization }), 401, mentions, challenge);
}

function accepts(title: string, Authorization: string, options: MockOptions = {}): HttpCase {
  return { title, options, request: get('/v1/pets/1', { Authorization }), answer: { status: 200 } };
}

const keys = ['first', 'second', 'third~!@#$%^&*()'];

const authentication: readonly HttpCase[] = [
  ...keyed.map((request) =>
    refusal(
      `${request.method} ${request.path} ${request.body ?? ''} without a key is refused, whatever else is wrong`,
      { ...request, headers: { ...request.headers, Authorization: undefined } },
      401,
      ['Authorization: Bearer <API_KEY>'],
      challenge,
    ),
  ),
  ...Object.entries(wrongKeys).map(([what, authorization]) =>
    refuses(`GET /pets with ${what} is refused`, authorization),
  ),
  refuses('a header without a bearer token is told apart', 'Token test-key', 'does not hold a bearer token'),
  refuses('a wrong key is told apart', 'Bearer x', 'is invalid'),
  ...['/v1x', '/v10/pets', '/messagesx', '/'].map((path) =>
    refusal(`GET ${path} finds nothing without a key`, get(path, { Authorization: undefined }), 404),
  ),
  ...['bearer test-key', 'BEARER test-key', 'bEaReR   test-key', 'Bearer test-key '].map((authorization) =>
    accepts(`GET /pets/1 with ${JSON.stringify(authorization)} is accepted`, authorization),
  ),
  ...keys.map((key) =>
    accepts(`GET /pets/1 is accepted with the key ${key}, one of three`, `Bearer ${key}`, { apiKeys: keys }),
  ),
];

function refusesMethods(path: string, allow: string, ...methods: string[]): HttpCase[] {
  return methods.map((method) =>
    refusal(`${method} ${path} is refused`, { method, path }, 405, [method, allow], { allow }),
  );
}

// Further paths are in fuzz/attacks.ts.
const unknownPaths = [
  ...'/ /v1/pets/ /v1/pets/1/ /v1/pets/1/2 /v1/Pets /v1/pets.json /pets /v1/categories'.split(' '),
  ...'/v1/store/orders /v1/messages /messages/ /openapi.yaml/ /favicon.ico'.split(' '),
];

/** What holds for every operation. Source: specification, Authentication and Errors; docs/reference/unspecified.md */
export const crossCuttingCases: readonly HttpCase[] = [
  ...authentication,
  ...refusesMethods('/v1/pets', 'GET, HEAD, POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
  ...refusesMethods('/v1/pets/1', 'GET, HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  ...refusesMethods('/v1/pets/abc', 'GET, HEAD', 'DELETE'),
  ...refusesMethods('/messages', 'POST', 'GET', 'PUT', 'DELETE', 'OPTIONS'),
  ...unknownPaths.map((path) => refusal(`GET ${path} finds nothing`, get(path), 404, [`nothing at ${path}`])),
  {
    title: 'GET /pets that looks like a preflight lists the animals',
    request: get('/v1/pets', { 'Access-Control-Request-Method': 'GET' }),
    answer: { status: 200, body: samplePets.toReversed() },
  },
  refusal(
    'OPTIONS /v1/pets without Origin is no preflight',
    { method: 'OPTIONS', path: '/v1/pets', headers: { 'Access-Control-Request-Method': 'GET' } },
    405,
  ),
];
