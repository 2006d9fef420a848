import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { printFramed, printGet } from '../../tools/bench/print-request.ts';
import { sendRaw } from '../../tools/bench/send-raw.ts';
import { createTestApp } from '../../tools/testing/create-test-app.ts';
import { open } from '../../tools/testing/exchange-raw.ts';
import { get, type HttpRequest, post, send } from '../../tools/testing/http-case.ts';
import { startTestMock } from '../../tools/testing/start-test-mock.ts';

/** Keeps what the running test logs. Returns a function that returns its lines as soon as the log matches. */
function keepLog() {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const printed = () => write.mock.calls.map(([text]) => text).join('');
  return async (pattern: RegExp) => {
    await expect.poll(printed).toMatch(pattern);
    return printed().trim().split('\n');
  };
}

const options = { method: 'OPTIONS', path: '/v1/pets' };
const preflight = { 'Access-Control-Request-Method': 'POST' };
const rex = '{"name":"Rex","categoryId":1}';

/** Requests, and their lines in the log. */
const rows: readonly (readonly [request: HttpRequest, line?: RegExp])[] = [
  [get('/v1/pets?token=abc'), /^\d\d:\d\d:\d\d mock {2}200 +<?\d+ ms {2}GET {2}\/v1\/pets\?token=\[key\]$/],
  // A key of another deployment, which the mock does not know.
  [
    get('/v1/pets/staging-9f8e7d6c5', { Authorization: 'Bearer staging-9f8e7d6c5' }),
    / 401 +<?\d+ ms {2}GET {2}\/v1\/pets\/\[key\] {2}unauthorized$/,
  ],
  [
    get('/v1/pets?limit=0'),
    / 400 +<?\d+ ms {2}GET {2}\/v1\/pets\?limit=0 {2}invalid_request: limit must be .*"0"\.$/,
  ],
  [
    post('/v1/pets', '{\n"a\n12:00 GET /forged'),
    / 400 .*POST \/v1\/pets {2}.* The body could not be read as .+$/,
  ],
  [post('/v1/pets', rex.replace('}', ',"status":"##[x]"}')), /400 +<?\d+ ms .*, not "#\\u0023\[x\]"\.$/],
  // This body is larger than the 64 KiB that the journal keeps.
  [post('/v1/pets', `{"name":"${'x'.repeat(70_000)}"}`), / {2}invalid_request: categoryId is required .*\.$/],
  [post('/v1/pets', rex.padEnd(1024 * 1024 + 1)), / 413 .* payload_too_large: The body is larger than 1/],
  [get('/health')],
  [get('/sessions/w1', { Accept: 'text/html' })],
  [
    get('/v1/pets', { 'X-Animal-Store-Session': 'w1' }),
    / 200 +<?\d+ ms {2}GET {2}\/v1\/pets {2}\(session w1\)$/,
  ],
  [get('/sessions/w1/v1/pets'), / 200 +<?\d+ ms {2}GET {2}\/sessions\/w1\/v1\/pets$/],
  [
    { ...options, headers: { ...preflight, Origin: 'http://localhost:5173' } },
    / 204 +<?\d+ ms {2}OPTIONS \/v1\/pets {2}\(cookies need --cors-origin http:\/\/localhost:5173\)$/,
  ],
  [{ ...options, headers: preflight }, / 405 +<?\d+ ms {2}OPTIONS \/v1\/pets {2}/],
];

test('the log has a line for each request, with the message of its Error', async () => {
  const read = keepLog();
  const { app } = await createTestApp({ log: 'pretty' });
  for (const [request] of rows) await send(app, request);
  const lines = await read(/OPTIONS \/v1\/pets .*\n$/);
  expect(lines).toEqual(rows.flatMap(([, line]) => (line ? [expect.stringMatching(line)] : [])));
});

test.for([
  ['http://127.0.0.1:5173', 'cookies need --cors-origin http://127.0.0.1:5173'],
  ['http://test-key.localhost:5173', 'cookies need --cors-origin http://[key].localhost:5173'],
  ['null', 'cookies need a page that is served over HTTP'],
  ['http://x; echo', 'cookies need a page that is served over HTTP'],
  ['http://localhost:5173', undefined],
])('the preflight of a page of %s says what its cookies need: %s', async ([Origin, hint]) => {
  const read = keepLog();
  const mock = await createTestApp({ log: 'json', corsOrigins: ['http://localhost:5173'] });
  await send(mock.app, { ...options, headers: { ...preflight, Origin } });
  const [line = ''] = await read(/\n$/);
  expect(JSON.parse(line)).toMatchObject({ method: 'OPTIONS', status: 204, ...(hint && { hint }) });
  expect(mock.requests()).toMatchObject([{ method: 'OPTIONS', operation: undefined, status: 204, hint }]);
});

test('the log has a line for a response that a fault breaks, and for a request that the client aborts', async () => {
  const read = keepLog();
  const { url, faults } = await startTestMock({ log: 'pretty' });
  const broken = [
    [{ drop: true }, 'connection reset'],
    [{ truncate: true }, 'response truncated'],
    [{ after: 'drop' }, 'response lost'],
  ] as const;
  for (const [index, [fault, words]] of broken.entries()) {
    faults.add({ ...fault, times: 1 });
    await sendRaw(url, { bytes: printGet('/v1/pets'), expected: 'close' });
    expect(await read(new RegExp(` - +<?\\d+ ms  GET  /v1/pets  ${words}\\n$`))).toHaveLength(index + 1);
  }
  const socket = await open(url, printFramed('', 'Content-Length: 5', 'Expect: 100-continue'));
  await once(socket, 'data');
  socket.destroy();
  await read(/ - +<?\d+ ms {2}POST \/v1\/pets {2}aborted by the client\n$/);
});

test('as JSON, a line is an object; it leaves out a message that may quote a part of a key', async () => {
  const read = keepLog();
  const { app } = await createTestApp({ log: 'json' });
  for (const limit of ['test-key', 'test%2Dkey']) await send(app, get(`/v1/pets?limit=${limit}`));
  const lines = await read(/\n.*\n$/);
  const line = { from: 'mock', method: 'GET', url: '/v1/pets?limit=[key]', status: 400 };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const entry = { ...line, time, ms: expect.any(Number), error: 'invalid_request' };
  expect(lines.map((line) => JSON.parse(line))).toEqual([entry, { ...entry, url: '[key]' }]);
});

test.for([
  ['pretty', / 200 +<?\d+ ms {2}GET {2}\/v1\/pets {2}response replaced$/],
  ['json', /"status":200,"failure":"response_replaced"/],
] as const)('a body of a fault is marked in the log, as %s', async ([log, line]) => {
  const read = keepLog();
  const { url, faults } = await startTestMock({ log });
  faults.add({ response: { body: [{ id: 1 }] } });
  await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  expect((await read(/\n$/))[0]).toMatch(line);
});
