import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { get, post, send } from '../../../testing/http-case.ts';
import { startTestMock } from '../../../testing/start-test-mock.ts';
import { controlApiFile } from '../../docs/create-docs.ts';
import { createControlJudge } from '../../testing/control-judge.ts';
import { type AdminCall, sendAdmin } from '../../testing/send-admin.ts';
import { LARGEST_ADMIN_BODY } from './create-admin.ts';

const written = parse(readFileSync(controlApiFile, 'utf8'));
const judge = createControlJudge(written);

test('the document has the operations that are there, and no others', async () => {
  const { body } = await sendAdmin((await startTestMock()).url, ['GET', '/nowhere']);
  const [, listed = ''] = /Under \/__admin there is (.*)\.$/.exec(String(Object(body).message)) ?? [];
  const routes = listed.split(', ');
  const lines = [...routes.map((line) => line.replace(' ', ' /__admin')), 'GET /health'];
  expect(judge.lines.toSorted()).toEqual(lines.sort());
});

/** Returns a function that sends a request to the control API, and validates it and its answer. */
function createAsk(url: string) {
  return async (...call: AdminCall) => {
    const answer = await sendAdmin(url, call);
    expect([judge.judgeRequest(call), judge.judgeAnswer(call, answer)], call.join(' ')).toEqual([[], []]);
    return answer.body;
  };
}

test('requests, violations, faults and sessions are as the document says', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  const ask = createAsk(mock.url);
  for (const delay of [20, '0-1', 1]) await ask('POST', '/faults', { delay, times: 5 });
  await ask('POST', '/faults', { match: { headers: { 'X-Drop': 1 } }, drop: true, probability: 1 });
  const response = { status: 503, headers: { 'Retry-After': 30 }, body: { a: [1] } };
  await ask('POST', '/faults', { match: { operation: 'getPet', petId: 7 }, skip: 1, response });
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0&sort=name'));
  await send(mock.url, post('/v1/pets', '{"name":"Rex","categoryId":1}'));
  await send(mock.url, get('/nowhere'));
  await send(mock.url, { method: 'PUT', path: '/v1/pets', headers: { 'X-Drop': '1' } }).catch(
    () => undefined,
  );
  expect(await ask('GET', '/requests')).toHaveLength(4);
  expect(
    await ask('GET', '/requests?operation=createPet&status=201&since=2026-01-01T00:00:00Z&limit=1'),
  ).toHaveLength(1);
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
  await ask('DELETE', '/sessions/w1');
  await ask('DELETE', '/sessions/w1');
  await ask('GET', '/openapi.json');
  const { status, headers, body } = await send(mock.url, get('/health'));
  expect(judge.judgeAnswer(['GET', '/health'], { status, headers, body })).toEqual([]);
});

test('an event is as the document says', async () => {
  const mock = await startTestMock();
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const address = new URL('/__admin/events', mock.url);
  const { headers, body } = await fetch(address, { signal: aborting.signal });
  const type = headers.get('content-type') ?? '';
  expect(written.paths['/__admin/events'].get.responses[200].content).toHaveProperty([type]);
  const chunks = body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = '' } = (await chunks?.read()) ?? {};
  const [, data = ''] = /^event: state\ndata: (.*)\n\n$/.exec(value) ?? [];
  expect(judge.judgeValue('StateEvent', JSON.parse(data))).toEqual([]);
});

test.for([
  ['a form', 400, ['POST', '/reset', 'x'], { 'Content-Type': 'text/plain' }],
  ['no token', 401, ['GET', '/animals'], {}],
  ['a page of another site', 403, ['GET', '/openapi.json'], { 'Sec-Fetch-Site': 'cross-site' }],
  ['a Host that is not of this machine', 403, ['GET', '/openapi.yaml'], { Host: 'evil.test' }],
  ['too long a body', 413, ['PUT', '/animals', 'x'.repeat(LARGEST_ADMIN_BODY)], {}],
] as const)('%s is refused with a %i as the document says', async ([what, status, call, headers]) => {
  const { url } = await startTestMock(what === 'no token' ? { adminToken: 's3cr-token' } : {});
  const answer = await sendAdmin(url, call, headers);
  expect([answer.status, judge.judgeAnswer(call, answer, '4XX')]).toEqual([status, []]);
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});

test.for([
  ['/__admin/openapi.yaml', 'application/yaml', (text: string) => parse(text)],
  ['/__admin/openapi.json', 'application/json', (text: string) => JSON.parse(text)],
] as const)('%s is the document, and its server is who was asked', async ([path, type, read]) => {
  const { url } = await startTestMock();
  const { origin } = new URL(url);
  for (const prefix of ['', '/sessions/w1']) {
    const answer = await fetch(origin + prefix + path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    const servers = [{ url: origin + prefix, description: 'This mock.' }];
    expect(read(await answer.text())).toEqual({ ...written, servers });
  }
  const { status, headers } = await send(url, { method: 'PUT', path });
  expect([status, headers.allow]).toEqual([405, 'GET']);
});
