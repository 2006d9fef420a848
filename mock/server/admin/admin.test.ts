import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { printFramed } from '../../../bench/print-request.ts';
import { sendRaw } from '../../../bench/send-raw.ts';
import { get, post, send } from '../../../testing/http-case.ts';
import { startTestMock } from '../../../testing/start-test-mock.ts';
import { controlApiFile } from '../../docs/create-docs.ts';
import { startMock } from '../../index.ts';
import { createDocumentCheck } from '../../testing/document-check.ts';
import { type AdminCall, sendAdmin } from '../../testing/send-admin.ts';
import { LARGEST_ADMIN_BODY } from './create-admin.ts';

const written = parse(readFileSync(controlApiFile, 'utf8'));
const { operations, checkRequest, checkResponse } = createDocumentCheck(written);
const mock = await startMock({ port: 0, log: 'silent', animals: 1 });
const { url } = mock;
afterAll(mock.close);

const reset = ['POST', '/reset'] as const;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = 'Content-Type must be application/json';
const otherPort = { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' };
const tooLong = 'x'.repeat(LARGEST_ADMIN_BODY);

test.for<[string, AdminCall, Record<string, string>, number, string]>([
  ['a form', ['POST', '/reset', 'x'], { ...form, Origin: 'http://evil.test' }, 400, json],
  ['a page without a body', reset, { Origin: 'http://evil.test' }, 400, json],
  ['a page of no origin', reset, { Origin: 'null' }, 400, json],
  ['a page at another port', reset, otherPort, 400, json],
  ['a page of another site', reset, { 'Sec-Fetch-Site': 'cross-site' }, 403, 'a page of another site'],
  ['a page whose name leads here', reset, { Host: 'evil.test' }, 403, 'The Host "evil.test" is not a name'],
  ['a reader at another name', ['GET', '/openapi.json'], { Host: 'evil.test' }, 403, 'The Host'],
  ['a body above 64 MiB', ['PUT', '/animals', tooLong], {}, 413, 'larger than 67108864 bytes'],
])('%s is refused, as the document says, and changes nothing', async ([, call, headers, status, mention]) => {
  mock.animals.replace([]);
  const answer = await sendAdmin(url, call, headers);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(mention) } });
  const type = answer.headers['content-type'];
  expect(checkResponse([call[0], `/__admin${call[1]}`], status, type, answer.text, '4XX')).toEqual([]);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  expect(mock.animals.size).toBe(0);
});

