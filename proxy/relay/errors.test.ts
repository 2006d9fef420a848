import { expect, test } from 'vitest';
import { startTestMock } from '../../mock/testing/start-test-mock.ts';
import { startUpstream } from '../testing/raw-exchange.ts';
import { startTestProxy } from '../testing/start-test-proxy.ts';

const headers = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

async function startRefusingProxy() {
  let asked = 0;
  let body = '[]';
  const upstream = await startUpstream((request, response) => {
    asked += 1;
    request.resume();
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Access-Control-Allow-Origin': 'http://app.example',
      })
      .end(body);
  });
  const proxy = await startTestProxy(upstream, { errors: true });
  const answerWith = (text: string) => {
    body = text;
  };
  return { ...proxy, answerWith, asked: () => asked };
}

test('a request that breaks the contract is a 400 that names the violation, and never gets to the upstream', async () => {
  const { url, asked, exchanges } = await startRefusingProxy();
  const answer = await fetch(`${url}/pets?limit=0`, { headers });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    {
      code: 'request_violation',
      message:
        'The request is not what the contract allows: Request query parameter limit must be >= 1 (request.query.limit minimum).',
      status: 400,
    },
  ]);
  expect(answer.headers.has('sl-violations')).toBe(true);
  expect(asked()).toBe(0);
  expect(exchanges).toMatchObject([
    { operationId: 'listPets', response: undefined, refusal: { status: 400 } },
  ]);
});

test('a body that breaks the contract is refused', async () => {
  const { url, asked } = await startRefusingProxy();
  for (const body of ['{"name":"Rex"}', '{"name":', '']) {
    const answer = await fetch(`${url}/pets`, { method: 'POST', headers, body });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      400,
      'request_violation',
    ]);
  }
  expect(asked()).toBe(0);
});

test('a request without its key is a 401, as the contract wants it', async () => {
  const { url, asked } = await startRefusingProxy();
  const answer = await fetch(`${url}/pets`);
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'unauthorized']);
  expect((await fetch(`${url}/pets?limit=0`)).status).toBe(400);
  expect(asked()).toBe(0);
});

test('a response that breaks the contract is a 502 that names the violation, to be read where it was', async () => {
  const { url, answerWith } = await startRefusingProxy();
  answerWith('[{"id":1,"name":"Rex"}]');
  const answer = await fetch(`${url}/pets`, { headers });
  expect([answer.status, await answer.json()]).toEqual([
    502,
    {
      code: 'response_violation',
      message:
        "The response is not what the contract allows: Response body property 0 must have required property 'categoryId' (response.body.0 required).",
      status: 502,
    },
  ]);
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://app.example');
  expect(answer.headers.get('access-control-expose-headers')).toBe('sl-violations');
});

test('what keeps the contract passes, with its body, and so does a warning', async () => {
  const mock = await startTestMock({ profile: 'empty' });
  const { url } = await startTestProxy(mock.url, { errors: true });
  const body = '{"name":"Rex","categoryId":9007199254740993}';
  const created = await fetch(`${url}/pets`, { method: 'POST', headers, body });
  expect([created.status, await created.text()]).toEqual([
    201,
    '{"id":1,"name":"Rex","categoryId":9007199254740993}',
  ]);
  const unknown = await fetch(`${url}/nothing`, { headers });
  expect([unknown.status, unknown.headers.has('sl-violations')]).toEqual([404, true]);
});

test('a body too large to be judged passes', async () => {
  const mock = await startTestMock({ profile: 'empty' });
  const { url } = await startTestProxy(mock.url, { errors: true });
  const body = JSON.stringify({ name: 'x'.repeat(3 * 1024 * 1024), categoryId: 1 });
  const direct = await fetch(`${mock.url}/pets`, { method: 'POST', headers, body });
  const answer = await fetch(`${url}/pets`, { method: 'POST', headers, body });
  expect([answer.status, (await answer.text()).length]).toEqual([
    direct.status,
    (await direct.text()).length,
  ]);
});
