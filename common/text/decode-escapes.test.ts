import { expect, test } from 'vitest';
import { decodeEscapes } from './decode-escapes.ts';

test.for<[text: string, decoded: string]>([
  ['%2b%2B%c3%bc', '++Ã¼'],
  ['&amp;&LT;&gt;&quot;&apos;&#39;&#039;&#x2B;&#128008;', "&<>\"'''+\u{1f408}"],
  ['\\u002b\\u002B\\"\\/\\ud83d\\udc08', '++"/\u{1f408}'],
  ['%252B &amp;#43; %26%2343%3B \\\\u002b', '+ + + +'],
  ['100% &nbsp; &#x110000; &#1114112; \\n %zz &amp', '100% &nbsp; &#x110000; &#1114112; \\n %zz &amp'],
])('%s is decoded as %s', ([text, decoded]) => {
  expect(decodeEscapes(text)).toBe(decoded);
});

test('a text of escapes takes linear time', () => {
  // Quadratic time would take minutes.
  for (const part of ['%25', '&amp;', '\\\\', '\\', '&#', '&', '%']) {
    expect(decodeEscapes(part.repeat(200_000))).toContain(part.charAt(0));
  }
});
