import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { printGet } from '../../bench/print-request.ts';
import { get, type HttpRequest, post, send } from '../../testing/http-case.ts';
import { startMockCli } from '../../testing/run-cli.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import type { Mock } from '../index.ts';
import type { FaultOptions, FaultResponse } from '../session/fault-options.ts';
import { sendAdmin } from '../testing/send-admin.ts';

const list = get('/v1/pets');
const one = get('/v1/pets/1');
const create = post('/v1/pets', '{"name":"Rex","categoryId":1}');
const message = post('/messages', '{"message":"hi"}');

/** A fault, and the requests that then come with their statuses. */
const cases: readonly (readonly [fault: FaultOptions, ...requests: [HttpRequest, number][]])[] = [
  [{ status: 500 }, [list, 500], [one, 500], [create, 500], [message, 500], [get('/nothing'), 500]],
  [
    { operation: 'listPets', status: 503 },
    [list, 503],
    [{ ...list, method: 'HEAD' }, 503],
    [one, 200],
    [create, 201],
  ],
  [{ operation: 'getPet', status: 404 }, [one, 404], [list, 200]],
  [
    { operation: 'createPet', status: 429, times: 2 },
    [create, 429],
    [list, 200],
    [create, 429],
    [create, 201],
  ],
  [{ operation: 'createMessage', status: 502 }, [message, 502], [create, 201]],
  [
    { match: { operation: 'getPet', petId: 1 }, status: 401 },
    [one, 401],
    [get('/v1/pets/1?x=1'), 401],
    [get('/v1/pets/11'), 200],
  ],
  [{ match: { petId: '1' }, status: 418 }, [one, 418], [list, 200]],
  [
    { match: { query: { status: 'sold', limit: 1 } }, status: 504 },
    [get('/v1/pets?limit=1&status=sold'), 504],
    [get('/v1/pets?status=sold'), 200],
    [get('/v1/pets?status=available&limit=1'), 200],
  ],
  [
    { match: { headers: { 'X-Role': 'admin' } }, response: { status: 409 } },
    [get('/v1/pets', { 'x-role': 'admin' }), 409],
    [get('/v1/pets', { 'x-role': 'user' }), 200],
    [list, 200],
  ],
  [
    { operation: 'createPet', status: 500, skip: 1, times: 1 },
    [create, 201],
    [list, 200],
    [create, 500],
    [create, 201],
  ],
  [{ status: 500, probability: 0 }, [list, 200]],
];

const addBy: Readonly<Record<string, (mock: Mock, fault: FaultOptions) => unknown>> = {
  'from code': (mock, fault) => mock.faults.add(fault),
  'over HTTP': (mock, fault) => sendAdmin(mock.url, ['POST', '/faults', fault]),
};

