import { expect, test } from 'vitest';
import type { JournalViolation } from '../../common/journal/violation.ts';
import { expectNone } from './expect-violations.ts';

const violation: JournalViolation = {
  id: 1,
  time: new Date(0),
  request: 1,
  operation: 'listPets',
  method: 'GET',
  url: '/v1/pets?limit=0',
  status: 400,
  severity: 'error',
  location: ['request', 'query', 'limit'],
  place: 'request.query.limit',
  rule: 'minimum',
  expected: '1',
  missing: undefined,
  message: 'limit must be >= 1',
  received: '"0"',
};
const line =
  'listPets request.query.limit minimum: limit must be >= 1; received "0" (GET /v1/pets?limit=0, 400)';

/** Returns the message of the error for these violations. */
function readMessage(found: readonly JournalViolation[]): string {
  try {
    expectNone(found);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('an error lists each violation on a line, at most 20 of them', () => {
  expect(readMessage([])).toBe('');
  expect(readMessage([violation])).toBe(`1 violation of the contract:\n  ${line}`);
  const other = {
    ...violation,
    operation: undefined,
    message: 'It is unknown. Did you mean status?',
    status: undefined,
  };
  const shown =
    '- request.query.limit minimum: It is unknown. Did you mean status? Received "0" (GET /v1/pets?limit=0, not answered)';
  const some = readMessage([violation, other]);
  expect(some).toBe(`2 violations of the contract:\n  ${line}\n  ${shown}`);
  const many = readMessage(Array.from({ length: 22 }, () => violation)).split('\n  ');
  expect(many).toEqual(['22 violations of the contract:', ...Array(20).fill(line)]);
});
