import { expect, test } from 'vitest';
import { hideParameters } from '../../common/text/hide-keys.ts';
import type { Exchange, Violation } from '../exchange.ts';
import { FindingsRecord } from './findings-record.ts';
import { redactCheck } from './redact-check.ts';

const upstream = new URL('http://127.0.0.1:1/v1');

function createExchange(
  violations: readonly Violation[],
  parts: Partial<Exchange['request']> = {},
): Exchange {
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '', headers: {} };
  return {
    request: { ...request, body: new Uint8Array(), ...parts },
    response: undefined,
    operationId: 'listPets',
    violations,
    refusal: undefined,
  };
}

test('each missing property is a separate place', () => {
  const missing = (name: string): Violation => ({
    location: ['response', 'body', '0'],
    severity: 'error',
    code: 'required',
    message: `Response body property 0 must have required property '${name}'`,
  });
  const found = new FindingsRecord(upstream, []).add(
    createExchange([missing('name'), missing('categoryId')]),
  );
  expect(found.map(({ place }) => place)).toEqual(['response.body.*.name', 'response.body.*.categoryId']);
});

test('a configured key is in no finding, whoever sent it', () => {
  const apiKeys = ['SuperSecret42'];
  const record = new FindingsRecord(upstream, apiKeys);
  const violation = {
    location: ['request'],
    severity: 'error',
    message: 'must not be SuperSecret42',
  } as const;
  const parts = { target: '/v1/pets?x=SuperSecret42', body: Buffer.from('"SuperSecret42"') };
  const named = { ...violation, location: ['request', 'query', 'SuperSecret42'] };
  const exchange = createExchange([violation, named], parts);
  const check = redactCheck(() => ({ ...exchange, checkResponse: () => [] }), apiKeys);
  const found = record.add({ ...exchange, violations: check(exchange.request).violations });
  expect(JSON.stringify([found, record.read().violations])).not.toContain('SuperSecret42');
});

test('the value of a key parameter is hidden, and only that', () => {
  expect(hideParameters('/x?a=1&api_key=2&b=3')).toBe('/x?a=1&api_key=[key]&b=3');
});

const violation = { location: ['request'], severity: 'error', message: 'wrong' } as const;

test.for<[string, Partial<Exchange['request']>, string]>([
  [
    'a body with a key',
    { method: 'POST', body: Buffer.from(`{"name":"SuperSecret42 'a' $b"}`) },
    String.raw`curl -H 'Content-Type:' --data-raw '{"name":"[key] '\''a'\'' $b"}'`,
  ],
  [
    'a key with the wrong scheme',
    { headers: { authorization: 'Basic SuperSecret42' } },
    'curl -H "Authorization: Basic $ANIMAL_STORE_API_KEY"',
  ],
])('the command of a request with %s has no key', ([, parts, expected]) => {
  const [found] = new FindingsRecord(upstream, ['SuperSecret42']).add(createExchange([violation], parts));
  expect(found?.example).toBe(`${expected} 'http://127.0.0.1:1/v1/pets'`);
});
