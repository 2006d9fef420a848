import { expect, test } from 'vitest';
import type { Headers } from '../../common/http/headers.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { loadContract } from '../../common/load-contract.ts';
import { Keys } from '../../common/text/redact.ts';
import type { ExchangeResponse } from '../exchange.ts';
import { redactCheck } from '../findings/redact-exchange.ts';
import { createCheck } from './create-check.ts';

const check = redactCheck(await createCheck(loadContract()), new Keys());

/** Returns the severity, the place and the rule of each violation in a response to GET /pets. */
function checkResponse(status: number, body: string | undefined, headers: Headers): string[] {
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '' };
  const sent = { ...request, headers: { authorization: 'Bearer k' }, body: Buffer.of() };
  const { checkResponse } = check(sent);
  const response: ExchangeResponse = { status, headers, body: body === undefined ? body : Buffer.from(body) };
  return checkResponse(response).violations.map(
    ({ severity, location, rule }) => `${severity} ${location.join('.')} ${rule}`,
  );
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const printError = (status: number) => JSON.stringify({ code: 'code', message: 'A message.', status });

const serverError = 'error response server-error';
const noErrorBody = 'error response.body error-body';
const undocumented = 'warning response undocumented-status';

test.for<[status: number, title: string, body: string | undefined, headers: Headers, found: string[]]>([
  [500, 'an Error', printError(500), json, [serverError]],
  [501, 'an Error', printError(501), json, [serverError]],
  [507, 'an Error', printError(507), json, [serverError]],
  [500, 'a page', '<h1>500</h1>', html, [serverError, noErrorBody]],
  [502, 'nothing', '', {}, [serverError, noErrorBody]],
  [500, 'an unknown body, as of HEAD', undefined, html, [serverError]],
  [429, 'an Error', printError(429), json, [undocumented]],
  [403, 'a page', '<h1>403</h1>', html, [undocumented, noErrorBody]],
  [404, 'nothing', '', {}, [undocumented, noErrorBody]],
  [429, 'an Error without a code', '{"message":"Wait.","status":429}', json, [undocumented, noErrorBody]],
  [429, 'half an Error', '{"code":"c",', json, [undocumented, 'error response.body json']],
  [429, 'an Error as text', printError(429), { 'content-type': 'text/plain' }, [undocumented, noErrorBody]],
  [
    429,
    'an Error in a media type that is none',
    printError(429),
    { 'content-type': 'x' },
    [undocumented, noErrorBody],
  ],
  [403, 'an unknown body, as of HEAD', undefined, html, [undocumented]],
  [401, 'a page', '<h1>401</h1>', html, ['error response.headers.content-type media-type']],
  [401, 'an Error without a code', '{"message":"No.","status":401}', json, ['error response.body required']],
  [304, 'nothing', '', {}, [undocumented]],
])('a %i with %s breaks the rules that it breaks, each once', ([status, , body, headers, found]) => {
  expect(checkResponse(status, body, headers)).toEqual(found);
});

test('the messages name the status, and what is wrong with the body', () => {
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '', headers: {} };
  const { checkResponse } = check({ ...request, body: Buffer.of() });
  const { violations } = checkResponse({ status: 500, headers: html, body: Buffer.from('<h1>500</h1>') });
  expect(violations.map(printMessage)).toEqual([
    'The service failed. The status is not among the statuses of listPets: 200, 400, 401; received 500',
    'The body of a 500 must be an Error. Content-Type must be application/json; received "<h1>500</h1>"',
  ]);
});

test('the message about a wrong member of an Error names the member and the status', () => {
  const request = { method: 'GET', target: '/v1/pets', path: '/pets', query: '', headers: {} };
  const { checkResponse } = check({ ...request, body: Buffer.of() });
  const body = Buffer.from('{"code":"busy","message":"Wait.","status":"503"}');
  const { violations } = checkResponse({ status: 503, headers: json, body });
  expect(violations.map(printMessage)).toContain(
    'The body of a 503 must be an Error. Response body property status must be integer; received "503"',
  );
});

test.for([
  ['9223372036854775808', 'must be <= 9223372036854775807'],
  ['-9223372036854775809', 'must be >= -9223372036854775808'],
])('a message about %s names the true bound of int64', ([digits, bound]) => {
  const path = `/pets/${digits}`;
  const request = {
    method: 'GET',
    target: `/v1${path}`,
    path,
    query: '',
    headers: { authorization: 'Bearer k' },
  };
  const { violations, checkResponse } = check({ ...request, body: Buffer.of() });
  const body = Buffer.from(`{"id":${digits},"name":"Rex","categoryId":${digits}}`);
  const found = checkResponse({ status: 200, headers: json, body });
  expect([...violations, ...found.violations].map(printMessage)).toEqual([
    `Request path parameter petid ${bound}; received "${digits}"`,
    `Response body property id ${bound}; received ${digits}`,
    `Response body property categoryId ${bound}; received ${digits}`,
  ]);
});
