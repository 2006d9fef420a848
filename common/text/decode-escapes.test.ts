import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeEscapes, locateDecoded } from './decode-escapes.ts';

test.for<[text: string, decoded: string]>([
  ['%2b%2B%c3%bc', '++Ã¼'],
  ['&amp;&LT;&gt;&quot;&apos;&#39;&#039;&#x2B;&#128008;', "&<>\"'''+\u{1f408}"],
  ['\\u002b\\u002B\\"\\/\\ud83d\\udc08', '++"/\u{1f408}'],
  ['%252B &amp;#43; %26%2343%3B \\\\u002b', '+ + + +'],
  ['100% &nbsp; &#x110000; &#1114112; \\n %zz &amp', '100% &nbsp; &#x110000; &#1114112; \\n %zz &amp'],
])('%s is decoded as %s', ([text, decoded]) => {
  expect(decodeEscapes(text)).toBe(decoded);
});

const escapes = ['%', '25', '2b', '&', 'amp;', '#43;', '#x1f408;', '\\', 'u002b', '"', 'a', 'é', '\u{1f408}'];
const text = fc.array(fc.constantFrom(...escapes), { maxLength: 30 }).map((parts) => parts.join(''));

test('each character of a decoded text has its position in the original', () => {
  const property = fc.property(text, fc.nat(30), (original, index) => {
    const { decoded, positions } = locateDecoded(original);
    expect(decoded).toBe(decodeEscapes(original));
    expect(positions).toHaveLength(decoded.length + 1);
    expect([positions[0], positions.at(-1)]).toEqual([0, original.length]);
    expect(positions.toSorted()).toEqual(positions);
    // A character that is not escaped is at its position.
    const char = decoded[index] ?? '';
    if (/[aé]/.test(char)) expect(original[positions[index] ?? -1]).toBe(char);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test('a text of escapes takes linear time', () => {
  // Quadratic time would take minutes.
  for (const part of ['%25', '&amp;', '\\\\', '\\', '&#', '&', '%']) {
    const long = part.repeat(200_000);
    expect(locateDecoded(long).decoded).toBe(decodeEscapes(long));
  }
});
