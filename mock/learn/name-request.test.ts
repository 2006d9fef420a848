import { expect, test } from 'vitest';
import { isJsonObject, readExactJson } from '../../common/json/exact-json.ts';
import { nameRequest } from './name-request.ts';

interface Row {
  readonly line: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isKeyUnknown?: boolean;
}

/** Names a request with a key, whose body is JSON. */
function name({ line, headers = {}, body = '', isKeyUnknown = false }: Row): string {
  const [method = '', path = ''] = line.split(' ');
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  const all = { authorization: 'Bearer sesame', ...type, ...headers };
  const bytes = new TextEncoder().encode(body);
  const response = { at: 0, end: 1, status: 200, received: {}, text: undefined, json: undefined };
  const json = readExactJson(body);
  const sent = json !== undefined && isJsonObject(json) ? json : {};
  return nameRequest({ method, path, headers: all, body: bytes, sent, isKeyUnknown, ...response });
}

test.for([
  ['GET /pets', 'GET /pets'],
  ['GET /pets/', 'GET /pets/'],
  ['GET /pets?status=sold', 'GET /pets?status=sold'],
  ['GET /pets?status=SOLD,available', 'GET /pets?status=SOLD,available'],
  ['GET /pets?status=', 'GET /pets?status='],
  ['GET /pets?status=Zaphod', 'GET /pets?status={other}'],
  ['GET /pets?status=sold,Zaphod', 'GET /pets?status={other}'],
  ['GET /pets?token=Marvin&limit=5', 'GET /pets?{other}={value}&limit={1 to 100}'],
  ['GET /pets?limit=', 'GET /pets?limit='],
  ['GET /pets?limit=1', 'GET /pets?limit={1 to 100}'],
  ['GET /pets?limit=100', 'GET /pets?limit={1 to 100}'],
  ['GET /pets?limit=101', 'GET /pets?limit={above 100}'],
  ['GET /pets?limit=0', 'GET /pets?limit={below 1}'],
  ['GET /pets?limit=-7', 'GET /pets?limit={below 1}'],
  ['GET /pets?limit=05', 'GET /pets?limit={leading zero}'],
  ['GET /pets?limit=1.5', 'GET /pets?limit={fraction}'],
  ['GET /pets?limit=Ford', 'GET /pets?limit={no number}'],
  ['GET /pets/42', 'GET /pets/{petId}'],
  ['GET /pets/-42/', 'GET /pets/{petId}/'],
  ['GET /pets/Arthur', 'GET /pets/{no integer}'],
  ['GET /pets/%ZZ', 'GET /pets/{not UTF-8}'],
  ['GET /pets/42/x', 'GET /{other path}'],
  ['DELETE /owners', 'DELETE /{other path}'],
] as const)('%s is named %s', ([line, expected]) => {
  expect(name({ line })).toBe(expected);
});

test.for([
  ['', 'without a body'],
  ['{}', '{}'],
  ['[1]', '{no object}'],
  ['{"name":"Trillian","categoryId":7}', '{name: text, categoryId: integer}'],
  ['{"name":"","categoryId":null}', '{name: empty, categoryId: null}'],
  ['{"name":" ","categoryId":1.5}', '{name: spaces, categoryId: number}'],
  [`{"name":"${'x'.repeat(40)}"}`, '{name: text}'],
  [`{"name":"${'x'.repeat(41)}"}`, '{name: long text}'],
  ['{"name":"Zoë","status":"sold"}', '{name: text with other characters, status: sold}'],
  ['{"name":5,"status":"Zaphod"}', '{name: integer, status: {other}}'],
  ['{"id":7,"nickname":"Tricia"}', '{id, {other}}'],
  ['{"name":"a","name":"b"}', '{name: text} with a member twice'],
] as const)('the body %s is named %s', ([body, expected]) => {
  expect(name({ line: 'POST /pets', body })).toBe(
    `POST /pets ${expected}${body === '' ? ' of no media type' : ''}`,
  );
});

test.for<[row: Row, name: string]>([
  [{ line: 'GET /pets', headers: { authorization: undefined } }, 'GET /pets without a key'],
  // The recorder may have left out the key.
  [{ line: 'GET /pets', headers: { authorization: undefined }, isKeyUnknown: true }, 'GET /pets'],
  [{ line: 'GET /pets', headers: { 'if-none-match': '"a"' } }, 'GET /pets with If-None-Match'],
  [
    { line: 'POST /pets', body: '{}', headers: { 'content-type': 'Application/JSON; charset=utf-8' } },
    'POST /pets {}',
  ],
  [
    { line: 'POST /pets', body: '{}', headers: { 'content-type': 'text/plain' } },
    'POST /pets {} of another media type',
  ],
])('%j is named %s', ([row, expected]) => {
  expect(name(row)).toBe(expected);
});
