import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { controlCases } from '../testing/cases/control-cases.ts';
import { createControlJudge } from '../testing/control-judge.ts';
import { get, post, send } from '../testing/http-case.ts';
import { type AdminCall, sendAdmin } from '../testing/send-admin.ts';
import { sampleAnimals, startTestMock } from '../testing/start-test-mock.ts';
import { LARGEST_ADMIN_BODY } from './create-admin.ts';
import { controlApiFile } from './create-admin-answers.ts';

const written = parse(readFileSync(controlApiFile, 'utf8'));
const judge = createControlJudge(written);

test('the document has the operations that are there, and no others', async () => {
  const { body } = await sendAdmin((await startTestMock()).url, ['GET', '/nowhere']);
  const [, told = ''] = /Beneath \/__admin there is (.*)\.$/.exec(String(Object(body).message)) ?? [];
  const routes = told.split(', ');
  const lines = [...routes.map((line) => line.replace(' ', ' /__admin')), 'GET /health'];
  expect(judge.lines.toSorted()).toEqual(lines.sort());
});

/** What no schema can say. */
const knownToTheMock = [
  'an id that is in use is refused',
  'an animal that names another id is refused',
  'two animals with one id are refused',
  'the fault {"delay":"200-50"} is refused',
  'the violations, where nobody looks for them',
];

test.for(controlCases)('request and answer are as the document says: $title', async (row) => {
  const mock = await startTestMock({ data: sampleAnimals });
  row.before?.(mock);
  const faults = judge.judgeRequest(row.http);
  const isRefused = row.status === 400 && !knownToTheMock.includes(row.title);
  expect(faults).toEqual(isRefused ? expect.arrayContaining([expect.any(String)]) : []);
  expect(judge.judgeAnswer(row.http, await sendAdmin(mock.url, row.http))).toEqual([]);
});

/** Creates what sends a request to the control API, and has it and its answer judged. */
function createAsk(url: string) {
  return async (...call: AdminCall) => {
    const answer = await sendAdmin(url, call);
    expect([judge.judgeRequest(call), judge.judgeAnswer(call, answer)], call.join(' ')).toEqual([[], []]);
    return answer.body;
  };
}

test('what came, what broke the contract, faults and sessions are as the document says', async () => {
  const mock = await startTestMock({ checkedProxy: true, maxSessions: 2 });
  const ask = createAsk(mock.url);
  for (const delay of [20, '0-1', { median: 1, sigma: 0.5 }])
    await ask('POST', '/faults', { delay, times: 5 });
  await ask('POST', '/faults', { method: 'PUT', drop: 'EMPTY_RESPONSE', probability: 1 });
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0&sort=name'));
  await send(mock.url, post('/v1/pets', '{"name":"Rex","categoryId":1}'));
  await send(mock.url, get('/nowhere'));
  await send(mock.url, { method: 'PUT', path: '/v1/pets' }).catch(() => undefined);
  expect(await ask('GET', '/requests')).toHaveLength(4);
  expect(
    await ask('GET', '/requests?operation=createPet&status=201&since=2026-01-01T00:00:00Z&limit=1'),
  ).toHaveLength(1);
  expect(await ask('GET', '/violations?operation=listPets')).toHaveLength(2);
  expect(await ask('GET', '/violations?severity=warning&since=0')).toHaveLength(1);
  expect(await ask('GET', '/faults')).toHaveLength(4);
  mock.session('w1');
  expect(await ask('GET', '/sessions')).toEqual(['w1']);
  await ask('DELETE', '/sessions/w1');
  await ask('DELETE', '/sessions/w1');
  await ask('GET', '/openapi.json');
});

test('runs of the contract suite are as the document says', async () => {
  const { url } = await startTestMock();
  const ask = createAsk(url);
  await ask('GET', '/verifications/1');
  await ask('POST', '/verifications', { baseUrl: url, apiKey: 'test-key', only: ['list-pets/pets'] });
  const isOver = async () => expect(await ask('GET', '/verifications/1')).toHaveProperty('conclusion');
  await vi.waitFor(isOver, { timeout: 30_000 });
  expect(await ask('GET', '/verifications')).toHaveLength(1);
  const { status, headers, text } = await send(url, get('/__admin/verifications/1/report'));
  const page = { status, headers, body: text };
  expect(judge.judgeAnswer(['GET', '/verifications/1/report'], page)).toEqual([]);
  await ask('POST', '/verifications/1/report');
  await ask('POST', '/verifications/2/report');
  await ask('DELETE', '/verifications/1');
  for (const wrong of [{ baseUrl: 'ftp://x' }, { allowWrites: 1 }, { only: 'x' }, { bseUrl: 'x' }]) {
    const call: AdminCall = ['POST', '/verifications', wrong];
    expect(judge.judgeRequest(call)).not.toEqual([]);
    expect(judge.judgeAnswer(call, await sendAdmin(url, call))).toEqual([]);
  }
});

test('the data of events is as the document says', async () => {
  const mock = await startTestMock({ checkedProxy: true });
  mock.faults.add({ status: 500, operation: 'getPet' });
  await send(mock.checkedUrl as string, get('/v1/pets?limit=0'));
  const aborting = new AbortController();
  onTestFinished(() => aborting.abort());
  const address = new URL('/__admin/events', mock.url);
  const { headers, body } = await fetch(address, { signal: aborting.signal });
  const type = headers.get('content-type') ?? '';
  expect(written.paths['/__admin/events'].get.responses[200].content).toHaveProperty([type]);
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (/event: violation\n.*\n\n/.test(text)) break;
  }
  const told = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(
    ([, event = '', data = '']): [string, string[]] => {
      const { faults = [], settings, verifications, ...value } = JSON.parse(data);
      if (event === 'request') return [event, judge.judgeValue('JournalEntry', value)];
      if (event === 'violation') return [event, judge.judgeValue('Violation', value)];
      expect([value, verifications]).toEqual([
        {
          startedAt: expect.any(String),
          animals: 120,
          version: expect.any(Number),
          clockOffset: 0,
          period: 0,
          clearedTo: 0,
          takesTestKey: true,
        },
        [],
      ]);
      return [event, [judge.judgeValue('Fault', faults[0]), judge.judgeValue('Settings', settings)].flat()];
    },
  );
  expect(told).toEqual([
    ['state', []],
    ['request', []],
    ['violation', []],
  ]);
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

test('health is as the document says', async () => {
  const { url } = await startTestMock();
  const { status, headers, body } = await send(url, get('/health'));
  expect(judge.judgeAnswer(['GET', '/health'], { status, headers, body })).toEqual([]);
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
  const head = await fetch(origin + path, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const { status, headers } = await send(url, { method: 'PUT', path });
  expect([status, headers.allow]).toEqual([405, 'GET']);
});

test('who asks for something else is told where the document is', async () => {
  const { url } = await startTestMock();
  const { status, body } = await sendAdmin(url, ['GET', '/animal']);
  const mention = expect.stringContaining('GET /openapi.json');
  expect([status, body]).toEqual([404, expect.objectContaining({ message: mention })]);
});
