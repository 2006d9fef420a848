import { expect, test } from 'vitest';
import { findMark } from './find-mark.ts';

const answered = { status: 200, error: undefined, fault: undefined, ms: 3 };
const warning = { severity: 'warning' } as const;
const violation = { severity: 'error' } as const;

test.for([
  ['without a response yet', { ms: undefined }, [], 'waiting'],
  ['with 200', {}, [], 'pass'],
  ['with 200 and a warning', {}, [warning], 'warn'],
  ['with 200 and a violation', {}, [warning, violation], 'fail'],
  ['with 404', { status: 404, error: 'not_found' }, [], 'warn'],
  ['with 400', { status: 400, error: 'invalid_request' }, [], 'fail'],
  ['with 500', { status: 500, error: 'internal_error' }, [], 'fail'],
  ['whose connection was broken', { status: undefined }, [], 'fail'],
  ['whose 200 was cut', { error: 'response_lost' }, [], 'fail'],
  ['that a fault has answered', { status: 500, fault: 1 }, [], 'fault'],
] as const)('a request %s has its mark', ([, row, found, mark]) => {
  expect(findMark({ ...answered, ...row }, found, false)).toBe(mark);
});

test('a request whose violations may be dropped is not marked as one without a problem', () => {
  expect(findMark(answered, [], true)).toBe('muted');
});
