import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { expect, test } from 'vitest';
import { contractFile } from '../../common/contract-file.ts';
import type { Headers } from '../exchange.ts';
import { createJudge } from './create-judge.ts';
import { readOperations } from './read-operations.ts';

const judge = await createJudge(contractFile);
const json = { 'content-type': 'application/json' };

interface Told {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly sent?: string;
  readonly headers?: Headers;
  readonly status?: number;
  readonly answered?: string;
  readonly type?: string;
}

/** What is said of an exchange, as the proxy asks it: places and rules. */
function judgeExchange({ sent = '', method = sent === '' ? 'GET' : 'POST', path = '/pets', ...told }: Told) {
  const { query = '', headers = json, answered = '[]', type = 'application/json' } = told;
  const { status = method === 'POST' ? 201 : 200 } = told;
  const length = sent === '' ? {} : { 'content-length': String(Buffer.byteLength(sent)) };
  const { operationId, violations, judgeResponse } = judge({
    method,
    target: `${path}?${query}`,
    path,
    query,
    headers: { authorization: 'Bearer test-key', ...headers, ...length },
    body: Buffer.from(sent),
  });
  const found = judgeResponse({ status, headers: { 'content-type': type }, body: Buffer.from(answered) });
  const all = [...violations, ...found];
  return [
    operationId,
    ...all.map(({ location, code, message }) => `${location.join('.')} ${code ?? message}`),
  ];
}

const error = '{"code":"x","message":"x","status":404}';
const rex = '{"id":1,"name":"Rex","categoryId":1}';

// What the stock proxy is no measure of, and an example of each kind; all else is in stock.test.ts.
test.for<[string, Told, (string | undefined)[]]>([
  ['a list', { query: 'limit=1&status=sold', answered: `[${rex}]` }, ['listPets']],
  [
    'the largest and the smallest int64',
    { answered: '[{"id":9223372036854775807,"name":"","categoryId":-9223372036854775808}]' },
    ['listPets'],
  ],
  [
    'a path of the largest int64',
    { path: '/pets/9223372036854775807', status: 404, answered: error },
    ['getPet'],
  ],
  ['a creation', { sent: '{"name":"Rex","categoryId":9007199254740993}', answered: rex }, ['createPet']],
  ['a limit of 0', { query: 'limit=0' }, ['listPets', 'request.query.limit minimum']],
  [
    'a petId beyond int64',
    { path: '/pets/9223372036854775808', answered: rex },
    ['getPet', 'request.path.petid maximum'],
  ],
  [
    'a body beyond int64',
    { sent: '{"name":"","categoryId":-9223372036854775809}', answered: rex },
    ['createPet', 'request.body.categoryId minimum'],
  ],
  [
    'an id beyond int64',
    { answered: '[{"id":9223372036854775808,"name":"","categoryId":1}]' },
    ['listPets', 'response.body.0.id maximum'],
  ],
  ['a malformed body', { sent: '{"name":', answered: rex }, ['createPet', 'request.body json']],
  ['a malformed response', { answered: '[' }, ['listPets', 'response.body json']],
  ['a path that cannot be decoded', { path: '/pets/%ZZ', answered: rex }, ['getPet', 'request unreadable']],
  ['a malformed media type', { type: 'json' }, ['listPets', 'response unreadable']],
  ['another method', { method: 'DELETE', status: 500 }, [undefined, 'request Selected route not found']],
])('%s is judged', ([, told, expected]) => {
  expect(judgeExchange(told)).toEqual(expected);
});

test('the operations are those that Prism itself reads', async () => {
  const [ours, prisms] = [await readOperations(contractFile), await getHttpOperationsFromSpec(contractFile)];
  expect(ours.map(({ iid }) => iid)).toEqual(['listPets', 'createPet', 'getPet']);
  expect(JSON.stringify(ours)).toBe(JSON.stringify(prisms));
});
