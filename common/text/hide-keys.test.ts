import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellKey } from '../../tools/testing/key-spellings.ts';
import {
  createHideKeys,
  findKeysIn,
  findSecrets,
  hideParameters,
  MOST_PARTS,
  MOST_SECRETS,
} from './hide-keys.ts';

const keys = ['test-key', `s3Cr/t?+"\\=%41&amp;,<'>~`, 'sk_live.51H8x/Qz+Lw==', 'a~?b', 'Schlüssel-鍵'];

/** Texts that contain a key instead of `\0`. */
const places = [
  ...['\0', '/v1/pets?limit=\0&status=sold', '{"name":"%zz\\u0041 \0","id":1}'],
  ...['<a title="&lt; 100%">&quot;\0&#34;</a>', '\0,\0 \0'],
];

const spelled = keys.flatMap((key) =>
  Object.values(spellKey(key)).map((spelling) => [key, spelling] as const),
);

test.for(spelled)('of the key %s, %s is hidden, and nothing else', ([key, spelling]) => {
  const hide = createHideKeys(['another-key', key]);
  for (const place of places) {
    // In base64, characters next to the key may stay.
    const parts = place.split('\0').map((part) => RegExp.escape(part));
    const pattern = parts.join('[\\w+/-]*\\[key\\][\\w+/=%-]*');
    expect(hide(place.replaceAll('\0', spelling))).toMatch(RegExp(`^${pattern}$`));
  }
});

const key = 'sk/live+9==';
const mixed: readonly string[] = [
  // As a query is read.
  'sk/live 9==',
  'sk%2flive+9%3D=',
  'sk/live&#43;9==',
  'sk\\/live\\u002B9\\u003d=',
  'sk%252flive%252B9%3d%3d',
  'sk&amp;#x2f;live&amp;#43;9==',
  '%73k%2Flive%2b9==',
];

test.for(mixed)('a key is found in %s too, and escapes next to it stay', (spelling) => {
  const hide = createHideKeys([key]);
  const [before, after] = ['%41&lt;\\"é\u{1f408}&#128008;', '&amp;lt;%2541\\u0041'];
  const hidden = hide(`${before}${spelling}${after}${spelling}`);
  const [first, second, third] = hidden.split(/\[key\](?:=|%3D)?/);
  expect([first, second, third]).toEqual([before, after, '']);
});

test('of several keys with escapes each is hidden where it is', () => {
  const hide = createHideKeys(['first-long-key', 'other+1']);
  const text = 'a %6fther+1 b%20%66irst-long-key c o%74her+1, first-%6cong-kex';
  expect(hide(text)).toBe('a [key] b%20[key] c [key], first-%6cong-kex');
});

test('of keys that decode to few characters nothing is hidden but the keys', () => {
  expect(createHideKeys(['&lt;', '%41%'])('< A &amp;lt; &lt; A% %41%')).toBe('< A &amp;lt; [key] A% [key]');
});

test('a key within another is hidden with it, and a key with a name is replaced by its name', () => {
  expect(createHideKeys(['bcde', 'abcdefgh'])('x abcdefgh y bcde')).toBe('x [key] y [key]');
  const hide = createHideKeys(['the-key', 'the-keyx'], new Map([['the-keyx', '<$& with x>']]));
  expect(hide('the-keyx the-key')).toBe('<$& with x> [key]');
});

test('no key is left in a text, whatever other keys are in it, and the rest stays as it is', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength });
  const property = fc.property(fc.array(letters(4, 8), { maxLength: 6 }), letters(0, 60), (keys, text) => {
    const hidden = createHideKeys(keys)(text);
    const left = hidden.split('[key]');
    expect(left.filter((part) => keys.some((key) => part.includes(key)))).toEqual([]);
    if (!keys.some((key) => text.includes(key))) expect(hidden).toBe(text);
    const pattern = left.map((part) => RegExp.escape(part)).join('[abc]{4,}');
    expect(text).toMatch(RegExp(`^${pattern}$`));
  });
  fc.assert(property, { numRuns: 1_000 });
});

test('a short key hides nothing, and a text without a key stays as it is', () => {
  expect(createHideKeys(['abc', ''])('abc %61bc YWJj')).toBe('abc %61bc YWJj');
  const text = 'İ%zz%2541&amp;lt;\\\\u00e9 dGVzdA== test-ke\ny';
  expect(createHideKeys(keys)(text)).toBe(text);
});

const wrapped = [
  'one-key',
  'Bearer Bearer one-key',
  'Bearer "one-key"',
  'Bearer <one-key>',
  'Bearer one-key;',
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
  expect(hideParameters('/x?a=1&api_key=2&b=3')).toBe('/x?a=1&api_key=[key]&b=3');
  expect(hideParameters('/x?token=abc&limit=1&secret=de=f?g')).toBe('/x?token=[key]&limit=1&secret=[key]');
  expect(hideParameters('/token=abc&key=d')).toBe('/token=abc&key=d');
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
  ['/x?token=abc%26def&b=2', '/x?token=[key]&b=2'],
  ['/x?to=%2Fy%3Fa%3D1', '/x?to=%2Fy%3Fa%3D1'],
] as const)('in %s, keys are hidden, also of a fragment and of a URL in it', ([url, shown]) => {
  expect(hideParameters(url)).toBe(shown);
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
