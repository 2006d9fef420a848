import { expect, test } from 'vitest';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import { redactCheck } from '../findings/redact-exchange.ts';
import { createCheck } from './create-check.ts';

const check = await createCheck(loadContract());

interface Row {
  /** Method and target under the base URL. */
  readonly line: string;
  readonly sent?: string;
  /** A whole response with 200. @default an Error with 401 */
  readonly answered?: string;
}

const authorization = 'Bearer the-right-key';
const json = { 'content-type': 'application/json' };
const unauthorized = '{"code":"unauthorized","message":"No.","status":401}';

const key = 's3cr"t/+%8';
const keys = new Keys([key, '123456']);

/** Returns the place, the rule and the received value of each violation of an exchange. */
function findViolations({ line, sent = '', answered }: Row): string[] {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const body = Buffer.from(sent);
  const type = body.length > 0 ? { ...json, 'content-length': `${body.length}` } : {};
  const headers = { authorization, ...type };
  const request = { method, target: `/v1${target}`, path, query, headers, body };
  const { violations, checkResponse } = redactCheck(check, keys)(request);
  const status = answered === undefined ? 401 : 200;
  const found = checkResponse({ status, headers: json, body: Buffer.from(answered ?? unauthorized) });
  const all = [...violations, ...found.violations, ...found.brokenRules];
  return all.map(({ place, rule, received }) => `${place} ${rule}: ${received}`);
}

const ofBody = (answered: string): Row => ({ line: 'GET /pets/1', answered });
const ofId = (digits: string) => ofBody(`{"id":${digits},"name":"Rex","categoryId":2}`);

/** Places where a service, or a client, repeats a key. */
test.for<[row: Row, ...violations: string[]]>([
  [ofId('123456'), 'response.body.id get-pet/right-animal: [key]'],
  [
    ofId('9007199254740993.123456'),
    'response.body.id type: 9007199254740993.[key]',
    'response.body.id format: 9007199254740993.[key]',
  ],
  [ofBody(`{"id":${JSON.stringify(key)}`), 'response.body json: "{\\"id\\":\\"[key]\\""'],
  [{ line: 'GET /pets?api_key=some' }, 'request.query.api_key unknown-parameter: [key]'],
  [
    { line: 'POST /pets', sent: '{"name":"a","categoryId":1,"token":"some"}' },
    'request.body.token unknown-member: [key]',
  ],
  [
    { ...ofId('"a/b+c"'), line: 'GET /pets/1?api_key=a%2Fb%2Bc' },
    'request.query.api_key unknown-parameter: [key]',
    'response.body.id type: "[key]"',
  ],
])('$0 shows no key', ([row, ...violations]) => {
  expect(findViolations(row)).toEqual(violations);
});
