import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import type { ExchangeRequest, ExchangeResponse, Violation } from '../exchange.ts';
import { createJudge } from './create-judge.ts';
import { readOperations } from './read-operations.ts';

const judge = await createJudge(contractFile);

const rex = '{"id":1,"name":"Rex","categoryId":1}';
const error = (status: number) => `{"code":"x","message":"x","status":${status}}`;
const json = { 'content-type': 'application/json' };
const key = { authorization: 'Bearer test-key' };

interface Told {
  readonly method?: string;
  /** Path and query. */
  readonly target?: string;
  readonly sent?: string;
  readonly sentHeaders?: Record<string, string>;
  readonly status?: number;
  readonly answered?: string | Buffer;
  readonly headers?: Record<string, string>;
}

function tell({
  method = 'GET',
  target = '/pets',
  sent = '',
  sentHeaders = key,
  status = 200,
  answered = '[]',
  headers = json,
}: Told): { request: ExchangeRequest; response: ExchangeResponse } {
  const [path = '', query = ''] = target.split('?');
  const length = sent === '' ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  return {
    request: {
      method,
      target,
      path,
      query,
      headers: { ...sentHeaders, ...length },
      body: Buffer.from(sent),
    },
    response: { status, headers, body: Buffer.from(answered) },
  };
}

/** What is said of an exchange, as the proxy asks it. */
function judgeExchange(told: Told): { operationId: string | undefined; violations: Violation[] } {
  const { request, response } = tell(told);
  const { operationId, violations, judgeResponse } = judge(request);
  return { operationId, violations: [...violations, ...judgeResponse(response)] };
}

const create = { method: 'POST', sentHeaders: { ...key, ...json }, status: 201, answered: rex };

test.for<[string, Told]>([
  ['an empty list', {}],
  ['a list', { target: '/pets?limit=1&status=sold', answered: `[${rex}]` }],
  ['an extra field', { answered: '[{"id":1,"name":"","categoryId":1,"color":"red"}]' }],
  [
    'the largest and the smallest int64',
    { answered: '[{"id":9223372036854775807,"name":"","categoryId":-9223372036854775808}]' },
  ],
  ['a path of the largest int64', { target: '/pets/9223372036854775807', status: 404, answered: error(404) }],
  ['a creation', { ...create, sent: '{"name":"Rex","categoryId":9007199254740993}' }],
  ['a refusal of no limit', { target: '/pets', status: 401, answered: error(401) }],
  ['a media type with a parameter', { headers: { 'content-type': 'application/json; charset=utf-8' } }],
])('%s is no violation', ([, told]) => {
  const { operationId, violations } = judgeExchange(told);
  expect(violations).toEqual([]);
  expect(operationId).toBeDefined();
});

test.for<[string, Told, string[]]>([
  ['no key', { sentHeaders: {} }, ['request 401']],
  ['a limit of 0', { target: '/pets?limit=0' }, ['request.query.limit minimum']],
  ['a limit of 101', { target: '/pets?limit=101' }, ['request.query.limit maximum']],
  ['a limit that is no integer', { target: '/pets?limit=x' }, ['request.query.limit type']],
  ['an unknown status', { target: '/pets?status=lost' }, ['request.query.status enum']],
  ['a petId that is no integer', { target: '/pets/abc', answered: rex }, ['request.path.petid type']],
  [
    'a petId beyond int64',
    { target: '/pets/9223372036854775808', answered: rex },
    ['request.path.petid maximum'],
  ],
  ['no body', create, ['request required']],
  ['a body without a name', { ...create, sent: '{"categoryId":1}' }, ['request.body required']],
  [
    'a body beyond int64',
    { ...create, sent: '{"name":"","categoryId":-9223372036854775809}' },
    ['request.body.categoryId minimum'],
  ],
  ['a malformed body', { ...create, sent: '{"name":' }, ['request.body json']],
  [
    'another media type',
    { ...create, sent: 'x', sentHeaders: { ...key, 'content-type': 'text/plain' } },
    ['request 415'],
  ],
  ['an unknown path', { target: '/nothing', status: 404, answered: error(404) }, ['request route']],
  ['an unknown method', { method: 'DELETE', status: 405, answered: error(405) }, ['request route']],
  ['an undocumented status', { status: 500, answered: error(500) }, ['response status']],
  ['a list that is none', { answered: '{}' }, ['response.body type']],
  ['an animal without an id', { answered: '[{"name":"","categoryId":1}]' }, ['response.body.0 required']],
  [
    'an id beyond int64',
    { answered: '[{"id":9223372036854775808,"name":"","categoryId":1}]' },
    ['response.body.0.id maximum'],
  ],
  [
    'an unknown status of an animal',
    { answered: '[{"id":1,"name":"","categoryId":1,"status":"x"}]' },
    ['response.body.0.status enum'],
  ],
  [
    'an Error without a code',
    { status: 401, answered: '{"message":"x","status":401}' },
    ['response.body required'],
  ],
  ['an answer that is no JSON', { answered: '[' }, ['response.body json']],
  [
    'an answer of another media type',
    { headers: { 'content-type': 'text/html' } },
    ['response mediaType', 'response.body type'],
  ],
])('%s is a violation', ([, told, expected]) => {
  const rules: Record<string, string> = {
    'Selected route not found': 'route',
    'Unable to match the returned status code': 'status',
    'The received media type': 'mediaType',
  };
  const found = judgeExchange(told).violations.map(({ location, code, message }) => {
    const rule = code ?? Object.entries(rules).find(([start]) => message.startsWith(start))?.[1];
    return `${location.join('.')} ${rule}`;
  });
  expect(found).toEqual(expected);
});

test('the operations are those that Prism itself reads', async () => {
  const [ours, prisms] = [await readOperations(contractFile), await getHttpOperationsFromSpec(contractFile)];
  expect(ours.map(({ iid }) => iid)).toEqual(['listPets', 'createPet', 'getPet']);
  expect(JSON.stringify(ours)).toBe(JSON.stringify(prisms));
});
