import { expect, test } from 'vitest';
import { Violations } from './violations.ts';

test('clearing also removes a violation that is under way, of a request of the same millisecond', () => {
  // The clock reads one time at the arrival and at the call, so this one is never before the call.
  const underWay = [new Date(Date.now() + 60_000)];
  const request = { request: 1, operation: undefined, method: 'GET', url: '/', status: 200 };
  const found = { severity: 'error', location: [], place: 'request', rule: 'one', message: 'One.' } as const;
  const more = { expected: undefined, missing: undefined, received: undefined };
  const violations = new Violations(() => {
    for (const time of underWay.splice(0)) violations.add({ time, ...request, ...found, ...more });
    return true;
  });
  violations.clearViolations();
  expect(violations.violations()).toEqual([]);
});
