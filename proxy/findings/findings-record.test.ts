import { expect, test } from 'vitest';
import { hideParameters } from '../../common/text/hide-keys.ts';
import type { Exchange, Violation } from '../exchange.ts';
import { FindingsRecord } from './findings-record.ts';
import { redactCheck } from './redact-check.ts';

/** Records a violation in a request that has these parts. */
function record(parts: Partial<Exchange['request']>, violations: readonly Violation[]) {
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '', headers: {}, ...parts };
  const exchange = { request: { body: new Uint8Array(), ...request }, operationId: 'listPets', violations };
  const apiKeys = ['SuperSecret42'];
  const check = redactCheck(() => ({ ...exchange, checkResponse: () => [] }), apiKeys);
  const found = new FindingsRecord(new URL('http://127.0.0.1:1/v1'), apiKeys);
  const common = { ...exchange, response: undefined, refusal: undefined };
  return [found.add({ ...common, ...check(exchange.request) }), found.read().violations] as const;
}

const violation = { location: ['request'], severity: 'error', message: 'not SuperSecret42' } as const;

test('each missing property is a separate place', () => {
  const missing = ['name', 'categoryId'].map(
    (name): Violation => ({
      ...{ location: ['response', 'body', '0'], severity: 'error', code: 'required' },
      message: `Response body property 0 must have required property '${name}'`,
    }),
  );
  const places = record({}, missing)[0].map(({ place }) => place);
  expect(places).toEqual(['response.body.*.name', 'response.body.*.categoryId']);
});

test.for<[title: string, parts: Partial<Exchange['request']>, example: string]>([
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
])('a configured key is in no finding and no command, whoever sent it: %s', ([, parts, example]) => {
  const named = { ...violation, location: ['request', 'query', 'SuperSecret42'] };
  const target = '/v1/pets?x=SuperSecret42';
  const found = record({ ...parts, target }, [violation, named]);
  expect(JSON.stringify(found)).not.toContain('SuperSecret42');
  expect(found[0][0]?.example).toMatch(`${example} `);
});

test('the value of a key parameter is hidden, and only that', () => {
  expect(hideParameters('/x?a=1&api_key=2&b=3')).toBe('/x?a=1&api_key=[key]&b=3');
});
