import { expect, test } from 'vitest';
import { findKeysIn, findSecrets, MOST_PARTS, MOST_SECRETS, redactParameters } from './find-keys.ts';

const wrapped = [
  'one-key',
  'Bearer Bearer one-key',
  'Bearer "one-key"',
  'Bearer <one-key>',
  'Bearer one-key;',
  'Bearer {[(`one-key`)]}',
  'Bearer %22one-key%0A',
  'Bearer one-key\xa0',
  'Bearer \xef\xbb\xbfone-key\xe2\x80\x8b',
  'Bearer:one-key',
];

test.for<[value: string, ...keys: string[]]>([
  ['Bearer abc,def', 'abc,def', 'abc', 'def'],
  ['Basic a, Bearer b', 'a', 'b'],
  ...wrapped.map((value): [string, string] => [value, 'one-key']),
  ['Token token="one-key";', 'one-key'],
  [`a, basic ${btoa('name:one:key')}`, 'name', 'one:key'],
  [`Basic ${btoa('one-key')}`, 'one-key'],
  ['Bearer  two words', 'two words', 'words'],
  ['my-bearer', 'my-bearer'],
  ['Bearer cl\xc3\xa9-one', 'cl\xe9-one', 'cl\xc3\xa9-one'],
  ['Bearer "key-@@@@@@@@"', 'key-@@@@@@@@'],
  ['Bearer cl\xe9-one', 'cl\xe9-one'],
  ['basic-key', 'basic-key'],
  ['Digest username="ann-user", response="one-key"', 'ann-user', 'one-key'],
])('in %s there may be the keys %s', ([value, ...found]) => {
  expect(findKeysIn(value)).toEqual(expect.arrayContaining(found));
});

test('the name of a scheme is no key, and a wrong Basic has no credentials', () => {
  expect(findKeysIn('Bearer')).toEqual([]);
  expect(findKeysIn('basic')).toEqual([]);
  expect(new Set(findKeysIn('Basic %%%'))).toEqual(new Set(['Basic %%%', '%%%']));
});

test('secrets are in headers and parameters whose names say so', () => {
  expect(redactParameters('/x?a=1&api_key=2&b=3')).toBe('/x?a=1&api_key=[key]&b=3');
  expect(redactParameters('/x?token=abc&limit=1&secret=de=f?g')).toBe('/x?token=[key]&limit=1&secret=[key]');
  expect(redactParameters('/token=abc&key=d')).toBe('/token=abc&key=d');
  const [key, app] = [['x-key', 'one-key'] as const, ['x-app', 'shopping'] as const];
  const found = findSecrets([key, app], '/v1/pets?limit=five&token=two-key');
  expect(new Set(found)).toEqual(new Set(['one-key', 'two-key']));
});

test.for([
  ['https://app/cb#access_token=abc&state=1', 'https://app/cb#access_token=[key]&state=1'],
  ['/x?token=abc#token=def', '/x?token=[key]#token=[key]'],
  [
    '/x?to=https%3A%2F%2Fy%2F%3Ftoken%3Dabc%26a%3D1&b=2',
    '/x?to=https%3A%2F%2Fy%2F%3Ftoken%3D[key]%26a%3D1&b=2',
  ],
  ['/x?to=%2fy%23a%3d1%26token%3dabc%2526def&b=2', '/x?to=%2fy%23a%3d1%26token%3d[key]&b=2'],
  ['/x?to=%2Fy%3Fto%3D%252Fz%253Ftoken%253Dabc%26b=2', '/x?to=%2Fy%3Fto%3D%252Fz%253Ftoken%253D[key]%26b=2'],
  // It has no question mark of its own.
  ['/x/https%3A%2F%2Fy%2F%3Ftoken%3Dabc', '/x/https%3A%2F%2Fy%2F%3Ftoken%3D[key]'],
  ['/x?token=abc%26def&b=2', '/x?token=[key]&b=2'],
  ['/x?to=%2Fy%3Fa%3D1', '/x?to=%2Fy%3Fa%3D1'],
] as const)('in %s, keys are redacted, also of a fragment and of a URL in it', ([url, shown]) => {
  expect(redactParameters(url)).toBe(shown);
});

test('keys of a URL in a parameter, of a WebSocket and of cookies are secrets, but not short settings', () => {
  const headers = [
    ['Sec-WebSocket-Protocol', 'bearer, one-key'],
    ['Cookie', 'theme=dark; sid=0123456789abcdef; token="two-key"'],
  ] as const;
  const found = findSecrets(headers, '/v1/pets?to=%2Fy%3Ftoken%3Dthree%252Bkey');
  expect(found).toEqual(expect.arrayContaining(['one-key', '0123456789abcdef', 'two-key', 'three+key']));
  expect(found).not.toContain('dark');
});

test('of very many headers a few dozen secrets are looked for, each once, and the ones of Authorization', () => {
  const names = Array.from({ length: 90 }, (_, index) => `x-key-${index}`);
  const headers = names.map((name) => [name, names.map((one) => `${name}-${one}`).join()] as const);
  const secrets = findSecrets([...headers, ['Authorization', 'Bearer one-key']], '/v1/pets?token=two-key');
  expect(secrets.slice(0, 2)).toEqual(['Bearer one-key', 'one-key']);
  expect(secrets).toHaveLength(MOST_SECRETS);
  expect(new Set(secrets).size).toBe(MOST_SECRETS);
  expect(
    findSecrets([
      ['x-key', 'abc'],
      ['x-token', 'same, same'],
      ['x-auth', 'same'],
    ]),
  ).toEqual(['same, same', 'same']);
});

test('of a header with very many parts the first ones are looked for', () => {
  const parts = Array.from({ length: 100 }, (_, index) => `part-${index}`);
  const found = findKeysIn(parts.join());
  expect(found).toEqual(expect.arrayContaining([parts.join(), ...parts.slice(0, MOST_PARTS)]));
  expect(found).not.toContain(parts[99]);
});