test.for(Object.keys(addBy).flatMap((way) => cases.map((row) => [way, ...row] as const)))(
  '%s: the fault %j',
  async ([way, fault, ...requests]) => {
    const mock = await startTestMock();
    await addBy[way]?.(mock, fault);
    for (const [request, status] of requests) {
      const answer = await send(mock.url, request);
      expect(answer.status).toBe(status);
      if (status < 400 || request.method === 'HEAD') continue;
      expect(answer.body).toEqual({
        code: expect.stringMatching(/^[a-z_]+$/),
        message: expect.any(String),
        status,
      });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
    expect((await sendAdmin(mock.url, ['GET', '/faults'])).status).toBe(200);
    expect((await send(mock.url, get('/health'))).status).toBe(200);
  },
);

test.for([
  [401, 'unauthorized', 'www-authenticate', 'Bearer'],
  [429, 'too_many_requests', 'retry-after', '1'],
  [503, 'service_unavailable', 'retry-after', '1'],
] as const)('a fault of %i has the code %s and the header %s', async ([status, code, header, value]) => {
  const mock = await startTestMock();
  mock.faults.add({ status });
  const { body, headers } = await send(mock.url, list);
  expect([body.code, headers[header]]).toEqual([code, value]);
});

test('of several faults the newest decides, and a delay goes with the status of another', async () => {
  const { faults, url } = await startTestMock();
  faults.add({ delay: 1 });
  faults.add({ status: 500 });
  faults.add({ status: 503, times: 1 });
  expect([(await send(url, list)).status, (await send(url, list)).status]).toEqual([503, 500]);
  expect(faults.list().map(({ used }) => used)).toEqual([2, 1]);
});

test.for<[string, FaultOptions, HttpRequest, number]>([
  ['a fault of a fixed delay', { delay: 300_000 }, list, 200],
  ['a fault of a delay and a status', { delay: '300000-600000', status: 500 }, list, 500],
  ['a fault of a delay on a request with a body', { delay: 300_000 }, create, 201],
])('%s holds the answer back until it is removed', async ([, fault, request, status]) => {
  const { faults, url } = await startTestMock();
  const { id } = faults.add(fault);
  let answered: number | undefined;
  const answer = send(url, request).then((response) => {
    answered = response.status;
  });
  await expect.poll(() => faults.list()[0]?.used).toBe(1);
  // What is answered at once has been answered before these.
  for (let request = 0; request < 2; request += 1) await send(url, get('/health'));
  expect(answered).toBeUndefined();
  faults.remove(id);
  await answer;
  expect(answered).toBe(status);
});

test.for([{ delay: 1 }, { delay: '1-2' }])(
  'after the delay of %j the answer comes by itself',
  async (fault) => {
    const { faults, url } = await startTestMock();
    faults.add(fault);
    expect((await send(url, list)).status).toBe(200);
  },
);

test('if the client leaves during a delay, its request ends at once and changes nothing', async () => {
  const { faults, url, animals, requests } = await startTestMock({ profile: 'empty' });
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

/** What comes back on a connection of its own until it ends, and how it ends. */
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
  const { faults, url } = await startTestMock({ animals: 1 });
  faults.add({ operation: 'listPets', drop: true });
  expect(await exchange(url, printGet('/v1/pets'))).toEqual({ received: '', ending: 'ECONNRESET' });
  const { ending } = await exchange(url, printGet('/v1/pets/1') + printGet('/v1/pets'));
  expect(ending).toMatch(/^(?:ECONNRESET|end)$/);
  expect((await send(url, one)).status).toBe(200);
});

test('the log says how a connection was broken', async () => {
  const { url, waitFor } = await startMockCli();
  await sendAdmin(url, ['POST', '/faults', { drop: true }]);
  await exchange(url, printGet('/v1/pets'));
  expect(await waitFor(/GET \/v1\/pets .*\n/)).toMatch(/GET \/v1\/pets connection reset [\d.]+ ms\n/);
});

test.for([
  ['code=500', 500],
  ['code=404', 404],
  ['delay=1', 200],
  ['code=503, delay=0-1', 503],
  ['CODE = "429";x=1', 429],
] as const)('Prefer: %s is obeyed once, and it is said that it was', async ([prefer, status]) => {
  const { url } = await startTestMock();
  const answer = await send(url, get('/v1/pets', { Prefer: prefer }));
  const applied = prefer
    .toLowerCase()
    .replaceAll(/[ "]|;.*/g, '')
    .replace(',', ', ');
  expect([answer.status, answer.headers['preference-applied']]).toEqual([status, applied]);
  expect((await send(url, list)).status).toBe(200);
});

test.for([
  ['return=minimal', 200, undefined],
  ['respond-async', 200, undefined],
  ['code=200', 200, undefined],
  ['code', 200, undefined],
  ['code=5 0 0', 200, undefined],
  ['delay=600001', 200, undefined],
  ['delay=5-1, code=503', 503, 'code=503'],
  ['return=minimal, code=429;x, wait=10, code=500,,', 429, 'code=429'],
  ['code=404, drop=EMPTY_RESPONSE', 404, 'code=404'],
  ['code=299', 200, undefined],
  ['body=EMPTY_BODY, drop=EMPTY_RESPONSE', 200, undefined],
  ['', 200, undefined],
] as const)('Prefer: %s is answered with %i, and %s was applied', async ([prefer, status, applied]) => {
  const { url } = await startTestMock();
  const answer = await send(url, get('/v1/pets/1', { Prefer: prefer }));
  expect([answer.status, answer.headers['preference-applied']]).toEqual([status, applied]);
});

test('what a request prefers comes before the faults', async () => {
  const { faults, url } = await startTestMock();
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
  const mock = await startTestMock({ errorRate: 0.5 });
  const first = await run(mock);
  expect(first).toMatch(/200.*500.*200/);
  mock.reset();
  expect(await run(mock)).toBe(first);
  expect(await run(await startTestMock({ errorRate: 0.5 }))).toBe(first);
  expect(await run(await startTestMock({ errorRate: 0.5, seed: 2 }))).not.toBe(first);
  expect(await run(await startTestMock({ errorRate: 0 }))).not.toContain('500');
});

test('with a latency every request waits', async () => {
  const { faults, url } = await startTestMock({ latency: '500000-600000' });
  const answer = send(url, list);
  await expect.poll(() => faults.list()).toMatchObject([{ delay: '500000-600000', used: 1 }]);
  faults.clear();
  expect((await answer).status).toBe(200);
});

/** A response of a fault, and what is sent. */
const responses: readonly (readonly [body: string, status: number, FaultResponse, headers?: object])[] = [
  ['[{"id":1}]', 200, { body: [{ id: 1 }] }, { 'content-type': 'application/json' }],
  ['{"id":4611686018427387904}', 200, { body: { id: 2n ** 62n } }],
  ['null', 502, { status: 502, body: null }],
  ['[{"id":1,"name":"Re', 200, { body: '[{"id":1,"name":"Re' }, { 'content-type': 'application/json' }],
  ['', 200, { body: '' }, { 'content-length': '0' }],
  ['', 204, { status: 204, body: { a: 1 } }],
  [
    '<h1>Bad</h1>',
    502,
    {
      status: 502,
      headers: { 'content-type': 'text/html', 'access-control-allow-origin': 'null' },
      body: '<h1>Bad</h1>',
    },
    { 'content-type': 'text/html', 'access-control-allow-origin': 'null' },
  ],
  [
    '{"code":"service_unavailable","message":"Closed.","status":503}',
    503,
    { status: 503, headers: { 'retry-after': 30 }, message: 'Closed.' },
    { 'retry-after': '30', 'x-fault': '1' },
  ],
];

test.for(responses)('a fault responds with %s and %i', async ([body, status, response, headers = {}]) => {
  const mock = await startTestMock();
  mock.faults.add({ response });
  const answer = await fetch(`${mock.url}/pets`, { headers: { Authorization: 'Bearer test-key' } });
  expect([answer.status, await answer.text()]).toEqual([status, body]);
  expect(Object.fromEntries(answer.headers)).toMatchObject(headers);
  expect(mock.requests()[0]).toMatchObject({ status, answer: { headers: { 'X-Fault': '1' } } });
});

test('a body without a status has the usual status of the operation', async () => {
  const mock = await startTestMock();
  mock.faults.add({ response: { body: { id: 1 } } });
  const answers = [list, one, create, message].map(async (request) => (await send(mock.url, request)).status);
  expect(await Promise.all(answers)).toEqual([200, 200, 201, 202]);
  expect(mock.animals.size).toBe(120);
});
