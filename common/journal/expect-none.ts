import type { ContractViolation } from './violations.ts';

const MOST_PRINTED = 20;

/** @throws Error that lists the violations, if there are any. */
export function expectNone(found: readonly ContractViolation[]): void {
  if (found.length === 0) return;
  const count = found.length === 1 ? '1 violation' : `${found.length} violations`;
  const lines = found.slice(0, MOST_PRINTED).map(printViolation);
  throw new Error([`${count} of the contract:`, ...lines].join('\n  '));
}

function printViolation(violation: ContractViolation): string {
  const { operation, place, rule, message, method, url, status } = violation;
  return `${operation ?? '-'} ${place} ${rule}: ${message} (${method} ${url}, ${status ?? 'not answered'})`;
}
