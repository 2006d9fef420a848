import { expect, test } from 'vitest';
import { expectError, talk } from '../../testing/exchange-raw.ts';
import { printRequest, startProxyBefore } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

test.for<[target: string, init: RequestInit, status: number, code: string, message?: string]>([
  [
    ...(['/pets?limit=0', { headers }, 400, 'request_violation'] as const),
    'limit must be >= 1 (request.query.limit minimum).',
  ],
  ['/pets', { method: 'POST', headers, body: '{"name":"Rex"}' }, 400, 'request_violation'],
  ['/pets', { method: 'POST', headers, body: '' }, 400, 'request_violation'],
  ['/pets', {}, 401, 'unauthorized'],
  ['/pets?limit=0', {}, 400, 'request_violation'],
])(
  '%s with %j is refused with %i, and never reaches the upstream',
  async ([target, init, status, code, message]) => {
    const { url, received, exchanges } = await startProxyBefore(answerJson(), { errors: true });
    const answer = await fetch(`${url}${target}`, init);
    await expectError(answer, status, code, expect.stringContaining(message ?? 'The request is not'));
    expect(answer.headers.has('sl-violations')).toBe(true);
    expect(received).toEqual([]);
    expect(exchanges).toMatchObject([{ response: undefined, refusal: { code } }]);
  },
);

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

test('a violation is in the header, as JSON in ASCII, and the answer is unchanged', async () => {
  const body = '[{"id":"é","name":1}]';
  const { url } = await startProxyBefore(answerJson(body, { 'Access-Control-Allow-Origin': '*' }));
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect(await answer.text()).toBe(body);
  expect(JSON.parse(answer.headers.get('sl-violations') ?? '')).toMatchObject([
    { location: ['request', 'query', 'limit'], severity: 'Error', code: 'minimum' },
    { location: ['response', 'body', '0'], severity: 'Error', code: 'required' },
    { location: ['response', 'body', '0', 'id'], severity: 'Error', code: 'type' },
    { location: ['response', 'body', '0', 'name'], severity: 'Error', code: 'type' },
  ]);
  expect(answer.headers.get('access-control-expose-headers')).toBe('sl-violations');
});

test('the header has the first of very many violations, and 1,000 are kept', async () => {
  const body = `[${'{},'.repeat(7_000)}{}]`;
  const { url, exchanges } = await startProxyBefore(answerJson(body));
  const answer = await fetch(`${url}/pets`, { headers });
  const header = answer.headers.get('sl-violations') ?? '';
  expect(header.length).toBeLessThanOrEqual(6001);
  expect(JSON.parse(header).length).toBeGreaterThan(20);
  expect((await answer.text()).length).toBe(body.length);
  expect(exchanges[0]?.violations.length).toBe(1000);
});

test('a request that is refused does not block the next one on its connection', async () => {
  const { url } = await startProxyBefore(answerJson(), { errors: true });
  const body = 'x'.repeat(3 * 1024 * 1024);
  const length = `Content-Length: ${body.length}`;
  const key = 'Authorization: Bearer x';
  const bytes = [
    printRequest('GET /v1/pets?limit=0', [key, length], body),
    printRequest('POST /admin/delete', [length], body),
    printRequest('GET /v1/pets', [key, 'Connection: close']),
  ];
  const answers = await talk(url, bytes.join(''));
  expect(answers.match(/(?<=HTTP\/1.1 )\d+/g)).toEqual(['400', '404', '200']);
});
