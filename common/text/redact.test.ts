import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellKey } from '../../tools/testing/key-spellings.ts';
import { Keys, redact } from './redact.ts';

const keys = ['test-key', `s3Cr/t?+"\\=%41&amp;,<'>~`, 'sk_live.51H8x/Qz+Lw==', 'a~?b', 'Schlüssel-鍵'];

/** Texts that contain a key instead of `\0`. */
const places = [
  ...['\0', '/v1/pets?limit=\0&status=sold', '{"name":"%zz\\u0041 \0","id":1}'],
  ...['<a title="&lt; 100%">&quot;\0&#34;</a>', '\0,\0 \0'],
];

const spelled = keys.flatMap((key) =>
  Object.entries(spellKey(key)).flatMap(([name, spelling]) =>
    // Of HTML, the number of a character has more spellings than its name.
    name === 'of HTML' && spelling !== key ? [] : [[key, spelling] as const],
  ),
);

test.for(spelled)('of the key %s, %s is redacted, and nothing else', ([key, spelling]) => {
  const keys = new Keys(['another-key', key]);
  for (const place of places) {
    // In base64, characters next to the key may stay.
    const parts = place.split('\0').map((part) => RegExp.escape(part));
    const pattern = parts.join('[\\w+/-]*\\[key\\][\\w+/=%-]*');
    expect(redact(place.replaceAll('\0', spelling), keys)).toMatch(RegExp(`^${pattern}$`));
  }
});

const key = 'sk/live+9==';
const mixed: readonly string[] = [
  'sk%2flive+9%3D=',
  'sk/live&#43;9==',
  'sk\\/live\\u002B9\\u003d=',
  'sk%252flive%252B9%3d%3d',
  'sk&amp;#x2f;live&amp;#43;9==',
  '%73k%2Flive%2b9==',
  // Of another key.
  'a&amp;b&lt;c&gt;d',
];

test.for(mixed)(
  'a line with a key in the mixed escapes %s is hidden, and the other lines stay',
  (spelling) => {
    const redacted = redact(`first %41 ${key}\n"%41 ${spelling}"\nthird`, new Keys([key, 'a&b<c>d']));
    expect(redacted).toBe('first %41 [key]\n[key]\nthird');
  },
);

test.for([
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  '3F2504E04F8911D39A0C0305E82C3301',
  '3f2504e04f8911d39a0c0305e82c3301',
])('a key that is a UUID is redacted as %s', (spelling) => {
  expect(redact(`a ${spelling} b`, new Keys(['3F2504E0-4F89-11D3-9A0C-0305E82C3301']))).toBe('a [key] b');
});

test('a key is found as a query is read', () => {
  expect(redact('%41&lt; sk/live 9==', new Keys([key]))).toBe('%41&lt; [key]');
});

test('of keys that decode to few characters nothing is redacted but the keys', () => {
  expect(redact('< A &amp;lt; &lt; A% %41%', new Keys(['&lt;', '%41%']))).toBe('< A &amp;lt; [key] A% [key]');
});

test('a key within another is redacted with it, and a key with a name is replaced by its name', () => {
  expect(redact('x abcdefgh y bcde', new Keys(['bcde', 'abcdefgh']))).toBe('x [key] y [key]');
  const keys = new Keys(['the-key', 'the-keyx'], new Map([['the-keyx', '<$& with x>']]));
  expect(redact('the-keyx the-key', keys)).toBe('<$& with x> [key]');
});

test('a key with escapes is redacted as a whole, although its end is another key', () => {
  expect(redact('s3cr%2Dlonger, longer', new Keys(['longer', 's3cr-longer']))).toBe('[key]');
});

test('in data every text is redacted, and names of members, bytes and members that are kept stay', () => {
  const data = {
    list: ['the-key', { 'the-key': 'a the-key' }],
    rule: 'the-key',
    bytes: Buffer.from('the-key'),
  };
  const redacted = redact(data, new Keys(['the-key']), new Set(['rule']));
  expect(redacted).toEqual({ ...data, list: ['[key]', { 'the-key': 'a [key]' }] });
});

test('no key is left in a text, whatever other keys are in it, and the rest stays as it is', () => {
  const letters = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength });
  const property = fc.property(fc.array(letters(4, 8), { maxLength: 6 }), letters(0, 60), (keys, text) => {
    const redacted = redact(text, new Keys(keys));
    const left = redacted.split('[key]');
    expect(left.filter((part) => keys.some((key) => part.includes(key)))).toEqual([]);
    if (!keys.some((key) => text.includes(key))) expect(redacted).toBe(text);
    const pattern = left.map((part) => RegExp.escape(part)).join('[abc]{4,}');
    expect(text).toMatch(RegExp(`^${pattern}$`));
  });
  fc.assert(property, { numRuns: 1_000 });
});

test('a short key redacts nothing, and a text without a key stays as it is', () => {
  expect(redact('abc %61bc YWJj', new Keys(['abc', '']))).toBe('abc %61bc YWJj');
  const text = 'İ%zz%2541&amp;lt;\\\\u00e9 dGVzdA== test-ke\ny';
  expect(redact(text, new Keys(keys))).toBe(text);
});
