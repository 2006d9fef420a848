import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printFramed } from '../../../tools/bench/print-request.ts';
import { sendRaw } from '../../../tools/bench/send-raw.ts';
import { createFileApp, createTestApp } from '../../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../../tools/testing/http-case.ts';
import { startFileMock, startTestMock } from '../../../tools/testing/start-test-mock.ts';
import { listCalls, mockCalls, sessionCalls } from '../../session/control-calls.ts';
import { type AdminCall, controlCheck, sendAdmin } from '../../testing/send-admin.ts';
import { controlRoutes } from './control-routes.ts';
import { LARGEST_ADMIN_BODY } from './create-control-api.ts';

const mock = await createFileApp({ animals: 1 });
const { app } = mock;

const reset = ['POST', '/reset'] as const;
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = 'Content-Type must be application/json';
const otherPort = { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' };
const preflight = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' };

test.for<[string, AdminCall, Record<string, string>, number, string]>([
  ['a form', ['POST', '/reset', 'x'], { ...form, Origin: 'http://evil.test' }, 400, json],
  ['a page without a body', reset, { Origin: 'http://evil.test' }, 400, json],
  ['a page of no origin', reset, { Origin: 'null' }, 400, json],
  ['a page at another port', reset, otherPort, 400, json],
  ['pages of other sites', reset, { 'Sec-Fetch-Site': 'cross-site' }, 403, 'pages of other sites'],
  ['a page whose name leads here', reset, { Host: 'evil.test' }, 403, 'The Host "evil.test" is not allowed'],
  ['a reader at another name', ['GET', '/openapi.json'], { Host: 'evil.test' }, 403, 'The Host'],
  ['a preflight', ['OPTIONS', '/reset'], preflight, 405, 'Allowed: POST'],
  ['a path outside', ['GET', ''], {}, 404, 'nothing at /__admin'],
  ['another method', ['PATCH', '/animals/1'], {}, 405, 'Allowed: GET, PUT, DELETE'],
  [
    'a parameter that is given twice',
    ['GET', '/requests/wait?operation=getPet&operation=listPets'],
    {},
    400,
    'The query has operation more than once. Give it once.',
  ],
  [
    'another parameter that is given twice',
    ['GET', '/requests?a%20b=1&a%20b=2'],
    {},
    400,
    'The query has "a b" more than once. Give it once.',
  ],
  ['a malformed path', ['PUT', '/snapshots/%ZZ'], {}, 404, 'nothing at'],
])('%s is refused, and changes nothing', async ([, call, headers, status, mention]) => {
  mock.animals.replace([]);
  const answer = await sendAdmin(app, call, headers);
  expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(mention) } });
  expect(mock.animals.size).toBe(0);
});

test('a page may reset the mock through its development server, which changes Host', async () => {
  const headers = { Origin: 'http://localhost:5173', 'Sec-Fetch-Site': 'same-origin' };
  expect((await sendAdmin(app, reset, headers)).status).toBe(204);
});

test('a path under the base URL says where the control API is', async () => {
  const { status, body } = await send(app, post('/sessions/w1/v1/__admin/reset', ''));
  expect([status, body]).toMatchObject([
    404,
    { message: 'There is nothing at /v1/__admin/reset. The control API is not under /v1, but at /__admin.' },
  ]);
});

test('the document has the operations of the mock, and no others; a wrong path gets a suggestion', async () => {
  const { body } = await sendAdmin(app, ['GET', '/fault']);
  expect(body).toMatchObject({ message: expect.stringContaining('Did you mean /__admin/faults?') });
  const lines = controlRoutes.map(({ method, path }) => `${method} /__admin${path}`);
  expect(controlCheck.operations.map(({ line }) => line).sort()).toEqual([...lines, 'GET /health'].sort());
});

test('the document has both members of a problem', () => {
  const error = { code: 'invalid_request', message: 'No.', status: 400, problems: [{}] };
  expect(controlCheck.checkValue('Error', error)).toEqual([
    "/problems/0 must have required property 'member'",
    "/problems/0 must have required property 'message'",
  ]);
});

const page = join(import.meta.dirname, '../../../docs/reference/control-api.md');
const namesInCode = new Map(
  [...listCalls(sessionCalls), ...listCalls(mockCalls)].map(([name, { method, path }]) => {
    return [`${method} /__admin${path}`, name];
  }),
);

/** Prints an operation as a row of the reference page, with its method of the library. Only the console uses those without one. */
function printOperation({
  line,
  summary,
  parameters,
  requestBody,
}: (typeof controlCheck.operations)[number]) {
  const [, path = ''] = line.split(' ');
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  const hasQuery = parameters.some((parameter) => parameter.in === 'query');
  const args = [...inPath, ...(requestBody ? ['body'] : []), ...(hasQuery ? ['query'] : [])];
  return `| \`${line}\` | \`${namesInCode.get(line)}(${args.join(', ')})\` | ${summary} |`;
}

