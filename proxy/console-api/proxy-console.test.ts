import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { exchangeRaw } from '../../tools/testing/exchange-raw.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';
import { type CheckedProxyOptions, startCheckedProxy } from '../index.ts';
import { startUpstream } from '../testing/start-upstream.ts';

/** Starts a proxy in front of a mock or another upstream. `ask` calls its console. */
async function startWatched(options: Partial<CheckedProxyOptions> = {}) {
  const upstream = String(options.upstream ?? (await startTestMock({ checkedProxy: false })).url);
  const proxy = await startCheckedProxy({ port: 0, ...options, upstream });
  onTestFinished(() => proxy.close());
  const [, token = ''] = /#token=(.+)$/.exec(proxy.consoleUrl ?? '') ?? [];
  const { origin } = new URL(proxy.url);
  const ask = async (method: string, path: string, key = token) => {
    const headers = key === '' ? {} : { Authorization: `Bearer ${key}` };
    const response = await fetch(`${origin}/__console/__admin${path}`, { method, headers });
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
  };
  return { ...proxy, upstream, origin, token, ask };
}

test('an exchange is listed with both sides and its violations, and without keys and cookies', async () => {
  const { url, upstream, ask } = await startWatched();
  const headers = { Cookie: 'session=of-somebody', 'X-API-Key': 'another-key' };
  const preflight = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' };
  await send(url, get('/v1/pets?limit=0', headers));
  await send(url, { method: 'OPTIONS', path: '/v1/pets', headers: preflight });
  await send(url, post('/v1/pets', '{"name":"Rex","categoryId":1}'));
  const { body: requests } = await ask('GET', '/requests');
  const first = { id: 1, operation: 'listPets', method: 'GET', url: '/v1/pets?limit=0', status: 400 };
  const second = { id: 3, operation: 'createPet', body: '{"name":"Rex","categoryId":1}', status: 201 };
  expect(requests).toMatchObject([
    {
      ...first,
      headers: { authorization: '[key]', 'x-api-key': '[key]', cookie: '[cookie]' },
      answer: { body: expect.stringContaining('"invalid_request"') },
    },
    { id: 2, method: 'OPTIONS', status: 204 },
    {
      ...second,
      answer: { headers: { 'content-type': 'application/json' }, body: expect.stringContaining('"Rex"') },
    },
  ]);
  expect(JSON.stringify(requests)).not.toMatch(/test-key|another-key|of-somebody/);
  expect((await ask('GET', '/violations')).body).toMatchObject([
    {
      request: 1,
      operation: 'listPets',
      severity: 'error',
      place: 'request.query.limit',
      rule: 'minimum',
      received: '"0"',
    },
  ]);
  expect((await ask('DELETE', '/requests')).status).toBe(204);
  expect((await ask('GET', '/coverage')).body).toMatchObject({ 'listPets:400': 1, createPet: 1, getPet: 0 });
  expect((await ask('GET', '/requests')).body).toEqual([]);
  const server = { startedAt: expect.any(String), upstream, basePath: '/v1', version: expect.any(String) };
  const ids = { lastRequest: 3, oldestRequest: 4, lastViolation: 1, oldestViolation: 1 };
  expect((await ask('GET', '/state')).body).toEqual({ ...server, ...ids });
});

test('the address of the upstream is shown without keys', async () => {
  const upstream = 'http://127.0.0.1:9/s3cr-key/v1';
  const { ask } = await startWatched({ upstream, apiKeys: ['s3cr-key'] });
  const shown = { upstream: 'http://127.0.0.1:9/[key]/v1', basePath: '/[key]/v1' };
  expect((await ask('GET', '/state')).body).toMatchObject(shown);
});

