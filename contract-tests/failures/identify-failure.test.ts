import { expect, test } from 'vitest';
import { sampleFailures } from '../testing/sample-failures.ts';
import type { Failure, FaultKind, RequestSubject } from './failure.ts';
import {
  type FailureIdentity,
  faultKinds,
  identifyFailure,
  isSameFailure,
  listDistinct,
} from './identify-failure.ts';

const ofList = { operation: 'GET /pets', status: 200 } as const;
const ofPost = { operation: 'POST /pets', status: 201 } as const;
const ofRefusal = { operation: 'POST /pets', status: 404 } as const;
const ofCut = { operation: 'GET /pets', status: 'none' } as const;

/** What makes a failure of each kind the same in another run: no id of an animal, no number and no words of a message. */
const identities: { readonly [Kind in FaultKind]: Omit<FailureIdentity, 'kind'> } = {
  status: { ...ofPost, expected: 400, detail: '{"name":#}' },
  'server fault': { ...ofCut, detail: 'No #' },
  body: { ...ofRefusal, member: 'code', detail: 'Error, must be string' },
  'error status': ofRefusal,
  header: { ...ofRefusal, member: 'content-type', detail: 'another value' },
  'byte order mark': { ...ofList, member: 'content-type' },
  member: { ...ofList, member: 'name', detail: 'in the list, another value' },
  'hidden member': { ...ofList, member: 'status' },
  filter: { ...ofList, member: 'status' },
  count: { ...ofList, detail: 'too many, at most' },
  missing: { ...ofList, detail: 'the animal, list without it' },
  'two lists': { ...ofList, member: 'status', detail: 'pending and sold' },
  id: { ...ofList, member: 'id', detail: 'twice' },
  duplicate: { ...ofList, detail: 'list' },
  'mixed up': { ...ofPost, member: 'name' },
  added: ofRefusal,
};

test.for(faultKinds)('the identity of a failure of the kind %s has what stays the same', (kind) => {
  expect(identifyFailure(sampleFailures[kind])).toEqual({ kind, ...identities[kind] });
});

test.for<[what: string, Partial<Failure>, detail: string]>([
  ['a list that is too short', { ...sampleFailures.count, received: 3 }, 'too few, at most'],
  ['a missing header', { kind: 'header', header: 'WWW-Authenticate', operation: 'GET /pets' }, 'missing'],
  ['a member that is missing', { ...sampleFailures.member, received: undefined }, 'in the list, missing'],
  ['a member that was added', { ...sampleFailures.member, expected: undefined }, 'in the list, added'],
  ['a name in upper case', { ...sampleFailures.member, received: '"ZOË"' }, 'in the list, case changed'],
  ['a body that is no JSON', { ...sampleFailures.body, problem: { is: 'no JSON' } }, 'Error, no JSON'],
])('the identity of %s says so', ([, failure, detail]) => {
  expect(identifyFailure(failure as Failure).detail).toBe(detail);
});

test.for<[request: RequestSubject, parts: Partial<FailureIdentity>]>([
  [{ what: 'media type', mediaType: 'text/plain' }, { detail: 'text/plain' }],
  [
    { what: 'member', member: 'categoryId', value: '-57', accepted: ['1'] },
    { member: 'categoryId', detail: '-#' },
  ],
  [{ what: 'animal', id: '7', seen: 'added' }, { detail: 'an animal that was seen added' }],
  [{ what: 'notation' }, { detail: 'notation' }],
])('the identity of a status after the request %j has what stays the same', ([request, parts]) => {
  const identity = identifyFailure({ ...sampleFailures.status, request });
  expect(identity).toEqual({ ...ofPost, kind: 'status', expected: 400, ...parts });
});

test('failures are the same if nothing of their identities differs', () => {
  const identity: FailureIdentity = {
    ...ofPost,
    kind: 'status',
    expected: 400,
    member: 'name',
    detail: '{}',
  };
  expect(isSameFailure(identity, { ...identity })).toBe(true);
  const others: readonly Partial<FailureIdentity>[] = [
    { kind: 'body' },
    { operation: 'GET /pets' },
    { member: 'status' },
    { expected: 401 },
    { status: 'none' },
    { detail: 'null' },
  ];
  expect(others.filter((other) => isSameFailure(identity, { ...identity, ...other }))).toEqual([]);
});

test('of failures with one identity the first is listed', () => {
  const all: readonly Failure[] = Object.values(sampleFailures);
  const repeated = { ...sampleFailures['hidden member'], id: '8' };
  expect(listDistinct([...all, repeated])).toEqual(all);
});