// `npm run test:update` writes the table again.
test('the reference has a row for each operation that has a method', async () => {
  const rows = controlCheck.operations
    .filter(({ line }) => namesInCode.has(line))
    .map(printOperation)
    .join('\n');
  const head = '| Request | In code | Effect |\n| --- | --- | --- |\n';
  const text = readFileSync(page, 'utf8');
  expect(text).toContain(head);
  const [before = '', after = ''] = text.split(head);
  await expect(before + head + after.replace(/^(?:\|.*\n)+/, `${rows}\n`)).toMatchFileSnapshot(page);
});

test.for(['/health', '/__admin/state', '/__admin/requests', '/__admin/nothing'])(
  'no cache keeps the response to %s',
  async (path) => {
    const { app } = await createTestApp();
    expect((await send(app, get(path))).headers['cache-control']).toBe('no-store');
  },
);

test('malformed JSON and a body above 64 MiB are refused, and a large or chunked body is read', async () => {
  const put = (body: string) => send(app, { ...post('/__admin/animals', body), method: 'PUT' });
  expect(await put('[{')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  const message = expect.stringContaining('larger than 67108864 bytes');
  expect(await put(' '.repeat(LARGEST_ADMIN_BODY + 1))).toMatchObject({ status: 413, body: { message } });
  expect(await put(`[${' '.repeat(1024 * 1024)}]`)).toMatchObject({ status: 200, body: [] });
  const { url } = await startTestMock();
  const chunked = 'Transfer-Encoding: chunked\r\nContent-Type: application/json';
  const bytes = printFramed('2\r\n[]\r\n0\r\n\r\n', chunked).replace('POST /v1/pets', 'PUT /__admin/animals');
  expect((await sendRaw(url, { bytes, expected: '200' })).answers[0]?.body).toBe('[]');
});

test('the health check needs no key, also without a control API', async () => {
  const { app: closed } = await createTestApp({ admin: false });
  expect(await sendAdmin(closed, reset)).toMatchObject({ status: 404, body: { code: 'control_api_off' } });
  for (const path of ['/health', '/__admin/health']) {
    const { status, body } = await send(closed, get(path, { Authorization: undefined }));
    expect([status, body]).toEqual([200, { status: 'ok' }]);
    expect((await send(closed, { method: 'POST', path })).status).toBe(405);
    expect((await send(closed, get(`${path}y`))).status).toBe(404);
  }
});

test.for(['0.0.0.0', '127.0.0.1'])('on %s only a token opens the control API', async (host) => {
  const off = { code: 'forbidden', message: expect.stringContaining('--admin-token') };
  const { app: open } = await createTestApp({ host: '0.0.0.0' });
  expect(await sendAdmin(open, reset)).toMatchObject({ status: 403, body: off });
  const { app } = await createTestApp({ host, adminToken: 's3cr-token' });
  const Authorization = 'Bearer s3cr-token';
  expect((await sendAdmin(app, reset, { Authorization })).status).toBe(204);
  const refused = { code: 'unauthorized', message: expect.stringContaining('Bearer <ADMIN_TOKEN>') };
  for (const headers of [{}, { Authorization: 'Bearer test-key' }])
    expect(await sendAdmin(app, reset, headers)).toMatchObject({ status: 401, body: refused });
  expect((await send(app, get('/v1/pets', { Authorization }))).status).toBe(401);
});

const checked = await startFileMock({ checkedProxy: true });

test('a request can be sent to a session and to its checked proxy, byte by byte, and no fault holds the caller', async () => {
  const session = checked.session('w1');
  const body = '{ "name":"Rex", "categoryId":9007199254740993 }';
  const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
  const request = { method: 'POST', url: '/v1/pets?a=%5b', headers, body };
  for (const isChecked of [false, true]) {
    const { id } = session.faults.add({ hold: true });
    const sent = await sendAdmin(session.url, ['POST', '/send', { ...request, isChecked }]);
    expect(sent.status).toBe(204);
    await expect.poll(() => session.faults.list()).toMatchObject([{ held: 1 }]);
    session.faults.release(id);
    const { url, method } = request;
    expect(await session.waitForResponse({ since: Number(isChecked) })).toMatchObject({
      ...{ method, url, body, isChecked, status: 201 },
    });
  }
  expect(checked.countRequests()).toBe(0);
  checked.endSession('w1');
});

test.for<[object, string]>([
  [{ method: 'GET', url: 'http://example.com/' }, 'url must be a path such as /v1/pets'],
  [{ method: 'GET', url: '/v1/pets', isChecked: true }, 'The mock has no checked proxy.'],
  [{ method: 'G T', url: '/v1/pets' }, 'The request cannot be sent: '],
  [{ method: 'GET', url: '/v1/pets', headers: { 'a b': 'c' } }, 'The request cannot be sent: '],
])('the request %j is not sent', async ([request, mention]) => {
  const { url } = await startTestMock({ checkedProxy: false });
  const { status, body } = await sendAdmin(url, ['POST', '/send', request]);
  expect([status, body]).toMatchObject([400, { message: expect.stringContaining(mention) }]);
});
