import { expect, test } from 'vitest';
import { createHideKeys, findKeysIn, findSecrets, MOST_SECRETS } from './hide-keys.ts';
import { spellKey } from './testing/key-spellings.ts';

const keys = ['test-key', `s3Cr/t?+"\\=%41&amp;,<'>~`, 'sk_live.51H8x/Qz+Lw==', 'a~?b', 'Schlüssel-ΚΛΕΙΣ-鍵'];

/** What a key may stand in. */
const places: Readonly<Record<string, (text: string) => string>> = {
  nothing: (text) => text,
  'a URL': (text) => `/v1/pets?limit=${text}&status=sold`,
  JSON: (text) => `{"name":"%zz\\u0041 ${text}","id":1}`,
  HTML: (text) => `<a title="&lt; 100%">&quot;${text}&#34;</a>`,
  'a list': (text) => `${text},${text} ${text}`,
};

test.for(
  keys.flatMap((key) =>
    Object.entries(spellKey(key)).map(([name, spelling]) => [key, name, spelling] as const),
  ),
)('%s %s is hidden wherever it stands, and nothing else', ([key, , spelling]) => {
  const hide = createHideKeys(['another-key', key]);
  for (const place of Object.values(places)) {
    const [before = '', ...after] = place('\0').split('\0');
    // Of base64, what encodes other characters may stay.
    const pattern = [before, ...after]
      .map((part) => RegExp.escape(part))
      .join('[\\w+/-]*\\[key\\][\\w+/=%-]*');
    expect(hide(place(spelling))).toMatch(RegExp(`^${pattern}$`));
  }
});

test.for(keys)('of %s in base64 no bit is left, and little of what is before it', (key) => {
  const hide = createHideKeys([key]);
  const left = ['', 'u', 'us', 'use'].map((before) =>
    hide(Buffer.from(`${before}${key}`).toString('base64')),
  );
  const expected = ['', 'd', 'dX', 'dXN'].map((before) => RegExp(`^${before}\\[key\\]=*$`));
  expect(left).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
});

test('keys that overlap, and one within another, are hidden whole', () => {
  const hide = createHideKeys(['abcdef', 'cdefgh', 'bcde']);
  expect(hide('x abcdefgh y bcde')).toBe('x [key] y [key]');
});

test('a key of three characters, an empty one and none at all hide nothing', () => {
  expect(createHideKeys(['abc', ''])('abc %61bc YWJj')).toBe('abc %61bc YWJj');
  expect(createHideKeys([])('a%20b')).toBe('a%20b');
});

test('a text without a key stays as it is, whatever it has escaped', () => {
  const text = 'İ%zz%2541&amp;lt;\\\\u00e9 dGVzdA== test-ke\ny';
  expect(createHideKeys(keys)(text)).toBe(text);
});

test('a text that grows in lower case has its key hidden at the right place', () => {
  expect(createHideKeys(['test-key'])('İİ TEST-KEY.')).toBe('İİ [key].');
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

// What takes quadratic time would take minutes; the time limit of the test is the bound.
test.for([
  ['%25', 'a%'],
  ['%2525', '%2525'],
  ['\\', '\\\\\\\\'],
  ['&#x', '&#x0'],
  ['&#x0', '0000x'],
  ['0', '&#x0000'],
  ['&amp;', '&amp;&amp;x'],
  ['a', 'aaaaaaab'],
  ['a', 'baaaaaaaaaaa'],
  ['test-key', 'test-key'],
] as const)('256 KiB of %s is searched for %s', ([unit, key]) => {
  const text = unit.repeat((256 * 1024) / unit.length);
  const hidden = createHideKeys([key.repeat(20), key])(text);
  expect(hidden.length).toBeLessThanOrEqual(text.length);
});

test('of the headers of a request a few dozen secrets are looked for, and the one of Authorization', () => {
  const names = Array.from({ length: 90 }, (_, index) => `x-key-${index}`);
  const headers = names.map((name) => [name, names.map((one) => `${name}-${one}`).join()] as const);
  const secrets = findSecrets([...headers, ['authorization', 'Bearer one-key']]);
  expect(secrets).toEqual(expect.arrayContaining(['Bearer one-key', 'one-key']));
  expect(new Set(secrets).size).toBeLessThanOrEqual(MOST_SECRETS);
  expect(
    findSecrets([
      ['x-key', 'abc'],
      ['x-app', 'shopping'],
    ]),
  ).toEqual([]);
});

test('a key of 16 KiB that a client made up is looked for', () => {
  const key = `${'%25'.repeat(2500)}${'a,'.repeat(4000)}`;
  expect(createHideKeys(findKeysIn(`Bearer ${key}`))(`/v1/pets?limit=${key}`)).toBe('/v1/pets?limit=[key]');
});

test('long secrets with the same start are hidden whole, and what they share with other text stays', () => {
  const tails = Array.from({ length: 32 }, (_, index) => `tail-${index}`);
  const hide = createHideKeys(
    ['own-key'],
    tails.map((tail) => `${'ab'.repeat(50)}${tail}`),
  );
  for (const tail of tails) expect(hide(`x ${'ab'.repeat(50)}${tail} y own-key`)).toBe('x [key] y [key]');
  expect(hide('ab'.repeat(50))).toBe('ab'.repeat(50));
  const longer = tails.map((tail) => `${'a'.repeat(400)}${tail}`);
  const hideLonger = createHideKeys([], longer);
  for (const key of longer) expect(hideLonger(`{"k":"${key}","l":"aa"}`)).toBe('{"k":"[key]","l":"aa"}');
});

test.for([
  ['abcd', 'xabcdx', 'x[key]x'],
  ['abababac', 'abababababac', 'abab[key]'],
  ['aaaab', 'aaaaaaab', 'aaa[key]'],
] as const)('a key that repeats itself, %s, is hidden in %s', ([key, text, hidden]) => {
  expect(createHideKeys(['aaaz', key])(text)).toBe(hidden);
});

test('a key that is appended later is hidden too', () => {
  const keys = ['one-key'];
  expect(createHideKeys(keys)('one-key two-key')).toBe('[key] two-key');
  keys.push('two-key');
  expect(createHideKeys(keys)('one-key two-key')).toBe('[key] [key]');
});
