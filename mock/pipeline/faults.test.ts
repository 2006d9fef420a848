import { connect } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { printGet } from '../../bench/print-request.ts';
import { get, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { type Mock, startMock } from '../index.ts';
import { pickDelay } from '../session/delay.ts';
import type { FaultOptions, FaultResponse } from '../session/fault-options.ts';

const mock = await startMock({ port: 0, log: 'silent' });
const { url, faults } = mock;
beforeEach(mock.reset);
afterAll(mock.close);

const list = get('/v1/pets');
const one = get('/v1/pets/1');
const create = post('/v1/pets', '{"name":"Rex","categoryId":1}');
const message = post('/messages', '{"message":"hi"}');

const requests = { 'GET /pets': list, 'GET /pets/1': one, 'POST /pets': create, 'POST /messages': message };

/** A fault, and the statuses of later requests, such as `GET /pets 200`. */
const cases: readonly (readonly [fault: FaultOptions, ...lines: string[]])[] = [
  [{ status: 500 }, 'GET /pets 500', 'GET /pets/1 500', 'POST /pets 500', 'POST /messages 500'],
  [{ operation: 'listPets', status: 503 }, 'GET /pets 503', 'GET /pets/1 200', 'POST /pets 201'],
  [{ operation: 'getPet', status: 404 }, 'GET /pets/1 404', 'GET /pets 200'],
  [{ operation: 'createMessage', status: 502 }, 'POST /messages 502', 'POST /pets 201'],
  [
    { operation: 'createPet', status: 429, skip: 1, times: 2 },
    ...['POST /pets 201', 'GET /pets 200', 'POST /pets 429', 'POST /pets 429', 'POST /pets 201'],
  ],
  [
    { match: { operation: 'getPet', petId: 1 }, status: 401 },
    ...['GET /pets/1 401', 'GET /pets/1?x=1 401', 'GET /pets/11 200'],
  ],
  [{ match: { petId: '1' }, status: 418 }, 'GET /pets/1 418', 'GET /pets 200'],
  [
    { match: { query: { status: 'sold', limit: 1 } }, status: 504 },
    ...['GET /pets?limit=1&status=sold 504', 'GET /pets?status=sold 200', 'GET /pets?limit=1 200'],
  ],
  [{ match: { headers: { Authorization: 'Bearer test-key' } }, status: 409 }, 'GET /pets 409'],
  [{ match: { headers: { Authorization: 'Bearer' } }, status: 409 }, 'GET /pets 200'],
  [{ status: 500, probability: 0 }, 'GET /pets 200'],
];

test.for(cases)('with the fault %j the answers are %s', async ([fault, ...lines]) => {
  faults.add(fault);
  for (const line of lines) {
    const [, asked = '', path = '', expected] = /^(\w+ (\S+)) (\d+)$/.exec(line) ?? [];
    const request = requests[asked as keyof typeof requests] ?? get(`/v1${path}`);
    const { status, body, headers } = await send(url, request);
    expect(status, line).toBe(Number(expected));
    if (status < 400) continue;
    const code = expect.stringMatching(/^[a-z_]+$/);
    expect(body).toEqual({ code, message: expect.any(String), status });
    expect(headers['access-control-allow-origin']).toBe('*');
  }
  for (const path of ['/health', '/__admin/faults', '/docs'])
    expect((await send(url, get(path))).status).toBe(200);
});

test.for([
  [401, 'unauthorized', 'www-authenticate', 'Bearer'],
  [429, 'too_many_requests', 'retry-after', '1'],
  [503, 'service_unavailable', 'retry-after', '1'],
] as const)('a fault of %i has the code %s and the header %s', async ([status, code, header, value]) => {
  faults.add({ status });
  const { body, headers } = await send(url, list);
  expect([body.code, headers[header]]).toEqual([code, value]);
});

test('the newest of several faults applies, and its delay may come from another', async () => {
  faults.add({ delay: 1 });
  faults.add({ status: 500 });
  faults.add({ status: 503, times: 1 });
  expect([(await send(url, list)).status, (await send(url, list)).status]).toEqual([503, 500]);
  expect(faults.list().map(({ used }) => used)).toEqual([2, 1]);
});

test.for<[FaultOptions, HttpRequest, number]>([
  [{ delay: 300_000 }, list, 200],
  [{ delay: '300000-600000', status: 500 }, list, 500],
  [{ delay: 300_000 }, create, 201],
])('the fault %j delays a request until the fault is removed', async ([fault, request, status]) => {
  const { id } = faults.add(fault);
  let answered: number | undefined;
  const answer = send(url, request).then((response) => {
    answered = response.status;
  });
  await expect.poll(() => faults.list()[0]?.used).toBe(1);
  // A response that is not delayed would arrive before these.
  for (let request = 0; request < 2; request += 1) await send(url, get('/health'));
  expect(answered).toBeUndefined();
  faults.remove(id);
  await answer;
  expect(answered).toBe(status);
});

test('a delay is picked from its range', () => {
  expect([0, 0.5, 1].map((number) => pickDelay('50-200', () => number))).toEqual([50, 125, 200]);
});

test('a delay ends without a call', async () => {
  for (const delay of [1, '1-2']) faults.add({ delay, times: 1 });
  for (const _ of faults.list()) expect((await send(url, list)).status).toBe(200);
  expect(faults.list()).toEqual([]);
});

test('if the client leaves during a delay, its request ends at once and changes nothing', async () => {
  const { animals, requests } = mock;
  animals.replace([]);
  faults.add({ delay: 600_000 });
  const controller = new AbortController();
  const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };
  const sent = fetch(`${url}/pets`, {
    method: 'POST',
    headers,
    body: String(create.body),
    signal: controller.signal,
  });
  await expect.poll(() => faults.list()[0]?.used).toBe(1);
  controller.abort();
  await expect(sent).rejects.toThrow('aborted');
  await expect.poll(() => requests()).toMatchObject([{ operation: 'createPet' }]);
  expect(requests()[0]?.status).toBeUndefined();
  expect(animals.size).toBe(0);
});

