import { beforeEach, expect, test } from 'vitest';
import { createFileApp, createTestApp, type TestApp } from '../../tools/testing/create-test-app.ts';
import { get, post, send } from '../../tools/testing/http-case.ts';
import { pickDelay } from './delay.ts';
import type { FaultOptions } from './fault-options.ts';
import type { FaultResponse } from './fault-response.ts';
import { SessionFaults } from './faults.ts';

const mock = await createFileApp();
const { app, faults } = mock;
beforeEach(mock.reset);

const list = get('/v1/pets');
const create = post('/v1/pets', '{"name":"Rex","categoryId":1}');
const message = post('/messages', '{"message":"hi"}');

const soldOne: FaultOptions = { match: { query: { status: 'sold', limit: 1 } }, status: 504 };

/** A fault, and the statuses of later requests, such as `GET /pets 200`. */
const cases: readonly (readonly [fault: FaultOptions, ...lines: string[]])[] = [
  [{ status: 500 }, 'GET /pets 500', 'GET /pets/1 500', 'POST /pets 500', 'POST /messages 500'],
  [{ operation: 'listPets', status: 503 }, 'GET /pets 503', 'GET /pets/1 200', 'POST /pets 201'],
  [
    { operation: 'createPet', status: 429, times: 2 },
    ...['GET /pets 200', 'POST /pets 429', 'POST /pets 429', 'POST /pets 201'],
  ],
  [{ match: { petId: 1 }, status: 401 }, 'GET /pets/1 401', 'GET /pets/1?x=1 401', 'GET /pets/11 200'],
  [{ operation: 'getPet', match: { petId: '1' }, status: 418 }, 'GET /pets/1 418', 'GET /pets 200'],
  [soldOne, 'GET /pets?limit=1&status=sold 504', 'GET /pets?status=sold 200', 'GET /pets?limit=1 200'],
  [{ match: { headers: { Authorization: 'Bearer test-key' } }, status: 409 }, 'GET /pets 409'],
  [{ status: 500, probability: 0 }, 'GET /pets 200'],
  [{ response: { body: 1 } }, 'GET /pets 200', 'GET /pets/1 200', 'POST /pets 201', 'POST /messages 202'],
];

test.for(cases)('with the fault %j the responses are %s', async ([fault, ...lines]) => {
  faults.add(fault);
  for (const line of lines) {
    const [method, path, expected] = line.split(' ');
    const added = path === '/messages' ? message : create;
    const { status, body, headers } = await send(app, method === 'GET' ? get(`/v1${path}`) : added);
    expect(status, line).toBe(Number(expected));
    if (status < 400) continue;
    const code = expect.stringMatching(/^[a-z_]+$/);
    expect(body).toEqual({ code, message: expect.any(String), status });
    expect(headers['access-control-allow-origin']).toBe('*');
  }
  for (const path of ['/health', '/__admin/faults']) expect((await send(app, get(path))).status).toBe(200);
});

test('the newest of several faults applies; the delay may come from another', async () => {
  for (const fault of [{ delay: 1 }, { status: 500 }, { status: 503, times: 1 }]) faults.add(fault);
  const answers = await Array.fromAsync([list, list], (request) => send(app, request));
  expect(answers.map(({ status }) => status)).toEqual([503, 500]);
  expect(faults.list().map(({ used }) => used)).toEqual([2, 1]);
});

test('a delay is picked from its range, and ends without a call', async () => {
  expect([0, 0.5, 1].map((number) => pickDelay('50-200', () => number))).toEqual([50, 125, 200]);
  for (const delay of [1, '1-2']) faults.add({ delay, times: 1 });
  for (const _ of faults.list()) expect((await send(app, list)).status).toBe(200);
  expect(faults.list()).toEqual([]);
});

