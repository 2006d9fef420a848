import { expect, test } from 'vitest';
import type { Headers } from '../../common/http/headers.ts';
import { printMessage } from '../../common/journal/violation.ts';
import { createExchange } from '../testing/create-exchange.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

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
