import { afterAll, expect, test } from 'vitest';
import { printFramed } from '../../../bench/print-request.ts';
import { sendRaw } from '../../../bench/send-raw.ts';
import { get, post, send } from '../../../testing/http-case.ts';
import { startTestMock } from '../../../testing/start-test-mock.ts';
import { startMock } from '../../index.ts';
import { sendAdmin } from '../../testing/send-admin.ts';

const mock = await startMock({ port: 0, log: 'silent', animals: 1 });
const { url } = mock;
afterAll(mock.close);

const reset = ['POST', '/reset'] as const;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = 'Content-Type must be application/json';
const otherPort = { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' };

test.for([
  ['a form', { ...form, Origin: 'http://evil.test' }, 400, json],
  ['a page without a body', { Origin: 'http://evil.test' }, 400, json],
  ['a page of no origin', { Origin: 'null' }, 400, json],
  ['a page at another port', otherPort, 400, json],
  ['a page of another site', { 'Sec-Fetch-Site': 'cross-site' }, 403, 'a page of another site'],
  ['a page whose name leads here', { Host: 'evil.test' }, 403, 'The Host "evil.test" is not a name'],
] as const)('%s cannot reset the mock', async ([, headers, status, mention]) => {
  mock.animals.replace([]);
  const answer = await sendAdmin(url, reset, headers);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(mention) } });
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
  ['GET', '/nothing', 404, 'Under /__admin there is POST /reset'],
  ['GET', '', 404, 'nothing at /__admin'],
  ['GET', '/reset', 405, 'allowed are POST'],
  ['PATCH', '/animals/1', 405, 'allowed are GET, PUT, DELETE'],
  ['PUT', '/snapshots/%ZZ', 404, 'nothing at'],
] as const)('%s %s is answered with an Error of %i', async ([method, path, status, mention]) => {
  const { body } = await sendAdmin(url, [method, path]);
  expect(body).toMatchObject({ status: BigInt(status), message: expect.stringContaining(mention) });
});

test('malformed JSON is answered with an Error, and a large body is read', async () => {
  const path = '/__admin/animals';
  const malformed = await send(url, { ...post(path, '[{'), method: 'PUT' });
  expect([malformed.status, malformed.body.code]).toEqual([400, 'invalid_request']);
  const large = await send(url, { ...post(path, `[${' '.repeat(1024 * 1024)}]`), method: 'PUT' });
  expect([large.status, large.body]).toEqual([200, []]);
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
  for (const answer of [await sendAdmin(url, reset), await withToken('test-key')]) {
    const mention = expect.stringContaining('Bearer <ADMIN_TOKEN>');
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized', message: mention } });
  }
  expect((await send(url, get('/v1/pets', { Authorization: 'Bearer s3cr-token' }))).status).toBe(401);
});