test('a share of requests fails, the same ones for the same seed, again after a reset', async () => {
  const start = (seed: number) => createTestApp({ latency: '0-1', seed });
  const run = async ({ app, faults }: TestApp) => {
    faults.add({ status: 500, probability: 0.5 });
    const answers = await Array.fromAsync({ length: 40 }, () => send(app, list));
    return answers.map(({ status }) => status).join();
  };
  const failing = await start(1);
  const first = await run(failing);
  expect(first).toMatch(/200.*500.*200/);
  expect(failing.faults.list()).toMatchObject([{ delay: '0-1' }, { status: 500, probability: 0.5 }]);
  failing.reset();
  expect(await run(failing)).toBe(first);
  expect(await run(await start(2))).not.toBe(first);
  // A fixed latency leaves the failures as they are.
  const atOnce = await run(await createTestApp({ seed: 1 }));
  expect(await run(await createTestApp({ latency: 1, seed: 1 }))).toBe(atOnce);
});

const html = { 'content-type': 'text/html', 'access-control-allow-origin': 'null' };
const json = { 'content-type': 'application/json' };
const error = (code: string, message: string, status: number) => JSON.stringify({ code, message, status });
const ofMock = (status: number) => `Simulated failure: ${status}`;
const closed = { status: 503, headers: { 'retry-after': 30 }, message: 'Closed.' };

/** A response of a fault, and the one that is sent. */
const responses: readonly (readonly [FaultResponse, status: number, body: string, headers?: object])[] = [
  [{ status: 401 }, 401, error('unauthorized', ofMock(401), 401), { 'www-authenticate': 'Bearer' }],
  [{ status: 429 }, 429, error('too_many_requests', ofMock(429), 429), { 'retry-after': '1' }],
  [closed, 503, error('service_unavailable', 'Closed.', 503), { 'retry-after': '30' }],
  [{ body: [{ id: 1 }] }, 200, '[{"id":1}]', json],
  [{ body: { id: 2n ** 62n } }, 200, '{"id":4611686018427387904}'],
  [{ status: 502, body: null }, 502, 'null'],
  [{ body: '' }, 200, '', { 'content-length': '0' }],
  [{ status: 502, headers: html, body: '<h1>Bad</h1>' }, 502, '<h1>Bad</h1>', html],
];

test.for(responses)('a fault with %o responds with %i %s', async ([response, status, body, headers = {}]) => {
  const { id } = faults.add({ response });
  const answer = await send(app, list);
  expect([answer.status, answer.text ?? '']).toEqual([status, body]);
  expect(answer.headers).toMatchObject({ ...headers, 'x-fault': `${id}` });
  expect(mock.requests()[0]).toMatchObject({ status, answer: { headers: { 'X-Fault': `${id}` } } });
});

test.for([204, 304])('a response with %i has no body and no headers of one', async (status) => {
  faults.add({ response: { status, body: '' } });
  const { headers, ...response } = await send(app, list);
  expect([response.status, response.text]).toEqual([status, '']);
  expect(headers).not.toHaveProperty('content-type');
  expect(headers).not.toHaveProperty('content-length');
});

test('a request waits until it is decided whether the one before it counts', async () => {
  const session = new SessionFaults({ seed: 1 });
  session.add({ status: 500, times: 1 });
  const call = { query: new URLSearchParams(), headers: {}, readBody: async () => new Uint8Array() };
  let leave = () => {};
  const onClose = (callback: () => void) => {
    leave = callback;
  };
  session.before({ ...call, onClose } as never);
  const second = session.before({ ...call, onClose: () => {} } as never);
  leave();
  expect(await second).toMatchObject({ reply: { status: 500 } });
});

test('a mock has at most a thousand faults', () => {
  const ids = Array.from({ length: 1_000 }, () => faults.add({ operation: 'getPet', delay: 1 }).id);
  const message = 'The mock has 1000 faults, the maximum. Remove one first.';
  expect(() => faults.add({ delay: 1 })).toThrow(message);
  const last = Math.max(...ids);
  faults.remove(last);
  expect(faults.add({ delay: 1 }).id).toBe(last + 1);
});
