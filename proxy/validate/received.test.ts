import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import { redactCheck } from '../findings/redact-exchange.ts';
import { createCheck } from './create-check.ts';

const check = await createCheck(loadContract());

interface Row {
  /** Method and target under the base URL. */
  readonly line: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sent?: string | Buffer;
  readonly status?: number;
  /** A whole response. @default an Error with 401 */
  readonly answered?: string | Buffer;
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** Keys to redact, in addition to the keys of the request. */
  readonly apiKeys?: readonly string[];
}

const authorization = 'Bearer the-right-key';
const json = { 'content-type': 'application/json' };
const unauthorized = '{"code":"unauthorized","message":"No.","status":401}';

/** Returns the place, the rule and the received value of each violation of an exchange. */
function findViolations({ line, sent = '', status = 401, answered = unauthorized, ...row }: Row): string[] {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const body = Buffer.from(sent);
  const type = body.length > 0 ? { ...json, 'content-length': `${body.length}` } : {};
  const headers = { authorization, ...type, ...row.headers };
  const request = { method, target: `/v1${target}`, path, query, headers, body };
  const { violations, checkResponse } = redactCheck(check, new Keys(row.apiKeys))(request);
  const response = { status, headers: row.answerHeaders ?? json, body: Buffer.from(answered) };
  const found = checkResponse(response);
  const all = [...violations, ...found.violations, ...found.brokenRules];
  return all.map(({ place, rule, received }) => `${place} ${rule}: ${received}`);
}

const pet = (members: object) => JSON.stringify({ id: 1, name: 'Rex', categoryId: 2, ...members });
const ofBody = (answered: string | Buffer): Row => ({ line: 'GET /pets/1', status: 200, answered });
const ofPet = (members: object) => ofBody(pet(members));
const ofId = (digits: string) => ofBody(`{"id":${digits},"name":"Rex","categoryId":2}`);
const create = (sent: string | Buffer, headers = {}): Row => ({ line: 'POST /pets', sent, headers });
const list = (query: string): Row => ({ line: `GET /pets?${query}` });

