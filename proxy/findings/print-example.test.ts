import { expect, test } from 'vitest';
import { Keys } from '../../common/text/redact.ts';
import { printExample } from './print-example.ts';

const print = (body: string | Buffer | undefined, headers = {}) => {
  const request = { method: 'POST', target: '/v1/pets', path: '/pets', query: '', headers };
  return printExample(
    { ...request, body: body === undefined ? undefined : Buffer.from(body) },
    'http://a.test',
    [],
    new Keys(),
  );
};

test.for([
  ['[]', { 'content-type': 'text/plain' }, "-H 'Content-Type: text/plain' --data-raw '[]'"],
  ['x'.repeat(2_000), {}, `-H 'Content-Type:' --data-raw '${'x'.repeat(2_000)}'`],
  ['', { 'content-type': 'text/plain' }, "-X 'POST' -H 'Content-Type: text/plain'"],
  ['x'.repeat(2_001), {}, "-H 'Content-Type:' --data-binary @body"],
  [Buffer.from([0xff]), {}, "-H 'Content-Type:' --data-binary @body"],
] as const)('the body %o with %j is in the curl command', ([body, headers, options]) => {
  expect(print(body, headers)).toBe(`curl ${options} 'http://a.test/v1/pets'`);
});

test.for([
  ['Bearer s3cr-key', 'Bearer '],
  ['s3cr-key', ''],
  // Only a word at the start is a scheme.
  ['s3cr-part of-key', ''],
  ['s3cr part', ''],
])('of the header Authorization with %s only the scheme is shown', ([authorization, scheme]) => {
  const printed = print('[]', { authorization, 'content-type': 'text/plain' });
  const key = `-H "Authorization: ${scheme}$ANIMAL_STORE_API_KEY"`;
  expect(printed).toBe(`curl ${key} -H 'Content-Type: text/plain' --data-raw '[]' 'http://a.test/v1/pets'`);
});

test.for(['Bearer undefined', 'Bearer null', 'bearer  undefined', 'Bearer'])(
  'a key whose variable is empty in the app is sent again as it was: %s',
  (authorization) => {
    const printed = print('[]', { authorization, 'content-type': 'text/plain' });
    expect(printed).toContain(`-H 'Authorization: ${authorization}'`);
    expect(printed).not.toContain('$ANIMAL_STORE_API_KEY');
  },
);

test('a body that was not read is taken from a file', () => {
  expect(print(undefined)).toBe("curl -H 'Content-Type:' --data-binary @body 'http://a.test/v1/pets'");
});

test('the header of a session is in the curl command, so that it reaches the same session', () => {
  const printed = print('[]', { 'content-type': 'text/plain', 'x-animal-store-session': 'w1' });
  const headers = `-H 'Content-Type: text/plain' -H 'X-Animal-Store-Session: w1'`;
  expect(printed).toBe(`curl ${headers} --data-raw '[]' 'http://a.test/v1/pets'`);
});
