import { expect, test } from 'vitest';
import type { Headers } from '../../common/http/headers.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { createExchange, printError } from '../testing/create-exchange.ts';

/** Returns the severity, the place and the rule of each violation in a response to GET /pets. */
function checkResponse(status: number, body: string | Uint8Array | undefined, headers: Headers): string[] {
  const response = { status, headers, body: body === undefined ? body : Buffer.from(body) };
  return createExchange('/pets', response).violations.map(
    ({ severity, location, rule }) => `${severity} ${location.join('.')} ${rule}`,
  );
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

const serverError = 'error response server-error';
const noErrorBody = 'error response.body error-body';
const undocumented = 'warning response undocumented-status';

test.for<
  [status: number, title: string, body: string | Uint8Array | undefined, headers: Headers, found: string[]]
>([
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
  [403, 'events', undefined, { 'content-type': 'text/event-stream' }, [undocumented, noErrorBody]],
  [
    401,
    'an Error of two media types',
    printError(401),
    { 'content-type': 'application/json; charset=utf-8, text/html' },
    ['error response.headers.content-type media-type'],
  ],
  [401, 'a page', '<h1>401</h1>', html, ['error response.headers.content-type media-type']],
  [401, 'an Error without a code', '{"message":"No.","status":401}', json, ['error response.body required']],
  [304, 'nothing', '', {}, [undocumented]],
])('a %i with %s breaks the rules that it breaks, each once', ([status, , body, headers, found]) => {
  expect(checkResponse(status, body, headers)).toEqual(found);
});

test.for<[status: number, body: string, headers: Headers, ...messages: string[]]>([
  [
    500,
    '<h1>500</h1>',
    html,
    'The service failed. The status is not among the statuses of listPets: 200, 400, 401; received 500',
    'The body of a 500 must be an Error. Content-Type must be application/json; received "<h1>500</h1>"',
  ],
  [
    503,
    '{"code":"busy","message":"Wait.","status":"503"}',
    json,
    'The service failed. The status is not among the statuses of listPets: 200, 400, 401; received 503',
    'The body of a 503 must be an Error. Response body property status must be integer; received "503"',
  ],
])(
  'the messages about a %i with %s name the status, and what is wrong with the body',
  ([status, body, headers, ...messages]) => {
    const { violations } = createExchange('/pets', { status, headers, body: Buffer.from(body) });
    expect(violations.map(printMessage)).toEqual(messages);
  },
);

test.for([
  ['9223372036854775808', 'must be <= 9223372036854775807'],
  ['-9223372036854775809', 'must be >= -9223372036854775808'],
])('a message about %s names the true bound of int64', ([digits, bound]) => {
  const body = Buffer.from(`{"id":${digits},"name":"Rex","categoryId":${digits}}`);
  expect(createExchange(`/pets/${digits}`, { body }).violations.map(printMessage)).toEqual([
    `Request path parameter petid ${bound}; received "${digits}"`,
    `Response body property id ${bound}; received ${digits}`,
    `Response body property categoryId ${bound}; received ${digits}`,
  ]);
});

test.for<[authorization: string, ...rules: string[]]>([
  ['Basic azpr', 'missing-key', 'missing-401'],
  ['Bearer', 'empty-key', 'missing-401'],
  // The word may be the key of somebody.
  ['Bearer undefined', 'empty-key'],
])('a 200 for Authorization "%s" breaks the rules that it breaks', ([authorization, ...rules]) => {
  const response = { headers: json, body: Buffer.from('[]') };
  const { violations } = createExchange('/pets', response, { headers: { authorization } });
  expect(violations.map(({ rule }) => rule)).toEqual(rules);
});
