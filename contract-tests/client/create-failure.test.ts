import { expect, test } from 'vitest';
import { createExchange, type Told } from '../testing/create-exchange.ts';
import { createFailure } from './create-failure.ts';

const fault = { kind: 'byte order mark' } as const;

test.for<[what: string, told: Told, shown: object]>([
  ['a list', { status: 200, body: '[]' }, { operation: 'GET /pets', status: 200 }],
  ['a creation', { method: 'POST', status: 201 }, { operation: 'POST /pets', status: 201 }],
  [
    'an animal',
    { status: 200, body: '{}', path: '/pets/-7' },
    { operation: 'GET /pets/{petId}', status: 200 },
  ],
  [
    'a refusal',
    { status: 400, body: '{"message":"No"}', path: '/pets?limit=0' },
    { operation: 'GET /pets', status: 400, said: 'No' },
  ],
  [
    'no response',
    { failure: 'timeout', path: '/pets/abc' },
    { operation: 'GET /pets/{petId}', noResponse: 'why timeout' },
  ],
  [
    'half of a response',
    { status: 200, body: '[]', failure: 'body ended' },
    { operation: 'GET /pets', status: 200, noResponse: 'why body ended' },
  ],
])('what a failure has of an exchange with %s', ([, told, shown]) => {
  expect(createFailure(fault, createExchange(told))).toEqual({ ...fault, ...shown });
});

test.for<[body: string, said: string | undefined, status?: number]>([
  ['{"message":"No \\"pets\\""}', 'No "pets"'],
  ['{"message":5}', '{"message":5}'],
  ['<html><TITLE lang="en">\n Bad\n Gateway </title>', 'Bad\n Gateway', 502],
  ['  not \n\n found\t', 'not found', 404],
  ['', undefined],
  ['{"message":""}', undefined],
  ['{"message":"No"}', undefined, 399],
  [`{"message":"${'x'.repeat(100)}"}`, 'x'.repeat(100)],
  [`{"message":"${'x'.repeat(101)}"}`, `${'x'.repeat(100)}…`],
  [`{"message":"test-key ${'x'.repeat(101)}"}`, `[key] ${'x'.repeat(94)}…`],
])('with %j a deployment says %j', ([body, said, status = 400]) => {
  expect(createFailure(fault, createExchange({ status, body })).said).toBe(said);
});
