import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { exchangeRaw, expectError, toRawHeaders } from '../../testing/exchange-raw.ts';
import { startTestMock } from '../../testing/start-test-mock.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

test('a request that breaks the contract is a 400 that names the violation, and never reaches the upstream', async () => {
  const { url, received, exchanges } = await startProxyBefore(answerJson(), { errors: true });
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  const violation = 'Request query parameter limit must be >= 1 (request.query.limit minimum)';
  const message = `The request is not what the contract allows: ${violation}.`;
  await expectError(answer, 400, 'request_violation', message);
  expect(answer.headers.has('sl-violations')).toBe(true);
  expect(received).toEqual([]);
  const refusal = { code: 'request_violation' };
  expect(exchanges).toMatchObject([{ operationId: 'listPets', response: undefined, refusal }]);
});

test.for([
  ['a body without a required property', '/pets', '{"name":"Rex"}', headers, 400, 'request_violation'],
  ['an empty body', '/pets', '', headers, 400, 'request_violation'],
  ['a missing key', '/pets', undefined, {}, 401, 'unauthorized'],
  ['a missing key with another error', '/pets?limit=0', undefined, {}, 400, 'request_violation'],
] as const)('%s is refused', async ([, path, body, headers, status, code]) => {
  const { url, received } = await startProxyBefore(answerJson(), { errors: true });
  const answer = await fetch(`${url}${path}`, {
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  });
  await expectError(answer, status, code);
  expect(received).toEqual([]);
});

test('a response that breaks the contract is a 502 that names the violation, which the same origins may read', async () => {
  const origin = 'http://app.example';
  const handle = answerJson('[{"id":1,"name":"Rex"}]', { 'Access-Control-Allow-Origin': origin });
  const { url } = await startProxyBefore(handle, { errors: true });
  const answer = await fetch(`${url}/pets`, { headers });
  const violation = "body property 0 must have required property 'categoryId' (response.body.0 required)";
  const message = `The response is not what the contract allows: Response ${violation}.`;
  await expectError(answer, 502, 'response_violation', message);
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  expect(answer.headers.get('access-control-expose-headers')).toBe('sl-violations');
});

test('a conforming exchange passes, with its body, and so does a warning', async () => {
  const mock = await startTestMock({ profile: 'empty' });
  const { url } = await startTestProxy(mock.url, { errors: true });
  const body = '{"name":"Rex","categoryId":9007199254740993}';
  const created = await fetch(`${url}/pets`, { method: 'POST', headers, body });
  const pet = '{"id":1,"name":"Rex","categoryId":9007199254740993}';
  expect([created.status, await created.text()]).toEqual([201, pet]);
  const unknown = await fetch(`${url}/nothing`, { headers });
  expect([unknown.status, unknown.headers.has('sl-violations')]).toEqual([404, true]);
});

test.for([false, true])('a preflight passes and is no violation, with errors: %s', async (errors) => {
  const handle: RequestListener = (_request, response) => void response.writeHead(204).end();
  const { url, received, exchanges } = await startProxyBefore(handle, { errors });
  const preflight = { Origin: 'http://app.test', 'Access-Control-Request-Method': 'GET' };
  for (const path of ['/pets', '/pets/1', '/nothing']) {
    const answer = await exchangeRaw(url, 'OPTIONS', `/v1${path}`, toRawHeaders(preflight));
    expect(answer.status).toBe(204);
  }
  expect(received).toHaveLength(3);
  expect(exchanges.flatMap(({ violations }) => violations)).toEqual([]);
  await exchangeRaw(url, 'OPTIONS', '/v1/pets', ['Origin', 'http://app.test']);
  expect(exchanges.at(-1)?.violations).toHaveLength(1);
});

test('a violation is in the header, as JSON in ASCII, and the answer is unchanged', async () => {
  const body = '[{"id":"é","name":1}]';
  const { url, exchanges } = await startProxyBefore(answerJson(body, { 'Access-Control-Allow-Origin': '*' }));
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect(await answer.text()).toBe(body);
  expect(JSON.parse(answer.headers.get('sl-violations') ?? '')).toMatchObject([
    { location: ['request', 'query', 'limit'], severity: 'Error', code: 'minimum' },
    { location: ['response', 'body', '0'], severity: 'Error', code: 'required' },
    { location: ['response', 'body', '0', 'id'], severity: 'Error', code: 'type' },
    { location: ['response', 'body', '0', 'name'], severity: 'Error', code: 'type' },
  ]);
  expect(answer.headers.get('access-control-expose-headers')).toBe('sl-violations');
  expect(exchanges).toMatchObject([{ operationId: 'listPets' }]);
});

test('of very many violations the header has the first', async () => {
  const { url } = await startProxyBefore(answerJson(JSON.stringify(Array(100).fill({}))));
  const answer = await fetch(`${url}/pets`, { headers });
  const header = answer.headers.get('sl-violations') ?? '';
  expect(header.length).toBeLessThanOrEqual(6001);
  expect(JSON.parse(header).length).toBeGreaterThan(20);
});
