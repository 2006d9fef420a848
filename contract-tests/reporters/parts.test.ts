import { expect, test } from 'vitest';
import type { Result } from '../runner/report.ts';
import { listExchanges, listOptions, printCompared, printDuration } from './parts.ts';

test.for([
  [0.1234, '0.123 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [12_345, '12.3 s'],
  [119_900, '120 s'],
  [120_000, '2 min'],
  [900_000, '15 min'],
] as const)('%d ms are printed as %s', ([ms, printed]) => {
  expect(printDuration(ms)).toBe(printed);
});

test.for([
  [{ responses: 12, lists: 12, animals: 41 }, '41 animals in 12 lists'],
  [{ responses: 1, lists: 1, animals: 1 }, '1 animal in 1 list'],
  [{ responses: 3, lists: 1, animals: 4 }, '4 animals in 3 responses'],
  [{ responses: 1, lists: 0, animals: 0 }, '1 response'],
] as const)('%o is printed as %s', ([compared, printed]) => {
  expect(printCompared({ compared } as Result)).toBe(printed);
});

test('every option that a run may have is listed', () => {
  const limits = { timeout: 10_000, deadline: 900_000, settle: 2_000, concurrency: 8, maxRate: 10 };
  const given = { categoryId: '9', headers: ['X-Gateway'], known: 1, atLeast: 30 };
  const flags = { allowsWrites: false, insecure: true, strict: true } as const;
  expect(listOptions({ ...limits, ...given, ...flags, only: ['list-pets/filters'] })).toEqual([
    'read-only',
    'only list-pets/filters',
    'at most 10 requests a second',
    'at most 8 requests at once',
    '10 s for a response',
    '15 min for the run',
    '2 s until a list has a new animal',
    'the category 9',
    'the headers X-Gateway',
    'any certificate is trusted',
    '1 accepted failure',
    'strict',
    'at least 30 clauses',
  ]);
});

test('exchanges are listed with their outcome, and those that led to a failure with their time', () => {
  const send = (line: string, status: number | undefined, at: number) => ({ line, status, at, shows: '' });
  const before = send('GET /pets', 200, 1_000);
  const evidence = send('POST /pets {"name":"Rex"}', undefined, 3_500);
  const more = send('GET /pets/1', 404, 4_000);
  const result = { before: [before], evidence, more: [more] } as unknown as Result;
  expect(listExchanges(result)).toEqual([
    { request: 'GET /pets', outcome: '200', shows: '', time: '2.5 s before', evidence: before },
    { request: 'POST /pets {"name":"Rex"}', outcome: 'no answer', shows: '', time: '', evidence },
    { request: 'GET /pets/1', outcome: '404', shows: '', time: '', evidence: more },
  ]);
  expect(listExchanges({} as Result)).toEqual([]);
});

test.for([
  [{ listed: 0, shows: '' }, ', an empty list'],
  [{ listed: 1, shows: '' }, ', 1 animal'],
  [{ listed: 20, shows: '{"id":7}' }, ', 20 animals, among them {"id":7}'],
  [{ shows: '{"id":7}' }, ' {"id":7}'],
] as const)('after its status, a response with %j shows %s', ([evidence, shows]) => {
  expect(listExchanges({ evidence } as unknown as Result)).toMatchObject([{ shows }]);
});
