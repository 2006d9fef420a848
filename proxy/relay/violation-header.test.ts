import { expect, test } from 'vitest';
import { startProxyBefore } from '../testing/start-test-proxy.ts';
import { answerJson } from '../testing/start-upstream.ts';

const headers = { Authorization: 'Bearer x' };

test('a violation is in the header, as JSON in ASCII, and the answer is what it was', async () => {
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

test('very many violations are counted where they do not fit', async () => {
  const { url } = await startProxyBefore(answerJson(JSON.stringify(Array(100).fill({}))));
  const answer = await fetch(`${url}/pets`, { headers });
  const header = answer.headers.get('sl-violations') ?? '';
  expect(header.length).toBeLessThan(6001);
  const violations = JSON.parse(header);
  expect(violations.at(-1).message).toBe(`${300 - violations.length + 1} more violations`);
});
