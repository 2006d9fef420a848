import type { FailureOf, FaultKind } from '../failures/failure.ts';

const list = { operation: 'GET /pets', status: 200 } as const;
const added = { operation: 'POST /pets', status: 201 } as const;
const refused = { operation: 'POST /pets', status: 404, said: 'No "pets"' } as const;
const cut = { operation: 'GET /pets', noResponse: 'socket hang up' } as const;

/** A failure of each kind. */
export const sampleFailures: { readonly [Kind in FaultKind]: FailureOf<Kind> } = {
  status: { kind: 'status', expected: 400, request: { what: 'body', body: '{"name":1}' }, ...added },
  'server fault': {
    kind: 'server fault',
    words: 'No #',
    count: 3,
    requests: 90,
    otherwise: ['200'],
    ...cut,
  },
  body: {
    kind: 'body',
    expected: 'Error',
    problem: {
      is: 'invalid',
      schema: 'Error',
      member: 'code',
      pointer: '/code',
      rule: 'must be string',
      value: '1',
    },
    body: '{"code":1}',
    ...refused,
  },
  'error status': { kind: 'error status', received: '418', ...refused },
  header: { kind: 'header', header: 'Content-Type', received: 'text/html', ...refused },
  'byte order mark': { kind: 'byte order mark', ...list },
  member: {
    kind: 'member',
    member: 'name',
    expected: '"Zoë"',
    received: '"Zoe"',
    compared: 'in the list',
    id: '7',
    ...list,
  },
  'hidden member': { kind: 'hidden member', member: 'status', id: '7', ...list },
  filter: { kind: 'filter', member: 'status', expected: 'sold', received: '"pending"', id: '7', ...list },
  count: {
    kind: 'count',
    compared: 'at most',
    expected: 5,
    received: 500,
    isAtLeast: true,
    ...list,
  },
  missing: { kind: 'missing', lacks: 'the animal', id: '7', received: 'list without it', ...list },
  'two lists': { kind: 'two lists', id: '7', member: 'status', values: ['sold', 'pending'], ...list },
  id: { kind: 'id', idProblem: 'twice', received: '7', ...list },
  duplicate: { kind: 'duplicate', ids: ['7', '8'], where: 'list', ...list },
  'mixed up': { kind: 'mixed up', member: 'name', expected: '"A"', received: '"B"', ...added },
  added: { kind: 'added', id: '7', name: '"A"', ...refused },
};
