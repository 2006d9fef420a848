import { expect, test } from 'vitest';
import { startTestMock } from '../../mock/testing/start-test-mock.ts';
import { startProxyBefore, startTestProxy } from '../testing/start-test-proxy.ts';
import { answerJson, readError } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

/** Starts a proxy that refuses, before an upstream that counts the requests that come. */
async function startRefusingProxy(body = '[]') {
  let asked = 0;
  const answer = answerJson(body, { 'Access-Control-Allow-Origin': 'http://app.example' });
  const proxy = await startProxyBefore(
    (request, response) => {
      asked += 1;
      answer(request, response);
    },
    { errors: true },
  );
  return { ...proxy, asked: () => asked };
}

test('a request that breaks the contract is a 400 that names the violation, and never gets to the upstream', async () => {
  const { url, asked, exchanges } = await startRefusingProxy();
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  const violation = 'Request query parameter limit must be >= 1 (request.query.limit minimum)';
  const message = `The request is not what the contract allows: ${violation}.`;
  const body = { code: 'request_violation', message, status: 400 };
  expect([answer.status, await answer.json()]).toEqual([400, body]);
  expect(answer.headers.has('sl-violations')).toBe(true);
  expect(asked()).toBe(0);
  expect(exchanges).toMatchObject([
    { operationId: 'listPets', response: undefined, refusal: { code: 'request_violation' } },
  ]);
});

test.for([
  [
    'a body without a required property',
    'POST',
    '/pets',
    '{"name":"Rex"}',
    headers,
    400,
    'request_violation',
  ],
  ['a malformed body', 'POST', '/pets', '{"name":', headers, 400, 'request_violation'],
  ['an empty body', 'POST', '/pets', '', headers, 400, 'request_violation'],
  ['a missing key, as the contract wants it,', 'GET', '/pets', undefined, {}, 401, 'unauthorized'],
  ['a missing key beside another error', 'GET', '/pets?limit=0', undefined, {}, 400, 'request_violation'],
] as const)('%s is refused', async ([, method, path, body, headers, status, code]) => {
  const { url, asked } = await startRefusingProxy();
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  expect(await readError(answer)).toEqual([status, code]);
  expect(asked()).toBe(0);
});

test('a response that breaks the contract is a 502 that names the violation, to be read where it was', async () => {
  const { url } = await startRefusingProxy('[{"id":1,"name":"Rex"}]');
  const answer = await fetch(`${url}/pets`, { headers });
  const violation =
    "Response body property 0 must have required property 'categoryId' (response.body.0 required)";
  const message = `The response is not what the contract allows: ${violation}.`;
  const body = { code: 'response_violation', message, status: 502 };
  expect([answer.status, await answer.json()]).toEqual([502, body]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://app.example');
  expect(answer.headers.get('access-control-expose-headers')).toBe('sl-violations');
});

test('what keeps the contract passes, with its body, and so does a warning', async () => {
  const mock = await startTestMock({ profile: 'empty' });
  const { url } = await startTestProxy(mock.url, { errors: true });
  const body = '{"name":"Rex","categoryId":9007199254740993}';
  const created = await fetch(`${url}/pets`, { method: 'POST', headers, body });
  const pet = '{"id":1,"name":"Rex","categoryId":9007199254740993}';
  expect([created.status, await created.text()]).toEqual([201, pet]);
  const unknown = await fetch(`${url}/nothing`, { headers });
  expect([unknown.status, unknown.headers.has('sl-violations')]).toEqual([404, true]);
});
