import type { JournalEntry } from '../../common/journal/journal-entry.ts';
import type { Violation } from '../../common/journal/violation.ts';

/** Marks of requests and their meanings. */
export const marks = {
  pass: ['✓', 'no problem found'],
  warn: ['!', 'warning, or another 4xx response'],
  fail: ['✗', 'violation, invalid request, 5xx response or no response'],
  fault: ['≠', 'changed by a fault'],
  muted: ['?', 'violations no longer kept'],
  waiting: ['…', 'waiting for its response'],
} as const;

type Severity = Pick<Violation, 'severity'>;

export const isError = ({ severity }: Severity): boolean => severity === 'error';

/**
 * Returns the same mark for a problem, whether the mock or the checked proxy reports it.
 * @param isUnchecked whether the server may have dropped violations of the request
 */
export function findMark(
  { status, error, fault, ms }: Pick<JournalEntry, 'status' | 'error' | 'fault' | 'ms'>,
  found: readonly Severity[],
  isUnchecked: boolean,
): keyof typeof marks {
  if (ms === undefined) return 'waiting';
  if (fault !== undefined) return 'fault';
  const isRefused = error === 'invalid_request' || error === 'unauthorized';
  // A fault has broken a response whose status is none of an error.
  const isBroken = status === undefined || (status < 400 && error !== undefined);
  if (isBroken || status >= 500 || isRefused || found.some(isError)) return 'fail';
  if (status >= 400 || found.length > 0) return 'warn';
  return isUnchecked ? 'muted' : 'pass';
}
