import { expect, test } from 'vitest';
import type { Violation } from '../../common/journal/violation.ts';
import { describeViolation } from './describe-violation.ts';

const message = 'Words of another part';
const row = (parts: Partial<Violation>) => ({ severity: 'error', message, ...parts }) as Violation;
const limit = ['request', 'query', 'limit'];
const name = ['response', 'body', '0', 'name'];

test.for([
  [{ rule: 'maximum', expected: '100', location: limit }, 'limit must be at most 100', 'must be at most 100'],
  [{ rule: 'minimum', expected: '1', location: limit }, 'limit must be at least 1', 'must be at least 1'],
  [
    { rule: 'type', expected: 'string', location: name },
    '0.name must be a string in the response',
    'must be a string',
  ],
  [
    { rule: 'type', expected: 'array', location: ['response', 'body'] },
    'the body must be an array in the response',
    'must be an array',
  ],
  [
    { rule: 'enum', expected: 'available, sold', location: ['request', 'query', 'status'] },
    'status must be one of: available, sold',
    'must be one of: available, sold',
  ],
  [
    { rule: 'required', missing: 'name', location: ['response', 'body', '2'] },
    '2.name is missing in the response',
    'name is missing',
  ],
  [
    { rule: 'required', missing: 'name', location: ['request', 'body'] },
    'name is missing',
    'name is missing',
  ],
  [{ rule: 'list-pets/unique-ids', location: ['response', 'body'] }, message, message],
] as const)('%j is described as %s, and at its place as %s', ([parts, sentence, atPlace]) => {
  expect(describeViolation(row(parts))).toBe(sentence);
  expect(describeViolation(row(parts), true)).toBe(atPlace);
});
