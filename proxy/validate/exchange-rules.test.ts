import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import { redactCheck } from '../findings/redact-exchange.ts';
import { createCheck } from './create-check.ts';

const check = redactCheck(await createCheck(loadContract()), new Keys());

interface Row {
  /** Method and target under the base URL. @default 'GET /pets' */
  readonly line?: string;
  readonly sent?: string;
  /** Media type of the request. @default 'application/json' */
  readonly type?: string;
  /** @default 201 if a body is sent, otherwise 200 */
  readonly status?: number;
  readonly answered: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns each broken rule of an exchange. The corpus has exchanges that break rules. */
function findBroken({
  line = 'GET /pets',
  sent,
  type = 'application/json',
  answered,
  ...row
}: Row): string[] {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const headers = { authorization: 'Bearer k', ...(sent !== undefined && { 'content-type': type }) };
  const request = { method, target: `/v1${target}`, path, query, headers, body: Buffer.from(sent ?? '') };
  const { status = sent === undefined ? 200 : 201 } = row;
  const answerHeaders = { 'content-type': 'application/json', ...row.headers };
  const body = answered === undefined ? undefined : Buffer.from(answered);
  const { brokenRules } = check(request).checkResponse({ status, headers: answerHeaders, body });
  return brokenRules.map(({ rule }) => rule);
}

const pet = (id: number | string, members = '') => `{"id":${id},"name":"Rex","categoryId":2${members}}`;
const listOf = (length: number) => `[${Array.from({ length }, (_, id) => pet(id + 1)).join()}]`;
const sold = ',"status":"sold"';
const newPet = '{"name":"Rex","categoryId":2,"status":"sold"}';
const create = (answered: string, sent = newPet): Row => ({ line: 'POST /pets', sent, answered });
const error = (status: unknown) => `{"code":"c","message":"m","status":${status}}`;
const large = '9223372036854775807';

test.for<[title: string, row: Row]>([
  ['as many animals as limit', { line: 'GET /pets?limit=3', answered: listOf(3) }],
  ['20 animals without limit', { answered: listOf(20) }],
  ['an empty list', { line: 'GET /pets?status=sold', answered: '[]' }],
  ...['0', '101', '', '1.5', '02', '+2', '2e0', 'abc'].map((limit): [string, Row] => [
    `the limit ${JSON.stringify(limit)}, which is not valid`,
    { line: `GET /pets?limit=${limit}`, answered: listOf(50) },
  ]),
  ['100 animals for a limit that is not valid', { line: 'GET /pets?limit=500', answered: listOf(100) }],
  ['two limits', { line: 'GET /pets?limit=1&limit=1', answered: listOf(50) }],
  ['a limit in another spelling', { line: 'GET /pets?Limit=50', answered: listOf(50) }],
  ['a limit in brackets', { line: 'GET /pets?limit=1&limit[]=50', answered: listOf(50) }],
  ['a limit after a semicolon', { line: 'GET /pets?sort=name;limit=50', answered: listOf(50) }],
  ['a list of something else', { answered: `[${Array(30).fill('1').join()}]` }],
  ['a list with another status', { status: 206, answered: listOf(50) }],
  ['a list as text', { answered: listOf(50), headers: { 'content-type': 'text/plain' } }],
  ['a page', { answered: '<h1>Hello</h1>', headers: { 'content-type': 'text/html' } }],
  ['a list that is cut', { answered: listOf(50).slice(0, -1) }],
  ['an unknown body, as of HEAD', { line: 'HEAD /pets', answered: undefined }],
  ['animals without a status', { line: 'GET /pets?status=sold', answered: listOf(3) }],
  [
    'a status that is not one',
    { line: 'GET /pets?status=sold', answered: `[${pet(1, ',"status":"lost"')}]` },
  ],
  ['a filter that is not valid', { line: 'GET /pets?status=lost', answered: `[${pet(1, sold)}]` }],
  ['an empty filter', { line: 'GET /pets?status=', answered: `[${pet(1, sold)}]` }],
  ['two filters', { line: 'GET /pets?status=available&status=sold', answered: `[${pet(1, sold)}]` }],
  [
    'a status of the animal twice',
    { line: 'GET /pets?status=available', answered: `[${pet(1, `${sold},"st\\u0061tus":"available"`)}]` },
  ],
  ['an id in the list twice', { answered: `[${pet(2, ',"id":1')},${pet(1)}]` }],
  ['an id of the animal twice', { line: 'GET /pets/1', answered: pet(1, ',"id":2') }],
  ['a status of an Error twice', { status: 401, answered: `{"status":401,${error(403).slice(1)}` }],
  ['a code of an Error twice', { status: 401, answered: `{"code":1,${error(403).slice(1)}` }],
  ['an id that a double rounds to another', { line: 'GET /pets/7', answered: pet('8.00000000000000000001') }],
  ['ids that a double rounds to the same', { answered: `[${pet('1e-400')},${pet(0)}]` }],
  ['a list of fractions', { answered: `[${Array(30).fill('7.00000000000000000001').join()}]` }],
  [
    'a categoryId that a double rounds to an integer',
    create(pet(7), '{"name":"Rex","categoryId":3.00000000000000000001}'),
  ],
  ['ids beyond int64', { answered: `[${pet('1e30')},${pet('1e30')}]` }],
  ['the same id in another notation', { line: 'GET /pets/100', answered: pet('1.0e2') }],
  ['a petId in another notation', { line: 'GET /pets/01', answered: pet(2) }],
  ['an encoded petId', { line: 'GET /pets/%31', answered: pet(2) }],
  ['a petId beyond int64', { line: 'GET /pets/9223372036854775808', answered: pet(large) }],
  ['a list instead of the animal', { line: 'GET /pets/1', answered: listOf(2) }],
  ['the animal that was sent', create(pet(7, sold))],
  ['an integer in another notation', create(pet(7, sold), '{"name":"Rex","categoryId":0.2e1}')],
  ['a status that was not sent', create(pet(7, sold), '{"name":"Rex","categoryId":2}')],
  ['no status, if none was sent', create(pet(7), '{"name":"Rex","categoryId":2}')],
  ['a status of the new animal twice', create(pet(7, `${sold},"status":"pending"`))],
  ['a status that is not one of the new animal', create(pet(7, ',"status":null'))],
  // The schema of a Pet requires them.
  ['no name and no categoryId', create('{"id":7,"status":"sold"}')],
  ['a name that is sent twice', create(pet(7), '{"name":"Rex","name":"Tom","categoryId":2}')],
  ['half a surrogate pair in the name', create(pet(7), '{"name":"\\ud83d","categoryId":2}')],
  ['values that are not valid', create(pet(7), '{"name":5,"categoryId":2.5,"status":"lost"}')],
  ['a body that is no JSON', { ...create(pet(7), 'name=Tom'), type: 'text/plain' }],
  ['another status than 201', { ...create(pet(7, ',"status":"pending"')), status: 202 }],
  ['an Error with the status', { status: 404, line: 'GET /pets/7', answered: error('4.04e2') }],
  ['an Error whose status is no integer', { status: 401, answered: error('"403"') }],
  ['an error of a gateway', { status: 403, answered: '{"message":"Forbidden","status":401}' }],
])('%s breaks no rule', ([, row]) => {
  expect(findBroken(row)).toEqual([]);
});

test('a body of a GET is unexpected, also if it could not be read', () => {
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '', body: undefined };
  const { violations } = check({ ...request, headers: { authorization: 'Bearer k' } });
  expect(violations.map(({ rule }) => rule)).toContain('unexpected-body');
});
