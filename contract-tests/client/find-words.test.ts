import { expect, test } from 'vitest';
import { parseExactJson } from '../../common/json/exact-json.ts';
import type { SuiteRequest } from './exchange.ts';
import { findWords } from './find-words.ts';

const post = {
  method: 'POST',
  path: '/pets',
  body: '{"name":"contract-test 0123456789.004 sold","categoryId":9}',
};
const get = { method: 'GET', path: '/pets/7000001', body: undefined };

const find = (text: string, request: Partial<SuiteRequest> = post) => {
  const sent = { base: 'http://127.0.0.1:9/v1', headers: {}, ...request } as SuiteRequest;
  const cut = (long: string, longest: number) => long.slice(0, longest);
  const body = text.startsWith('{') ? parseExactJson(text) : undefined;
  return findWords(body, text, sent, cut);
};

test.for([
  ['ids', '{"message":"Ouch","requestId":"r-1"}', '{"message":"Ouch","requestId":"r-2"}'],
  ['an id in the message', 'Ouch (request id: 3f9c)', 'Ouch (request id: ab)'],
  ['a reference of letters', 'Ouch, ref QWERTYUI', 'Ouch, ref ASDFGHJK'],
  ['times', 'Ouch at 2026-11-26T10:00:00.123Z', 'Ouch at 2026-11-27T11:01:02Z'],
  ['a UUID', 'Ouch 0af76519-16cd-43dd-8448-eb211c80319c', 'Ouch 1bf76519-16cd-43dd-8448-eb211c80319d'],
  [
    'quoted values',
    "Incorrect string value: '\\xF0' for column 'a'",
    "Incorrect string value: 'x' for column 'b'",
  ],
  ['lines of a stack', '<h1>Ouch</h1><pre>at a.js:12:7</pre>', '<h1>Ouch</h1><pre>at a.js:99:1</pre>'],
  ['styles of a page', '<style>a{}</style><h1>Ouch</h1>', '<style>b{}</style><h1>Ouch</h1>'],
] as const)('errors that differ only in %s have the same words', ([, one, other]) => {
  expect(find(one)).toBe(find(other));
  expect(find(one)).toMatch(/Ouch|Incorrect string/);
});

test('an error that repeats its request has the words that it has for another request', () => {
  const words = find('Cannot POST /v1/pets: no connection');
  expect(find('Cannot GET /v1/pets/7000001: no connection', get)).toBe(words);
  expect(words).toMatch(/^Cannot .*: no connection$|^Cannot .* no connection$/);
  const named = (name: string) => find(`${name} is too long`, { ...post, body: `{"name":"${name}"}` });
  expect(named('contract-test abc')).toBe(named('another name'));
  // A short value may be a word of the error.
  expect(find('null value', { ...post, body: '{"name":"null"}' })).toBe('null value');
});

test.for([
  ['messages', '{"message":"Out of memory"}', '{"message":"No connection"}'],
  ['codes', '{"code":"db","message":"Ouch"}', '{"code":"disk","message":"Ouch"}'],
  ['nested messages', '{"error":{"message":"Out of memory"}}', '{"error":{"message":"No connection"}}'],
  ['texts', 'TypeError: x is undefined', 'RangeError: too much recursion'],
  ['pages with the same title', '<title>Error</title><pre>TypeError', '<title>Error</title><pre>RangeError'],
] as const)('errors with different %s have different words', ([, one, other]) => {
  expect(find(one)).not.toBe(find(other));
});

test('a body that says nothing has no words, and a long one is read up to a limit', () => {
  expect([find(''), find('{"path":"/v1/pets","timestamp":"x"}')]).toEqual(['', '']);
  const start = performance.now();
  expect(find('x'.repeat(100_000)).length).toBeLessThanOrEqual(1_000);
  expect(performance.now() - start).toBeLessThan(1_000);
});
