import { expect, test } from 'vitest';
import { LARGEST_CHECKED_BODY } from '../../common/http/decode-checked-body.ts';
import { expectError, talk } from '../../tools/testing/exchange-raw.ts';
import { printRequest, startProxyBefore } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

test.for<[target: string, init: RequestInit, status: number, code: string, message?: string]>([
  ['/pets?limit=0', { headers }, 400, 'request_violation', 'must be >= 1 (request.query.limit minimum).'],
  ['/pets', { method: 'POST', headers, body: '{"name":"Rex"}' }, 400, 'request_violation'],
  ['/pets', { method: 'POST', headers, body: '' }, 400, 'request_violation'],
  ['/pets', {}, 401, 'unauthorized'],
  ['/pets?limit=0', {}, 400, 'request_violation'],
])('%s with %j is refused with %i', async ([target, init, status, code, message]) => {
  const { url, received, exchanges } = await startProxyBefore(answerJson(), { block: true });
  const answer = await fetch(`${url}${target}`, init);
  await expectError(answer, status, code, expect.stringContaining(message ?? 'The request violates'));
  expect(received).toEqual([]);
  expect(exchanges).toMatchObject([{ response: undefined, refusal: { code } }]);
});

test('a response that breaks the contract is a 502 that names the violation, which the same origins may read', async () => {
  const origin = 'http://app.example';
  const cors = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  };
  const handle = answerJson('[{"id":1,"name":"Rex"}]', cors);
  const { url } = await startProxyBefore(handle, { block: true });
  const answer = await fetch(`${url}/pets`, { headers });
  const violation = "body property 0 must have required property 'categoryId' (response.body.0 required)";
  const message = `The response violates the contract. Response ${violation}.`;
  await expectError(answer, 502, 'response_violation', message);
  expect(Object.fromEntries(answer.headers)).toMatchObject(cors);
});

test('a broken rule for one exchange never blocks the response', async () => {
  const body = '[{"id":1,"name":"Rex","categoryId":2},{"id":1,"name":"Tom","categoryId":2}]';
  const { url, exchanges } = await startProxyBefore(answerJson(body), { block: true });
  const answer = await fetch(`${url}/pets`, { headers });
  expect([answer.status, await answer.text()]).toEqual([200, body]);
  const violation = { rule: 'list-pets/unique-ids', severity: 'error' };
  expect(exchanges).toMatchObject([{ violations: [violation], refusal: undefined }]);
});

test('of very many violations 100 of each rule and place are listed, all are counted, and the answer is unchanged', async () => {
  const body = `[{"id":"é","name":1}${',{}'.repeat(7_000)}]`;
  const { url, exchanges, readFindings } = await startProxyBefore(answerJson(body));
  const answer = await fetch(`${url}/pets`, { headers });
  expect(await answer.text()).toBe(body);
  const missing = ['id', 'name', 'categoryId'].map((name) => [
    `response.body.*.${name}`,
    name === 'categoryId' ? 7_001 : 7_000,
  ]);
  const counts = readFindings().violations.map(({ place, count }) => [place, count]);
  expect(counts).toEqual(expect.arrayContaining([...missing, ['response.body', 1]]));
  expect(exchanges[0]?.violations.length).toBe(300 + 3);
});

test('a refused request does not block the next ones on its connection, and a preflight passes', async () => {
  const { url } = await startProxyBefore(answerJson(), { block: true });
  // More than the proxy reads before it refuses the request.
  const body = 'x'.repeat(LARGEST_CHECKED_BODY + 3 * 1024 * 1024);
  const length = `Content-Length: ${body.length}`;
  const key = 'Authorization: Bearer x';
  const bytes = [
    printRequest('GET /v1/pets?limit=0', [key, length], body),
    printRequest('POST /admin/delete', [length], body),
    printRequest('OPTIONS /v1/pets', ['Origin: http://app.test', 'Access-Control-Request-Method: POST']),
    printRequest('GET /v1/pets', [key, 'Connection: close']),
  ];
  const answers = await talk(url, bytes.join(''));
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['400', '404', '200', '200']);
});