test.for([
  [{}],
  [{ Origin: 'http://mock.localhost:4010', Host: 'mock.localhost:4010' }],
  [{ Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-origin' }],
  [form],
])('a call without a body needs no JSON, with %j', async ([headers]) => {
  mock.animals.replace([]);
  expect((await sendAdmin(url, reset, { 'Content-Length': '0', ...headers })).status).toBe(204);
  expect(mock.animals.size).toBe(1);
});

test('a preflight of the control API is not granted', async () => {
  const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PUT' };
  const answer = await send(url, { method: 'OPTIONS', path: '/__admin/reset', headers });
  expect(answer.status).toBe(405);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.for([
  ['GET', '', 404, 'nothing at /__admin'],
  ['GET', '/reset', 405, 'allowed are POST'],
  ['PATCH', '/animals/1', 405, 'allowed are GET, PUT, DELETE'],
  ['PUT', '/openapi.json', 405, 'allowed are GET'],
  ['PUT', '/snapshots/%ZZ', 404, 'nothing at'],
] as const)('the response to %s %s is an Error of %i', async ([method, path, status, mention]) => {
  const { body } = await sendAdmin(url, [method, path]);
  expect(body).toMatchObject({ status: BigInt(status), message: expect.stringContaining(mention) });
});

test('the document has the operations that the mock lists, and no others', async () => {
  const { body } = await sendAdmin(url, ['GET', '/nowhere']);
  const [, listed = ''] = /Under \/__admin there is (.*)\.$/.exec(String(Object(body).message)) ?? [];
  const lines = listed.split(', ').map((line) => line.replace(' ', ' /__admin'));
  expect(operations.map(({ line }) => line).toSorted()).toEqual([...lines, 'GET /health'].sort());
});

test.for([
  ['/__admin/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ['/__admin/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
] as const)('%s is the document, with the address of the request', async ([path, type, read]) => {
  for (const server of [new URL(url).origin, `${new URL(url).origin}/sessions/w1`]) {
    const answer = await fetch(server + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const servers = [{ url: server, description: 'This mock.' }];
    expect(read(await answer.text())).toEqual({ ...written, servers });
  }
});

test('requests, violations, faults and sessions are as the document says', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, headers, ...answer } = await sendAdmin(mock.url, [method, path, body]);
    const call = [method, `/__admin${path}`, body] as const;
    const problems = checkResponse(call, status, headers['content-type'], answer.text);
    expect([...checkRequest(call), ...problems], call.join(' ')).toEqual([]);
    return answer.body;
  };
  for (const delay of [20, '0-1', 1]) await ask('POST', '/faults', { delay, times: 5 });
  await ask('POST', '/faults', { match: { headers: { 'X-Drop': 1 } }, drop: true, probability: 1 });
  const response = { status: 503, headers: { 'Retry-After': 30 }, body: { a: [1] } };
  await ask('POST', '/faults', { match: { operation: 'getPet', petId: 7 }, skip: 1, response });
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0&sort=name'));
  await send(mock.url, post('/v1/pets', '{"name":"Rex","categoryId":1}'));
  await send(mock.url, get('/nowhere'));
  await expect(send(mock.url, get('/v1/pets', { 'X-Drop': '1' }))).rejects.toThrow();
  expect(await ask('GET', '/requests')).toHaveLength(4);
  const filter = 'operation=createPet&status=201&since=2026-01-01T00:00:00Z&limit=1';
  expect(await ask('GET', `/requests?${filter}`)).toHaveLength(1);
  expect(await ask('GET', '/violations?operation=listPets')).toHaveLength(2);
  expect(await ask('GET', '/violations?severity=warning&since=0')).toHaveLength(1);
  await ask('DELETE', '/violations?until=1');
  expect(await ask('GET', '/violations')).toMatchObject([{ id: 2n }]);
  await ask('DELETE', '/violations');
  expect(await ask('GET', '/violations')).toEqual([]);
  expect(await ask('GET', '/faults')).toHaveLength(5);
  expect(await ask('GET', '/state')).toMatchObject({ lastRequest: 4n, oldestRequest: 1n, lastViolation: 2n });
  mock.session('w1');
  expect(await ask('GET', '/sessions')).toEqual(['w1']);
  // The second session has ended already.
  for (const _ of [1, 2]) await ask('DELETE', '/sessions/w1');
});

test('malformed JSON is refused, and a large or chunked body is read', async () => {
  const put = (body: string) => send(url, { ...post('/__admin/animals', body), method: 'PUT' });
  expect(await put('[{')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(await put(`[${' '.repeat(1024 * 1024)}]`)).toMatchObject({ status: 200, body: [] });
  const chunked = 'Transfer-Encoding: chunked\r\nContent-Type: application/json';
  const bytes = printFramed('2\r\n[]\r\n0\r\n\r\n', chunked).replace('POST /v1/pets', 'PUT /__admin/animals');
  expect((await sendRaw(url, { bytes, expected: '200' })).answers[0]?.body).toBe('[]');
});

test('the health check needs no key, also without a control API', async () => {
  const { url: closed } = await startTestMock({ admin: false });
  for (const [base, path] of [
    [url, '/__admin/health'],
    [closed, '/health'],
  ] as const) {
    const { status, body } = await send(base, get(path, { Authorization: undefined }));
    expect([status, body]).toEqual([200, { status: 'ok' }]);
    expect((await send(base, { method: 'POST', path })).status).toBe(405);
    expect((await send(base, get(`${path}y`))).status).toBe(404);
  }
  expect(await sendAdmin(closed, reset)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('if other machines reach the mock, the control API is off without a token', async () => {
  const { url } = await startTestMock({ host: '0.0.0.0' });
  const off = { status: 403, body: { code: 'forbidden', message: expect.stringContaining('--admin-token') } };
  expect(await sendAdmin(url, reset)).toMatchObject(off);
});

test.for(['0.0.0.0', '127.0.0.1'])('on %s only a token opens the control API', async (host) => {
  const { url } = await startTestMock({ host, adminToken: 's3cr-token' });
  const withToken = (token: string) => sendAdmin(url, reset, { Authorization: `Bearer ${token}` });
  expect((await withToken('s3cr-token')).status).toBe(204);
  const refused = { code: 'unauthorized', message: expect.stringContaining('Bearer <ADMIN_TOKEN>') };
  for (const answer of [await sendAdmin(url, reset), await withToken('test-key')])
    expect(answer).toMatchObject({ status: 401, body: refused });
  expect((await send(url, get('/v1/pets', { Authorization: 'Bearer s3cr-token' }))).status).toBe(401);
});