test('a refusal is listed as the client got it, or with the refused response and its broken places', async () => {
  const upstream = await startUpstream((_request, response) => {
    const secrets = { 'X-Auth-Token': 'of-somebody', 'Set-Cookie': 'session=of-somebody' };
    response.writeHead(200, { 'Content-Type': 'application/json', ...secrets });
    const pets = [1, ...Array(99).fill('x')].map((id) => ({ id, name: 'Rex', categoryId: 1 }));
    response.end(JSON.stringify(pets));
  });
  const { url, ask } = await startWatched({ upstream, block: true });
  for (const path of ['/v1/pets?limit=0', '/admin', '/v1/pets']) await send(url, get(path));
  const nowhere = await startWatched({ upstream: 'http://127.0.0.1:9/v1' });
  await send(nowhere.url, get('/v1/pets'));
  const answer = {
    status: 200,
    headers: { 'x-auth-token': '[key]', 'set-cookie': '[cookie]' },
    body: expect.stringMatching('"id":1'),
  };
  const listed = [...(await ask('GET', '/requests')).body, ...(await nowhere.ask('GET', '/requests')).body];
  expect(listed).toMatchObject([
    { status: 400, error: 'request_violation', answer: { body: expect.stringContaining('must be >= 1') } },
    { status: 404, error: 'not_found' },
    { status: 502, error: 'response_violation', answer },
    { status: 502, error: 'upstream_failed' },
  ]);
  const { body: violations } = await ask('GET', '/violations');
  const ofRequest = (id: number) => violations.filter(({ request }: { request: number }) => request === id);
  const found = ofRequest(3);
  // One more than the broken ids: the list has more than 20 animals.
  expect(found).toHaveLength(100);
  const location = ['response', 'body', '1', 'id'];
  expect(found[0]).toMatchObject({ status: 200, place: 'response.body.*.id', location, received: '"x"' });
  expect(found[99]).toMatchObject({ rule: 'list-pets/limit-default', received: 'an array of 100' });
  expect(ofRequest(4)).toEqual([]);
});

test('a key in the query is listed nowhere, also where the upstream repeats it', async () => {
  const upstream = await startUpstream(({ url }, response) => {
    response.writeHead(400, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ code: 'invalid_request', message: `Not known: ${url}`, status: 400 }));
  });
  const { url, ask } = await startWatched({ upstream });
  await send(url, get('/v1/pets?access_token=of-somebody'));
  const { body } = await ask('GET', '/requests');
  expect(body).toMatchObject([{ answer: { body: expect.stringContaining('access_token=[key]') } }]);
  expect(JSON.stringify(body)).not.toContain('of-somebody');
});

test('a body that is not listed as it was sent says so', async () => {
  const bodies = [Buffer.from([0xff, 0xfe]), `[1${',1'.repeat(15_000)}]`, 'x'.repeat(70_000)];
  const upstream = await startUpstream(({ url = '' }, response) => {
    const body = bodies[Number(url.at(-1))];
    if (body === undefined) response.writeHead(204).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  const { url, ask } = await startWatched({ upstream });
  for (const id of [0, 1, 2, 3]) await (await fetch(`${url}/pets/${id}`)).bytes();
  const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
  await fetch(`${url}/pets`, { method: 'POST', headers, body: gzipSync('{"name":"Rex","categoryId":1}') });
  const { body } = await ask('GET', '/requests');
  const states = body.map(({ answer }: { answer: { bodyState?: string } }) => answer.bodyState);
  expect(states).toEqual(['not text', 'not kept', 'cut', undefined, undefined]);
  expect(body[4]).toMatchObject({ body: '{"name":"Rex","categoryId":1}', bodyState: 'decoded' });
});

test('nothing is listed without the token, which is different for each proxy', async () => {
  const [{ ask }, other] = [await startWatched(), await startWatched()];
  for (const [key, state] of Object.entries({ '': 'missing', [other.token]: 'invalid' })) {
    const body = { message: expect.stringContaining(`The token of the console is ${state}.`) };
    expect(await ask('GET', '/requests', key)).toMatchObject({ status: 401, body });
  }
  expect(await ask('PUT', '/requests')).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('the page is at /__console/ and nowhere else, only for this machine', async () => {
  const { origin, url, token } = await startWatched();
  expect(await (await fetch(`${origin}/__console`)).text()).toContain('<!doctype html>');
  expect((await fetch(`${origin}/__console/nothing`)).status).toBe(404);
  expect((await send(url, get('/__console/', { Host: 'evil.test' }))).status).toBe(403);
  // A request by its whole URL stays with the proxy.
  const target = `${origin}/__console/__admin/requests`;
  const { status, body } = await exchangeRaw(origin, 'GET', target, ['Authorization', `Bearer ${token}`]);
  expect([status, body.toString()]).toEqual([200, '[]']);
});

test('the console sends a request through the proxy, with its token only', async () => {
  const { origin, token, ask } = await startWatched({ log: 'silent' });
  const body = JSON.stringify({
    method: 'GET',
    url: '/v1/pets?limit=0',
    headers: { authorization: 'Bearer test-key' },
  });
  const post = (Authorization: string) =>
    fetch(`${origin}/__console/__admin/send`, { method: 'POST', headers: { Authorization }, body });
  expect((await post('Bearer wrong')).status).toBe(401);
  expect((await post(`Bearer ${token}`)).status).toBe(204);
  const readViolations = async () => (await ask('GET', '/violations')).body;
  await expect.poll(readViolations).toMatchObject([{ url: '/v1/pets?limit=0' }]);
});
