import { expect, test } from 'vitest';
import { spellKey } from '../../testing/key-spellings.ts';
import { createHideKeys, findKeysIn, findSecrets } from './hide-keys.ts';

const keys = ['test-key', `s3Cr/t?+"\\=%41&amp;,<'>~`, 'sk_live.51H8x/Qz+Lw==', 'a~?b', 'Schlüssel-鍵'];

/** Texts that contain a key. */
const places: Readonly<Record<string, (text: string) => string>> = {
  nothing: (text) => text,
  'a URL': (text) => `/v1/pets?limit=${text}&status=sold`,
  JSON: (text) => `{"name":"%zz\\u0041 ${text}","id":1}`,
  HTML: (text) => `<a title="&lt; 100%">&quot;${text}&#34;</a>`,
  'a list': (text) => `${text},${text} ${text}`,
};

test.for(keys.flatMap((key) => Object.values(spellKey(key)).map((spelling) => [key, spelling] as const)))(
  'of the key %s, %s is hidden, and nothing else',
  ([key, spelling]) => {
    const hide = createHideKeys(['another-key', key]);
    for (const place of Object.values(places)) {
      // Of base64, what encodes other characters may stay.
      const pattern = place('\0')
        .split('\0')
        .map((part) => RegExp.escape(part))
        .join('[\\w+/-]*\\[key\\][\\w+/=%-]*');
      expect(hide(place(spelling))).toMatch(RegExp(`^${pattern}$`));
    }
  },
);

test('a key within another is hidden with it, and a key with a name is replaced by its name', () => {
  expect(createHideKeys(['bcde', 'abcdefgh'])('x abcdefgh y bcde')).toBe('x [key] y [key]');
  const hide = createHideKeys(['the-key', 'the-keyx'], new Map([['the-keyx', '<$& with x>']]));
  expect(hide('the-keyx the-key')).toBe('<$& with x> [key]');
});

test('a key of three characters and an empty key hide nothing', () => {
  expect(createHideKeys(['abc', ''])('abc %61bc YWJj')).toBe('abc %61bc YWJj');
});

test('a text without a key stays as it is, whatever it has escaped', () => {
  const text = 'İ%zz%2541&amp;lt;\\\\u00e9 dGVzdA== test-ke\ny';
  expect(createHideKeys(keys)(text)).toBe(text);
});

test.for([
  ['Bearer abc,def', ['abc,def', 'abc', 'def']],
  ['one', ['one']],
  ['Basic a, Bearer b', ['a', 'b']],
  ...['Bearer Bearer one-key', 'Bearer "one-key"', 'Bearer <one-key>', 'Bearer one-key;', '"one-key"'].map(
    (value) => [value, ['one-key']] as const,
  ),
  ...['Token token=one-key', 'Token token="one-key";'].map((value) => [value, ['one-key']] as const),
  [`a, basic ${btoa('name:one:key')}`, ['name', 'one:key']],
  [`Basic ${btoa('one-key')}`, ['one-key']],
] as const)('in %s there may be the keys %j', ([value, found]) => {
  expect(findKeysIn(value)).toEqual(expect.arrayContaining([...found]));
});

// Quadratic time would take minutes; the time limit of the test is the bound.
test.for([
  ['a', 'aaaaaaab'],
  ['a', 'baaaaaaaaaaa'],
  ['test-key', 'test-key'],
] as const)('256 KiB of %s is searched for 32 long keys like %s', ([unit, key]) => {
  const text = unit.repeat((256 * 1024) / unit.length);
  const keys = Array.from({ length: 32 }, (_, index) => `${key.repeat(500)}${index}`);
  const hidden = createHideKeys([key, ...keys])(text);
  expect(hidden.length).toBeLessThanOrEqual(text.length);
});

test('secrets are in headers and parameters whose names say so', () => {
  const [key, app] = [['x-key', 'one-key'] as const, ['x-app', 'shopping'] as const];
  const found = findSecrets([key, app], '/v1/pets?limit=five&token=two-key');
  expect(new Set(found)).toEqual(new Set(['one-key', 'two-key']));
});