/** Sends bytes on a new connection. Returns what was received until the connection ended, and how it ended. */
function exchange(url: string, bytes: string): Promise<{ received: string; ending: string }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  socket.write(bytes);
  return new Promise((resolve) => {
    socket.on('error', (error: Error & { code?: string }) => resolve({ received, ending: error.code ?? '' }));
    socket.on('end', () => resolve({ received, ending: 'end' }));
  });
}

test('a drop resets the connection, after the responses to earlier requests', async () => {
  faults.add({ operation: 'listPets', drop: true });
  expect(await exchange(url, printGet('/v1/pets'))).toEqual({ received: '', ending: 'ECONNRESET' });
  const { ending } = await exchange(url, printGet('/v1/pets/1') + printGet('/v1/pets'));
  expect(ending).toMatch(/^(?:ECONNRESET|end)$/);
  expect((await send(url, one)).status).toBe(200);
});

test.for([
  ['code=500', 500, 'code=500'],
  ['code=404', 404, 'code=404'],
  ['delay=1', 200, 'delay=1'],
  ['code=503, delay=0-1', 503, 'code=503, delay=0-1'],
  ['CODE = "429";x=1', 429, 'code=429'],
  ['return=minimal, code=429;x, wait=10, code=500,,', 429, 'code=429'],
  ['delay=5-1, code=503', 503, 'code=503'],
  ['return=minimal', 200, undefined],
  ['code=200', 200, undefined],
  ['code=299', 200, undefined],
  ['code', 200, undefined],
  ['code=5 0 0', 200, undefined],
  ['delay=600001', 200, undefined],
  ['', 200, undefined],
] as const)('Prefer: %s is answered with %i, and %s was applied', async ([prefer, status, applied]) => {
  const answer = await send(url, get('/v1/pets/1', { Prefer: prefer }));
  expect([answer.status, answer.headers['preference-applied']]).toEqual([status, applied]);
});

test('Prefer overrides the faults, which it does not use up', async () => {
  faults.add({ status: 500, times: 1 });
  expect((await send(url, get('/v1/pets', { Prefer: 'code=503' }))).status).toBe(503);
  expect((await send(url, list)).status).toBe(500);
});

test('with a rate of errors the same seed gives the same failures, again after a reset', async () => {
  const run = async ({ url }: Mock) => {
    const statuses: number[] = [];
    for (let index = 0; index < 40; index += 1) statuses.push((await send(url, list)).status);
    return statuses.join();
  };
  const failing = await startTestMock({ errorRate: 0.5 });
  const first = await run(failing);
  expect(first).toMatch(/200.*500.*200/);
  failing.reset();
  expect(await run(failing)).toBe(first);
  expect(await run(await startTestMock({ errorRate: 0.5, seed: 2 }))).not.toBe(first);
});

test('with a latency every request waits', async () => {
  const slow = await startTestMock({ latency: '500000-600000', errorRate: 0 });
  const answer = send(slow.url, list);
  await expect.poll(() => slow.faults.list()).toMatchObject([{ delay: '500000-600000', used: 1 }]);
  slow.faults.clear();
  expect((await answer).status).toBe(200);
});

const html = { 'content-type': 'text/html', 'access-control-allow-origin': 'null' };

/** A response of a fault, and the one that is sent. */
const responses: readonly (readonly [body: string, status: number, FaultResponse, headers?: object])[] = [
  ['[{"id":1}]', 200, { body: [{ id: 1 }] }, { 'content-type': 'application/json' }],
  ['{"id":4611686018427387904}', 200, { body: { id: 2n ** 62n } }],
  ['null', 502, { status: 502, body: null }],
  ['[{"id":1,"name":"Re', 200, { body: '[{"id":1,"name":"Re' }, { 'content-type': 'application/json' }],
  ['', 200, { body: '' }, { 'content-length': '0' }],
  ['', 204, { status: 204, body: { a: 1 } }],
  ['<h1>Bad</h1>', 502, { status: 502, headers: html, body: '<h1>Bad</h1>' }, html],
  [
    '{"code":"service_unavailable","message":"Closed.","status":503}',
    503,
    { status: 503, headers: { 'retry-after': 30 }, message: 'Closed.' },
    { 'retry-after': '30', 'x-fault': '1' },
  ],
];

test.for(responses)('a fault responds with %s and %i', async ([body, status, response, headers = {}]) => {
  faults.add({ response });
  const answer = await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  expect([answer.status, await answer.text()]).toEqual([status, body]);
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  expect(mock.requests()[0]).toMatchObject({ status, answer: { headers: { 'X-Fault': '1' } } });
});

test('a body without a status has the usual status of the operation', async () => {
  faults.add({ response: { body: { id: 1 } } });
  const answers = [list, one, create, message].map(async (request) => (await send(url, request)).status);
  expect(await Promise.all(answers)).toEqual([200, 200, 201, 202]);
  expect(mock.animals.size).toBe(120);
});
