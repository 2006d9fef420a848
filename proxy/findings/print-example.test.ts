import { expect, test } from 'vitest';
import { printExample } from './print-example.ts';

const print = (body: string | Buffer, headers = {}) => {
  const request = { method: 'POST', target: '/v1/pets', path: '/pets', query: '', headers };
  return printExample({ ...request, body: Buffer.from(body) }, 'http://a.test/v1/pets', String, []);
};

test.for([
  ['[]', { 'content-type': 'text/plain' }, "-H 'Content-Type: text/plain' --data-raw '[]'"],
  ['x'.repeat(2_001), {}, "-H 'Content-Type:' --data-binary @body"],
  [Buffer.from([0xff]), {}, "-H 'Content-Type:' --data-binary @body"],
] as const)('the body %o with %j is in the curl command', ([body, headers, options]) => {
  expect(print(body, headers)).toBe(`curl ${options} 'http://a.test/v1/pets'`);
});
