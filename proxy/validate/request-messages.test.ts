import { expect, test } from 'vitest';
import { printMessage } from '../../common/journal/violation.ts';
import { createExchange } from '../testing/create-exchange.ts';

const authorization = 'Bearer the-right-key';
const silent =
  'limit must be an integer in plain digits. The specification has no other form of an integer, so a service may refuse it or read another number';

/** Checks a request for a target, such as `GET /v1/pets`. */
function findViolations(line: string, headers: Readonly<Record<string, string>> = {}, sent = '') {
  const [method = '', target = ''] = line.split(' ');
  const [whole = ''] = target.split('?');
  const path = whole.startsWith('/v1/') ? whole.slice('/v1'.length) : '';
  const request = { method, target, path, headers: { authorization, ...headers }, body: Buffer.from(sent) };
  return createExchange(target, undefined, request).violations;
}

/** Returns severity, rule and message of each violation of a request, as the log has them. */
function checkRequest(...request: Parameters<typeof findViolations>) {
  return findViolations(...request).map((one) => `${one.severity} ${one.rule}: ${printMessage(one)}`);
}

test.for<[line: string, violation: string]>([
  [
    'GET /v1/pets?status=',
    'error empty-parameter: status is empty. Leave the parameter out, or send one of available, pending, sold; received ""',
  ],
  [
    'GET /v1/pets?limit=',
    'error empty-parameter: limit is empty. Leave the parameter out, or send an integer; received ""',
  ],
  ['GET /v1/pets?limit=05', `error integer-format: ${silent}; received "05"`],
  [
    'GET /v1/pets/',
    'error empty-path-parameter: petId is empty: the path is /pets/{petId}, and the path of the list is /pets; received GET /v1/pets/',
  ],
  [
    'POST /v1/pets/',
    'warning unknown-path: The contract has no such path: leave out the slash at its end; received POST /v1/pets/',
  ],
  [
    'GET /v1/v1/pets?limit=1',
    'warning unknown-path: The contract has no such path: the base URL already ends with /v1, so leave it out of the path; received GET /v1/v1/pets?limit=1',
  ],
  [
    'GET /pets/1',
    'warning unknown-path: The contract has no such path: the base URL ends with /v1, and this path is not under it; received GET /pets/1',
  ],
  [
    'DELETE /v1/pets/1',
    'warning unknown-method: The contract has no DELETE for /pets/{petId}, only GET; received DELETE /v1/pets/1',
  ],
])('%s says what is wrong, and what to do', ([line, violation]) => {
  expect(checkRequest(line)).toEqual([violation]);
});

test.for<[authorization: string, sent: string]>([
  ['Bearer', 'no key'],
  ['Bearer undefined', 'the word "undefined"'],
  ['Bearer null', 'the word "null"'],
])('%s says that the variable of the key is empty', ([header, sent]) => {
  const message = `After "Bearer" there is ${sent} in the header Authorization: the variable of the key is empty in your app`;
  expect(checkRequest('GET /v1/pets', { authorization: header })).toEqual([`error empty-key: ${message}`]);
});

test('a missing Content-Type has one place for people and for programs', () => {
  expect(findViolations('POST /v1/pets', {}, '{"name":"Rex","categoryId":1}')).toMatchObject([
    { place: 'request.headers.content-type', location: ['request', 'headers', 'content-type'] },
  ]);
});

test('a key that only begins with such a word is a key', () => {
  expect(checkRequest('GET /v1/pets', { authorization: 'Bearer null-and-void' })).toEqual([]);
});

test('a body without a media type lacks the header, and another media type is unsupported', () => {
  const newPet = '{"name":"Rex","categoryId":1}';
  expect(checkRequest('POST /v1/pets', {}, newPet)).toEqual([
    'error media-type: The body has no Content-Type. Send "Content-Type: application/json"',
  ]);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(checkRequest('POST /v1/pets', form, 'name=Rex')).toEqual([
    'error media-type: Content-Type must be application/json; received "application/x-www-form-urlencoded"',
  ]);
  expect(checkRequest('POST /v1/pets')).toEqual([
    'error missing-body: The request has no body. Send a JSON object',
  ]);
});
