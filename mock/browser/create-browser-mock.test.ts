import { expect, onTestFinished, test, vi } from 'vitest';
import { createPageMock } from '../testing/create-page-mock.ts';
import { createBrowserMock } from './create-browser-mock.ts';

const register = (path: RegExp) => path;
const http = { get: register, head: register, post: register, all: register };

test.for<[message: string, ...args: unknown[]]>([
  ['createBrowserMock needs http of msw: createBrowserMock(http).'],
  ['The options: "profile" is unknown. Known: data, apiKeys, behaviour, now', http, { profile: 'empty' }],
  [
    'The base URL must end with /v1, such as https://api.example/v1, or in a page /api/v1, not "/v1"',
    http,
    {},
    '/v1',
  ],
  ['such as https://api.example/v1, or in a page /api/v1, not "https://a/v1/b"', http, {}, 'https://a/v1/b'],
  ['options of createBrowserMock must be an object. The base URL is the third argument.', http, '/api/v1'],
  ['not "ftp://api.example/v1"', http, {}, 'ftp://api.example/v1'],
  ['data[0]: categoryId is required', http, { data: [{ name: 'Rex' }] }],
  ['seed must be an integer from 0 to 4294967295, not -1', http, { seed: -1 }],
])('%s', ([message, ...args]) => {
  expect(() => Reflect.apply(createBrowserMock, undefined, args)).toThrow(message);
});

test('handlers answer at the root of each origin, or under the base URL that is given', () => {
  const answers = (url: string, base?: string) =>
    createBrowserMock(http, {}, base).handlers.some((path) => path.test(url));
  expect([answers('http://a/v1/pets'), answers('http://a/v1/nothing')]).toEqual([true, true]);
  expect(answers('http://a/src/v1/page.js')).toBe(false);
  expect(answers('http://a/b/v1/pets', 'http://a/b/v1')).toBe(true);
  expect(answers('http://a/b/v1/pets', 'http://a/b/v1/')).toBe(true);
  expect(answers('http://a/v1/pets', 'http://a/b/v1')).toBe(false);
  expect(answers('http://axb/v1/pets', 'http://a.b/v1')).toBe(false);
  vi.stubGlobal('location', new URL('http://a/shop/'));
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(answers('http://a/api/v1/pets', '/api/v1')).toBe(true);
  expect(answers('http://a/v1/pets', '/api/v1')).toBe(false);
});

test('the path of a base URL is no part of the path of a request, and of a redirect', async () => {
  type Resolver = (info: { request: Request }) => Promise<Response>;
  const keep = (path: RegExp, resolver: Resolver) => ({ path, resolver });
  const all = { get: keep, head: keep, post: keep, all: keep };
  const behaviour = { trailingSlash: 'redirect' } as const;
  const { handlers } = createBrowserMock(all, { behaviour }, 'https://gateway.example/v1/store/v1');
  const ask = (url: string) => {
    const request = new Request(url, { headers: { Authorization: 'Bearer test-key' } });
    return handlers.find(({ path }) => path.test(url))?.resolver({ request });
  };
  const url = 'https://gateway.example/v1/store/v1/pets/2';
  expect(await (await ask(url))?.json()).toMatchObject({ id: 2 });
  expect((await ask(`${url}/`))?.headers.get('Location')).toBe(url);
});

const rex = { name: 'Rex', categoryId: 1 };
const ofPets = 'GET, HEAD, POST';

test.for<[line: string, status: number, operation?: string | undefined, allow?: string]>([
  ['GET /v1/pets', 200, 'listPets'],
  ['HEAD /v1/pets?limit=1', 200, 'listPets'],
  ['POST /v1/pets', 201, 'createPet'],
  ['PUT /v1/pets', 405, undefined, ofPets],
  ['DELETE /v1/pets?limit=1', 405, undefined, ofPets],
  ['GET /v1/pets/1', 200, 'getPet'],
  ['HEAD /v1/pets/1', 200, 'getPet'],
  ['GET /v1/pets/2', 404, 'getPet'],
  ['GET /v1/pets/%ZZ', 404, 'getPet'],
  ['PATCH /v1/pets/1', 405, undefined, 'GET, HEAD'],
  ['POST /messages', 400, 'createMessage'],
  ['GET /messages', 405, undefined, 'POST'],
  ['GET /v1', 404],
  ['POST /v1/animals', 404],
  ['GET /v1/pets/1/2', 404],
])('a page gets %s with %i of %s', async ([line, status, operation, allow = null]) => {
  const { mock, ask } = createPageMock({ data: [rex] });
  const [method = '', path = ''] = line.split(' ');
  const body = method === 'POST' ? { body: JSON.stringify(rex) } : {};
  const response = await ask(method, path, body);
  expect(response?.status).toBe(status);
  expect(response?.headers.get('allow')).toBe(allow);
  expect((await response?.text()) === '').toBe(method === 'HEAD');
  expect(mock.requests()).toMatchObject([{ method, url: path, operation, status, key: 'key 1' }]);
});

test('a request of a page that waits is recorded with its body, also if the page then leaves', async () => {
  const { mock, ask } = createPageMock({});
  mock.faults.add({ delay: 600_000 });
  const leaving = new AbortController();
  const body = JSON.stringify(rex);
  const sent = ask('POST', '/v1/pets', { body, signal: leaving.signal });
  const waiting = { operation: 'createPet', body, status: undefined };
  expect(await mock.waitForRequest()).toMatchObject({ ...waiting, ms: undefined });
  leaving.abort();
  await sent;
  expect(await mock.waitForResponse()).toMatchObject({ ...waiting, ms: expect.any(Number) });
  expect(mock.animals.size).toBe(0);
});

test('in a page the header of a session changes nothing', async () => {
  const { mock, ask } = createPageMock({ data: [rex] });
  const headers = { Authorization: 'Bearer test-key', 'X-Animal-Store-Session': 'w1' };
  expect((await ask('GET', '/v1/pets/1', { headers }))?.status).toBe(200);
  expect(mock.requests()).toMatchObject([{ url: '/v1/pets/1', status: 200 }]);
});

test('without options a mock of a page has the animals of the default profile and one key', () => {
  const { animals, settings } = createBrowserMock(http);
  expect(animals.size).toBe(120);
  expect(settings()).toEqual({ now: null, apiKeys: ['[key]'], behaviour: {} });
});
