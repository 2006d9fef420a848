import { expect, test } from 'vitest';
import type { Failure } from './failure.ts';
import { type FailureIdentity, identifyFailure, isSameFailure, listDistinct } from './identify-failure.ts';

const post = { operation: 'POST /pets', side: 'creation', status: 201 } as const;
const list = { operation: 'GET /pets', side: 'list', status: 200 } as const;
const ofPost = { operation: 'POST /pets', received: 201 };
const ofList = { operation: 'GET /pets', received: 200 };
const asked = { what: 'member', member: 'categoryId', value: '57' } as const;
const invalid = { is: 'invalid', schema: 'Pet', pointer: '/0/id', rule: 'must be integer' } as const;

/** Failures, and what makes them the same in another run: no id of an animal, no value and no words. */
const rows: readonly (readonly [Failure, FailureIdentity])[] = [
  [
    { ...post, kind: 'status', expected: 400, request: { what: 'body', body: '{}' }, said: 'Added.' },
    { ...ofPost, kind: 'status', expected: 400 },
  ],
  [
    { ...post, kind: 'status', expected: '4xx', request: asked },
    { ...ofPost, kind: 'status', expected: '4xx', member: 'categoryId' },
  ],
  [
    {
      kind: 'no response',
      operation: 'GET /pets',
      side: 'list',
      expected: 200,
      noResponse: 'socket hang up',
    },
    { kind: 'no response', operation: 'GET /pets', expected: 200, received: 'none' },
  ],
  [
    {
      ...list,
      kind: 'openapi.yaml',
      expected: 200,
      field: 'body',
      member: 'name',
      message: 'must be string',
    },
    { ...ofList, kind: 'openapi.yaml', expected: 200, member: 'name' },
  ],
  [
    { ...list, kind: 'body', expected: 'list of Pets', problem: { ...invalid, member: 'id' }, index: 3 },
    { ...ofList, kind: 'body', member: 'id' },
  ],
  [
    { ...list, kind: 'body', expected: 'list', problem: { is: 'no JSON' }, body: '<html>' },
    { ...ofList, kind: 'body' },
  ],
  [
    { ...list, kind: 'header', header: 'Content-Type', received: 'text/plain' },
    { ...ofList, kind: 'header', member: 'content-type' },
  ],
  [
    { ...list, kind: 'byte order mark' },
    { ...ofList, kind: 'byte order mark', member: 'content-type' },
  ],
  [
    { ...list, kind: 'member', member: 'status', expected: '"sold"', received: '"x"', compared: 'by its id' },
    { ...ofList, kind: 'member', member: 'status' },
  ],
  [
    { ...list, kind: 'hidden member', member: 'status', id: '7' },
    { ...ofList, kind: 'hidden member', member: 'status' },
  ],
  [
    { ...list, kind: 'missing', lacks: 'the animal', id: '7', received: 'list without it' },
    { ...ofList, kind: 'missing' },
  ],
];

test.for(rows)('the identity of %o is %o', ([failure, identity]) => {
  expect(identifyFailure(failure)).toEqual(identity);
});

test('failures are the same if nothing of their identities differs', () => {
  const identity: FailureIdentity = { ...ofPost, kind: 'status', expected: 400, member: 'name' };
  expect(isSameFailure(identity, { ...identity })).toBe(true);
  const others: readonly Partial<FailureIdentity>[] = [
    { kind: 'body' },
    { operation: 'GET /pets' },
    { member: 'status' },
    { expected: 401 },
    { received: 'none' },
  ];
  expect(others.filter((other) => isSameFailure(identity, { ...identity, ...other }))).toEqual([]);
});

test('of failures with one identity the first is listed', () => {
  const all = rows.map(([failure]) => failure);
  const repeated = { ...list, kind: 'hidden member', member: 'status', id: '8' } as const;
  expect(listDistinct([...all, repeated])).toEqual(all);
});