test.for<[row: Row, ...violations: string[]]>([
  [list('limit=0'), 'request.query.limit minimum: "0"'],
  [list('l%69mit=%61'), 'request.query.limit type: "a"'],
  [list('limit=1&limit=2'), 'request.query.limit type: "1", "2"'],
  [list('limit=a&limit=b&limit=c&limit=d&limit=e'), 'request.query.limit type: "a", "b", "c" and 2 more'],
  [list('staus=sold'), 'request.query.staus unknown-parameter: "sold"'],
  [list(`status=${'x'.repeat(100)}`), `request.query.status enum: "${'x'.repeat(80)}…"`],
  [list(`status=${'x'.repeat(79)}%F0%9F%90%88a`), `request.query.status enum: "${'x'.repeat(79)}…"`],
  [{ line: `GET /${'x'.repeat(71)}\u{1f408}` }, `request unknown-path: GET /v1/${'x'.repeat(71)}…`],
  [list(`status=${'x'.repeat(2_000)}`), 'request.query.status enum: a string of 2000 characters'],
  [list('limit='), 'request.query.limit empty-parameter: ""'],
  [list('limit=%2005'), 'request.query.limit integer-format: " 05"'],
  [{ line: 'GET /pets/' }, 'request.path.petid empty-path-parameter: GET /v1/pets/'],
  [{ line: 'GET /pets/%ZZ' }, 'request unreadable: "/pets/%ZZ"'],
  [
    { line: 'GET /pets', headers: { authorization: 'Basic azpr' } },
    'request missing-key: the scheme "Basic"',
  ],
  [
    { line: 'GET /pets', headers: { authorization: 'azpr' } },
    'request missing-key: an Authorization of another form',
  ],
  ...['Bearer', 'Bearer undefined', 'bearer null'].map((key): [Row, string] => [
    { line: 'GET /pets', headers: { authorization: key } },
    'request empty-key: undefined',
  ]),
  [create(''), 'request missing-body: undefined'],
  [create('{}', { 'content-type': '' }), 'request.headers.content-type media-type: undefined'],
  [{ line: 'GET /pets', sent: '{}' }, 'request unexpected-body: "application/json"'],
  [
    { line: 'GET /pets', sent: '{}', headers: { 'content-type': '' } },
    'request unexpected-body: a body without a Content-Type',
  ],
  [create('{}', { 'content-type': 'text/plain' }), 'request.headers.content-type media-type: "text/plain"'],
  [create('{"name":["a","b"],"categoryId":2}'), 'request.body.name type: an array of 2'],
  [
    create('{"name":{"a":1},"categoryId":null}'),
    'request.body.name type: an object with 1 member',
    'request.body.categoryId type: null',
  ],
  [
    create('{"name":true,"categoryId":1.5}'),
    'request.body.name type: true',
    'request.body.categoryId type: 1.5',
    'request.body.categoryId format: 1.5',
  ],
  [
    create('{"name":"a","categoryId":9223372036854775808}'),
    'request.body.categoryId maximum: 9223372036854775808',
  ],
  [
    create('{"name":"a","categoryId":-1e400}'),
    'request.body.categoryId minimum: a number far too large',
    'request.body.categoryId format: a number far too large',
  ],
  [create('{"name":'), 'request.body json: "{\\"name\\":"'],
  [create(Buffer.of(0x7b, 0xff)), 'request.body json: "{\ufffd"'],
  [create(`{"name":"${'x'.repeat(2_000)}`), 'request.body json: a body of 2009 bytes'],
  [
    ofPet({ name: 5, status: 'a\nb\u2028' }),
    'response.body.name type: 5',
    'response.body.status enum: "a\\nb\u2028"',
  ],
  [ofId(`1${'0'.repeat(99)}`), `response.body.id maximum: 1${'0'.repeat(79)}…`],
  ...['9007199254740993.5', '7.00000000000000000001', '0.99999999999999999999', '1e-400'].map(
    (digits): [Row, ...string[]] => [
      ofId(digits),
      `response.body.id type: ${digits}`,
      `response.body.id format: ${digits}`,
    ],
  ),
  [
    ofId(`7.${'0'.repeat(2_000)}1`),
    'response.body.id type: a number with 2003 characters',
    'response.body.id format: a number with 2003 characters',
  ],
  [
    { ...ofBody(`[${pet({})},{"id":"x"}]`), line: 'GET /pets' },
    'response.body.*.name required: undefined',
    'response.body.*.categoryId required: undefined',
    'response.body.*.id type: "x"',
  ],
  [ofBody(''), 'response.body type: an empty body'],
  [
    { ...ofBody('[]'), answerHeaders: { 'content-type': 'text/html' } },
    'response.headers.content-type media-type: "text/html"',
  ],
  [{ ...ofBody('[]'), answerHeaders: {} }, 'response.headers.content-type media-type: undefined'],
  [
    { line: 'GET /pets', status: 503, answered: 'Busy', answerHeaders: {} },
    'response server-error: 503',
    'response.body error-body: "Busy"',
  ],
  [
    { line: 'GET /pets', status: 503, answered: unauthorized.replace('401', '"abc"') },
    'response server-error: 503',
    'response.body.status error-body: "abc"',
  ],
  [
    { line: 'GET /pets', status: 403 },
    'response undocumented-status: 403',
    'response.body.status errors/status: 401',
  ],
])('$0 has the received values', ([row, ...violations]) => {
  expect(findViolations(row)).toEqual(violations);
});

const key = 's3cr"t/+%8';

/** Places where a service, or a client, repeats a key. */
test.for<[row: Row, ...violations: string[]]>([
  [ofId('123456'), 'response.body.id get-pet/right-animal: [key]'],
  [
    ofId('9007199254740993.123456'),
    'response.body.id type: 9007199254740993.[key]',
    'response.body.id format: 9007199254740993.[key]',
  ],
  [ofBody(`{"id":${JSON.stringify(key)}`), 'response.body json: "{\\"id\\":\\"[key]\\""'],
  [list('api_key=some'), 'request.query.api_key unknown-parameter: [key]'],
  [create('{"name":"a","categoryId":1,"token":"some"}'), 'request.body.token unknown-member: [key]'],
  [
    { ...ofPet({ id: 'a/b+c' }), line: 'GET /pets/1?api_key=a%2Fb%2Bc' },
    'request.query.api_key unknown-parameter: [key]',
    'response.body.id type: "[key]"',
  ],
])('$0 shows no key', ([row, ...violations]) => {
  const shown = findViolations({ ...row, apiKeys: [key, '123456'] });
  expect(shown).toEqual(violations);
});
