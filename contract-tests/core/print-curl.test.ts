import { expect, test } from 'vitest';
import { hideKeys } from './hide-keys.ts';
import { printCurl } from './print-curl.ts';

const apiKey = 'sEcret-Key-9xQz';
const secrets = { apiKey, headers: { 'X-Gateway': "it's-a-secret" } };
/** What the shell replaces by the key. */
const variable = '\u0024{ANIMAL_STORE_API_KEY}';

const base = 'http://127.0.0.1/v1';

test.for([
  ['Bearer sEcret-Key-9xQz', 'Bearer [key]', `"Bearer ${variable}"`],
  ['Bearer "sEcret-Key-9xQz"', 'Bearer "[key]"', `"Bearer \\"${variable}\\""`],
  ['Bearer sEcret-Key-9xQzx', 'Bearer <the key with x after it>', `"Bearer ${variable}x"`],
  ['Bearer xsEcret-Key-9xQz', 'Bearer <the key with x before it>', `"Bearer x${variable}"`],
  ['Bearer sEcret-Key-9xQ', 'Bearer <the key without its last letter>'],
  ['Bearer sEcret-Key-9xQT', 'Bearer <the key with its last letter changed>'],
  ['Bearer MEcret-Key-9xQz', 'Bearer <the key with its first letter changed>'],
  ['Bearer sEcret-aey-9xQz', 'Bearer <the key with a letter in its middle changed>'],
  ['Bearer sEcretKey9xQz', 'Bearer <the key without its punctuation>'],
  ['Bearer SeCRET-kEY-9XqZ', 'Bearer <the key with its case swapped>'],
  ['Basic c0VjcmV0LUtleS05eFF6Og==', 'Basic <the key: in base64>'],
  ['Basic Y29udHJhY3QtdGVzdDpzRWNyZXQtS2V5LTl4UXo=', 'Basic <contract-test:the key in base64>'],
  ['Bearer SECRET-KEY-9XQZ', 'Bearer [key]'],
  ["it's-a-secret", '[key]'],
  ['Bearer another', 'Bearer another'],
] as const)('%s is printed as what it is, without the key', ([value, hidden, header]) => {
  expect(hideKeys(value, secrets)).toBe(hidden);
  const printed = header === undefined ? `'X: ${hidden}'` : header.replace('"', '"X: ');
  const request = { method: 'GET', base, path: '/pets', headers: { X: value }, body: undefined };
  expect(printCurl(request, secrets)).toBe(
    `curl -i --globoff --path-as-is -H ${printed} 'http://127.0.0.1/v1/pets'`,
  );
});

test('another method and a body are printed so that a shell sends them', () => {
  const request = { method: 'PUT', base, path: "/pets?name=it's", headers: {}, body: '{"name":"\u0000"}' };
  expect(printCurl(request, secrets)).toBe(
    `curl -i --globoff --path-as-is -X PUT --data-raw $'{"name":"\\x00"}' 'http://127.0.0.1/v1/pets?name=it'\\''s'`,
  );
});

test('a key of three letters is no secret, and hides nothing of a text', () => {
  expect(hideKeys('the key abc', { apiKey: 'abc', headers: {} })).toBe('the key abc');
});
